/**
 * Counts the shader instructions of a run (a coarse bin, or the visibility phase of a pass): each invocation takes the instructions of its
 * program once, and those of each further round of a loop. Lanes of a group that has any work count, covered or not. The count is a
 * function of frame, specification and run alone.
 */
import { RenderError } from '@tessera/frame';
import { LANES, SPENT_OFFSET_BYTES } from '@tessera/shader/codegen';

export class InstructionMeter {
  readonly #words: Uint32Array;
  readonly #at: number;
  readonly #limit: number;
  #spent = 0;

  /**
   * @param words Of the chiplet's memory. @param scratchPtr Where kernels add what their loops took.
   * @param limit Most instructions of a run.
   */
  constructor(words: Uint32Array, scratchPtr: number, limit: number) {
    this.#words = words;
    this.#at = (scratchPtr + SPENT_OFFSET_BYTES) >> 2;
    this.#limit = limit;
  }

  /** Instructions of the run so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Starts a run. */
  begin(): void {
    this.#spent = 0;
    this.#clear();
  }

  /**
   * Counts a call of a kernel, after it.
   *
   * @param groupCount Groups of four invocations. @param instructionCount Of the program.
   * @throws {RenderError} SHADER_BUDGET_EXCEEDED if the run took more than it may.
   */
  add(groupCount: number, instructionCount: number): void {
    const low = this.#words[this.#at]!;
    const high = this.#words[this.#at + 1]!;
    this.#spent += low + high * 2 ** 32 + LANES * groupCount * instructionCount;
    this.#clear();
    if (this.#spent <= this.#limit) return;
    throw new RenderError(
      'SHADER_BUDGET_EXCEEDED',
      `the shaders of a coarse bin or visibility phase took over ${this.#limit} instructions`,
    );
  }

  #clear(): void {
    this.#words[this.#at] = 0;
    this.#words[this.#at + 1] = 0;
  }
}
