/**
 * Blocks of the program region for the programs of one stage (vertex, pixel), used in turn. While
 * one block is stored, the previous one is loaded. A load thus never sees an incomplete program.
 */
export class ProgramBlocks {
  readonly blockBytes: number;
  readonly #baseBytes: number;
  readonly #blockCount: number;
  #storing = -1;
  #loading = -1;

  /** @param blockCount Number of blocks, at least 2, as in the paper (HMGPU, 2013). */
  constructor(baseBytes: number, blockBytes: number, blockCount: number) {
    if (blockCount < 2)
      throw new RangeError(`program blocks: ${blockCount} blocks; must be at least 2`);
    this.#baseBytes = baseBytes;
    this.blockBytes = blockBytes;
    this.#blockCount = blockCount;
  }

  /**
   * Starts to store a program.
   *
   * @returns Address of the block, never the one that is loaded.
   */
  beginStore(): number {
    if (this.#storing >= 0) throw new Error('program blocks: a store is in progress');
    this.#storing = (this.#loading + 1) % this.#blockCount;
    return this.#address(this.#storing);
  }

  /** Finishes the store. Loads see the program from now on. */
  endStore(): void {
    if (this.#storing < 0) throw new Error('program blocks: no store is in progress');
    this.#loading = this.#storing;
    this.#storing = -1;
  }

  /** Returns the address of the block to load: that of the last completely stored program. */
  loadAddress(): number {
    if (this.#loading < 0) throw new Error('program blocks: no program is stored');
    return this.#address(this.#loading);
  }

  #address(block: number): number {
    return this.#baseBytes + block * this.blockBytes;
  }
}
