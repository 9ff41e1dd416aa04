import { MAX_ANISOTROPY, type SamplerState, type TextureDimension } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { BaseFormat } from '../../texels/texel-formats.ts';
import type { SamplerParameters } from './sampler-parameters.ts';
import { COMPARISON_SWIZZLES, DEPTH_SWIZZLES } from './texture-parameters.ts';

type Swizzle = NonNullable<SamplerState['swizzle']>;

const CHANNELS: Swizzle = ['red', 'green', 'blue', 'alpha'];

/**
 * Returns the swizzle of a texture after that of its depths; `undefined` if it changes nothing.
 */
function combineSwizzles(first: SamplerState['swizzle'], second: Swizzle): SamplerState['swizzle'] {
  if (second.every((source, i) => source === CHANNELS[i])) return first;
  if (first === undefined) return second;
  const [red, green, blue, alpha] = second.map((source) => {
    const channel = CHANNELS.indexOf(source);
    return channel < 0 ? source : first[channel]!;
  });
  return [red!, green!, blue!, alpha!];
}

/** Targets of textures that are one row, or rows. */
const ROWS: readonly number[] = [FIXED.TEXTURE_1D, FIXED.TEXTURE_1D_ARRAY];

/** Properties of a texture that its sampling depends on. */
interface SampledTexture {
  readonly target: number;
  readonly dimension: TextureDimension;
  /** Channels that the texture stores; `null` without a base level. */
  readonly base: BaseFormat | null;
  readonly baseLevel: number;
  readonly maxLevel: number;
  /** Value of `GL_DEPTH_TEXTURE_MODE`; `null` if the API has none. */
  readonly depthMode: number | null;
  /** Sources of the result's channels. */
  readonly swizzle: Swizzle;
  readonly isCubeEdgeHard: boolean;
}

type Color = NonNullable<SamplerState['borderColor']>;

/** Returns the border color that a texture with these channels has (OpenGL 2.1, table 3.16). */
function borderOf(base: BaseFormat | null, color: Color): Color {
  const [red, green, blue, alpha] = color;
  switch (base) {
    case 'red':
      return [red, 0, 0, 1];
    case 'rg':
      return [red, green, 0, 1];
    case 'rgb':
    case 'srgb':
      return [red, green, blue, 1];
    case 'alpha':
      return [0, 0, 0, alpha];
    case 'luminance':
    case 'sluminance':
      return [red, red, red, 1];
    case 'luminance-alpha':
    case 'sluminance-alpha':
      return [red, red, red, alpha];
    case 'intensity':
      return [red, red, red, red];
    default:
      return color;
  }
}

/** Returns the sampler state of a draw for a texture. */
export function makeSamplerState(
  parameters: SamplerParameters,
  texture: SampledTexture,
): SamplerState {
  const { base, baseLevel, dimension } = texture;
  const isDepth = base === 'depth';
  const { wrapR, ...reading } = parameters.reading;
  const wraps = [reading.wrapS, reading.wrapT, wrapR];
  const minLod = parameters.number(GL.TEXTURE_MIN_LOD);
  const levelSpan = texture.maxLevel - baseLevel;
  const hasMipmaps = reading.mipmapFilter !== 'none';
  // A limit of the level of detail to 0 would also select the filter for magnification.
  const isMaxLevel = hasMipmaps && reading.magFilter !== reading.minFilter && levelSpan <= 0;
  const ownMaxLod = parameters.number(GL.TEXTURE_MAX_LOD);
  const maxLod = isMaxLevel ? ownMaxLod : Math.min(ownMaxLod, levelSpan);
  const lodBias = parameters.number(GL.TEXTURE_LOD_BIAS);
  const wanted = Math.floor(parameters.number(GL.TEXTURE_MAX_ANISOTROPY));
  const anisotropy = Math.min(wanted, MAX_ANISOTROPY);
  const { isComparing: isCompared, compare } = parameters;
  const swizzles = isCompared ? COMPARISON_SWIZZLES : DEPTH_SWIZZLES;
  const ofDepth =
    isDepth && texture.depthMode !== null ? swizzles.get(texture.depthMode) : undefined;
  const swizzle = combineSwizzles(ofDepth, texture.swizzle);
  const hasBorder = wraps.some((wrap) => wrap.includes('clamp') && !wrap.endsWith('clamp-to-edge'));
  return {
    ...reading,
    // A 1D texture is one row, which is sampled at its center.
    ...(ROWS.includes(texture.target) ? { wrapT: 'clamp-to-edge' as const } : {}),
    ...(dimension === '3d' ? { wrapR } : {}),
    ...(dimension === 'cube' && texture.isCubeEdgeHard ? { isCubeEdgeHard: true } : {}),
    ...(minLod > -1000 ? { minLod } : {}),
    ...(maxLod < 1000 - baseLevel ? { maxLod } : {}),
    ...(isMaxLevel ? { maxLevel: 0 } : {}),
    ...(lodBias === 0 ? {} : { lodBias }),
    ...(isDepth && isCompared ? { compare: compare! } : {}),
    ...(swizzle === undefined ? {} : { swizzle }),
    ...(anisotropy > 1 && hasMipmaps ? { maxAnisotropy: anisotropy } : {}),
    ...(hasBorder ? { borderColor: borderOf(texture.base, parameters.borderColor) } : {}),
  };
}

const limitedStates = new WeakMap<SamplerState, SamplerState>();

/**
 * Returns a sampler state for a texture that has more levels than lookups may read. Returns the
 * same object for the same state, whose texture determines the levels.
 *
 * @param levels First and last level; the last level is `null` if it is that of the texture.
 */
export function limitLevels(
  state: SamplerState,
  { baseLevel, maxLevel }: { readonly baseLevel: number; readonly maxLevel: number | null },
): SamplerState {
  const isLimited = maxLevel !== null && state.mipmapFilter !== 'none';
  if (baseLevel === 0 && !isLimited) return state;
  let limited = limitedStates.get(state);
  if (limited === undefined) {
    const { maxLevel: _ofBase, ...others } = state;
    limited = {
      ...others,
      ...(baseLevel > 0 ? { baseLevel } : {}),
      ...(isLimited ? { maxLevel } : {}),
    };
    limitedStates.set(state, limited);
  }
  return limited;
}
