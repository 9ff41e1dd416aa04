/**
 * The process of {@link Meter}: measures latency and size of a service, independently of the
 * process that loads it.
 *
 * On a machine with other work, a process waits for a core, and so does an answer. Linux counts the
 * time that a thread was ready and did not run (schedstat). The latency without such waits leaves
 * out, between two looks, the longer of the waits of the event loop and of this process. It leaves
 * out no time in which the event loop ran.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { askLive } from '../load/ask-live.ts';
import { residentBytes } from '../load/resident-bytes.ts';
import type { MeterSetup, Reading } from './meter.ts';

const { url, pid, everyMs } = JSON.parse(process.argv[2]!) as MeterSetup; // Meter sends it.
let worst: Reading = { liveMs: 0, liveWallMs: 0, largestBytes: 0 };

interface Times {
  readonly atMs: number;
  readonly loopRanMs: number;
  readonly loopWaitedMs: number;
  readonly ownWaitedMs: number;
}

/** Request in progress, and its latency up to the last look. */
let asked: { readonly startMs: number; liveMs: number; last: Times } | null = null;

/** Returns how long a thread ran and waited for a core, in milliseconds. */
function scheduled(path: string): readonly [number, number] {
  const [ranNs, waitedNs] = readFileSync(path, 'utf8').split(' ').map(Number);
  return [ranNs! / 1e6, waitedNs! / 1e6];
}

function readTimes(): Times {
  const [loopRanMs, loopWaitedMs] = scheduled(`/proc/${pid}/task/${pid}/schedstat`);
  const [, ownWaitedMs] = scheduled('/proc/self/schedstat');
  return { atMs: performance.now(), loopRanMs, loopWaitedMs, ownWaitedMs };
}

function look(): void {
  if (asked !== null) {
    const now = readTimes();
    const { last } = asked;
    const waitedMs = Math.max(
      now.loopWaitedMs - last.loopWaitedMs,
      now.ownWaitedMs - last.ownWaitedMs,
    );
    asked.liveMs += Math.max(now.loopRanMs - last.loopRanMs, now.atMs - last.atMs - waitedMs, 0);
    asked.last = now;
    worst = {
      ...worst,
      liveMs: Math.max(worst.liveMs, asked.liveMs),
      liveWallMs: Math.max(worst.liveWallMs, now.atMs - asked.startMs),
    };
  }
  worst = { ...worst, largestBytes: Math.max(worst.largestBytes, residentBytes(pid)) };
}

process.on('message', () => {
  look();
  process.send!(worst);
  worst = { liveMs: 0, liveWallMs: 0, largestBytes: 0 };
});
process.once('disconnect', () => process.exit());
setInterval(look, everyMs);
for (;;) {
  const last = readTimes();
  asked = { startMs: last.atMs, liveMs: 0, last };
  const status = await askLive(url);
  if (status !== 200) throw new Error(`/livez: ${status}`);
  look();
  asked = null;
  await sleep(everyMs);
}
