/**
 * Ends the process when its event loop stands still. Supervisors restart a process that ends; none of them (compose,
 * systemd, `npm start`) restarts one that only does not answer. A thread apart from the loop looks for its beats. It counts
 * its own ticks, not wall time: where the whole process is halted (SIGSTOP, a suspended machine), its ticks stop too.
 */
import { Worker } from 'node:worker_threads';

export interface LoopWatchdogOptions {
  /** Name of the service, for the log line. */
  readonly name: string;
  /** How long the loop may stand still, in milliseconds of a process that runs; 0 for ever. */
  readonly stallMs: number;
}

/** What the thread is started with. */
export interface WatchdogSetup extends LoopWatchdogOptions {
  /** Counts beats of the event loop. */
  readonly beats: Int32Array<SharedArrayBuffer>;
  /** Between two looks, in milliseconds. */
  readonly tickMs: number;
}

/**
 * Ends a process whose JavaScript cannot run any more. Unlike SIGKILL, which the kernel sends when memory runs out, no
 * other part of a service uses it, so the exit status (128 + 14 = 142 in a shell or container) names the cause.
 */
export const STALL_SIGNAL = 'SIGALRM';

/** Looks in the time that the loop may stand still. */
const TICKS_PER_STALL = 20;
const MAX_TICK_MS = 1000;
/** The thread does next to nothing. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/** Starts to watch the event loop of this thread. @returns Ends that. */
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
  // Neither keeps a process alive that has nothing else to do.
  thread.unref();
  const timer = setInterval(() => Atomics.add(beats, 0, 1), tickMs).unref();
  return () => {
    clearInterval(timer);
    thread.terminate().catch(() => {}); // it ends with the process then
  };
}
