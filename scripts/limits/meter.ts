/**
 * Measures a service from outside: the longest latency of /livez and the largest resident memory
 * since the previous reading.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Data with which the process is started. */
export interface MeterSetup {
  readonly url: string;
  /** Process id of the coordinator. */
  readonly pid: number;
  /** Time between an answer and the next request, in milliseconds. */
  readonly everyMs: number;
}

/** Measurements since the previous reading. */
export interface Reading {
  /** Longest latency of /livez without waits for a core; see live-process.ts. */
  readonly liveMs: number;
  /** Longest latency of /livez in wall time. */
  readonly liveWallMs: number;
  readonly largestBytes: number;
}

/** Measures a service in a separate process. */
export class Meter {
  readonly #process: ChildProcess;

  constructor(setup: MeterSetup) {
    this.#process = fork(new URL('./live-process.ts', import.meta.url), [JSON.stringify(setup)], {
      execArgv: [],
    });
  }

  /**
   * Returns the measurements and resets them.
   *
   * @throws {Error} If the service stops responding.
   */
  async read(): Promise<Reading> {
    this.#process.send('read');
    const { promise, resolve, reject } = Promise.withResolvers<Reading>();
    const onExit = () => reject(new Error('the service stopped answering /livez'));
    this.#process.once('message', resolve).once('exit', onExit);
    try {
      return await promise;
    } finally {
      this.#process.off('message', resolve).off('exit', onExit);
    }
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }
}
