/**
 * The process that handles fuzzed inputs of one kind. fuzz.ts starts it with a task. The current
 * input is in a file, so that it is known if this process dies.
 */
import { BranchCoverage } from './coverage/branch-coverage.ts';
import { guides } from './coverage/parser-modules.ts';
import { FUZZ_KINDS } from './kinds/kind-table.ts';
import { checkCorpus } from './run/check-corpus.ts';
import { guideRun } from './run/guide-run.ts';
import { minimizeCorpus } from './run/minimize-corpus.ts';
import type { FuzzTask, WorkerNews } from './run/worker-task.ts';

const MODES = { run: guideRun, check: checkCorpus, minimize: minimizeCorpus };

async function work(task: FuzzTask): Promise<void> {
  // The hook has to exist before the modules are loaded.
  const coverage = new BranchCoverage((path) => guides(path, task.kind));
  const kind = await FUZZ_KINDS[task.kind].load();
  const tell = (news: WorkerNews) => void process.send?.(news);
  const tellLast = (news: WorkerNews) =>
    new Promise((resolve) => process.send?.(news, undefined, undefined, resolve));
  await MODES[task.mode]({ task, kind, coverage, tell });
  // The channel is closed afterwards.
  await tellLast({ kind: 'coverage', branches: coverage.list() });
}

// Without a parent, the process has no reader of its news.
process.once('disconnect', () => process.exit());
await work(JSON.parse(process.argv[2]!) as FuzzTask);
process.disconnect?.();
