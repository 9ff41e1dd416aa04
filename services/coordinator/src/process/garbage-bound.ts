/**
 * Bounds the garbage in large pieces: buffers outside of the heap, and large strings and arrays in
 * it. With the settings of {@link applyCollectorSettings}, those of earlier frames wait for a full
 * collection until they are a multiple of the live bytes. That suits small frames, but large ones
 * leave hundreds of MiB, and so do the texts of large reports. This timer runs a full collection
 * when the bytes exceed a limit.
 */
import { Session } from 'node:inspector';
import { getHeapSpaceStatistics } from 'node:v8';

/** Bytes below which nothing is collected: many small frames, or one large one. */
const FREE_BYTES = 160 * 2 ** 20;
/** Growth since the last collection that justifies another one. */
const GROWTH_FACTOR = 1.25;
/** Time after which the survivors of the last collection may be garbage. */
const AGAIN_AFTER_MS = 3000;
const LOOK_EVERY_MS = 250;
/** Spaces of the heap for objects of more than 128 KiB. */
const LARGE_SPACES: readonly string[] = ['large_object_space', 'new_large_object_space'];

/** Starts the timer. Returns a function that stops it. */
export function boundGarbage(): () => void {
  // Only the inspector can run a full collection without a flag at process start.
  const session = new Session();
  session.connect();
  let keptBytes = 0;
  let collectedMs = 0;
  const timer = setInterval(() => {
    const held = readHeldBytes();
    const isOld = performance.now() - collectedMs > AGAIN_AFTER_MS;
    if (held < FREE_BYTES || (!isOld && held < keptBytes * GROWTH_FACTOR)) return;
    session.post('HeapProfiler.collectGarbage');
    keptBytes = readHeldBytes();
    collectedMs = performance.now();
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    session.disconnect();
  };
}

/** Returns the bytes of large pieces, in and outside of the heap. */
function readHeldBytes(): number {
  // The two overlap, and only `arrayBuffers` includes shared memory.
  const { external, arrayBuffers } = process.memoryUsage();
  const inHeap = getHeapSpaceStatistics()
    .filter(({ space_name: name }) => LARGE_SPACES.includes(name))
    .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
  return Math.max(external, arrayBuffers) + inHeap;
}
