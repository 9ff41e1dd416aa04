/**
 * Frame that filters an environment on the simulated GPU: a cube of radiance whose levels are
 * filtered for increasing roughness, and the table of reflectance.
 */
import type { Frame, SamplerState, TextureResource } from '@tessera/frame';
import { bytesOf, FrameBuilder, type TargetTexture } from '../build/frame-builder.ts';
import {
  ALL_LEVELS,
  addCoveringPass,
  type CoveringInputs,
  ONE_LEVEL,
  oneLevelOf,
} from './covering-pass.ts';
import { coveringProgram, faceProgram } from './cube-shaders.ts';
import {
  HALVE_FACE_GLSL,
  IMPORTANCE_FACE_GLSL,
  IMPORTANCE_SAMPLES,
  PANORAMA_FACE_GLSL,
  REFLECTANCE_TABLE_GLSL,
  WHOLE_FACE_GLSL,
} from './prefilter-shaders.ts';
import type { RadianceImage } from './radiance-image.ts';

/** Edge of the faces of level 0, in texels. */
const CUBE_PX = 256;
/** Edge of the faces of the last level, which holds the light for diffuse reflection. */
const LAST_PX = 8;
/** Number of levels of a filtered cube. */
export const ENVIRONMENT_LEVELS = Math.log2(CUBE_PX / LAST_PX) + 1;
/** Edge of the level that the last levels are filtered from as a whole. */
const WHOLE_PX = 16;
/** Number of last levels that are filtered from all texels of a small level. */
const WHOLE_LEVELS = 3;
/** Edge of the table of reflectance. */
const TABLE_PX = 32;
const FACES = [0, 1, 2, 3, 4, 5] as const;
/** Largest value of a 16-bit float. */
const MAX_HALF = 65_504;

/** Sampler of panoramas: they continue at the left and right edges. */
const PANORAMA: SamplerState = { ...ONE_LEVEL, wrapS: 'repeat' };

/** Light of an environment, ready for surfaces. */
export interface FilteredEnvironment {
  /**
   * Cube of radiance. Level k of {@link ENVIRONMENT_LEVELS} is filtered for the roughness
   * {@link roughnessOfLevel}; the last one holds the irradiance over π.
   */
  readonly radiance: TextureResource;
  /** Scale and bias by roughness (s) and cosine of the viewer (t). */
  readonly reflectance: TextureResource;
}

/** Frame that filters an environment, and the indices of its results. */
export interface EnvironmentFrame {
  readonly frame: Frame;
  readonly radianceIndex: number;
  readonly reflectanceIndex: number;
}

/** Returns the roughness that a level of a filtered cube is for, 0 to 1. */
export function roughnessOfLevel(level: number): number {
  return 1 - Math.sqrt(1 - level / (ENVIRONMENT_LEVELS - 1));
}

/**
 * Description of all that the filter depends on besides the environment, so that results of another
 * filter are not used.
 */
export const FILTER_DESCRIPTION = JSON.stringify([
  [CUBE_PX, LAST_PX, WHOLE_PX, WHOLE_LEVELS, TABLE_PX, IMPORTANCE_SAMPLES],
  [PANORAMA_FACE_GLSL, HALVE_FACE_GLSL, IMPORTANCE_FACE_GLSL, WHOLE_FACE_GLSL],
  REFLECTANCE_TABLE_GLSL,
]);

/** Source of an environment: a panorama, or GLSL that computes radiance. */
export type EnvironmentSource =
  | { readonly kind: 'panorama'; readonly image: RadianceImage }
  | {
      readonly kind: 'computed';
      /** Fragment shader of a face, as of `faceProgram`. */
      readonly fragment: string;
    };

/** Makes the frame that filters an environment. Its passes draw only into textures. */
export function makeEnvironmentFrame(source: EnvironmentSource): EnvironmentFrame {
  const builder = new FrameBuilder();
  const added = addEnvironmentPasses(builder, source);
  return { frame: builder.buildPasses(), ...added };
}

/** Adds the passes that filter an environment. */
export function addEnvironmentPasses(
  builder: FrameBuilder,
  source: EnvironmentSource,
): Omit<EnvironmentFrame, 'frame'> {
  const cube = {
    format: 'rgba16float',
    dimension: 'cube',
    widthPx: CUBE_PX,
    heightPx: CUBE_PX,
  } as const;
  const raw = { ...cube, levelCount: Math.log2(CUBE_PX / WHOLE_PX) + 1 };
  const filtered = { ...cube, levelCount: ENVIRONMENT_LEVELS };
  const rawIndex = builder.addTarget(raw);
  const radianceIndex = builder.addTarget(filtered);

  // 1. Draw the faces of the environment and their smaller levels.
  addFacePasses(builder, raw, rawIndex, 0, ...sourceOf(builder, source));
  for (let level = 1; level < raw.levelCount; level++) {
    addFacePasses(builder, raw, rawIndex, level, HALVE_FACE_GLSL, {
      uniforms: {},
      textures: { u_larger: oneLevelOf(rawIndex, level - 1) },
    });
  }

  // 2. Filter each level for its roughness.
  for (let level = 0; level < ENVIRONMENT_LEVELS; level++) {
    addFacePasses(builder, filtered, radianceIndex, level, ...filterOf(rawIndex, raw, level));
  }

  // 3. Integrate the reflectance.
  const table = { format: 'rg16float', widthPx: TABLE_PX, heightPx: TABLE_PX } as const;
  const reflectanceIndex = builder.addTarget(table);
  addCoveringPass(
    builder,
    table,
    { textureIndex: reflectanceIndex },
    coveringProgram(REFLECTANCE_TABLE_GLSL),
    { uniforms: { u_tablePx: [TABLE_PX] }, textures: {} },
  );
  return { radianceIndex, reflectanceIndex };
}

function sourceOf(builder: FrameBuilder, source: EnvironmentSource): [string, CoveringInputs] {
  if (source.kind === 'computed') return [source.fragment, { uniforms: {}, textures: {} }];
  const { widthPx, heightPx, rgb } = source.image;
  const texels = new Float16Array(widthPx * heightPx * 4);
  for (let i = 0; i < widthPx * heightPx; i++) {
    for (let c = 0; c < 3; c++) texels[4 * i + c] = Math.min(rgb[3 * i + c]!, MAX_HALF);
    texels[4 * i + 3] = 1;
  }
  const textureIndex = builder.addTexture({
    format: 'rgba16float',
    widthPx,
    heightPx,
    levels: [bytesOf(texels)],
    isMipmapGenerated: false,
  });
  const textures = { u_panorama: { textureIndex, sampler: PANORAMA } };
  return [PANORAMA_FACE_GLSL, { uniforms: {}, textures }];
}

/** Returns the shader that filters a level, and its inputs without the face. */
function filterOf(
  textureIndex: number,
  raw: { readonly levelCount: number },
  level: number,
): [string, CoveringInputs] {
  if (level === 0) {
    return [HALVE_FACE_GLSL, { uniforms: {}, textures: { u_larger: oneLevelOf(textureIndex, 0) } }];
  }
  const u_roughness = [roughnessOfLevel(level)];
  if (level >= ENVIRONMENT_LEVELS - WHOLE_LEVELS) {
    return [
      WHOLE_FACE_GLSL,
      {
        uniforms: { u_roughness, u_sourcePx: [WHOLE_PX] },
        textures: { u_source: oneLevelOf(textureIndex, raw.levelCount - 1) },
      },
    ];
  }
  const u_levelBias = [Math.log2(CUBE_PX) + 0.5 * Math.log2(6 / IMPORTANCE_SAMPLES) + 0.5];
  return [
    IMPORTANCE_FACE_GLSL,
    {
      uniforms: { u_roughness, u_levelBias },
      textures: { u_source: { textureIndex, sampler: ALL_LEVELS } },
    },
  ];
}

function addFacePasses(
  builder: FrameBuilder,
  target: TargetTexture,
  textureIndex: number,
  level: number,
  fragment: string,
  { uniforms, textures }: CoveringInputs,
): void {
  const program = faceProgram(fragment);
  for (const slice of FACES) {
    addCoveringPass(builder, target, { textureIndex, level, slice }, program, {
      uniforms: { ...uniforms, u_face: [slice], u_facePx: [target.widthPx >> level] },
      textures,
    });
  }
}
