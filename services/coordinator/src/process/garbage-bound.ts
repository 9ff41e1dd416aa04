/**
 * Bounds the garbage outside of the heap. With the settings of {@link applyCollectorSettings},
 * buffers of earlier frames wait for a full collection until they are a multiple of the live bytes.
 * That suits small frames, but large ones leave hundreds of MiB. This timer runs a full collection
 * when the bytes exceed a limit.
 */
import { Session } from 'node:inspector';

/**
 * Bytes outside of the heap below which nothing is collected: many small frames, or one large one.
 */
const FREE_BYTES = 160 * 2 ** 20;
/** Growth since the last collection that justifies another one. */
const GROWTH_FACTOR = 1.25;
/** Time after which the survivors of the last collection may be garbage. */
const AGAIN_AFTER_MS = 3000;
const LOOK_EVERY_MS = 250;

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

/** Returns the bytes outside of the heap. Only `arrayBuffers` includes shared memory. */
function readHeldBytes(): number {
  const { external, arrayBuffers } = process.memoryUsage();
  return Math.max(external, arrayBuffers);
}
