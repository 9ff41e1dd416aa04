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
  /** Kernels by number of samples. */
  readonly #kernels = new Map<number, PixelRowsRun>();
  readonly #kept: Uint8Array[] = [];

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
  }

  /**
   * Returns the texels of the color targets in their formats, tightly packed, row 0 at the top. The
   * caller owns the arrays until it returns them.
   *
   * @param isResolved Whether samples become their means, for a single RGBA8 target.
   */
  readColors(layout: TargetLayout, size: BinSize, isResolved = false): readonly Uint8Array[] {
    if (isResolved) return [this.#readResolved(layout, size)];
    return layout.targets.map((target) =>
      target === null ? new Uint8Array(0) : this.#readColor(layout, target, size),
    );
  }

  #readColor(layout: TargetLayout, target: ColorTarget, size: BinSize): Uint8Array {
    const isPlain =
      target.channels === 4 &&
      (target.storage === 'unorm8' || target.storage === 'srgb8') &&
      layout.quadBytes === QUAD_BYTES &&
      layout.sampleCount === 1;
    if (isPlain) return this.#copyRows(size, 1);
    const { memory, binColorPtr } = this.#memory;
    return readBinTexels(memory, binColorPtr, layout, target, size);
  }

  #readResolved({ sampleCount, targets, quadBytes }: TargetLayout, size: BinSize): Uint8Array {
    if (targets[0]?.format !== 'rgba8unorm' || quadBytes !== QUAD_BYTES) {
      throw new Error('bin reader: only a single RGBA8 target is resolved');
    }
    return this.#copyRows(size, sampleCount);
  }

  /** Copies RGBA8 quads as rows, strip by strip. */
  #copyRows({ quadsPerRow, widthPx, heightPx }: BinSize, sampleCount: number): Uint8Array {
    const { binColorPtr, u8, quadCapacity, fragmentOutputPtr } = this.#memory;
    const run = this.#kernelFor(sampleCount);
    const texels = this.#takeArray(widthPx * heightPx * 4);
    const quadRows = Math.ceil(heightPx / 2);
    const fromQuadBytes = QUAD_BYTES * sampleCount;
    // The fragment outputs are merged already, so their memory can hold one strip at a time.
    const columns = Math.min(quadsPerRow, quadCapacity);
    const stripRows = Math.floor(quadCapacity / columns);
    for (let column = 0; column < quadsPerRow; column += columns) {
      const quads = Math.min(columns, quadsPerRow - column);
      const pixels = Math.min(2 * quads, widthPx - 2 * column);
      for (let row = 0; row < quadRows; row += stripRows) {
        const rows = Math.min(stripRows, quadRows - row);
        const from = binColorPtr + (row * quadsPerRow + column) * fromQuadBytes;
        run(from, quadsPerRow * fromQuadBytes, quads, rows, fragmentOutputPtr);
        const stripPixels = Math.min(2 * rows, heightPx - 2 * row);
        const strip = u8.subarray(fragmentOutputPtr, fragmentOutputPtr + stripPixels * quads * 8);
        if (2 * quads === widthPx) texels.set(strip, 2 * row * widthPx * 4);
        else {
          for (let y = 0; y < stripPixels; y++) {
            const start = y * quads * 8;
            const to = ((2 * row + y) * widthPx + 2 * column) * 4;
            texels.set(strip.subarray(start, start + pixels * 4), to);
          }
        }
      }
    }
    return texels;
  }

  #kernelFor(sampleCount: number): PixelRowsRun {
    let kernel = this.#kernels.get(sampleCount);
    if (kernel === undefined) {
      const { memory } = this.#memory;
      kernel = instantiateKernel<PixelRowsRun>(generatePixelRowsKernel(sampleCount), memory);
      this.#kernels.set(sampleCount, kernel);
    }
    return kernel;
  }

  /** Accepts an array from {@link readColors} for reuse. The caller must not use it afterwards. */
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
