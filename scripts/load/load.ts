/**
 * `npm run load -- --seconds 300 --workers 2`: posts three times as many frames as a service on
 * this machine can render. Checks that every accepted frame is finished, /livez answers immediately
 * and memory does not grow. Frames are posted at a fixed rate, whatever the answers are. The exit
 * status is 1 if a check fails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeKnotModel } from '../launch/examples/knot-model.ts';
import { LaunchedService } from '../launch/service-launcher.ts';
import { residentBytes } from './resident-bytes.ts';

const OVERLOAD = 3;
/**
 * Length of a measuring window. The service is warm when a window is no faster than the previous
 * one; its rate is the capacity.
 */
const WINDOW_MS = 4000;
const MAX_WINDOWS = 15;
const MAX_GAIN = 1.05;
/**
 * Number of concurrent posts, more than the service renders concurrently, so that its processes are
 * never idle.
 */
const POSTERS = 8;
const LIVE_EVERY_MS = 100;
/** Number of /livez requests before the load. */
const IDLE_REQUESTS = 30;
const MEMORY_EVERY_MS = 1000;
const MAX_LIVE_MS = 100;
const MAX_GROWTH_SHARE = 0.25;
/** Growth below which a small process does not count as growing. */
const MAX_GROWTH_BYTES = 64 * 2 ** 20;
const FINISH_WITHIN_MS = 120_000;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    workers: { type: 'string', default: '2' },
    size: { type: 'string', default: '160' },
    timing: { type: 'string', default: 'functional' },
  },
});
const seconds = Number(values.seconds);
const QUERY = `?width=${values.size}&height=${values.size}&timing=${values.timing}`;
const folder = mkdtempSync(join(tmpdir(), 'tessera-load-'));
const lines: string[] = [];
const service = await LaunchedService.start({
  workerCount: Number(values.workers),
  environment: { TESSERA_PORT: '0', TESSERA_DATA_DIR: folder, TESSERA_LOG_LEVEL: 'warn' },
  isRestarting: false,
  onLine: (name, line) => lines.push(`${name}: ${line}`),
  onFatal: (message) => lines.push(message),
});
const { url } = service;
const model = new Uint8Array(await makeKnotModel());

function post(prefer: string): Promise<Response> {
  const headers = { 'Content-Type': 'model/gltf-binary', Prefer: prefer };
  return fetch(`${url}/v1/frames${QUERY}`, { method: 'POST', headers, body: model });
}

/** Returns the frames per second of a warm service whose queue is never empty. */
async function measureCapacity(): Promise<number> {
  let finished = 0;
  let isMeasured = false;
  const postSome = async () => {
    while (!isMeasured) {
      const response = await post('wait=60');
      if (response.status !== 200) throw new Error(`warm-up: ${response.status}`);
      await response.arrayBuffer();
      finished++;
    }
  };
  const posters = Promise.all(Array.from({ length: POSTERS }, postSome));
  let best = 0;
  for (let window = 0; window < MAX_WINDOWS; window++) {
    const [startMs, before] = [performance.now(), finished];
    await Promise.race([sleep(WINDOW_MS), posters]);
    const rate = ((finished - before) * 1000) / (performance.now() - startMs);
    const isWarm = window > 0 && rate < best * MAX_GAIN;
    best = Math.max(best, rate);
    if (isWarm) break;
  }
  isMeasured = true;
  await posters;
  return best;
}

/** Returns the resident bytes by process. */
function bytesByName(): Map<string, number> {
  return new Map([...service.pids()].map(([name, pid]) => [name, residentBytes(pid)]));
}

function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const capacity = await measureCapacity();
const perSecond = capacity * OVERLOAD;
process.stdout.write(
  `capacity ${capacity.toFixed(1)} frames/s; posting ${perSecond.toFixed(1)} frames/s for ${seconds} s\n`,
);

const statuses = new Map<number | string, number>();
const accepted: string[] = [];
const answerMs: number[] = [];
const liveMs: number[] = [];
const memory: Map<string, number>[] = [];
const pending = new Set<Promise<void>>();
let isOver = false;

async function postOne(): Promise<void> {
  const sentMs = performance.now();
  let status: number | string;
  try {
    const response = await post('');
    status = response.status;
    if (status === 202) accepted.push(((await response.json()) as { id: string }).id);
    else await response.arrayBuffer();
    answerMs.push(performance.now() - sentMs);
  } catch (error) {
    status = (error as Error).message;
  }
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

/** Returns the latency of /livez in milliseconds. */
async function askLive(): Promise<number> {
  const sentMs = performance.now();
  const response = await fetch(`${url}/livez`);
  await response.arrayBuffer();
  return response.status === 200 ? performance.now() - sentMs : Number.POSITIVE_INFINITY;
}

async function watchLive(): Promise<void> {
  while (!isOver) {
    liveMs.push(await askLive());
    await sleep(LIVE_EVERY_MS);
  }
}

async function watchMemory(): Promise<void> {
  while (!isOver) {
    memory.push(bytesByName());
    await sleep(MEMORY_EVERY_MS);
  }
}

// Includes the effect of other programs on the machine.
const idleMs: number[] = [];
for (let i = 0; i < IDLE_REQUESTS; i++) {
  idleMs.push(await askLive());
  await sleep(LIVE_EVERY_MS);
}
const watchers = [watchLive(), watchMemory()];
const startMs = performance.now();
const endMs = startMs + seconds * 1000;
for (let posted = 0; performance.now() < endMs; posted++) {
  const dueMs = startMs + (posted * 1000) / perSecond;
  await sleep(Math.max(0, dueMs - performance.now()));
  const posting = postOne().finally(() => pending.delete(posting));
  pending.add(posting);
}
await Promise.all(pending);
isOver = true;
await Promise.all(watchers);

/** Returns the number of accepted frames by final status. */
async function countEnds(): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  const deadlineMs = performance.now() + FINISH_WITHIN_MS;
  for (const id of accepted) {
    let status = '';
    while (performance.now() < deadlineMs) {
      ({ status } = (await (await fetch(`${url}/v1/frames/${id}`)).json()) as { status: string });
      if (status !== 'queued' && status !== 'running') break;
      await sleep(LIVE_EVERY_MS);
    }
    ends.set(status, (ends.get(status) ?? 0) + 1);
  }
  return ends;
}

const ends = await countEnds();
const pidCount = service.pids().size;
const processCount = Number(values.workers) + 2;
await service.stop();
rmSync(folder, { recursive: true, force: true });

const problems: string[] = [];
const done = ends.get('done') ?? 0;
if (done !== accepted.length)
  problems.push(`${accepted.length - done} accepted frames are not finished`);
const live99 = percentile(liveMs, 0.99);
if (live99 >= MAX_LIVE_MS) problems.push(`p99 of /livez is ${live99.toFixed(1)} ms`);
if (pidCount !== processCount) problems.push(`${processCount - pidCount} processes died`);
const unexpected = [...statuses].filter(([status]) => status !== 202 && status !== 429);
if (unexpected.length > 0) problems.push(`unexpected answers: ${JSON.stringify(unexpected)}`);

const MIB = 2 ** 20;
const rows = [...(memory.at(-1)?.keys() ?? [])].map((name) => {
  // Growth is measured from the second to the last quarter, because caches fill before.
  const series = memory.map((sample) => sample.get(name) ?? 0);
  const quarter = Math.floor(series.length / 4);
  const early = percentile(series.slice(quarter, 2 * quarter), 0.5);
  const late = percentile(series.slice(-quarter), 0.5);
  if (late - early > Math.max(MAX_GROWTH_BYTES, early * MAX_GROWTH_SHARE)) {
    problems.push(`${name} grew from ${Math.round(early / MIB)} to ${Math.round(late / MIB)} MiB`);
  }
  const most = Math.max(...series);
  return `| memory of ${name}, second and last quarter, maximum | ${[early, late, most].map((bytes) => Math.round(bytes / MIB)).join(', ')} MiB |`;
});
const milliseconds = (numbers: readonly number[]) =>
  [0.5, 0.99, 1].map((share) => percentile(numbers, share).toFixed(1)).join(', ');
process.stdout.write(
  [
    '| what | figure |',
    '| --- | --- |',
    `| capacity, posted | ${capacity.toFixed(1)}, ${perSecond.toFixed(1)} frames/s for ${seconds} s |`,
    `| answers | ${[...statuses].map(([status, n]) => `${n} × ${status}`).join(', ')} |`,
    `| frames accepted, finished | ${accepted.length}, ${done} |`,
    `| answer to a post: median, p99, maximum | ${milliseconds(answerMs)} ms |`,
    `| /livez before: median, p99, maximum | ${milliseconds(idleMs)} ms; load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores |`,
    `| /livez: median, p99, maximum | ${milliseconds(liveMs)} ms (${liveMs.length} times) |`,
    ...rows,
    '',
  ].join('\n'),
);
for (const line of lines.slice(0, 20)) process.stderr.write(`${line}\n`);
for (const problem of problems) process.stdout.write(`PROBLEM: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
