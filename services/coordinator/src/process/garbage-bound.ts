/**
 * Bounds the garbage outside of the heap. The settings of {@link applyCollectorSettings} let buffers of earlier frames wait
 * for a full collection until they are a multiple of what lives, which is right for small frames and hundreds of MiB after
 * large ones. Here a full collection runs when they pass a sum of bytes.
 */
import { Session } from 'node:inspector';

/** Bytes outside of the heap that are not looked at: many small frames, or one large one. */
const FREE_BYTES = 160 * 2 ** 20;
/** Growth since the last collection that makes another one worth its time. */
const GROWTH_FACTOR = 1.25;
/** Time after which what lived at the last collection may be garbage. */
const AGAIN_AFTER_MS = 3000;
const LOOK_EVERY_MS = 250;

/** Starts to look. @returns Ends it. */
export function boundGarbage(): () => void {
  // The inspector is the one way to a full collection without a flag at the start of the process.
  const session = new Session();
  session.connect();
  let keptBytes = 0;
  let collectedMs = 0;
  const timer = setInterval(() => {
    const { external } = process.memoryUsage();
    const isOld = performance.now() - collectedMs > AGAIN_AFTER_MS;
    if (external < FREE_BYTES || (!isOld && external < keptBytes * GROWTH_FACTOR)) return;
    session.post('HeapProfiler.collectGarbage');
    keptBytes = process.memoryUsage().external;
    collectedMs = performance.now();
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    session.disconnect();
  };
}
