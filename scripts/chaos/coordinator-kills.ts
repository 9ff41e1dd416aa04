/**
 * Kills the coordinator repeatedly while clients post frames and delete some of them once or twice.
 * Every frame that was accepted and not deleted must be finished, with the same image and report as
 * in an undisturbed run.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';
import {
  ask,
  type ChaosFrame,
  type ClientCounts,
  FrameFailure,
  type FrameOutcome,
  postFrame,
  waitForOutcome,
} from './chaos-client.ts';
import type { ChaosCluster } from './chaos-cluster.ts';
import { makeMixedFrames } from './mixed-frames.ts';
import { compare, renderUndisturbed, type ServiceOptions, withService } from './run-chaos.ts';

/** Options of {@link runCoordinatorKills}. */
export interface CoordinatorKillsOptions extends ServiceOptions {
  readonly seed: number;
  readonly killCount: number;
  /** Number of clients, each with one frame in flight. */
  readonly clientCount: number;
  /** Time after which a frame counts as hung. */
  readonly frameWithinMs: number;
  /** Maximum number of different frames to post. */
  readonly maxKinds: number;
}

/** Result of {@link runCoordinatorKills}. */
export interface CoordinatorKillsTotals extends ClientCounts {
  readonly kills: number;
  /** Number of accepted frames that were finished with the right image and report. */
  readonly done: number;
  readonly deletedOnce: number;
  readonly deletedTwice: number;
  readonly failures: readonly string[];
  readonly seconds: number;
}

/** Minimum uptime of the coordinator before it is killed. */
const LEAST_UPTIME_MS = 300;
const MOST_UPTIME_MS = 3000;
const POLL_MS = 25;
/** Deletions of each accepted frame, repeated, so that a slow run has some too. */
const DELETES = [2, 0, 0, 1, 0, 0, 0];

/** An accepted frame and the number of times its client deleted it. */
interface Accepted {
  readonly frame: ChaosFrame;
  readonly key: string;
  readonly location: string;
  readonly deletes: number;
}

interface Run {
  readonly options: CoordinatorKillsOptions;
  readonly url: string;
  readonly expected: ReadonlyMap<ChaosFrame, FrameOutcome>;
  readonly counts: ClientCounts;
  readonly accepted: Accepted[];
  readonly failures: string[];
  done: number;
}

/** Runs the clients and the kills, then compares the results. */
export async function runCoordinatorKills(
  options: CoordinatorKillsOptions,
): Promise<CoordinatorKillsTotals> {
  const startMs = performance.now();
  const random = seededRandom(options.seed);
  const frames = (await makeMixedFrames(false)).slice(0, options.maxKinds);
  const { expected } = await renderUndisturbed(frames, options);
  options.onLine(`${frames.length} kinds of frames rendered undisturbed`);
  const counts: ClientCounts = { posts: 0, accepted: 0, refused: 0, noAnswer: 0 };
  const accepted: Accepted[] = [];
  const failures: string[] = [];
  const environment = { TESSERA_QUEUE_FRAMES: '64' };
  const done = await withService({ ...options, environment }, async (url, cluster) => {
    const run: Run = { options, url, expected, counts, accepted, failures, done: 0 };
    const over = new AbortController();
    const clients = Array.from({ length: options.clientCount }, (_, client) =>
      runClient(run, frames, client, seededRandom(options.seed + 1 + client), over.signal),
    );
    try {
      await killAgainAndAgain(options, url, cluster!, random);
    } finally {
      over.abort();
    }
    options.onLine('no more kills; waiting for the remaining frames');
    await Promise.all(clients);
    await checkEnd(run);
    return run.done;
  });
  const countDeleted = (times: number) =>
    accepted.filter(({ deletes }) => deletes === times).length;
  return {
    ...counts,
    kills: options.killCount,
    done,
    deletedOnce: countDeleted(1),
    deletedTwice: countDeleted(2),
    failures,
    seconds: (performance.now() - startMs) / 1000,
  };
}

/** Describes the totals in a few lines. */
export function describeKills(totals: CoordinatorKillsTotals): string {
  const { kills, accepted, done, deletedOnce, deletedTwice, failures } = totals;
  return `kills of the coordinator        ${kills}
frames accepted                 ${accepted}
  done, image and report right  ${done}
  deleted once, twice           ${deletedOnce}, ${deletedTwice}
wrong, lost or double           ${failures.length}
posts                           ${totals.posts}: ${totals.refused} refused for a while
requests without an answer      ${totals.noAnswer}
seconds                         ${totals.seconds.toFixed(0)}`;
}

async function killAgainAndAgain(
  { killCount, onLine }: CoordinatorKillsOptions,
  url: string,
  cluster: ChaosCluster,
  random: SeededRandom,
): Promise<void> {
  for (let kill = 1; kill <= killCount; kill++) {
    while ((await ask(`${url}/livez`))?.status !== 200) await sleep(POLL_MS);
    const uptimeMs = random.between(LEAST_UPTIME_MS, MOST_UPTIME_MS);
    await sleep(uptimeMs);
    const pid = cluster.service.pids().get('coordinator');
    cluster.signal('coordinator', 'SIGKILL');
    onLine(`kill ${kill} of ${killCount}, ${uptimeMs.toFixed(0)} ms after /livez`);
    while (cluster.service.pids().get('coordinator') === pid) await sleep(POLL_MS);
  }
}

/** Posts one frame after another until `over` is aborted, and waits for each. */
async function runClient(
  run: Run,
  frames: readonly ChaosFrame[],
  client: number,
  random: SeededRandom,
  over: AbortSignal,
): Promise<void> {
  for (let number = 0; !over.aborted; number++) {
    const frame = random.pick(frames);
    const key = `kills ${client} ${number} ${randomUUID()}`;
    const deadlineMs = performance.now() + run.options.frameWithinMs;
    try {
      const location = await postFrame(run.url, frame, key, deadlineMs, run.counts);
      const deletes = DELETES[run.counts.accepted++ % DELETES.length]!;
      run.accepted.push({ frame, key, location, deletes });
      for (let i = 0; i < deletes; i++) await deleteFrame(run, location, deadlineMs);
      if (deletes > 0) continue;
      await requireRight(run, frame, location, deadlineMs);
      run.done++;
    } catch (error) {
      if (!(error instanceof FrameFailure)) throw error;
      run.failures.push(error.message);
      run.options.onLine(`FAILED ${error.message}`);
    }
  }
}

async function requireRight(
  { url, expected, counts }: Run,
  frame: ChaosFrame,
  location: string,
  deadlineMs: number,
): Promise<void> {
  const outcome = await waitForOutcome(url, frame, location, deadlineMs, counts);
  const problem = compare(frame, expected.get(frame)!, outcome);
  if (problem !== null) throw new FrameFailure(`${location}: ${problem}`);
}

/** Sends a delete request until it is answered. */
async function deleteFrame(run: Run, location: string, deadlineMs: number): Promise<void> {
  while (performance.now() < deadlineMs) {
    const answer = await ask(`${run.url}${location}`, { method: 'DELETE' });
    if (answer === null) run.counts.noAnswer++;
    // 404: an earlier attempt succeeded, but its answer was lost.
    else if (answer.status === 204 || answer.status === 404) return;
    else if (answer.status !== 503) {
      throw new FrameFailure(`DELETE ${location}: ${answer.status} ${answer.text}`);
    }
    await sleep(POLL_MS);
  }
  throw new FrameFailure(`DELETE ${location}: no answer in time`);
}

/**
 * Compares the final contents of the service with the accepted frames. No frame may be lost or
 * duplicated, and no deleted frame may reappear.
 */
async function checkEnd(run: Run): Promise<void> {
  const { url, accepted, failures, counts, options } = run;
  const deadlineMs = performance.now() + options.frameWithinMs;
  const statusById = await listFrames(url);
  const known = new Set<string>();
  for (const { frame, key, location, deletes } of accepted) {
    const id = location.split('/').at(-1)!;
    if (known.has(id)) failures.push(`${location}: accepted under two keys`);
    known.add(id);
    const status = statusById.get(id);
    try {
      if (deletes > 0) {
        const isRight = status === undefined || (deletes === 1 && status === 'cancelled');
        if (!isRight) failures.push(`${location}: ${status}, although deleted ${deletes} times`);
        continue;
      }
      if (status !== 'done') failures.push(`${location}: ${status ?? 'not listed'}, not done`);
      const again = await postFrame(url, frame, key, deadlineMs, counts);
      if (again !== location) failures.push(`${location}: its key also leads to ${again}`);
      await requireRight(run, frame, location, deadlineMs);
    } catch (error) {
      if (!(error instanceof FrameFailure)) throw error;
      failures.push(error.message);
    }
  }
  for (const id of statusById.keys()) {
    if (!known.has(id)) failures.push(`/v1/frames/${id}: listed, but never accepted`);
  }
}

/** Returns the status of each frame that the service lists. */
async function listFrames(url: string): Promise<Map<string, string>> {
  const statusById = new Map<string, string>();
  for (let page: string | null = '/v1/frames?limit=100'; page !== null; ) {
    const answer = await ask(`${url}${page}`);
    if (answer?.status !== 200) throw new Error(`${page}: ${answer?.status} ${answer?.text}`);
    const { frames, next } = JSON.parse(answer.text) as {
      frames: { id: string; status: string }[];
      next: string | null;
    };
    for (const { id, status } of frames) {
      if (statusById.has(id)) throw new Error(`/v1/frames: ${id} is listed twice`);
      statusById.set(id, status);
    }
    page = next;
  }
  return statusById;
}
