/**
 * Copies the pixels of finished bins out of chiplet memory. Returned arrays are reused, because an
 * allocation outside of V8's heap for every bin makes its collector run every few frames.
 */
import { instantiateKernel } from '../../kernel/instantiate-kernel.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { type BinSize, readBinTexels } from './bin-pixels.ts';
import { generateHalfRowsKernel } from './half-rows-kernel.ts';
import { generatePixelRowsKernel, type PixelRowsRun } from './pixel-rows-kernel.ts';
import type { ColorTarget, TargetLayout } from './target-layout.ts';

const QUAD_BYTES = 16;
const PLAIN_PIXEL_BYTES = 4;
const HALVES_PIXEL_BYTES = 8;
/** Maximum number of arrays kept for reuse. */
const KEPT_ARRAYS = 16;

/** Kernel that copies quads as rows of pixels. */
interface RowsKernel {
  readonly quadBytes: number;
  readonly pixelBytes: number;
  readonly run: PixelRowsRun;
}

/** Reads color targets of finished bins. */
export class BinReader {
  readonly #memory: ChipletMemory;
  /** Kernels by form and distance of quads. */
  readonly #kernels = new Map<string, PixelRowsRun>();
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
    if (isPlain) return this.#copyPlain(size, 1);
    const { memory, binColorPtr } = this.#memory;
    if (target.format === 'rgba16float' && layout.sampleCount === 1) {
      const { quadBytes } = layout;
      return this.#copyRows(size, binColorPtr + target.offsetBytes, {
        quadBytes,
        pixelBytes: HALVES_PIXEL_BYTES,
        run: this.#kernel(`halves ${quadBytes}`, () => generateHalfRowsKernel(quadBytes)),
      });
    }
    return readBinTexels(memory, binColorPtr, layout, target, size);
  }

  #readResolved({ sampleCount, targets, quadBytes }: TargetLayout, size: BinSize): Uint8Array {
    if (targets[0]?.format !== 'rgba8unorm' || quadBytes !== QUAD_BYTES) {
      throw new Error('bin reader: only a single RGBA8 target is resolved');
    }
    return this.#copyPlain(size, sampleCount);
  }

  /** Copies RGBA8 quads, or the means of their samples, as rows. */
  #copyPlain(size: BinSize, sampleCount: number): Uint8Array {
    return this.#copyRows(size, this.#memory.binColorPtr, {
      quadBytes: QUAD_BYTES * sampleCount,
      pixelBytes: PLAIN_PIXEL_BYTES,
      run: this.#kernel(`bytes ${sampleCount}`, () => generatePixelRowsKernel(sampleCount)),
    });
  }

  /** Copies quads from an address as rows, strip by strip. */
  #copyRows(
    { quadsPerRow, widthPx, heightPx }: BinSize,
    colorPtr: number,
    { quadBytes, pixelBytes, run }: RowsKernel,
  ): Uint8Array {
    const { u8, quadCapacity, fragmentOutputPtr } = this.#memory;
    const texels = this.#takeArray(widthPx * heightPx * pixelBytes);
    const quadRows = Math.ceil(heightPx / 2);
    const quadRowBytes = 2 * pixelBytes;
    // The fragment outputs are merged already, so their memory can hold one strip at a time.
    const columns = Math.min(quadsPerRow, quadCapacity);
    const stripRows = Math.floor(quadCapacity / columns);
    for (let column = 0; column < quadsPerRow; column += columns) {
      const quads = Math.min(columns, quadsPerRow - column);
      const pixels = Math.min(2 * quads, widthPx - 2 * column);
      for (let row = 0; row < quadRows; row += stripRows) {
        const rows = Math.min(stripRows, quadRows - row);
        const from = colorPtr + (row * quadsPerRow + column) * quadBytes;
        run(from, quadsPerRow * quadBytes, quads, rows, fragmentOutputPtr);
        const stripPixels = Math.min(2 * rows, heightPx - 2 * row);
        const stripBytes = stripPixels * quads * quadRowBytes;
        const strip = u8.subarray(fragmentOutputPtr, fragmentOutputPtr + stripBytes);
        if (2 * quads === widthPx) texels.set(strip, 2 * row * widthPx * pixelBytes);
        else {
          for (let y = 0; y < stripPixels; y++) {
            const start = y * quads * quadRowBytes;
            const to = ((2 * row + y) * widthPx + 2 * column) * pixelBytes;
            texels.set(strip.subarray(start, start + pixels * pixelBytes), to);
          }
        }
      }
    }
    return texels;
  }

  #kernel(name: string, generate: () => Uint8Array<ArrayBuffer>): PixelRowsRun {
    let kernel = this.#kernels.get(name);
    if (kernel === undefined) {
      kernel = instantiateKernel<PixelRowsRun>(generate(), this.#memory.memory);
      this.#kernels.set(name, kernel);
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
