/**
 * Time of a running program's page. Programs animate by `performance.now()` and by `Date` as well
 * as by the argument of animation frames, so all have the time of the frame.
 */

/**
 * Replaces `performance.now`, and the current time of `Date`, in this process. `Date` starts at the
 * wall time of the call. Returns a function that restores both.
 *
 * @param readTimeMs Returns the time of the page.
 */
export function installPageTime(readTimeMs: () => number): () => void {
  const { performance: performanceOfProcess, Date: DateOfProcess } = globalThis;
  globalThis.performance = replaceNow(performanceOfProcess, readTimeMs);
  globalThis.Date = replaceDate(DateOfProcess, readTimeMs);
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
