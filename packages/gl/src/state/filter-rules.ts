/** Which colours of floats linear filters may read; contexts of WebGL learn it by extensions. */
import type { TextureFormat } from '@tessera/frame';

export class FilterRules {
  isFloat16Filterable = true;
  isFloat32Filterable = true;

  isFilterable(format: TextureFormat): boolean {
    if (format.startsWith('depth')) return true;
    if (format.endsWith('16float')) return this.isFloat16Filterable;
    return !format.endsWith('32float') || this.isFloat32Filterable;
  }
}
