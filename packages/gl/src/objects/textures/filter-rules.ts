/**
 * Formats that linear filters may read. The API determines the initial rules, and WebGL extensions
 * relax them.
 */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import type { ApiRules } from '../../rules/api-rules.ts';
import type { SamplerParameters } from '../samplers/sampler-parameters.ts';
import type { TextureLevel } from './texture-levels.ts';

/** Rules for linear filters in one context. */
export class FilterRules {
  /** Whether the API or an extension makes 16-bit floats filterable. */
  isFloat16Filterable: boolean;
  /** Whether the API or an extension makes 32-bit floats filterable. */
  isFloat32Filterable: boolean;

  readonly #areDepthsFilterable: boolean;

  constructor(rules: ApiRules) {
    this.#areDepthsFilterable = rules.areDepthsFilterable;
    this.isFloat16Filterable = rules.isFloat16Filterable;
    this.isFloat32Filterable = rules.isFloat32Filterable;
  }

  /** Whether a linear filter may read texels of a format. */
  isFilterable(format: TextureFormat): boolean {
    if (format.startsWith('depth')) return true;
    if (format.endsWith('16float')) return this.isFloat16Filterable;
    return !format.endsWith('32float') || this.isFloat32Filterable;
  }

  /**
   * Whether the format of a level allows the filters of a texture. Integers allow only nearest
   * filters. So do uncompared depths in OpenGL ES 3.0. All compressed formats are filterable, also
   * those that are decoded to floats.
   */
  allow(level: TextureLevel, parameters: SamplerParameters): boolean {
    const { format, base, isUnsizedDepth, compressedFormat } = level;
    const { kind } = TEXTURE_FORMATS[format];
    const isBareDepth = base === 'depth' && isUnsizedDepth !== true && !parameters.isComparing;
    const isFiltered =
      kind !== 'sint' &&
      kind !== 'uint' &&
      (compressedFormat !== undefined || this.isFilterable(format)) &&
      (this.#areDepthsFilterable || !isBareDepth);
    if (isFiltered) return true;
    const { magFilter, minFilter, mipmapFilter } = parameters.reading;
    return magFilter === 'nearest' && minFilter === 'nearest' && mipmapFilter !== 'linear';
  }
}
