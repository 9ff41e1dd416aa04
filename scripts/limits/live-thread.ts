/**
 * The thread of {@link Meter}: measures latency and size of a service, independently of the thread
 * that loads it.
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { MeterSetup, Reading } from './meter.ts';

const { url, pid, everyMs } = workerData as MeterSetup; // Meter sets it.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let worstLiveMs = 0;
let largestBytes = 0;
let askedMs: number | null = null;

function askLive(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/livez`, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`/livez: ${response.statusCode}`));
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}

function look(): void {
  if (askedMs !== null) worstLiveMs = Math.max(worstLiveMs, performance.now() - askedMs);
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  largestBytes = Math.max(largestBytes, Number(kilobytes) * 1024);
}

parentPort?.on('message', () => {
  look();
  parentPort?.postMessage({ worstLiveMs, largestBytes } satisfies Reading);
  worstLiveMs = 0;
  largestBytes = 0;
});
setInterval(look, everyMs);
for (;;) {
  askedMs = performance.now();
  await askLive();
  look();
  askedMs = null;
  await sleep(everyMs);
}
