/** Measures a service from outside: the longest answer of /livez and the largest resident memory since the last reading. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What the thread is started with. */
export interface MeterSetup {
  readonly url: string;
  /** Of the coordinator. */
  readonly pid: number;
  /** Between an answer and the next question, in milliseconds. */
  readonly everyMs: number;
}

/** What was measured since the last reading. */
export interface Reading {
  readonly worstLiveMs: number;
  readonly largestBytes: number;
}

export class Meter {
  readonly #thread: Worker;

  constructor(setup: MeterSetup) {
    this.#thread = new Worker(new URL('./live-thread.ts', import.meta.url), { workerData: setup });
  }

  /** Reads what was measured, and starts anew. @throws {Error} If the service does not answer any more. */
  async read(): Promise<Reading> {
    this.#thread.postMessage('read');
    const [reading] = (await once(this.#thread, 'message')) as [Reading];
    return reading;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
