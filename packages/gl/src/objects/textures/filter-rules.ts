/**
 * Formats that linear filters may read. The API determines the initial rules, and WebGL extensions
 * relax them.
 */
import type { TextureFormat } from '@tessera/frame';
import type { ApiRules } from '../../rules/api-rules.ts';

/** Rules for linear filters in one context. */
export class FilterRules {
  /** Whether the API or an extension makes 16-bit floats filterable. */
  isFloat16Filterable: boolean;
  /** Whether the API or an extension makes 32-bit floats filterable. */
  isFloat32Filterable: boolean;

  constructor(rules: ApiRules) {
    this.isFloat16Filterable = rules.isFloat16Filterable;
    this.isFloat32Filterable = rules.isFloat32Filterable;
  }

  /** Whether a linear filter may read texels of a format. */
  isFilterable(format: TextureFormat): boolean {
    if (format.startsWith('depth')) return true;
    if (format.endsWith('16float')) return this.isFloat16Filterable;
    return !format.endsWith('32float') || this.isFloat32Filterable;
  }
}
