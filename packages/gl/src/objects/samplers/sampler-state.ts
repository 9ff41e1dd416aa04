import { MAX_ANISOTROPY, type SamplerState, type TextureDimension } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { SamplerParameters } from './sampler-parameters.ts';
import { combineSwizzles, DEPTH_SWIZZLES } from './texture-parameters.ts';

/** Properties of a texture that its sampling depends on. */
interface SampledTexture {
  readonly target: number;
  readonly dimension: TextureDimension;
  readonly isDepth: boolean;
  readonly baseLevel: number;
  readonly maxLevel: number;
  /** Enumerations of the sources of red, green, blue and alpha. */
  readonly swizzle: readonly number[];
  /** Value of `GL_DEPTH_TEXTURE_MODE`; `null` if the API has none. */
  readonly depthMode: number | null;
  readonly isCubeEdgeHard: boolean;
}

/** Returns the sampler state of a draw for a texture. */
export function makeSamplerState(
  parameters: SamplerParameters,
  texture: SampledTexture,
): SamplerState {
  const { isDepth, baseLevel, dimension } = texture;
  const { wrapR, ...reading } = parameters.reading;
  const wraps = [reading.wrapS, reading.wrapT, wrapR];
  const minLod = parameters.number(GL.TEXTURE_MIN_LOD);
  const levelSpan = texture.maxLevel - baseLevel;
  const maxLod = Math.min(parameters.number(GL.TEXTURE_MAX_LOD), levelSpan);
  const lodBias = parameters.number(GL.TEXTURE_LOD_BIAS);
  const wanted = Math.floor(parameters.number(GL.TEXTURE_MAX_ANISOTROPY));
  const anisotropy = Math.min(wanted, MAX_ANISOTROPY);
  const hasMipmaps = reading.mipmapFilter !== 'none';
  const { isComparing: isCompared, compare } = parameters;
  // The shader spreads the result of a comparison over the channels.
  const depthSwizzle =
    isDepth && !isCompared && texture.depthMode !== null
      ? DEPTH_SWIZZLES.get(texture.depthMode)
      : undefined;
  const swizzle = combineSwizzles(texture.swizzle, depthSwizzle);
  const hasBorder = wraps.some((wrap) => wrap.startsWith('clamp') && wrap !== 'clamp-to-edge');
  return {
    ...reading,
    // A 1D texture is one row, which is sampled at its center.
    ...(texture.target === FIXED.TEXTURE_1D ? { wrapT: 'clamp-to-edge' as const } : {}),
    ...(dimension === '3d' ? { wrapR } : {}),
    ...(dimension === 'cube' && texture.isCubeEdgeHard ? { isCubeEdgeHard: true } : {}),
    ...(minLod > -1000 ? { minLod } : {}),
    ...(maxLod < 1000 - baseLevel ? { maxLod } : {}),
    ...(lodBias === 0 ? {} : { lodBias }),
    ...(isDepth && isCompared ? { compare: compare! } : {}),
    ...(swizzle === undefined ? {} : { swizzle }),
    ...(anisotropy > 1 && hasMipmaps ? { maxAnisotropy: anisotropy } : {}),
    ...(hasBorder ? { borderColor: parameters.borderColor } : {}),
  };
}
