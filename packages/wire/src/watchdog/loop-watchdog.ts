/**
 * Ends the process when its event loop is stalled. Supervisors (compose, systemd, `npm start`)
 * restart a process that exits, but not one that does not respond. A separate thread watches a
 * counter that the event loop increments. It measures time in its own ticks instead of wall time.
 * While the whole process is halted (SIGSTOP, a suspended machine), its ticks stop too.
 */
import { Worker } from 'node:worker_threads';

/** Options of {@link watchEventLoop}. */
export interface LoopWatchdogOptions {
  /** Name of the service, for the log line. */
  readonly name: string;
  /**
   * Maximum stall of the event loop, in milliseconds during which the process runs; 0 disables the
   * watchdog.
   */
  readonly stallMs: number;
}

/** Data that the thread is started with. */
export interface WatchdogSetup extends LoopWatchdogOptions {
  /** Counter of beats of the event loop. */
  readonly beats: Int32Array<SharedArrayBuffer>;
  /** Interval between two checks, in milliseconds. */
  readonly tickMs: number;
}

/**
 * Signal that ends a process whose JavaScript cannot run anymore. No other part of a service uses
 * it, unlike SIGKILL, which the kernel sends when memory runs out. The exit status (128 + 14 = 142
 * in a shell or container) therefore identifies the cause.
 */
export const STALL_SIGNAL = 'SIGALRM';

/** Number of checks during the permitted stall. */
const TICKS_PER_STALL = 20;
const MAX_TICK_MS = 1000;
/** Memory limits of the thread, small because it does almost nothing. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/** Starts to watch the event loop of this thread. Returns a function that stops it. */
export function watchEventLoop({ name, stallMs }: LoopWatchdogOptions): () => void {
  if (stallMs === 0) return () => {};
  const tickMs = Math.min(MAX_TICK_MS, Math.ceil(stallMs / TICKS_PER_STALL));
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const setup: WatchdogSetup = { name, stallMs, tickMs, beats };
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: setup,
    resourceLimits: THREAD_MEMORY,
    execArgv: [],
  });
  // Neither the thread nor the timer keeps an otherwise idle process alive.
  thread.unref();
  const timer = setInterval(() => Atomics.add(beats, 0, 1), tickMs).unref();
  return () => {
    clearInterval(timer);
    thread.terminate().catch(() => {}); // if this fails, the thread ends with the process
  };
}
