/** Programs of a stage over the draws of a run: which are stored, and in which block. */

import { LINE_BYTES, PROGRAM } from '@tessera/chip/records';
import type { ProgramBlocks } from './program-blocks.ts';

/** Stored programs of one stage. */
export class StoredPrograms<Key> {
  readonly #blocks: ProgramBlocks;
  #number = 0;
  #current: Key | null = null;

  constructor(blocks: ProgramBlocks) {
    this.#blocks = blocks;
  }

  /** Program in the block that is loaded; `null` before the first. */
  get current(): Key | null {
    return this.#current;
  }

  /**
   * Writes the words of a draw's program (see PROGRAM) to `words`, starting at `at`. A program that
   * differs from the previous draw's is stored in the next block.
   *
   * @param key Identifies the code.
   * @param lines Size of the code in lines.
   */
  store(key: Key, lines: number, words: Int32Array, at: number): void {
    const isStored = this.#current !== key;
    if (isStored) {
      this.#blocks.beginStore();
      this.#blocks.endStore();
      this.#current = key;
      this.#number++;
    }
    words[at + PROGRAM.number] = this.#number;
    words[at + PROGRAM.line] = this.#blocks.loadAddress() / LINE_BYTES;
    words[at + PROGRAM.lines] = lines;
    words[at + PROGRAM.isStored] = isStored ? 1 : 0;
  }
}
