/** Wall-clock time and timers. */

export const WALL_CLOCK = {
  readMs: () => performance.now(),
  /** Starts a timer. Returns a function that stops it. */
  startTimer: (onElapsed: () => void, ms: number): (() => void) => {
    const timer = setTimeout(onElapsed, ms);
    return () => clearTimeout(timer);
  },
};
