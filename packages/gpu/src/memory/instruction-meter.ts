/**
 * Counts the shader instructions of a run, which is a coarse bin or the visibility phase of a pass.
 * Each invocation counts its program's instructions once, plus those of each further round of a
 * loop. All lanes of a group with any work count, covered or not. The count depends only on frame,
 * specification and run.
 */
import { RenderError } from '@tessera/frame';
import { LANES, SPENT_OFFSET_BYTES } from '@tessera/shader/codegen';

/** Instruction count of a run, checked against its limit. */
export class InstructionMeter {
  readonly #words: Uint32Array;
  readonly #at: number;
  readonly #limit: number;
  #spent = 0;

  /**
   * @param words View of the chiplet's memory.
   * @param scratchPtr Address at which kernels add the instructions of their loops.
   * @param limit Maximum number of instructions per run.
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
   * Counts a completed call of a kernel.
   *
   * @param groupCount Number of groups of four invocations.
   * @param instructionCount Length of the program in instructions.
   * @throws {RenderError} SHADER_BUDGET_EXCEEDED if the run exceeds its limit.
   */
  add(groupCount: number, instructionCount: number): void {
    const low = this.#words[this.#at]!;
    const high = this.#words[this.#at + 1]!;
    this.#spent += low + high * 2 ** 32 + LANES * groupCount * instructionCount;
    this.#clear();
    if (this.#spent <= this.#limit) return;
    throw new RenderError(
      'SHADER_BUDGET_EXCEEDED',
      `the shaders of a coarse bin or visibility phase exceeded ${this.#limit} instructions`,
    );
  }

  #clear(): void {
    this.#words[this.#at] = 0;
    this.#words[this.#at + 1] = 0;
  }
}
