/**
 * Selects the inputs that the corpus needs: for each branch that the seeds do not reach, rarest
 * first, the shortest input that reaches it, unless a selected one does.
 */
import { readInputs } from './corpus.ts';
import { CurrentInput } from './current-input.ts';
import { followInput } from './follow-input.ts';
import type { WorkerParts } from './worker-task.ts';

interface Measured {
  readonly input: Uint8Array;
  readonly branches: readonly number[];
}

/** Runs the task. */
export async function minimizeCorpus({ task, kind, coverage, tell }: WorkerParts): Promise<void> {
  const current = new CurrentInput(task.place);
  // Branches that run once for a process are not those of the first input.
  for (const seed of kind.seeds) await followInput(kind, seed);
  const reached = new Set<number>();
  let number = 0;
  const measure = async (input: Uint8Array): Promise<Measured | null> => {
    current.write(number++, input);
    coverage.reset();
    const { reason } = await followInput(kind, input);
    return reason === null ? { input, branches: coverage.takeFresh() } : null;
  };
  for (const seed of kind.seeds) {
    for (const branch of (await measure(seed))?.branches ?? []) reached.add(branch);
  }
  const candidates = new Map<number, Measured[]>();
  for (const input of task.corpora.flatMap(readInputs)) {
    const measured = await measure(input);
    for (const branch of measured?.branches ?? []) {
      if (!candidates.has(branch)) candidates.set(branch, []);
      candidates.get(branch)!.push(measured!);
    }
  }
  const selected = new Set<Uint8Array>();
  const byRarity = [...candidates].sort((a, b) => a[1].length - b[1].length);
  for (const [branch, all] of byRarity) {
    if (reached.has(branch)) continue;
    const shortest = all.reduce((a, b) => (b.input.length < a.input.length ? b : a));
    selected.add(shortest.input);
    for (const other of shortest.branches) reached.add(other);
  }
  coverage.mark([...reached]);
  current.close();
  const inputs = [...selected].map((input) => Buffer.from(input).toString('base64'));
  tell({ kind: 'minimized', inputs });
}
