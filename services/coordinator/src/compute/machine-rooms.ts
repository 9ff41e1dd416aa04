/**
 * Threads that simulate frames with `coupling: exact`, so that a long simulation delays no other
 * frame. A simulated chiplet takes 2 to 4 MB, so frames of many chiplets share one thread.
 */
import { ComputePool, type ComputePoolOptions } from './compute-pool.ts';
import type { ComputeInput, ComputeResult } from './compute-tasks.ts';

/** Number of chiplets above which a frame is simulated in the first thread. */
const MANY_CHIPLETS = 64;

/** Threads of the machine rooms. */
export class MachineRooms {
  readonly #pools: readonly [ComputePool, ...ComputePool[]];

  /** @param count Number of threads, at least 1. They are started when they are needed. */
  constructor(count: number, options: ComputePoolOptions) {
    const others = Array.from({ length: count - 1 }, () => new ComputePool(options));
    this.#pools = [new ComputePool(options), ...others];
  }

  /** Simulates a frame; see {@link ComputePool.runAdmitted}. */
  simulate(
    input: ComputeInput<'simulate-frame'>,
    signal: AbortSignal,
  ): Promise<ComputeResult<'simulate-frame'>> {
    return this.#choose(input.simulation.chipletCount).runAdmitted('simulate-frame', input, signal);
  }

  /** Terminates all threads. */
  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  #choose(chipletCount: number): ComputePool {
    const [first] = this.#pools;
    if (chipletCount > MANY_CHIPLETS) return first;
    return this.#pools.reduce((best, pool) => (pool.load < best.load ? pool : best));
  }
}
