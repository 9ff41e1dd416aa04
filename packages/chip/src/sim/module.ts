/** One functional unit of the simulated chip. */

import type { i32 } from '../portable/number-types.ts';
import type { Queue } from './queue.ts';
import type { Schedule } from './schedule.ts';

/** Options of the base class {@link Module}. */
export interface ModuleOptions {
  /** Number in the schedule. */
  readonly id: i32;
  /** Path of the unit in the chip, such as `raster.tileTraversal`. */
  readonly name: string;
  readonly schedule: Schedule;
  /** Queues that the module pops from. */
  readonly inputs: readonly Queue[];
  /** Queues that the module pushes to. */
  readonly outputs: readonly Queue[];
}

/**
 * Base of all modules. The clock calls a module at the cycle that the module returned, or earlier
 * when a queue wakes it. An early call must change nothing.
 */
export abstract class Module {
  /** Number in the schedule. Numbers run from the end of the pipeline to its start. */
  readonly id: i32;
  /** Path of the unit in the chip, such as `raster.tileTraversal`. */
  readonly name: string;
  /** Queues that the module pops from. */
  readonly inputs: readonly Queue[];
  /** Queues that the module pushes to. */
  readonly outputs: readonly Queue[];
  /** State of each module, by number; the schedule's array. */
  protected readonly states: Int32Array;

  constructor(options: ModuleOptions) {
    this.id = options.id;
    this.name = options.name;
    this.inputs = options.inputs;
    this.outputs = options.outputs;
    this.states = options.schedule.states;
  }

  /** Discards all state before a new run. */
  abstract reset(): void;

  /**
   * Does the work of one cycle and sets the module's state in the schedule.
   *
   * @returns The next cycle to be clocked at; above `cycle`, or NEVER to wait for a queue.
   */
  abstract clock(cycle: i32): i32;

  /**
   * Returns what the module waits for besides its queues, for the watchdog; empty if it waits for
   * nothing.
   */
  describeWait(): string {
    return '';
  }
}
