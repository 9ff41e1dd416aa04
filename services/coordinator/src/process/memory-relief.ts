/**
 * Returns memory before a long computation. Threads without work keep modules, compiled programs,
 * machines and frames, which only saves the next work time.
 */

/** Resident memory of the process above which idle threads end. */
const CROWDED_BYTES = 640 * 2 ** 20;

/** Threads that can end when they are idle. */
export interface IdleThreads {
  endIdle(): void;
}

/** Ends idle threads if the process holds much memory. */
export function relieveMemory(
  threads: readonly IdleThreads[],
  residentBytes: number = process.memoryUsage().rss,
): void {
  if (residentBytes <= CROWDED_BYTES) return;
  for (const idle of threads) idle.endIdle();
}
