import type { TextureResource } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { targetFormatOf } from '../../texels/depth-texels.ts';
import { desktopStorageOf } from '../../texels/desktop-formats.ts';
import { storageOf, type TexelStorage } from '../../texels/texel-storage.ts';
import type { TextureContent } from '../textures/texture-content.ts';

/**
 * Number of samples per pixel of every multisampled renderbuffer, also if fewer samples are
 * requested.
 */
export const MAX_SAMPLES = 4;

/** Renderbuffer of a context (OpenGL ES 2.0, section 4.4). */
export class RenderbufferObject {
  readonly name: number;
  widthPx = 0;
  heightPx = 0;
  internalFormat: number = GL.RGBA4;
  /** Number of samples per pixel: 1 or MAX_SAMPLES. */
  sampleCount = 1;
  /** Version of the contents. A new version invalidates the contents drawn before. */
  version = 0;
  /** Whether draws changed the samples since the drawing buffer last resolved them. */
  isDrawnSinceResolve = false;
  /** Rendered contents, or `null` if they are unknown or undefined. */
  #drawn: Pick<TextureContent, 'levels' | 'sha256'> | null = null;

  constructor(name: number) {
    this.name = name;
  }

  /** Stores rendered contents as the current contents. */
  adopt({ levels, sha256 }: TextureResource): void {
    this.#drawn = { levels, sha256 };
    this.version++;
  }

  /** Replaces the contents. @param texels Texels with row 0 at the bottom. */
  replace(texels: Uint8Array): void {
    this.#drawn = { levels: [texels] };
    this.version++;
  }

  /** Sets size and format, and discards the contents. */
  setStorage(internalFormat: number, widthPx: number, heightPx: number, sampleCount = 1): void {
    Object.assign(this, { internalFormat, widthPx, heightPx, sampleCount });
    this.#drawn = null;
    this.isDrawnSinceResolve = false;
    this.version++;
  }

  /** Texels with row 0 at the bottom, or `null` if the contents are unknown or undefined. */
  get texels(): Uint8Array | null {
    return this.#drawn?.levels[0] ?? null;
  }

  /**
   * Returns the contents as a texture of a frame. It has no levels if the contents are unknown or
   * undefined.
   */
  contentForDrawing(): TextureContent | null {
    const storage = renderbufferStorage(this.internalFormat);
    if (storage === null || this.widthPx === 0 || this.heightPx === 0) return null;
    const { widthPx, heightPx, sampleCount } = this;
    const drawn = this.#drawn;
    return {
      ...(sampleCount === 1 ? {} : { sampleCount }),
      format: storage.format,
      widthPx,
      heightPx,
      isMipmapGenerated: false,
      ...(drawn ?? { levels: [] }),
    };
  }
}

/** GL_STENCIL_INDEX1, 4, 8 and 16, and the format without a size. Stencils have 8 bits. */
const STENCIL_FORMATS: readonly number[] = [0x8d46, 0x8d47, GL.STENCIL_INDEX8, 0x8d49, 0x1901];

/** Returns the texel storage for an internal format, or `null` for an unknown format. */
export function renderbufferStorage(internalFormat: number): TexelStorage | null {
  if (STENCIL_FORMATS.includes(internalFormat)) return storageOf(GL.DEPTH24_STENCIL8, 0, true);
  const storage = storageOf(internalFormat, 0, true) ?? desktopStorageOf(internalFormat);
  return storage && { ...storage, format: targetFormatOf(storage.format) };
}
