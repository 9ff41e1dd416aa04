/**
 * Timers that a program sets. Short timers are pending work until they fire, because loaders use
 * them to continue later. Intervals and timers that set each other, such as a clock of the program,
 * never end, and are not pending.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PendingWork } from './pending-work.ts';

/** Longest delay of a timer that is pending work, in milliseconds of wall time. */
export const MAX_PENDING_DELAY_MS = 1000;
/** Number of timers in a chain that are pending work, as HTML starts to throttle after them. */
const MAX_NESTING = 5;

/** Replaces the timers of this thread until the program ends. */
export class WatchedTimers {
  readonly #pending: PendingWork;
  readonly #endByTimer = new Map<NodeJS.Timeout, () => void>();
  readonly #intervals = new Set<NodeJS.Timeout>();
  readonly #nesting = new AsyncLocalStorage<number>();
  readonly #original = { setTimeout, setInterval, clearTimeout, clearInterval };

  constructor(pending: PendingWork) {
    this.#pending = pending;
    Object.assign(globalThis, {
      setTimeout: (callback: (...args: unknown[]) => void, delayMs?: number, ...args: unknown[]) =>
        this.#start(callback, delayMs, args),
      setInterval: (...args: Parameters<typeof setInterval>) => {
        const timer = this.#original.setInterval(...args);
        this.#intervals.add(timer);
        return timer;
      },
      clearTimeout: (timer: NodeJS.Timeout) => this.#clear(timer),
      clearInterval: (timer: NodeJS.Timeout) => this.#clear(timer),
    });
  }

  /** Restores the timers. Those that are set fire only as long as the process runs. */
  end(): void {
    Object.assign(globalThis, this.#original);
    for (const timer of [...this.#endByTimer.keys(), ...this.#intervals]) timer.unref();
    for (const end of this.#endByTimer.values()) end();
  }

  #start(
    callback: (...args: unknown[]) => void,
    delayMs: number | undefined,
    args: unknown[],
  ): NodeJS.Timeout {
    const nesting = this.#nesting.getStore() ?? 0;
    const delay = Math.max(Number(delayMs) || 0, 0);
    const isPending = delay <= MAX_PENDING_DELAY_MS && nesting < MAX_NESTING;
    const end = isPending ? this.#pending.begin(`timer of ${delay} ms`) : () => {};
    const timer = this.#original.setTimeout(() => {
      this.#endByTimer.delete(timer);
      try {
        this.#nesting.run(nesting + 1, () => callback(...args));
      } finally {
        end();
      }
    }, delayMs);
    this.#endByTimer.set(timer, end);
    return timer;
  }

  #clear(timer: NodeJS.Timeout): void {
    this.#original.clearTimeout(timer);
    this.#intervals.delete(timer);
    this.#endByTimer.get(timer)?.();
    this.#endByTimer.delete(timer);
  }
}
