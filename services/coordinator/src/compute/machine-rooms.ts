/**
 * Threads that simulate frames with `coupling: exact`, so that a long simulation delays no other
 * frame. A simulated chiplet takes 2 MB or more, so frames of many chiplets share one thread.
 */
import { ComputePool, type ComputePoolOptions } from './compute-pool.ts';
import type { ComputeInput, ComputeResult } from './compute-tasks.ts';

/** Number of chiplets above which a frame is simulated in the first thread. */
const MANY_CHIPLETS = 64;

/**
 * Idle time after which a thread ends. The next frame would take half a second longer: the thread
 * reads its modules, and compiles the chip and itself again.
 */
const IDLE_MS = 600_000;

/** Options of {@link MachineRooms}. */
export interface MachineRoomsOptions extends Omit<ComputePoolOptions, 'idleMs' | 'onStart'> {
  /** Called before a frame of many chiplets is simulated. */
  readonly onMany?: (() => void) | undefined;
}

/** Threads of the machine rooms. */
export class MachineRooms {
  readonly #pools: readonly [ComputePool, ...ComputePool[]];
  readonly #onMany: (() => void) | undefined;

  /** @param count Number of threads, at least 1. They are started when they are needed. */
  constructor(count: number, { onMany, ...options }: MachineRoomsOptions) {
    this.#onMany = onMany;
    const lasting = { ...options, idleMs: IDLE_MS };
    const others = Array.from({ length: count - 1 }, () => new ComputePool(lasting));
    this.#pools = [new ComputePool(lasting), ...others];
  }

  /** Starts the thread for a frame of a number of chiplets, while the frame is rendered. */
  prepare(chipletCount: number): void {
    this.#choose(chipletCount).start();
  }

  /** Simulates a frame; see {@link ComputePool.runAdmitted}. */
  simulate(
    input: ComputeInput<'simulate-frame'>,
    signal: AbortSignal,
    client: string,
  ): Promise<ComputeResult<'simulate-frame'>> {
    const { chipletCount } = input.simulation;
    const pool = this.#choose(chipletCount);
    if (chipletCount > MANY_CHIPLETS) this.#onMany?.();
    return pool.runAdmitted('simulate-frame', input, signal, client);
  }

  /** Ends the threads without a simulation. */
  endIdle(): void {
    for (const pool of this.#pools) pool.endIdle();
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
