/** Several threads for computations of frames, so that a long one delays no other frame. */
import { ComputePool, type ComputePoolOptions } from './compute-pool.ts';
import type { ComputeInput, ComputeResult, ComputeTaskName } from './compute-tasks.ts';

/** Pools with one thread each. */
export class ComputePools {
  readonly #pools: readonly ComputePool[];

  /** @param count Number of threads, started when they are needed. */
  constructor(count: number, options: ComputePoolOptions) {
    this.#pools = Array.from({ length: count }, () => new ComputePool(options));
  }

  /** Runs a computation in the thread with the fewest; see {@link ComputePool.runAdmitted}. */
  runAdmitted<Name extends ComputeTaskName>(
    name: Name,
    input: ComputeInput<Name>,
    signal: AbortSignal,
  ): Promise<ComputeResult<Name>> {
    const idlest = this.#pools.reduce((best, pool) => (pool.load < best.load ? pool : best));
    return idlest.runAdmitted(name, input, signal);
  }

  /** Terminates all threads. */
  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }
}
