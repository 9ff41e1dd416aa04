/** Parameters of textures: names, values, and their equivalents in a frame. */
import type {
  FilterMode,
  SamplerState,
  SwizzleSource,
  TextureDimension,
  WrapMode,
} from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import { RASTER_ENUMS } from '../../api/raster-enums.ts';
import type { BaseFormat } from '../../texels/texel-formats.ts';

/** GL_TEXTURE_SWIZZLE_R, G, B and A. */
export const TEXTURE_SWIZZLES = [0x8e42, 0x8e43, 0x8e44, 0x8e45] as const;
/** GL_TEXTURE_SWIZZLE_RGBA, which sets all four. */
export const TEXTURE_SWIZZLE_RGBA = 0x8e46;

/** Sources of a swizzle by enumeration (OpenGL 3.3, section 3.8.16). */
export const SWIZZLE_BY_ENUM: ReadonlyMap<number, SwizzleSource> = new Map<number, SwizzleSource>([
  [GL.RED, 'red'],
  [GL.GREEN, 'green'],
  [GL.BLUE, 'blue'],
  [GL.ALPHA, 'alpha'],
  [0, 'zero'],
  [1, 'one'],
]);

/** Wrap modes by enumeration. */
export const WRAP_BY_ENUM: ReadonlyMap<number, WrapMode> = new Map([
  [GL.REPEAT, 'repeat'],
  [GL.CLAMP_TO_EDGE, 'clamp-to-edge'],
  [GL.MIRRORED_REPEAT, 'mirrored-repeat'],
  [GL.CLAMP, 'clamp'],
  [0x812d, 'clamp-to-border'],
  // MIRROR_CLAMP_EXT, MIRROR_CLAMP_TO_EDGE, MIRROR_CLAMP_TO_BORDER_EXT.
  [0x8742, 'mirror-clamp'],
  [0x8743, 'mirror-clamp-to-edge'],
  [0x8912, 'mirror-clamp-to-border'],
]);

/** GL_COMPARE_REF_TO_TEXTURE. */
export const COMPARE_REF_TO_TEXTURE = 0x884e;
/** GL_DEPTH_TEXTURE_MODE. */
export const DEPTH_TEXTURE_MODE = 0x884b;
/** GL_DEPTH_STENCIL_TEXTURE_MODE (WEBGL_stencil_texturing). */
export const DEPTH_STENCIL_TEXTURE_MODE = 0x90ea;
/** GL_TEXTURE_IMMUTABLE_FORMAT. */
export const TEXTURE_IMMUTABLE_FORMAT = 0x912f;
/** GL_TEXTURE_IMMUTABLE_LEVELS. */
export const TEXTURE_IMMUTABLE_LEVELS = 0x82df;

const DIMENSIONS: ReadonlyMap<number, TextureDimension> = new Map([
  [GL.TEXTURE_2D, '2d'],
  // One row without mipmaps; otherwise a 2D texture.
  [FIXED.TEXTURE_1D, '2d'],
  [FIXED.TEXTURE_RECTANGLE, '2d'],
  [FIXED.TEXTURE_BUFFER, '2d'],
  [GL.TEXTURE_CUBE_MAP, 'cube'],
  [0x806f, '3d'],
  [0x8c1a, '2d-array'],
  // Layers of one row.
  [FIXED.TEXTURE_1D_ARRAY, '2d-array'],
]);

/** Returns the dimension of a texture target; `null` if it is not one. */
export function dimensionOf(target: number): TextureDimension | null {
  return DIMENSIONS.get(target) ?? null;
}

/** Returns whether an image target is a face of a cube map. */
export function isFace(target: number): boolean {
  return target >= GL.TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z;
}

/** Returns the target that the texture of an image target is bound to: the cube map of a face. */
export function bindingTargetOf(target: number): number {
  return isFace(target) ? GL.TEXTURE_CUBE_MAP : target;
}

/** Returns the cube face of an image target, or 0 for any other target. */
export function faceOf(target: number): number {
  return isFace(target) ? target - GL.TEXTURE_CUBE_MAP_POSITIVE_X : 0;
}

/** Minification filters by enumeration: filter inside a level, filter between levels. */
export const MIN_FILTERS: ReadonlyMap<number, readonly [FilterMode, SamplerState['mipmapFilter']]> =
  new Map([
    [GL.NEAREST, ['nearest', 'none']],
    [GL.LINEAR, ['linear', 'none']],
    [GL.NEAREST_MIPMAP_NEAREST, ['nearest', 'nearest']],
    [GL.LINEAR_MIPMAP_NEAREST, ['linear', 'nearest']],
    [GL.NEAREST_MIPMAP_LINEAR, ['nearest', 'linear']],
    [GL.LINEAR_MIPMAP_LINEAR, ['linear', 'linear']],
  ]);

/** Numeric parameters with their initial values. */
export const NUMBERS: ReadonlyMap<number, number> = new Map([
  [GL.TEXTURE_MAX_ANISOTROPY, 1],
  [GL.TEXTURE_MIN_LOD, -1000],
  [GL.TEXTURE_MAX_LOD, 1000],
  [GL.TEXTURE_LOD_BIAS, 0],
  [GL.TEXTURE_COMPARE_MODE, GL.NONE],
  [GL.TEXTURE_COMPARE_FUNC, 0x0203],
  [DEPTH_TEXTURE_MODE, GL.LUMINANCE],
  ...TEXTURE_SWIZZLES.map((parameter, i) => [parameter, GL.RED + i] as const),
]);

/** Swizzle of a depth texture's result in OpenGL 2.1, by GL_DEPTH_TEXTURE_MODE. */
export const DEPTH_SWIZZLES: ReadonlyMap<number, SamplerState['swizzle']> = new Map<
  number,
  SamplerState['swizzle']
>([
  [GL.LUMINANCE, ['red', 'red', 'red', 'one']],
  [GL.INTENSITY, ['red', 'red', 'red', 'red']],
  [GL.ALPHA, ['zero', 'zero', 'zero', 'red']],
  [GL.RED, undefined],
]);

/**
 * Swizzle of the result of a comparison, by GL_DEPTH_TEXTURE_MODE. Without one, the result is a
 * luminance.
 */
export const COMPARISON_SWIZZLES: ReadonlyMap<number, SamplerState['swizzle']> = new Map<
  number,
  SamplerState['swizzle']
>([...DEPTH_SWIZZLES, [GL.LUMINANCE, undefined], [GL.RED, ['red', 'zero', 'zero', 'one']]]);

/** Base formats of depth textures by GL_DEPTH_TEXTURE_MODE. */
export const DEPTH_BASES: ReadonlyMap<number, BaseFormat> = new Map<number, BaseFormat>([
  [GL.LUMINANCE, 'luminance'],
  [GL.INTENSITY, 'intensity'],
  [GL.ALPHA, 'alpha'],
]);

/** Returns whether a numeric parameter may have the value. */
export function isAllowed(parameter: number, value: number): boolean {
  switch (parameter) {
    case GL.TEXTURE_COMPARE_MODE:
      return value === GL.NONE || value === COMPARE_REF_TO_TEXTURE;
    case GL.TEXTURE_COMPARE_FUNC:
      return RASTER_ENUMS.compare.find(value) !== null;
    case DEPTH_TEXTURE_MODE:
      return DEPTH_SWIZZLES.has(value);
    case GL.TEXTURE_MAX_ANISOTROPY:
      return value >= 1;
    default:
      return !isSwizzle(parameter) || SWIZZLE_BY_ENUM.has(value);
  }
}

/** Returns whether a parameter selects the source of one channel. */
export function isSwizzle(parameter: number): boolean {
  return TEXTURE_SWIZZLES.some((known) => known === parameter);
}
