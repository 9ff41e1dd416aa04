/** Runs all inputs of one kind, in several processes if inputs kill them, and prints the result. */
import type { ModuleBranch } from '../coverage/branch-coverage.ts';
import { runWorker } from './run-worker.ts';
import type { FuzzTask } from './worker-task.ts';

/** Permitted memory growth after the first tenth of the inputs. */
const MAX_GROWTH_BYTES = 96 * 2 ** 20;
/** Upper bound on the processes that inputs of one kind may kill. */
const MAX_DEATHS = 20;

/** Runs a task to its end. Returns the branches of its modules. */
export async function runKind(
  task: FuzzTask,
  save: (input: Uint8Array | null, reason: string) => void,
): Promise<readonly ModuleBranch[]> {
  const startMs = performance.now();
  const end = task.first + task.count;
  const outcomes: Record<string, number> = {};
  let branches: readonly ModuleBranch[] = [];
  let [next, done, growth, rss, slowest, deaths] = [task.first, 0, 0, 0, 0, 0];
  for (;;) {
    const part = await runWorker({ ...task, first: next, count: end - next }, save);
    done += part.done;
    branches = part.branches;
    for (const [outcome, n] of Object.entries(part.outcomes)) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + n;
    }
    // Caches fill first. After that the memory in use must not change.
    const baseline = part.usedBytes[Math.floor(part.usedBytes.length / 10)] ?? 0;
    growth = Math.max(growth, (part.usedBytes.at(-1) ?? 0) - baseline);
    rss = Math.max(rss, part.rssBytes);
    slowest = Math.max(slowest, part.slowestMs);
    if (part.diedAt === null || ++deaths === MAX_DEATHS) break;
    next = part.diedAt + 1;
  }
  const seconds = Math.round((performance.now() - startMs) / 1000);
  const reached = branches.filter(({ isReached }) => isReached).length;
  process.stdout.write(
    `${task.kind}: ${done} inputs of seed ${task.seed} in ${seconds} s; slowest ${Math.round(slowest)} ms of CPU time; ` +
      `memory in use ${growth >= 0 ? '+' : ''}${Math.round(growth / 2 ** 20)} MiB, at most ${Math.round(rss / 2 ** 20)} MiB resident; ` +
      `${reached} of ${branches.length} branches\n  ${JSON.stringify(outcomes)}\n`,
  );
  if (growth > MAX_GROWTH_BYTES) save(null, `${task.kind}: memory grows`);
  return branches;
}
