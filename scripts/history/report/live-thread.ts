/** The thread of {@link LiveWatch}: requests /livez and reports slow answers. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const EVERY_MS = 20;
const { url } = workerData as { url: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Resolves to the latency, or to null if there is no answer. */
function askLive(): Promise<number | null> {
  const startMs = performance.now();
  return new Promise((resolve) => {
    get(`${url}/livez`, { agent }, (response) => {
      const isLive = response.statusCode === 200;
      response.on('error', () => resolve(null));
      response.resume().once('end', () => resolve(isLive ? performance.now() - startMs : null));
    }).once('error', () => resolve(null));
  });
}

for (;;) {
  const latencyMs = await askLive();
  if (latencyMs !== null) parentPort?.postMessage(latencyMs);
  await sleep(EVERY_MS);
}
