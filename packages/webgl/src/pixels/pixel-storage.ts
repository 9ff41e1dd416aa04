/**
 * Pixel storage parameters: the layout of pixels in the program's memory (WebGL 1.0, section
 * 5.14.8; WebGL 2.0, section 3.7.2).
 */

import type { WebGLRules } from '@tessera/gl';
import { GL } from '../interface/constants.ts';
import type { ColorSpace } from './color-spaces.ts';

type LayoutRules = Pick<WebGLRules, 'hasPixelLayouts'>;

/**
 * Layout of an image in memory. Lengths, heights and skips are in pixels, rows or images; 0 as a
 * length means the size of the transfer.
 */
export interface PixelLayout {
  alignment: number;
  rowLength: number;
  skipRows: number;
  skipPixels: number;
  /** Height of an image in rows. Only uploads use it. */
  imageHeight: number;
  skipImages: number;
}

const LAYOUT_OF: ReadonlyMap<
  number,
  { readonly side: 'unpack' | 'pack'; readonly field: keyof PixelLayout }
> = new Map([
  [GL.UNPACK_ROW_LENGTH, { side: 'unpack', field: 'rowLength' }],
  [GL.UNPACK_SKIP_ROWS, { side: 'unpack', field: 'skipRows' }],
  [GL.UNPACK_SKIP_PIXELS, { side: 'unpack', field: 'skipPixels' }],
  [GL.UNPACK_IMAGE_HEIGHT, { side: 'unpack', field: 'imageHeight' }],
  [GL.UNPACK_SKIP_IMAGES, { side: 'unpack', field: 'skipImages' }],
  [GL.PACK_ROW_LENGTH, { side: 'pack', field: 'rowLength' }],
  [GL.PACK_SKIP_ROWS, { side: 'pack', field: 'skipRows' }],
  [GL.PACK_SKIP_PIXELS, { side: 'pack', field: 'skipPixels' }],
] as const);

function initialLayout(): PixelLayout {
  return {
    alignment: 4,
    rowLength: 0,
    skipRows: 0,
    skipPixels: 0,
    imageHeight: 0,
    skipImages: 0,
  };
}

/** State that `pixelStorei` sets. */
export class PixelStorage {
  readonly unpack = initialLayout();
  readonly pack = initialLayout();
  isFlipped = false;
  isPremultiplied = false;
  colorspaceConversion: number = GL.BROWSER_DEFAULT_WEBGL;
  /** Space that colors of images are converted to (`unpackColorSpace`). */
  colorSpace: ColorSpace = 'srgb';

  /** Sets a parameter and returns the GL error, or 0 on success. */
  set(parameter: number, value: number, { hasPixelLayouts }: LayoutRules): number {
    switch (parameter) {
      case GL.UNPACK_FLIP_Y_WEBGL:
        this.isFlipped = value !== 0;
        return 0;
      case GL.UNPACK_PREMULTIPLY_ALPHA_WEBGL:
        this.isPremultiplied = value !== 0;
        return 0;
      case GL.UNPACK_COLORSPACE_CONVERSION_WEBGL:
        if (value !== GL.BROWSER_DEFAULT_WEBGL && value !== GL.NONE) return GL.INVALID_VALUE;
        this.colorspaceConversion = value;
        return 0;
      case GL.UNPACK_ALIGNMENT:
      case GL.PACK_ALIGNMENT:
        if (value !== 1 && value !== 2 && value !== 4 && value !== 8) return GL.INVALID_VALUE;
        (parameter === GL.UNPACK_ALIGNMENT ? this.unpack : this.pack).alignment = value;
        return 0;
      default: {
        const place = hasPixelLayouts ? LAYOUT_OF.get(parameter) : undefined;
        if (place === undefined) return GL.INVALID_ENUM;
        if (value < 0) return GL.INVALID_VALUE;
        this[place.side][place.field] = value;
        return 0;
      }
    }
  }

  /** Returns the value of a parameter, or `null` for an unknown one. */
  get(parameter: number, { hasPixelLayouts }: LayoutRules): number | boolean | null {
    switch (parameter) {
      case GL.UNPACK_FLIP_Y_WEBGL:
        return this.isFlipped;
      case GL.UNPACK_PREMULTIPLY_ALPHA_WEBGL:
        return this.isPremultiplied;
      case GL.UNPACK_COLORSPACE_CONVERSION_WEBGL:
        return this.colorspaceConversion;
      case GL.UNPACK_ALIGNMENT:
        return this.unpack.alignment;
      case GL.PACK_ALIGNMENT:
        return this.pack.alignment;
      default: {
        const place = hasPixelLayouts ? LAYOUT_OF.get(parameter) : undefined;
        return place === undefined ? null : this[place.side][place.field];
      }
    }
  }
}
