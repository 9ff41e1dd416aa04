/**
 * Posts frames from several clients while the service is disturbed. Compares the results with those
 * of an undisturbed run: images must be equal, and reports except for `wall`.
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
import { DISTURBANCE_KINDS, disturb, WORKER_DISTURBANCES } from './disturbances.ts';
import { makeMixedFrames } from './mixed-frames.ts';

/** Options of the service under test. */
export interface ServiceOptions {
  readonly workerCount: number;
  /** URL of a running service that is disturbed externally, or null to start and disturb one. */
  readonly url: string | null;
  /** Whether `onLine` receives every log line of the processes, instead of errors only. */
  readonly isVerbose: boolean;
  readonly onLine: (line: string) => void;
  /** Additional environment variables of the processes. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Options of {@link runChaos}. */
export interface ChaosOptions extends ServiceOptions {
  readonly seed: number;
  readonly frameCount: number;
  readonly clientCount: number;
  /**
   * Mean time between two disturbances, or null to derive it from the time that frames take on this
   * machine.
   */
  readonly everyMs: number | null;
  /** Maximum time that a process is halted or a link is broken. */
  readonly longestMs: number;
  /** Number of disturbances after which the service is left undisturbed. */
  readonly maxDisturbances: number;
  /** Time after which a frame counts as hung. */
  readonly frameWithinMs: number;
  readonly hasCapture: boolean;
  /**
   * Frames with `coupling=exact` to post in place of mixed ones, with the results that they must
   * have. Only workers are disturbed then.
   */
  readonly coupled?: ReadonlyMap<ChaosFrame, FrameOutcome>;
  /** Index of the first frame to post; 0 by default. */
  readonly firstFrame?: number;
  /** Maximum number of different frames to post. */
  readonly maxKinds: number;
}

/** Result of {@link runChaos}. */
export interface ChaosTotals extends ClientCounts {
  readonly kindsOfFrames: number;
  readonly disturbances: ReadonlyMap<string, number>;
  /** Descriptions of all failures; empty if there were none. */
  readonly failures: readonly string[];
  readonly done: number;
  readonly seconds: number;
}

/** Number of finished frames between two progress lines. */
const PROGRESS_FRAMES = 25;

/**
 * Mean time between disturbances, as a multiple of the time of a slow frame. Half of all
 * disturbances end the work in progress, and a frame takes longer while others are rendered. With
 * more frequent disturbances, the service would only restart slow frames.
 */
const EVERY_SLOW = 3;
/**
 * Quantile of the frame times that counts as a slow frame. The slowest frame of all may have been
 * delayed by other programs.
 */
const SLOW_SHARE = 0.9;
const LEAST_EVERY_MS = 1500;

/** Short timeouts, so that faults are detected within the run. */
const ENVIRONMENT = {
  TESSERA_HEARTBEAT_MS: '200',
  TESSERA_SILENT_MS: '2500',
  TESSERA_QUEUE_FRAMES: '16',
  TESSERA_CHIPLET_ANSWER_MS: '30000',
} as const;

/** Runs the clients and the disturbances, then compares the results. */
export async function runChaos(options: ChaosOptions): Promise<ChaosTotals> {
  const startMs = performance.now();
  const { seed, frameCount, clientCount, onLine } = options;
  const random = seededRandom(seed);
  // Idempotency keys must be new, because a running service may have seen the seed.
  const run = randomUUID();
  const { coupled, firstFrame = 0 } = options;
  const all = coupled === undefined ? await makeMixedFrames(options.hasCapture) : coupled.keys();
  const frames = [...all].slice(0, options.maxKinds);
  const undisturbed = options.everyMs === null || coupled === undefined;
  const { expected, slowMs } = undisturbed
    ? await renderUndisturbed(frames, options)
    : { expected: new Map<ChaosFrame, FrameOutcome>(), slowMs: 0 };
  for (const [frame, outcome] of coupled ?? []) {
    const found = expected.get(frame) ?? outcome;
    const problem = compare(frame, outcome, found);
    if (problem !== null) throw new FrameFailure(`not the result of the library: ${problem}`);
    expected.set(frame, outcome);
  }
  const everyMs = options.everyMs ?? Math.max(LEAST_EVERY_MS, EVERY_SLOW * slowMs);
  onLine(
    `${frames.length} kinds of frames${undisturbed ? `, a slow one in ${slowMs.toFixed(0)} ms` : ''}; ` +
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
        : disturb({
            ...options,
            everyMs,
            cluster,
            random,
            signal,
            onDisturbance,
            kinds: coupled === undefined ? DISTURBANCE_KINDS : WORKER_DISTURBANCES,
          });
    let next = 0;
    const runClient = async (): Promise<void> => {
      while (next < frameCount) {
        const number = next++;
        const frame = frames[(firstFrame + number) % frames.length]!;
        const key = `chaos ${run} ${number}`;
        try {
          const outcome = await renderFrameOverHttp(url, frame, key, options.frameWithinMs, counts);
          const problem = compare(frame, expected.get(frame)!, outcome);
          if (problem !== null) throw new FrameFailure(problem);
          done++;
          if (done % PROGRESS_FRAMES === 0) onLine(`${done} frames done, all correct`);
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

/** Renders each frame once with an undisturbed service. */
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

/** Calls `use` with a service that it starts, or with the one at `url`. */
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
      // Losses and restarts are expected here; bugs are not.
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
  // The server listens on TCP, so the address has a port.
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns how a result differs from the expected one, or null. */
export function compare(frame: ChaosFrame, wanted: FrameOutcome, got: FrameOutcome): string | null {
  if (got.imageSha256 !== wanted.imageSha256) {
    return `${frame.name}${frame.query}: image ${got.imageSha256}, not ${wanted.imageSha256}`;
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
