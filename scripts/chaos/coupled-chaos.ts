/** Several runs of chaos with coupled chiplets, each with a service and a seed of its own. */
import { type ChaosFrame, FrameFailure, type FrameOutcome } from './chaos-client.ts';
import { makeCoupledFrames } from './coupled-frames.ts';
import { type ChaosOptions, type ChaosTotals, runChaos } from './run-chaos.ts';

/** Mean time between disturbances by default: a few frames of these sizes. */
const EVERY_MS = 700;

/**
 * Runs chaos and adds up the totals. Runs continue with the kinds of frames where the one before
 * stopped.
 *
 * @param options Options of each run; run number n has the n-th seed from `seed`.
 */
export async function runCoupledChaos(
  options: Omit<ChaosOptions, 'coupled' | 'firstFrame'>,
  runCount: number,
): Promise<ChaosTotals> {
  const { seed, frameCount, onLine } = options;
  const coupled = await makeCoupledFrames();
  const scenes = countScenes(coupled);
  onLine(`${coupled.size} kinds of frames of ${scenes} scenes rendered in one thread`);
  const disturbances = new Map<string, number>();
  const failures: string[] = [];
  const sums = { posts: 0, accepted: 0, refused: 0, noAnswer: 0, done: 0, seconds: 0 };
  let kindsOfFrames = 0;
  for (let run = 0; run < runCount; run++) {
    const totals = await runChaos({
      ...options,
      seed: seed + run,
      coupled,
      firstFrame: run * frameCount,
      everyMs: options.everyMs ?? EVERY_MS,
    });
    for (const [kind, count] of totals.disturbances) {
      disturbances.set(kind, (disturbances.get(kind) ?? 0) + count);
    }
    failures.push(...totals.failures.map((failure) => `run ${run}: ${failure}`));
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += totals[name];
    kindsOfFrames = totals.kindsOfFrames;
    const sum = [...totals.disturbances.values()].reduce((total, count) => total + count, 0);
    onLine(`run ${run}: ${totals.done} frames correct, ${sum} disturbances`);
  }
  return { ...sums, kindsOfFrames, disturbances, failures };
}

/** Returns the number of scenes. @throws {FrameFailure} If one has different images. */
function countScenes(outcomes: ReadonlyMap<ChaosFrame, FrameOutcome>): number {
  const imageByScene = new Map<string, string>();
  for (const [{ name, query }, { imageSha256 }] of outcomes) {
    const other = imageByScene.get(name) ?? imageSha256;
    if (other !== imageSha256) throw new FrameFailure(`${name}${query}: image ${imageSha256}`);
    imageByScene.set(name, imageSha256);
  }
  return imageByScene.size;
}
