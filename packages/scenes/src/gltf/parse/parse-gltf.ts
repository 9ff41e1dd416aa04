/** Checks the JSON of a model at the door and gives it a type; what passes is trusted by everything behind. */
import { RenderError } from '@tessera/frame';
import type { GltfLimits } from '../gltf-limits.ts';
import type { GltfModel } from '../gltf-model.ts';
import { JsonPlace } from './json-place.ts';
import { parseAnimations } from './parse-animations.ts';
import { parseExtensions } from './parse-extensions.ts';
import { parseImages, parseMaterials, parseSamplers, parseTextures } from './parse-materials.ts';
import { parseMeshes } from './parse-meshes.ts';
import { checkForest, parseCameras, parseNodes, parseScenes, parseSkins } from './parse-nodes.ts';
import { parseAccessors, parseBuffers, parseBufferViews } from './parse-storage.ts';

/**
 * @throws {RenderError} MODEL_INVALID, MODEL_UNSUPPORTED or LIMIT_EXCEEDED; the message begins with the
 *   path of the place.
 */
export function parseGltf(jsonBytes: Uint8Array, limits: GltfLimits): GltfModel {
  const root = new JsonPlace(parseJson(jsonBytes, limits), '');
  const version = root.get('asset').get('version').string();
  if (!/^2\.\d+$/.test(version)) {
    throw new RenderError(
      'MODEL_UNSUPPORTED',
      `asset.version: "${version.slice(0, 40)}"; only glTF 2.0 is supported`,
    );
  }
  const ignoredExtensions = parseExtensions(root);
  const list = (key: string): JsonPlace[] => listWithin(root, key, limits);

  const buffers = parseBuffers(list('buffers'));
  const bufferViews = parseBufferViews(list('bufferViews'), buffers);
  const accessors = parseAccessors(list('accessors'), bufferViews);
  const images = parseImages(list('images'), bufferViews);
  const textures = parseTextures(list('textures'), images, parseSamplers(list('samplers')));
  const materials = parseMaterials(list('materials'), textures);
  const meshes = parseMeshes(list('meshes'), accessors, materials.length);
  const cameras = parseCameras(list('cameras'));
  const nodePlaces = list('nodes');
  const skins = parseSkins(list('skins'), nodePlaces.length, accessors);
  const counts = { skins: skins.length, cameras: cameras.length };
  const nodes = parseNodes(nodePlaces, meshes, counts, accessors);
  checkForest(nodes, limits);
  const animations = parseAnimations(list('animations'), accessors, nodes, meshes);
  const scenes = parseScenes(list('scenes'), nodes.length);
  const defaultScene = root.optional('scene')?.index(scenes.length, 'scenes') ?? 0;
  return {
    buffers,
    bufferViews,
    accessors,
    images,
    textures,
    materials,
    meshes,
    nodes,
    skins,
    cameras,
    animations,
    scenes,
    defaultScene,
    ignoredExtensions,
  };
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
    throw new RenderError('MODEL_INVALID', `model: no JSON: ${reason}`, { cause });
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
