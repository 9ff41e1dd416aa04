/** Formats that linear filters may read. The API gives the initial rules; extensions of WebGL extend them. */
import type { TextureFormat } from '@tessera/frame';
import type { ApiRules } from '../../rules/api-rules.ts';

/** Rules of linear filters in one context. */
export class FilterRules {
  /** Whether 16-bit floats are filterable, by the API or an extension. */
  isFloat16Filterable: boolean;
  /** Whether 32-bit floats are filterable, by the API or an extension. */
  isFloat32Filterable: boolean;

  constructor(rules: ApiRules) {
    this.isFloat16Filterable = rules.isFloat16Filterable;
    this.isFloat32Filterable = rules.isFloat32Filterable;
  }

  /** Whether a linear filter may read texels of this format. */
  isFilterable(format: TextureFormat): boolean {
    if (format.startsWith('depth')) return true;
    if (format.endsWith('16float')) return this.isFloat16Filterable;
    return !format.endsWith('32float') || this.isFloat32Filterable;
  }
}
