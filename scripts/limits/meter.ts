/**
 * Measures a service from outside: the longest latency of /livez and the largest resident memory
 * since the previous reading.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Data with which the thread is started. */
export interface MeterSetup {
  readonly url: string;
  /** Process id of the coordinator. */
  readonly pid: number;
  /** Time between an answer and the next request, in milliseconds. */
  readonly everyMs: number;
}

/** Measurements since the previous reading. */
export interface Reading {
  readonly worstLiveMs: number;
  readonly largestBytes: number;
}

/** Measures a service in a separate thread. */
export class Meter {
  readonly #thread: Worker;

  constructor(setup: MeterSetup) {
    this.#thread = new Worker(new URL('./live-thread.ts', import.meta.url), { workerData: setup });
  }

  /**
   * Returns the measurements and resets them.
   *
   * @throws {Error} If the service stops responding.
   */
  async read(): Promise<Reading> {
    this.#thread.postMessage('read');
    const [reading] = (await once(this.#thread, 'message')) as [Reading];
    return reading;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
