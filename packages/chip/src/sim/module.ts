/** One functional unit of the simulated chip (spec: Module). */
import type { i32 } from '../portable/number-types.ts';
import type { Queue } from './queue.ts';

/**
 * A module is clocked at the cycle it asked for or when a queue wakes it. In `clock` it does what it does in
 * that one cycle, sets its state in the schedule, and says when it wants to be clocked next. It may be
 * clocked earlier than that and must then do nothing wrong.
 */
export interface Module {
  /** Path of the unit in the chip, such as `raster.tileTraversal`. */
  readonly name: string;
  /** Number in the schedule. Numbers run from the end of the pipeline to its start. */
  readonly id: i32;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  /** Forgets everything: a new run begins. */
  reset(): void;
  /**
   * Does what the module does in `cycle`.
   *
   * @returns The next cycle to be clocked at; above `cycle`, or NEVER to wait for a queue.
   */
  clock(cycle: i32): i32;
  /** What it waits for besides its queues, for the watchdog; empty for nothing. */
  describeWait(): string;
}
