/**
 * Copies the pixels of finished bins out of chiplet memory. Returned arrays are reused, because an
 * allocation outside of V8's heap for every bin makes its collector run every few frames.
 */
import { instantiateKernel } from '../../kernel/instantiate-kernel.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { type BinSize, readBinTexels } from './bin-pixels.ts';
import { generatePixelRowsKernel, type PixelRowsRun } from './pixel-rows-kernel.ts';
import type { ColorTarget, TargetLayout } from './target-layout.ts';

const QUAD_BYTES = 16;
/** Maximum number of arrays kept for reuse. */
const KEPT_ARRAYS = 16;

/** Reads color targets of finished bins. */
export class BinReader {
  readonly #memory: ChipletMemory;
  readonly #copyRows: PixelRowsRun;
  readonly #kept: Uint8Array[] = [];

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    this.#copyRows = instantiateKernel<PixelRowsRun>(generatePixelRowsKernel(), memory.memory);
  }

  /**
   * Returns texels of a color target in its format, tightly packed, row 0 at the top. The caller
   * owns the array until it returns it.
   */
  readColor(layout: TargetLayout, target: ColorTarget, size: BinSize): Uint8Array {
    const { quadsPerRow, widthPx, heightPx } = size;
    const { memory, binColorPtr, u8, quadCapacity, fragmentOutputPtr } = this.#memory;
    const isPlain =
      target.channels === 4 &&
      (target.storage === 'unorm8' || target.storage === 'srgb8') &&
      layout.quadBytes === QUAD_BYTES &&
      layout.sampleCount === 1 &&
      ((widthPx | heightPx) & 1) === 0;
    if (!isPlain) return readBinTexels(memory, binColorPtr, layout, target, size);

    const texels = this.#takeArray(widthPx * heightPx * 4);
    // The fragment outputs are merged already, so their memory can hold one strip of rows at a
    // time.
    const quadRowBytes = widthPx * 8;
    const stripRows = Math.floor((quadCapacity * QUAD_BYTES) / quadRowBytes);
    if (stripRows === 0) return readBinTexels(memory, binColorPtr, layout, target, size);
    const fromRowBytes = quadsPerRow * QUAD_BYTES;
    const quadRows = heightPx >> 1;
    for (let row = 0; row < quadRows; row += stripRows) {
      const rows = Math.min(stripRows, quadRows - row);
      const from = binColorPtr + row * fromRowBytes;
      this.#copyRows(from, fromRowBytes, widthPx >> 1, rows, fragmentOutputPtr);
      const strip = u8.subarray(fragmentOutputPtr, fragmentOutputPtr + rows * quadRowBytes);
      texels.set(strip, row * quadRowBytes);
    }
    return texels;
  }

  /** Accepts an array from {@link readColor} for reuse. The caller must not use it afterwards. */
  giveBack(texels: Uint8Array): void {
    const isWhole = texels.byteLength === texels.buffer.byteLength;
    if (isWhole && texels.length > 0 && this.#kept.length < KEPT_ARRAYS) this.#kept.push(texels);
  }

  #takeArray(length: number): Uint8Array {
    const at = this.#kept.findIndex((array) => array.length === length);
    if (at < 0) return new Uint8Array(length);
    const [array] = this.#kept.splice(at, 1);
    return array!;
  }
}
