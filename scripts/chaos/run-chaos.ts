/**
 * Posts frames by several clients while the service is disturbed, and holds what comes out against a run that was left
 * in peace: the same pictures, and the same reports but for `wall`.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@tessera/scenes/seeded-random';
import {
  type ChaosFrame,
  type ClientCounts,
  FrameFailure,
  type FrameOutcome,
  renderFrameOverHttp,
} from './chaos-client.ts';
import { ChaosCluster } from './chaos-cluster.ts';
import { disturb } from './disturbances.ts';
import { makeMixedFrames } from './mixed-frames.ts';

export interface ServiceOptions {
  readonly workerCount: number;
  /** A service that runs, and that somebody else disturbs; without it one is started and disturbed. */
  readonly url: string | null;
  /** Whether `onLine` receives every line that the processes write; otherwise errors only. */
  readonly isVerbose: boolean;
  readonly onLine: (line: string) => void;
  /** Variables of the processes on top of the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ChaosOptions extends ServiceOptions {
  readonly seed: number;
  readonly frameCount: number;
  readonly clientCount: number;
  /** Mean time between two disturbances; null: by what frames take on this machine. */
  readonly everyMs: number | null;
  /** Longest time that a process is halted or a link broken. */
  readonly longestMs: number;
  /** After so many the service is left in peace. */
  readonly maxDisturbances: number;
  /** A frame that takes longer hangs. */
  readonly frameWithinMs: number;
  readonly hasCapture: boolean;
  /** So many of the kinds of frames are posted. */
  readonly maxKinds: number;
}

export interface ChaosTotals extends ClientCounts {
  readonly kindsOfFrames: number;
  readonly disturbances: ReadonlyMap<string, number>;
  /** What went wrong; empty when nothing did. */
  readonly failures: readonly string[];
  readonly done: number;
  readonly seconds: number;
}

/** Done frames between two lines about progress. */
const PROGRESS_FRAMES = 25;

/**
 * Half of all disturbances end what is worked at, and a frame needs longer beside others than alone. What comes faster than
 * a slow frame can be rendered tells nothing but that: the service begins it again and again.
 */
const EVERY_SLOW = 3;
/** So many of the kinds are as fast as a slow one: the slowest of all may have met something else on the machine. */
const SLOW_SHARE = 0.9;
const LEAST_EVERY_MS = 1500;

/** Short, so that faults are noticed in the time of a run. */
const ENVIRONMENT = {
  TESSERA_HEARTBEAT_MS: '200',
  TESSERA_SILENT_MS: '2500',
  TESSERA_QUEUE_FRAMES: '16',
  TESSERA_CHIPLET_ANSWER_MS: '30000',
} as const;

export async function runChaos(options: ChaosOptions): Promise<ChaosTotals> {
  const startMs = performance.now();
  const { seed, frameCount, clientCount, onLine } = options;
  const random = seededRandom(seed);
  // A service that runs longer than this may have seen the seed.
  const run = randomUUID();
  const frames = (await makeMixedFrames(options.hasCapture)).slice(0, options.maxKinds);
  const { expected, slowMs } = await renderUndisturbed(frames, options);
  const everyMs = options.everyMs ?? Math.max(LEAST_EVERY_MS, EVERY_SLOW * slowMs);
  onLine(
    `${frames.length} kinds of frames rendered undisturbed, a slow one in ${slowMs.toFixed(0)} ms; ` +
      `a disturbance every ${everyMs.toFixed(0)} ms`,
  );

  const counts: ClientCounts = { posts: 0, accepted: 0, refused: 0, noAnswer: 0 };
  const disturbances = new Map<string, number>();
  const failures: string[] = [];
  let done = 0;
  await withService(options, async (url, cluster) => {
    const over = new AbortController();
    const onDisturbance = (kind: string, detail: string) => {
      disturbances.set(kind, (disturbances.get(kind) ?? 0) + 1);
      onLine(`${kind}: ${detail}`);
    };
    const { signal } = over;
    const disturbed =
      cluster === null
        ? null
        : disturb({ ...options, everyMs, cluster, random, signal, onDisturbance });
    let next = 0;
    const runClient = async (): Promise<void> => {
      while (next < frameCount) {
        const number = next++;
        const frame = frames[number % frames.length]!;
        const key = `chaos ${run} ${number}`;
        try {
          const outcome = await renderFrameOverHttp(url, frame, key, options.frameWithinMs, counts);
          const problem = compare(frame, expected.get(frame)!, outcome);
          if (problem !== null) throw new FrameFailure(problem);
          done++;
          if (done % PROGRESS_FRAMES === 0) onLine(`${done} frames done, all as they should be`);
        } catch (error) {
          if (!(error instanceof FrameFailure)) throw error;
          failures.push(`frame ${number}: ${error.message}`);
          onLine(`FAILED frame ${number}: ${error.message}`);
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: clientCount }, runClient));
    } finally {
      over.abort();
      await disturbed;
    }
  });
  const seconds = (performance.now() - startMs) / 1000;
  return { ...counts, kindsOfFrames: frames.length, disturbances, failures, done, seconds };
}

/** Renders each frame once by a service that is left in peace. */
export async function renderUndisturbed(
  frames: readonly ChaosFrame[],
  options: ServiceOptions & { readonly frameWithinMs: number },
): Promise<{ expected: Map<ChaosFrame, FrameOutcome>; slowMs: number }> {
  const counts: ClientCounts = { posts: 0, accepted: 0, refused: 0, noAnswer: 0 };
  const tookMs: number[] = [];
  const outcomes = new Map<ChaosFrame, FrameOutcome>();
  const { frameWithinMs } = options;
  await withService(options, async (url) => {
    for (const frame of frames) {
      const key = `undisturbed ${randomUUID()}`;
      const startMs = performance.now();
      outcomes.set(frame, await renderFrameOverHttp(url, frame, key, frameWithinMs, counts));
      tookMs.push(performance.now() - startMs);
    }
  });
  tookMs.sort((a, b) => a - b);
  return { expected: outcomes, slowMs: tookMs[Math.floor(SLOW_SHARE * (tookMs.length - 1))] ?? 0 };
}

/** Runs `use` with a service that is started for it, or with the one under `url`. */
export async function withService<T>(
  { url, workerCount, isVerbose, onLine, environment = {} }: ServiceOptions,
  use: (url: string, cluster: ChaosCluster | null) => Promise<T>,
): Promise<T> {
  if (url !== null) return use(url, null);
  const dataFolder = mkdtempSync(join(tmpdir(), 'tessera-chaos-'));
  const cluster = await ChaosCluster.start({
    workerCount,
    dataFolder,
    crosslinkPort: await findFreePort(),
    environment: { ...ENVIRONMENT, ...environment },
    onLine: (name, line) => {
      // Losses and new beginnings are what is wanted here; bugs are not.
      if (isVerbose || /"level":(50|60)/.test(line)) onLine(`${name}: ${line}`);
    },
    onFatal: (message) => onLine(`FATAL ${message}`),
  });
  try {
    return await use(cluster.service.url, cluster);
  } finally {
    await cluster.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number }; // it listens on TCP
  server.close();
  await once(server, 'close');
  return port;
}

/** Says how an outcome differs from what it should be, or returns null. */
export function compare(frame: ChaosFrame, wanted: FrameOutcome, got: FrameOutcome): string | null {
  if (got.imageSha256 !== wanted.imageSha256) {
    return `${frame.name}${frame.query}: picture ${got.imageSha256}, not ${wanted.imageSha256}`;
  }
  if (got.pngSha256 !== wanted.pngSha256) {
    return `${frame.name}${frame.query}: PNG ${got.pngSha256}, not ${wanted.pngSha256}`;
  }
  if (got.report === wanted.report) return null;
  let at = 0;
  while (got.report[at] === wanted.report[at]) at++;
  const excerpt = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `${frame.name}${frame.query}: report …${excerpt(got.report)}…, not …${excerpt(wanted.report)}…`;
}
