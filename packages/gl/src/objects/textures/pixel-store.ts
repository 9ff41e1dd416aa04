/** Layout of texels in client memory, set by `pixelStorei`. */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import { swapBytes } from '../../texels/swap-bytes.ts';
import type { UnpackLayout } from '../../texels/texel-formats.ts';

const INITIAL_UNPACK: UnpackLayout = {
  ...{ alignmentBytes: 4, rowLengthPx: 0, skipRows: 0, skipPx: 0 },
  ...{ imageHeightPx: 0, skipImages: 0 },
};
const UNPACK_SKIP_IMAGES = 0x806d;
const UNPACK_IMAGE_HEIGHT = 0x806e;

/** Pixel storage parameters of one context. */
export class PixelStore {
  readonly #errors: GlErrors;
  #layout: UnpackLayout = INITIAL_UNPACK;
  #isLeastBitFirst = false;
  #isByteSwapped = false;

  constructor(errors: GlErrors) {
    this.#errors = errors;
  }

  /** Layout of texels that uploads read. */
  get unpackLayout(): UnpackLayout {
    return this.#layout;
  }

  /** Whether the least significant bit of a byte of a bitmap is the leftmost one. */
  get isLeastBitFirst(): boolean {
    return this.#isLeastBitFirst;
  }

  /** Returns pixels of client memory with the bytes of each element in the usual order. */
  order(bytes: Uint8Array, type: number): Uint8Array {
    return this.#isByteSwapped ? swapBytes(bytes, type) : bytes;
  }

  /** Saves the upload layout. Returns a function that restores it. */
  save(): () => void {
    const layout = this.#layout;
    const isLeastBitFirst = this.#isLeastBitFirst;
    const isByteSwapped = this.#isByteSwapped;
    return () => {
      this.#layout = layout;
      this.#isByteSwapped = isByteSwapped;
      this.#isLeastBitFirst = isLeastBitFirst;
    };
  }

  set(parameter: number, value: number): void {
    if (value < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `pixelStorei: value ${value} is negative`);
      return;
    }
    switch (parameter) {
      case GL.UNPACK_ALIGNMENT:
        if (![1, 2, 4, 8].includes(value)) {
          this.#errors.raise(
            GL.INVALID_VALUE,
            `pixelStorei: alignment ${value} is not 1, 2, 4 or 8`,
          );
          return;
        }
        this.#layout = { ...this.#layout, alignmentBytes: value };
        return;
      case GL.UNPACK_ROW_LENGTH:
        this.#layout = { ...this.#layout, rowLengthPx: value };
        return;
      case GL.UNPACK_SKIP_ROWS:
        this.#layout = { ...this.#layout, skipRows: value };
        return;
      case GL.UNPACK_SKIP_PIXELS:
        this.#layout = { ...this.#layout, skipPx: value };
        return;
      case UNPACK_SKIP_IMAGES:
        this.#layout = { ...this.#layout, skipImages: value };
        return;
      case UNPACK_IMAGE_HEIGHT:
        this.#layout = { ...this.#layout, imageHeightPx: value };
        return;
      case GL.UNPACK_SWAP_BYTES:
        this.#isByteSwapped = value !== 0;
        return;
      case GL.UNPACK_LSB_FIRST:
        this.#isLeastBitFirst = value !== 0;
        return;
      default:
        // No image depends on the layout of reads.
        if (parameter >= GL.PACK_SWAP_BYTES && parameter <= GL.PACK_ALIGNMENT) return;
        this.#errors.raise(
          GL.INVALID_ENUM,
          `pixelStorei: ${nameOfEnum(parameter)} is not a pixel storage parameter`,
        );
    }
  }
}
