/** Tasks of the process that handles inputs, and its news to its parent. */
import type { BranchCoverage, ModuleBranch } from '../coverage/branch-coverage.ts';
import type { FuzzKind } from '../kinds/fuzz-kind.ts';
import type { KindName } from '../kinds/kind-table.ts';

/** Task of a process. */
export interface FuzzTask {
  /** `check` processes the corpus alone, `minimize` selects what it needs. */
  readonly mode: 'run' | 'check' | 'minimize';
  readonly kind: KindName;
  readonly seed: number;
  /** Number of the first input. */
  readonly first: number;
  /** Number of inputs, from 0. */
  readonly count: number;
  /** File with the current input. */
  readonly place: string;
  /** Folders of inputs; found ones are written to the last. */
  readonly corpora: readonly string[];
}

/** Messages of the process to its parent. */
export type WorkerNews =
  | { readonly kind: 'finding'; readonly input: string; readonly reason: string }
  | {
      readonly kind: 'progress';
      readonly done: number;
      readonly outcomes: Readonly<Record<string, number>>;
      /** Memory in use after a garbage collection, and resident memory. */
      readonly usedBytes: number;
      readonly rssBytes: number;
      readonly slowestMs: number;
    }
  | { readonly kind: 'coverage'; readonly branches: readonly ModuleBranch[] }
  | { readonly kind: 'minimized'; readonly inputs: readonly string[] };

/** Parts that every task uses. */
export interface WorkerParts {
  readonly task: FuzzTask;
  readonly kind: FuzzKind;
  readonly coverage: BranchCoverage;
  /** Sends news to the parent. Inputs are in Base64. */
  readonly tell: (news: WorkerNews) => void;
}
