/** The thread of {@link LiveWatch}: requests /livez and reports slow answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { askLive } from '../../load/ask-live.ts';

const EVERY_MS = 20;
const { url } = workerData as { url: string };

for (;;) {
  const startMs = performance.now();
  const status = await askLive(url).catch(() => null);
  if (status === 200) parentPort?.postMessage(performance.now() - startMs);
  await sleep(EVERY_MS);
}
