/** Programs of a stage over the draws of a run: which are stored, and in which block. */

import { LINE_BYTES, PROGRAM } from '@tessera/chip/records';
import type { IsaProgram } from '@tessera/frame';
import { programBytes } from './address-map.ts';
import type { ProgramBlocks } from './program-blocks.ts';

/** Stored programs of one stage. */
export class StoredPrograms {
  readonly #blocks: ProgramBlocks;
  #number = 0;
  #current: IsaProgram | null = null;

  constructor(blocks: ProgramBlocks) {
    this.#blocks = blocks;
  }

  /**
   * Writes the words of a draw's program (see PROGRAM) to `words`, starting at `at`. A program that
   * differs from the previous draw's is stored in the next block.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if it is larger than a block.
   */
  store(program: IsaProgram, words: Int32Array, at: number): void {
    const isStored = this.#current !== program;
    const bytes = programBytes(program, this.#blocks.blockBytes);
    if (isStored) {
      this.#blocks.beginStore();
      this.#blocks.endStore();
      this.#current = program;
      this.#number++;
    }
    words[at + PROGRAM.number] = this.#number;
    words[at + PROGRAM.line] = this.#blocks.loadAddress() / LINE_BYTES;
    words[at + PROGRAM.lines] = Math.ceil(bytes / LINE_BYTES);
    words[at + PROGRAM.isStored] = isStored ? 1 : 0;
  }
}
