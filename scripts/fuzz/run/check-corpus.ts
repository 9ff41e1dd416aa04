/** Processes the seeds and the corpus, as regression inputs. */
import { readInputs } from './corpus.ts';
import { CurrentInput } from './current-input.ts';
import { followInput } from './follow-input.ts';
import type { WorkerParts } from './worker-task.ts';

/** Runs the task. */
export async function checkCorpus({ task, kind, tell }: WorkerParts): Promise<void> {
  const current = new CurrentInput(task.place);
  const outcomes: Record<string, number> = {};
  let [number, slowestMs] = [0, 0];
  for (const input of [...kind.seeds, ...task.corpora.flatMap(readInputs)]) {
    current.write(number++, input);
    const { outcome, reason, cpuMs } = await followInput(kind, input);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    slowestMs = Math.max(slowestMs, cpuMs);
    if (reason !== null) {
      tell({ kind: 'finding', input: Buffer.from(input).toString('base64'), reason });
    }
  }
  current.close();
  const { heapUsed, rss } = process.memoryUsage();
  tell({ kind: 'progress', done: number, outcomes, usedBytes: heapUsed, rssBytes: rss, slowestMs });
}
