/** Starts the process that handles inputs, watches it, and collects its news. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ModuleBranch } from '../coverage/branch-coverage.ts';
import { readCurrentInput, readCurrentNumber } from './current-input.ts';
import type { FuzzTask, WorkerNews } from './worker-task.ts';

/** Time after which a process counts as hung. */
const HANGS_AFTER_MS = 120_000;
const LOOK_EVERY_MS = 1000;
const WORKER = fileURLToPath(new URL('../fuzz-worker.ts', import.meta.url));
const EXEC_ARGV = [
  '--expose-gc',
  '--max-old-space-size=1024',
  // Types are stripped before branches are counted.
  '--disable-warning=ExperimentalWarning',
];

/** News of one process. */
export interface WorkerResult {
  readonly done: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly usedBytes: readonly number[];
  readonly rssBytes: number;
  readonly slowestMs: number;
  /** Branches of all modules; empty if the process died. */
  readonly branches: readonly ModuleBranch[];
  /** Inputs that a minimized corpus needs. */
  readonly minimized: readonly Uint8Array[];
  /** Number of the input during which the process died; null if it did not. */
  readonly diedAt: number | null;
}

/**
 * Runs a task in a process.
 *
 * @param save Called with each finding.
 */
export async function runWorker(
  task: FuzzTask,
  save: (input: Uint8Array, reason: string) => void,
): Promise<WorkerResult> {
  writeFileSync(task.place, '');
  const child = fork(WORKER, [JSON.stringify(task)], { execArgv: EXEC_ARGV, stdio: 'inherit' });
  const state = {
    done: 0,
    outcomes: {} as Record<string, number>,
    usedBytes: [] as number[],
    rssBytes: 0,
    slowestMs: 0,
    branches: [] as readonly ModuleBranch[],
    minimized: [] as readonly Uint8Array[],
  };
  const decode = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));
  child.on('message', (news: WorkerNews) => {
    if (news.kind === 'finding') save(decode(news.input), news.reason);
    else if (news.kind === 'coverage') state.branches = news.branches;
    else if (news.kind === 'minimized') state.minimized = news.inputs.map(decode);
    else {
      state.done = news.done;
      state.usedBytes.push(news.usedBytes);
      state.rssBytes = Math.max(state.rssBytes, news.rssBytes);
      state.slowestMs = Math.max(state.slowestMs, news.slowestMs);
      for (const [outcome, n] of Object.entries(news.outcomes)) {
        state.outcomes[outcome] = (state.outcomes[outcome] ?? 0) + n;
      }
    }
  });
  const isHung = watch(task.place, () => child.kill('SIGKILL'));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (isHung.stop() || code !== 0) {
    const reason = `the process ${isHung.stop() ? 'hangs' : 'died'}: ${signal ?? `exit status ${code}`}`;
    save(readCurrentInput(task.place), reason);
    const diedAt = readCurrentNumber(task.place);
    return { ...state, done: Math.max(0, diedAt - task.first), diedAt };
  }
  return { ...state, diedAt: null };
}

/** Calls `kill` if the current input does not change for too long. */
function watch(place: string, kill: () => void): { stop: () => boolean } {
  let [seen, seenMs, isHung] = [-2, performance.now(), false];
  const timer = setInterval(() => {
    const now = readCurrentNumber(place);
    if (now !== seen) [seen, seenMs] = [now, performance.now()];
    else if (performance.now() - seenMs > HANGS_AFTER_MS) {
      isHung = true;
      kill();
    }
  }, LOOK_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return isHung;
    },
  };
}
