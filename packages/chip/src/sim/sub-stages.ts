/**
 * Interior of a pipelined stage. A result is computed as soon as its operands enter. It then
 * travels through the sub-stages, one per cycle, so its latency is the number of sub-stages. When
 * the last sub-stage is full and its result is not taken, nothing moves.
 *
 * A 32-bit multiplier has four sub-stages: latency 4, one result per cycle.
 */
import type { i32 } from '../portable/number-types.ts';

/** Latency of the 32-bit multiplier in cycles. */
export const MULTIPLIER_SUB_STAGES = 4;

/** Results in flight through a pipelined stage. */
export class SubStages {
  readonly length: i32;
  /** Ring of results. Sub-stage `n` is at `first + n`. */
  private readonly values: Int32Array;
  private readonly full: Uint8Array;
  private first: i32 = 0;
  private held: i32 = 0;

  /** @param length Number of sub-stages, 1 to 64. */
  constructor(length: i32) {
    this.length = length;
    this.values = new Int32Array(length);
    this.full = new Uint8Array(length);
  }

  /** Empties all sub-stages. */
  reset(): void {
    this.full.fill(0);
    this.held = 0;
  }

  /** Number of results in flight. */
  get count(): i32 {
    return this.held;
  }

  /** Whether the last sub-stage holds a result. */
  canTake(): boolean {
    return this.full[this.last()] === 1;
  }

  /**
   * Takes the result from the last sub-stage.
   *
   * @throws {Error} If it holds no result.
   */
  take(): i32 {
    if (!this.canTake()) throw new Error('sub-stages: take from an empty last sub-stage');
    const last = this.last();
    this.full[last] = 0;
    this.held--;
    return this.values[last]!;
  }

  /**
   * Moves all results to the next sub-stage, unless the last one is full. Called once per cycle,
   * after `take`.
   */
  shift(): void {
    const last = this.last();
    if (this.full[last] === 0) this.first = last;
  }

  /** Whether the first sub-stage is free. */
  canPut(): boolean {
    return this.full[this.first] === 0;
  }

  /**
   * Puts a computed result into the first sub-stage.
   *
   * @throws {Error} If it is not free.
   */
  put(value: i32): void {
    if (!this.canPut()) throw new Error('sub-stages: put into a full first sub-stage');
    this.full[this.first] = 1;
    this.values[this.first] = value;
    this.held++;
  }

  private last(): i32 {
    return this.first === 0 ? this.length - 1 : this.first - 1;
  }
}
