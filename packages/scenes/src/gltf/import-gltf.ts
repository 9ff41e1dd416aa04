/**
 * Imports glTF 2.0 as a frame. The simulated GPU computes the whole image: vertices are passed as
 * they are in the file, and shaders do morphing, skinning, lighting, tone mapping and sRGB
 * encoding.
 */
import type { Node, Scene } from '@gltf-transform/core';
import { type Frame, IndexRanges, type PassClear, RenderError } from '@tessera/frame';
import { FrameBuilder } from '../build/frame-builder.ts';
import { BoundingBox } from '../math/bounding-box.ts';
import { transformPoint } from '../math/matrix.ts';
import type { Vec3 } from '../math/vector.ts';
import { type AnimatedProperties, sampleAnimation } from './animate.ts';
import { viewOfCamera } from './camera.ts';
import {
  FULL_QUALITY_EXTENSIONS,
  METADATA_EXTENSIONS,
  SUPPORTED_EXTENSIONS,
} from './check/check-extensions.ts';
import { type CheckedModel, checkModel } from './check/check-model.ts';
import { collectSurfaces } from './collect-surfaces.ts';
import { DEFAULT_GLTF_LIMITS, type GltfLimits } from './format/gltf-limits.ts';
import { readGlb } from './format/read-container.ts';
import type { GltfFiles } from './format/resolve-uri.ts';
import { readFrameModel } from './frame-model.ts';
import { frameBox, frameCylinder } from './framing.ts';
import { addFullPasses, type OrderedDraws } from './full-passes.ts';
import { loadImageCodecs } from './images/image-codecs.ts';
import { ImportWarnings } from './import-warnings.ts';
import type { ModelLook } from './model-look.ts';
import { poseScene } from './pose.ts';
import { GeometryReader } from './primitive-geometry.ts';
import { listLights, type PunctualLights } from './punctual-lights.ts';
import { type Model, readModel } from './read-model.ts';
import { MAX_SHADOWS } from './shadow-passes.ts';
import { clipUniforms, makeSurfaceDraws, type SurfaceDraw } from './surface-draws.ts';
import { TextureLoader } from './texture-loader.ts';
import type { Framing, View } from './view.ts';

/** Model: a .glb, or the JSON of a .gltf with the files that it names. */
export type GltfSource =
  | { readonly kind: 'glb'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'gltf';
      readonly json: Uint8Array;
      /** Files by the names that the URIs in the JSON use. */
      readonly files?: GltfFiles;
    };

/** Size of the image, and the camera, scene and time to render. */
export interface ImportGltfOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Index of the model's camera; by default a camera that frames the model. */
  readonly cameraIndex?: number;
  /** Index of the scene; by default the model's default scene. */
  readonly sceneIndex?: number;
  /** Index of the animation; 0 by default. */
  readonly animationIndex?: number;
  /**
   * Time of the animation, 0 by default. After its last key the animation keeps its final values.
   */
  readonly timeSeconds?: number;
  /** Changes to the camera that frames the model; without effect on the model's own cameras. */
  readonly framing?: Framing | undefined;
  /**
   * Look in full quality; without it the model is drawn in simple quality, under a fixed light in
   * one pass.
   */
  readonly look?: ModelLook | undefined;
  /** Name of a variant of the materials (KHR_materials_variants); by default none. */
  readonly variant?: string | undefined;
  readonly limits?: Partial<GltfLimits>;
  /**
   * Receives the ranges of the frame's indices, so that the validation of the frame need not scan
   * them again.
   */
  readonly indexRanges?: IndexRanges;
}

/** Result of an import. */
export interface ImportedModel {
  readonly frame: Frame;
  /** Features that the image lacks, such as extensions that are neither supported nor required. */
  readonly warnings: readonly string[];
  /** Camera of the frame. */
  readonly view: View;
}

/** Background color, sRGB-encoded. */
const BACKGROUND = [0.2, 0.22, 0.25, 1] as const;

/** Creates the frame of an opened model. Throws as {@link importGltf}. */
export type FrameImporter = (options: Omit<ImportGltfOptions, 'limits'>) => Promise<ImportedModel>;

/**
 * Creates the frame of a model. The frame shares no memory with the source.
 *
 * @throws {RenderError} MODEL_INVALID, MODEL_UNSUPPORTED, LIMIT_EXCEEDED, or REQUEST_INVALID if an
 *   option names a camera, scene, animation or variant that the model does not have.
 */
export async function importGltf(
  source: GltfSource,
  options: ImportGltfOptions,
): Promise<ImportedModel> {
  const importFrame = await openGltf(source, options.limits);
  return importFrame(options);
}

/**
 * Reads and checks a model once, for several frames of it. Frames share decoded images, which must
 * not be changed.
 *
 * @throws {RenderError} MODEL_INVALID, MODEL_UNSUPPORTED, LIMIT_EXCEEDED.
 */
export async function openGltf(
  source: GltfSource,
  givenLimits: Partial<GltfLimits> = {},
): Promise<FrameImporter> {
  const limits = { ...DEFAULT_GLTF_LIMITS, ...givenLimits };
  const { json, binary } =
    source.kind === 'glb' ? readGlb(source.bytes) : { json: source.json, binary: null };
  const files: GltfFiles = source.kind === 'gltf' ? (source.files ?? new Map()) : new Map();
  const checked = await checkModel(json, binary, files, limits);
  const model = await readModel(checked);
  const opened = {
    model,
    checked,
    limits,
    loader: new TextureLoader(
      checked.images,
      limits,
      await loadImageCodecs(checked.images, limits.maxDecodeBytes),
    ),
  };
  return (options) => importFrame(opened, options);
}

/** Model that was read and checked. */
interface OpenedModel {
  readonly model: Model;
  readonly checked: CheckedModel;
  readonly limits: GltfLimits;
  /** Loader of textures, which keeps decoded images. */
  readonly loader: TextureLoader;
}

async function importFrame(
  { model: opened, checked, limits, loader }: OpenedModel,
  options: Omit<ImportGltfOptions, 'limits'>,
): Promise<ImportedModel> {
  const { widthPx, heightPx, look } = options;
  const warnings = new ImportWarnings();
  warnOfExtensions(checked.usedExtensions, look !== undefined, warnings);
  for (const warning of checked.warnings) warnings.add(warning);

  // 1. Choose a variant, animate properties, pose the scene and list its surfaces.
  requireAnimation(opened, options);
  const model = await readFrameModel(opened, checked, options, warnings);
  const pose = poseScene(model, chooseScene(model, options), animateNodes(model, options));
  const surfaces = collectSurfaces(model, pose, limits);
  const lights = listLights(pose);

  // 2. Convert geometry and materials.
  const builder = new FrameBuilder();
  const geometry = new GeometryReader(builder, options.indexRanges ?? new IndexRanges());
  const context = {
    model,
    pose,
    geometry,
    loader,
    builder,
    warnings,
    widthPx,
    heightPx,
    maxInstances: limits.maxTriangles,
    full: look === undefined ? null : sharedFeatures(look, lights, warnings),
  };
  const draws = surfaces.flatMap((surface) => makeSurfaceDraws(surface, context));

  // 3. Set the camera and add the draws in order.
  const aspect = widthPx / heightPx;
  const { cameraIndex } = options;
  const view =
    cameraIndex === undefined
      ? frameDraws(draws, aspect, options)
      : viewOfCamera(model, pose, cameraIndex, aspect);
  const clear =
    look === undefined
      ? addSimpleDraws(builder, draws, view)
      : addFullPasses(builder, orderFull(draws, view), {
          widthPx,
          heightPx,
          view,
          look,
          lights,
        });
  const frame = builder.build(widthPx, heightPx, clear, look?.samples);
  return { frame, warnings: warnings.list(), view };
}

/** Returns the features of full quality that all surfaces share. */
function sharedFeatures(
  { toneMapping, hasShadows, hasScreenOcclusion = false }: ModelLook,
  { lights }: PunctualLights,
  warnings: ImportWarnings,
) {
  if (hasShadows && lights.length > MAX_SHADOWS) {
    warnings.add(`lights: only the first ${MAX_SHADOWS} of ${lights.length} cast shadows`);
  }
  const shadows = hasShadows ? lights.slice(0, MAX_SHADOWS).map(({ kind }) => kind) : [];
  return {
    lightCount: lights.length,
    shadows,
    toneMapping,
    isScreenOccluded: hasScreenOcclusion,
  };
}

function warnOfExtensions(
  used: readonly string[],
  isFull: boolean,
  warnings: ImportWarnings,
): void {
  for (const extension of used) {
    if (METADATA_EXTENSIONS.includes(extension)) {
      warnings.add(`${extension}: information about the model, which no image depends on`);
    } else if (!SUPPORTED_EXTENSIONS.includes(extension)) {
      warnings.add(`${extension}: not supported, ignored`);
    } else if (!isFull && FULL_QUALITY_EXTENSIONS.includes(extension)) {
      warnings.add(`${extension}: ignored in simple quality`);
    }
  }
}

function chooseScene({ root }: Model, { sceneIndex }: ImportGltfOptions): Scene {
  const scenes = root.listScenes();
  if (scenes.length === 0) throw new RenderError('MODEL_INVALID', 'scenes: the model has no scene');
  if (sceneIndex === undefined) return root.getDefaultScene() ?? scenes[0];
  const scene = scenes[sceneIndex];
  if (scene === undefined) {
    throw new RenderError(
      'REQUEST_INVALID',
      `scene: ${sceneIndex} does not exist; the model has ${scenes.length} scenes`,
    );
  }
  return scene;
}

/**
 * @throws {RenderError} REQUEST_INVALID if the options name an animation or time that does not
 *   exist.
 */
function requireAnimation(
  { root }: Model,
  { animationIndex, timeSeconds = 0 }: ImportGltfOptions,
): void {
  if (!Number.isFinite(timeSeconds)) {
    throw new RenderError('REQUEST_INVALID', `time: ${timeSeconds} is not a finite number`);
  }
  const { length } = root.listAnimations();
  if (animationIndex === undefined || root.listAnimations()[animationIndex] !== undefined) return;
  throw new RenderError(
    'REQUEST_INVALID',
    `animation: ${animationIndex} does not exist; the model has ${length} animations`,
  );
}

function animateNodes(
  model: Model,
  { animationIndex = 0, timeSeconds = 0 }: ImportGltfOptions,
): ReadonlyMap<Node, AnimatedProperties> {
  const animation = model.root.listAnimations()[animationIndex];
  return sampleAnimation(animation?.listChannels() ?? [], model, timeSeconds);
}

function frameDraws(
  draws: readonly SurfaceDraw[],
  aspect: number,
  { look, framing }: Pick<ImportGltfOptions, 'look' | 'framing'>,
): View {
  const box = boxOf(draws);
  if (look === undefined) return frameBox(box, aspect, framing);
  const center = framing?.target ?? box.center();
  let radius = 0;
  for (const draw of draws) radius = Math.max(radius, radiusAround(center, draw));
  return frameCylinder(
    {
      radius,
      bottom: box.min[1] - center[1],
      top: box.max[1] - center[1],
    },
    center,
    aspect,
    framing,
  );
}

/** Returns an upper bound of a surface's distance from the vertical axis through a point. */
function radiusAround([x, , z]: Vec3, { box, ball }: SurfaceDraw): number {
  const toCorner = Math.max(
    ...box.corners().map((corner) => Math.hypot(corner[0] - x, corner[2] - z)),
  );
  if (ball === null) return toCorner;
  const [ballX, , ballZ] = ball.center;
  return Math.min(toCorner, Math.hypot(ballX - x, ballZ - z) + ball.radius);
}

function boxOf(draws: readonly SurfaceDraw[]): BoundingBox {
  const all = new BoundingBox();
  for (const { box } of draws) all.addBox(box);
  // A scene may be hidden as a whole.
  if (all.isEmpty()) all.addPoint(0, 0, 0);
  return all;
}

/** Adds the draws of simple quality. Returns the clear of their pass. */
function addSimpleDraws(
  builder: FrameBuilder,
  draws: readonly SurfaceDraw[],
  view: View,
): PassClear {
  const viewer = Float32Array.from(view.viewer);
  const opaque = draws.filter(({ isBlended }) => !isBlended);
  const blended = farthestFirst(
    draws.filter(({ isBlended }) => isBlended),
    view,
  );
  for (const { draw, isUnlit, toWorld } of [...opaque, ...blended]) {
    builder.addDraw({
      ...draw,
      uniforms: {
        ...draw.uniforms,
        ...clipUniforms(view.viewProjection, toWorld),
        ...(isUnlit ? {} : { u_viewer: viewer }),
      },
    });
  }
  return { color: BACKGROUND, depth: 1, stencil: 0 };
}

/** Sorts the draws of full quality by how they are made. */
function orderFull(draws: readonly SurfaceDraw[], view: View): OrderedDraws {
  const isTransmitting = ({ features }: SurfaceDraw) =>
    features.full?.layers.has('transmission') === true;
  const others = draws.filter((draw) => !isTransmitting(draw));
  return {
    opaque: others.filter(({ isBlended }) => !isBlended),
    transmitting: farthestFirst(draws.filter(isTransmitting), view),
    blended: farthestFirst(
      others.filter(({ isBlended }) => isBlended),
      view,
    ),
  };
}

/** Sorts draws from the farthest to the nearest center. */
function farthestFirst(draws: readonly SurfaceDraw[], view: View): SurfaceDraw[] {
  return draws
    .map((draw) => ({ draw, z: transformPoint(view.viewMatrix, draw.box.center())[2] }))
    .sort((a, b) => a.z - b.z)
    .map(({ draw }) => draw);
}
