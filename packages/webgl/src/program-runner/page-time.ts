/**
 * Time of a running program's page. Programs animate by `performance.now()` as well as by the
 * argument of animation frames, so both are the time of the frame.
 */

/** Replaces `performance.now` of this process. Returns a function that restores it. */
export function installPageTime(readTimeMs: () => number): () => void {
  const ofProcess = performance;
  const ofPage = new Proxy(ofProcess, {
    get(target, name) {
      if (name === 'now') return readTimeMs;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  globalThis.performance = ofPage;
  return () => {
    globalThis.performance = ofProcess;
  };
}
