/** Places finished coarse bins in the picture of a pass's target, each exactly once. */
import type { BinResult, CoarseBinGrid, CoarseBinId, Image } from '@tessera/frame';
import { coarseBinCount, coarseBinRect } from '@tessera/frame';

export class Compositor {
  readonly #grid: CoarseBinGrid;
  readonly #rgba: Uint8Array;
  readonly #depthStencil: Uint8Array | null;
  readonly #isPlaced: Uint8Array;
  #placedCount = 0;

  /** @param isDepthStencilStored Whether bins carry depth and stencil as well. */
  constructor(grid: CoarseBinGrid, isDepthStencilStored = false) {
    this.#grid = grid;
    this.#rgba = new Uint8Array(grid.widthPx * grid.heightPx * 4);
    this.#depthStencil = isDepthStencilStored ? new Uint8Array(this.#rgba.length) : null;
    this.#isPlaced = new Uint8Array(coarseBinCount(grid));
  }

  /** Depth and stencil of the whole target, complete once `finish` gave the picture; `null` if not stored. */
  get depthStencil(): Uint8Array | null {
    return this.#depthStencil;
  }

  /** Whether the bin was placed already. */
  hasBin(binId: CoarseBinId): boolean {
    return this.#isPlaced[binId] === 1;
  }

  /**
   * Copies a bin's pixels to their place.
   *
   * @throws {Error} If the bin was placed before or its rectangle is not the grid's: a bug of the sender.
   */
  place(result: BinResult): void {
    const rect = coarseBinRect(this.#grid, result.binId);
    const { x, y, width, height } = result.rect;
    if (x !== rect.x || y !== rect.y || width !== rect.width || height !== rect.height) {
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
    if (this.hasBin(result.binId)) throw new Error(`coarse bin ${result.binId}: placed twice`);
    this.#isPlaced[result.binId] = 1;
    this.#placedCount++;
    const rowBytes = width * 4;
    let to = (y * this.#grid.widthPx + x) * 4;
    for (let from = 0; from < result.rgba.length; from += rowBytes) {
      this.#rgba.set(result.rgba.subarray(from, from + rowBytes), to);
      const depthStencil = result.depthStencil?.subarray(from, from + rowBytes);
      if (depthStencil !== undefined) this.#depthStencil?.set(depthStencil, to);
      to += this.#grid.widthPx * 4;
    }
  }

  /** The whole picture. @throws {Error} If a bin is missing. */
  finish(): Image {
    if (this.#placedCount !== this.#isPlaced.length) {
      const missing = this.#isPlaced.indexOf(0);
      throw new Error(`compositor: coarse bin ${missing} was never placed`);
    }
    return { widthPx: this.#grid.widthPx, heightPx: this.#grid.heightPx, rgba: this.#rgba };
  }
}
