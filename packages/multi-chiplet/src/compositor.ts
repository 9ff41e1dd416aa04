/** Places finished coarse bins, or parts of them, in the picture of a pass's target, each exactly once. */
import type { BinResult, CoarseBinGrid, CoarseBinId, Image } from '@tessera/frame';
import { coarseBinCount, coarseBinRect, isPartOfBin } from '@tessera/frame';

export class Compositor {
  readonly #grid: CoarseBinGrid;
  readonly #rgba: Uint8Array;
  readonly #depthStencil: Uint8Array | null;
  /** By fine bin of the target, row by row. */
  readonly #isPlaced: Uint8Array;
  /** By coarse bin. */
  readonly #missingPixels: Float64Array;

  /** @param isDepthStencilStored Whether bins carry depth and stencil as well. */
  constructor(grid: CoarseBinGrid, isDepthStencilStored = false) {
    this.#grid = grid;
    this.#rgba = new Uint8Array(grid.widthPx * grid.heightPx * 4);
    this.#depthStencil = isDepthStencilStored ? new Uint8Array(this.#rgba.length) : null;
    const fineBins = (sizePx: number) => Math.ceil(sizePx / grid.fineBinPx);
    this.#isPlaced = new Uint8Array(fineBins(grid.widthPx) * fineBins(grid.heightPx));
    this.#missingPixels = Float64Array.from({ length: coarseBinCount(grid) }, (_, binId) => {
      const { width, height } = coarseBinRect(grid, binId);
      return width * height;
    });
  }

  /** Depth and stencil of the whole target, complete once `finish` gave the picture; `null` if not stored. */
  get depthStencil(): Uint8Array | null {
    return this.#depthStencil;
  }

  /** Whether all of the bin was placed. */
  hasBin(binId: CoarseBinId): boolean {
    return this.#missingPixels[binId] === 0;
  }

  /**
   * Copies a bin's pixels to their place.
   *
   * @throws {Error} If the bin was placed before or its rectangle is not the grid's: a bug of the sender.
   */
  place(result: BinResult): void {
    const { x, y, width, height } = result.rect;
    if (!isPartOfBin(this.#grid, result.binId, result.rect)) {
      throw new Error(`coarse bin ${result.binId}: its rectangle is not the grid's`);
    }
    if (result.rgba.length !== width * height * 4) {
      throw new Error(`coarse bin ${result.binId}: ${result.rgba.length} bytes of pixels`);
    }
    if (
      result.depthStencil?.length !== (this.#depthStencil === null ? undefined : width * height * 4)
    ) {
      throw new Error(`coarse bin ${result.binId}: ${result.depthStencil?.length} bytes of depth`);
    }
    this.#take(result);
    const rowBytes = width * 4;
    let to = (y * this.#grid.widthPx + x) * 4;
    for (let from = 0; from < result.rgba.length; from += rowBytes) {
      this.#rgba.set(result.rgba.subarray(from, from + rowBytes), to);
      const depthStencil = result.depthStencil?.subarray(from, from + rowBytes);
      if (depthStencil !== undefined) this.#depthStencil?.set(depthStencil, to);
      to += this.#grid.widthPx * 4;
    }
  }

  /** Marks the fine bins of a bin or part. */
  #take({ binId, rect }: BinResult): void {
    const { fineBinPx, widthPx } = this.#grid;
    const columns = Math.ceil(widthPx / fineBinPx);
    for (let y = rect.y; y < rect.y + rect.height; y += fineBinPx) {
      for (let x = rect.x; x < rect.x + rect.width; x += fineBinPx) {
        const fineBin = Math.floor(y / fineBinPx) * columns + Math.floor(x / fineBinPx);
        if (this.#isPlaced[fineBin] === 1) throw new Error(`coarse bin ${binId}: placed twice`);
        this.#isPlaced[fineBin] = 1;
      }
    }
    this.#missingPixels[binId]! -= rect.width * rect.height;
  }

  /** The whole picture. @throws {Error} If a bin is missing. */
  finish(): Image {
    const missing = this.#missingPixels.findIndex((pixels) => pixels > 0);
    if (missing >= 0) {
      throw new Error(`compositor: coarse bin ${missing} was never placed`);
    }
    return { widthPx: this.#grid.widthPx, heightPx: this.#grid.heightPx, rgba: this.#rgba };
  }
}
