/**
 * Time of a running program's page. Programs animate by `performance.now()` and by `Date` as well
 * as by the argument of animation frames, so all have the time of the frame.
 */

/** Number of reads in one frame after which a program is taken to wait for the time to pass. */
const MAX_READS = 10_000;
/** Time by which each further read advances the time. */
const WAITED_MS = 1;

/**
 * Returns the time of the page. It stands still during a frame, unless the program waits for it in
 * a loop, which would never end.
 */
function advanceForWaits(readTimeMs: () => number): () => number {
  let [frameMs, reads, waitedMs] = [-1, 0, 0];
  return () => {
    const timeMs = readTimeMs();
    reads = timeMs === frameMs ? reads + 1 : 0;
    frameMs = timeMs;
    if (reads > MAX_READS) waitedMs += WAITED_MS;
    return timeMs + waitedMs;
  };
}

/**
 * Replaces `performance.now`, and the current time of `Date`, in this process. `Date` starts at the
 * wall time of the call. Returns a function that restores both.
 *
 * @param readTimeMs Returns the time of the page.
 */
export function installPageTime(readTimeMs: () => number): () => void {
  const { performance: performanceOfProcess, Date: DateOfProcess } = globalThis;
  const now = advanceForWaits(readTimeMs);
  globalThis.performance = replaceNow(performanceOfProcess, now);
  globalThis.Date = replaceDate(DateOfProcess, now);
  return () => {
    globalThis.performance = performanceOfProcess;
    globalThis.Date = DateOfProcess;
  };
}

function replaceNow(ofProcess: Performance, now: () => number): Performance {
  return new Proxy(ofProcess, {
    get(target, name) {
      if (name === 'now') return now;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function replaceDate(OfProcess: DateConstructor, readTimeMs: () => number): DateConstructor {
  const startMs = OfProcess.now();
  const now = () => Math.floor(startMs + readTimeMs());
  return new Proxy(OfProcess, {
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name, target)),
    construct: (target, given, NewTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, NewTarget),
    apply: () => new OfProcess(now()).toString(),
  });
}
