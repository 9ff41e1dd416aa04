/**
 * Settings of V8's garbage collector for the bytes of frames. Bodies, messages and images are in
 * buffers outside of the heap that live for one frame. The heap itself is small and stable. By
 * default 64 MB of such buffers, dead or alive, cause a full collection, every second or third
 * frame. It marks the whole heap, which takes more CPU time than the rest of the coordinator, in
 * steps of tens of milliseconds. With these settings the bytes count as part of the heap's size,
 * which may grow to a multiple of what the last full collection left. Cheap collections of young
 * objects free the buffers in between.
 */
import { setFlagsFromString } from 'node:v8';

const SETTINGS = [
  '--external-memory-accounted-in-global-limit',
  // Growth since the last full collection that causes the next one: of the bytes outside the heap
  // (factor) and of the heap (percent more).
  '--external-memory-max-growing-factor=4',
  '--heap-growing-percent=100',
] as const;

const DEFAULTS = [
  '--no-external-memory-accounted-in-global-limit',
  '--external-memory-max-growing-factor=1.3',
  '--heap-growing-percent=0',
] as const;

/** Number of computations that run with the defaults of V8. */
let computing = 0;

/** Applies the settings. Call it at process start, because they affect only later collections. */
export function applyCollectorSettings(): void {
  for (const setting of SETTINGS) setFlagsFromString(setting);
}

/**
 * Runs a computation in a thread with V8's defaults. Flags are those of the process, but the limit
 * on the heap of a thread is small, and the memory of a simulated chiplet, which is reserved and
 * hardly used, exceeds the limit that follows from it. With the settings, a heat map spent 95 % of
 * its time in full collections.
 */
export async function collectAsUsual<Result>(compute: () => Promise<Result>): Promise<Result> {
  if (computing++ === 0) for (const setting of DEFAULTS) setFlagsFromString(setting);
  try {
    return await compute();
  } finally {
    if (--computing === 0) applyCollectorSettings();
  }
}
