/** Places finished coarse bins, or parts of them, in the targets of a pass, each exactly once. */
import type { BinResult, CoarseBinGrid, CoarseBinId, RectPx } from '@tessera/frame';
import { coarseBinCount, coarseBinRect, isPartOfBin } from '@tessera/frame';

/** Size of the depth and stencil of a sample, in bytes. */
export const DEPTH_STENCIL_BYTES = 4;

/** Contents of a pass's targets: texels row by row from the top. */
export interface ComposedTargets {
  /** Texels by color attachment; an empty array for an unused attachment. */
  readonly colors: readonly Uint8Array[];
  /** Depth and stencil; null if no later pass needs them. */
  readonly depthStencil: Uint8Array | null;
}

/** Targets of one pass while its bins arrive. */
export class Compositor {
  readonly #grid: CoarseBinGrid;
  readonly #pixelBytes: readonly number[];
  readonly #colors: readonly Uint8Array[];
  readonly #depthStencil: Uint8Array | null;
  readonly #depthStencilBytes: number;
  /** Whether each fine bin of the target is placed (1), row by row. */
  readonly #isPlaced: Uint8Array;
  /** Number of missing pixels by coarse bin. */
  readonly #missingPixels: Float64Array;

  /**
   * @param pixelBytes Bytes of a pixel with its samples by color attachment, 0 for an unused
   *   attachment.
   * @param depthStencilBytes Bytes of a pixel's depth and stencil; 0 if bins carry none.
   */
  constructor(grid: CoarseBinGrid, pixelBytes: readonly number[], depthStencilBytes = 0) {
    const pixelCount = grid.widthPx * grid.heightPx;
    this.#grid = grid;
    this.#pixelBytes = pixelBytes;
    // Not cleared, because every pixel is written exactly once before the targets are read.
    const allocate = (bytes: number) =>
      new Uint8Array(Buffer.allocUnsafeSlow(pixelCount * bytes).buffer);
    this.#colors = pixelBytes.map(allocate);
    this.#depthStencilBytes = depthStencilBytes;
    this.#depthStencil = depthStencilBytes > 0 ? allocate(depthStencilBytes) : null;
    const fineBins = (sizePx: number) => Math.ceil(sizePx / grid.fineBinPx);
    this.#isPlaced = new Uint8Array(fineBins(grid.widthPx) * fineBins(grid.heightPx));
    this.#missingPixels = Float64Array.from({ length: coarseBinCount(grid) }, (_, binId) => {
      const { width, height } = coarseBinRect(grid, binId);
      return width * height;
    });
  }

  /** Whether all of the bin is placed. */
  hasBin(binId: CoarseBinId): boolean {
    return this.#missingPixels[binId] === 0;
  }

  /** Returns why a bin does not fit the targets, or null if it does. */
  findMisfit({ binId, rect, colors, depthStencil }: BinResult): string | null {
    if (!isPartOfBin(this.#grid, binId, rect)) {
      return `coarse bin ${binId}: its rectangle is not the grid's`;
    }
    const pixels = rect.width * rect.height;
    const lengths = colors.map(({ length }) => length);
    if (lengths.join() !== this.#pixelBytes.map((bytes) => bytes * pixels).join()) {
      return `coarse bin ${binId}: ${lengths} bytes of pixels`;
    }
    const depthBytes = this.#depthStencil === null ? undefined : pixels * this.#depthStencilBytes;
    if (depthStencil?.length !== depthBytes) {
      return `coarse bin ${binId}: ${depthStencil?.length} bytes of depth`;
    }
    return null;
  }

  /**
   * Copies a bin's pixels to their place.
   *
   * @throws {Error} If the bin was placed before or does not fit: a bug of the sender.
   */
  place(result: BinResult): void {
    const { rect } = result;
    const misfit = this.findMisfit(result);
    if (misfit !== null) throw new Error(misfit);
    this.#take(result);
    result.colors.forEach((color, i) => {
      this.#copyRows(color, this.#colors[i]!, rect, this.#pixelBytes[i]!);
    });
    if (this.#depthStencil !== null && result.depthStencil !== null) {
      this.#copyRows(result.depthStencil, this.#depthStencil, rect, this.#depthStencilBytes);
    }
  }

  /** Marks the fine bins of a bin or part as placed. */
  #take({ binId, rect }: BinResult): void {
    const { fineBinPx, widthPx } = this.#grid;
    const columns = Math.ceil(widthPx / fineBinPx);
    for (let y = rect.y; y < rect.y + rect.height; y += fineBinPx) {
      for (let x = rect.x; x < rect.x + rect.width; x += fineBinPx) {
        const fineBin = Math.floor(y / fineBinPx) * columns + Math.floor(x / fineBinPx);
        if (this.#isPlaced[fineBin] === 1)
          throw new Error(`coarse bin ${binId}: was already placed`);
        this.#isPlaced[fineBin] = 1;
      }
    }
    this.#missingPixels[binId]! -= rect.width * rect.height;
  }

  #copyRows(
    from: Uint8Array,
    to: Uint8Array,
    { x, y, width, height }: RectPx,
    bytes: number,
  ): void {
    const rowBytes = width * bytes;
    const pitchBytes = this.#grid.widthPx * bytes;
    // A Buffer copies a part of itself without a view for each row.
    const rows = Buffer.from(from.buffer, from.byteOffset, from.byteLength);
    let at = y * pitchBytes + x * bytes;
    for (let start = 0; start < height * rowBytes; start += rowBytes) {
      rows.copy(to, at, start, start + rowBytes);
      at += pitchBytes;
    }
  }

  /**
   * Returns the complete targets.
   *
   * @throws {Error} If a bin is missing.
   */
  finish(): ComposedTargets {
    const missing = this.#missingPixels.findIndex((pixels) => pixels > 0);
    if (missing >= 0) throw new Error(`compositor: coarse bin ${missing} was never placed`);
    return { colors: this.#colors, depthStencil: this.#depthStencil };
  }
}
