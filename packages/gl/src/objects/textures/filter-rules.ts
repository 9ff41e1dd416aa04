/** Which formats linear filters may read; contexts of WebGL learn it by their version and extensions. */
import type { TextureFormat } from '@tessera/frame';

export class FilterRules {
  isFloat16Filterable = true;
  isFloat32Filterable = true;
  /** Depths of sized formats, where they are not compared (OpenGL ES 3.0, section 3.8.13). */
  areDepthsFilterable = true;

  isFilterable(format: TextureFormat): boolean {
    if (format.startsWith('depth')) return true;
    if (format.endsWith('16float')) return this.isFloat16Filterable;
    return !format.endsWith('32float') || this.isFloat32Filterable;
  }
}
