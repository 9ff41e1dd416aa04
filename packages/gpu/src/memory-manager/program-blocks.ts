/**
 * Blocks of the program region that a stage's programs (vertex, pixel) are stored to and loaded from in turn: while
 * one is stored to, the one stored before is loaded from, so a load never sees a program that is half there.
 */
export class ProgramBlocks {
  readonly blockBytes: number;
  readonly #baseBytes: number;
  readonly #blockCount: number;
  #storing = -1;
  #loading = -1;

  /** @param blockCount At least 2; the paper has two. */
  constructor(baseBytes: number, blockBytes: number, blockCount: number) {
    if (blockCount < 2) throw new RangeError(`program blocks: ${blockCount}, must be 2 at least`);
    this.#baseBytes = baseBytes;
    this.blockBytes = blockBytes;
    this.#blockCount = blockCount;
  }

  /** Begins to store a program. @returns Address of the block, never the one that is loaded from. */
  beginStore(): number {
    if (this.#storing >= 0) throw new Error('program blocks: a store is under way');
    this.#storing = (this.#loading + 1) % this.#blockCount;
    return this.#address(this.#storing);
  }

  /** The program is there: loads see it from now on. */
  endStore(): void {
    if (this.#storing < 0) throw new Error('program blocks: no store is under way');
    this.#loading = this.#storing;
    this.#storing = -1;
  }

  /** Address of the block to load from: of the last program that was stored as a whole. */
  loadAddress(): number {
    if (this.#loading < 0) throw new Error('program blocks: nothing was stored');
    return this.#address(this.#loading);
  }

  #address(block: number): number {
    return this.#baseBytes + block * this.blockBytes;
  }
}
