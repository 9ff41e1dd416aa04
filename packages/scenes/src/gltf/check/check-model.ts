/**
 * Validation boundary for models, before the library reads them: the JSON, the bytes that it names,
 * and every index between them. The library trusts its input and reads all of it. A model that
 * passes is within the limits. Error messages name the place.
 */
import type { GLTF } from '@gltf-transform/core';
import { RenderError } from '@tessera/frame';
import { decodeDraco } from '../compression/decode-draco.ts';
import { makePlain } from '../compression/plain-json.ts';
import type { GltfLimits } from '../format/gltf-limits.ts';
import type { GltfFiles } from '../format/resolve-uri.ts';
import { checkAnimations } from './check-animations.ts';
import { checkDraco } from './check-draco.ts';
import { checkExtensions } from './check-extensions.ts';
import { checkLights } from './check-lights.ts';
import { checkMaterials, checkSamplers, checkTextures } from './check-materials.ts';
import { checkMeshes } from './check-meshes.ts';
import { checkCameras, checkNodes, checkScenes, checkSkins } from './check-nodes.ts';
import {
  type CheckedAccessor,
  checkAccessors,
  checkBuffers,
  checkBufferViews,
  checkImages,
} from './check-storage.ts';
import { checkVariants } from './check-variants.ts';
import { JsonPlace } from './json-place.ts';

/** Checked model with the bytes that it names. */
export interface CheckedModel {
  /** JSON in which no geometry is compressed and no extension names an image. */
  readonly json: GLTF.IGLTF;
  /** Bytes of each buffer, as many as the JSON specifies. */
  readonly buffers: readonly Uint8Array[];
  /** File of each image. */
  readonly images: readonly Uint8Array[];
  /** Features that the image lacks, apart from extensions. */
  readonly warnings: readonly string[];
  /** Extensions that the model uses. */
  readonly usedExtensions: readonly string[];
  /**
   * Checks JSON of the model in which properties of nodes, meshes, materials or cameras changed.
   *
   * @throws {RenderError} MODEL_INVALID or MODEL_UNSUPPORTED.
   */
  readonly checkProperties: (json: unknown) => void;
}

/**
 * Checks a model.
 *
 * @param binary Binary chunk of a .glb.
 * @throws {RenderError} MODEL_INVALID, MODEL_UNSUPPORTED or LIMIT_EXCEEDED; the message begins with
 *   the path of the value.
 */
export async function checkModel(
  jsonBytes: Uint8Array,
  binary: Uint8Array | null,
  files: GltfFiles,
  limits: GltfLimits,
): Promise<CheckedModel> {
  const json = parseJson(jsonBytes, limits);
  const root = new JsonPlace(json, '');
  checkVersion(root.get('asset'));
  const usedExtensions = checkExtensions(root);
  const list = (key: string): JsonPlace[] => listWithin(root, key, limits);

  const buffers = checkBuffers(list('buffers'), binary, files);
  const views = await checkBufferViews(list('bufferViews'), buffers, limits);
  const accessors = checkAccessors(list('accessors'), views, limits);
  const images = checkImages(list('images'), views, files);
  const samplerCount = checkSamplers(list('samplers'));
  const sources = checkTextures(list('textures'), images.length, samplerCount);
  const checkProperties = (edited: unknown): void =>
    checkScene(new JsonPlace(edited, ''), accessors, sources.length, limits);
  checkProperties(json);
  const draco = checkDraco(list('meshes'), accessors, views);
  const dracoValues = await decodeDraco(draco, limits.maxDecodeBytes);
  // All members that are read later were checked above.
  const decoded = views.map(({ isDecoded, bytes }) => (isDecoded ? bytes : null));
  const plain = makePlain(json as GLTF.IGLTF, buffers, decoded, dracoValues, sources);
  const warnings = sources.flatMap((source, i) =>
    source === null ? [`textures[${i}]: has no image, ignored`] : [],
  );
  return { ...plain, images, warnings, usedExtensions, checkProperties };
}

/**
 * Checks the version, of which the major one counts, and the smallest version that a reader of the
 * model needs (glTF 2.0, section 3.2). Properties of later versions are ignored.
 */
function checkVersion(asset: JsonPlace): void {
  const require = (place: JsonPlace | null, supported: RegExp): void => {
    if (place === null || supported.test(place.string())) return;
    throw new RenderError(
      'MODEL_UNSUPPORTED',
      `${place.path}: "${place.string().slice(0, 40)}"; only glTF 2.0 is supported`,
    );
  };
  require(asset.get('version'), /^2\.\d+$/);
  require(asset.optional('minVersion'), /^2\.0$/);
}

/** Checks what a scene consists of: materials, meshes, cameras, nodes and animations. */
function checkScene(
  root: JsonPlace,
  accessors: readonly CheckedAccessor[],
  textureCount: number,
  limits: GltfLimits,
): void {
  const list = (key: string): JsonPlace[] => listWithin(root, key, limits);
  const materialCount = checkMaterials(list('materials'), textureCount);
  const meshes = list('meshes');
  const targetCounts = checkMeshes(meshes, accessors, materialCount);
  checkVariants(root, meshes, materialCount);
  const cameraCount = checkCameras(list('cameras'));
  const nodes = list('nodes');
  const skinCount = checkSkins(list('skins'), nodes.length, accessors);
  const counts = { skins: skinCount, cameras: cameraCount };
  const parents = checkNodes(nodes, targetCounts, counts, accessors, limits);
  checkLights(root, nodes);
  checkAnimations(list('animations'), accessors, nodes, targetCounts);
  const sceneCount = checkScenes(list('scenes'), parents);
  root.optional('scene')?.index(sceneCount, 'scenes');
}

function parseJson(jsonBytes: Uint8Array, limits: GltfLimits): unknown {
  if (jsonBytes.length > limits.maxJsonBytes) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `model: ${jsonBytes.length} bytes of JSON; at most ${limits.maxJsonBytes} (maxJsonBytes)`,
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(jsonBytes);
  } catch (cause) {
    throw new RenderError('MODEL_INVALID', 'model: the JSON is not UTF-8', { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : 'not JSON';
    throw new RenderError('MODEL_INVALID', `model: invalid JSON: ${reason}`, { cause });
  }
}

function listWithin(root: JsonPlace, key: string, limits: GltfLimits): JsonPlace[] {
  const member = root.optional(key);
  if (member === null) return [];
  const { value } = member;
  if (Array.isArray(value) && value.length > limits.maxElements) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `${key}: ${value.length} elements; at most ${limits.maxElements} (maxElements)`,
    );
  }
  return member.array();
}
