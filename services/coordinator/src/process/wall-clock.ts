/** Wall time and timers, for what takes them injected. */

export const WALL_CLOCK = {
  readMs: () => performance.now(),
  /** Returns what stops the timer. */
  startTimer: (onElapsed: () => void, ms: number): (() => void) => {
    const timer = setTimeout(onElapsed, ms);
    return () => clearTimeout(timer);
  },
};
