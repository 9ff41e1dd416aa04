/** Branches of parsers that no input reaches by design, with the reason. */
import type { ModuleBranch } from './branch-coverage.ts';

/** Branches of one file: of functions with a name, or with a text in their first line. */
interface UnreachableBranch {
  /** End of the path. */
  readonly file: string;
  /** Names of functions; all functions if it is missing. */
  readonly owners?: readonly string[];
  /** Beginning of the branch's text; any text if it is missing. */
  readonly text?: string;
  readonly reason: string;
}

/** All such branches. A branch that an input reaches counts as reachable nevertheless. */
export const UNREACHABLE_BRANCHES: readonly UnreachableBranch[] = [
  {
    file: 'specs/spec-store.ts',
    owners: ['put', 'delete', 'has', 'get', 'require', 'list', 'atPlace', 'unknownSpec', ''],
    reason: 'writes, and looks up names that a client gives',
  },
];

/** Whether a branch is one of them. */
export function isUnreachable({ path, text, owner }: ModuleBranch): boolean {
  return UNREACHABLE_BRANCHES.some(
    (one) =>
      path.endsWith(one.file) &&
      (one.owners === undefined || one.owners.includes(owner)) &&
      (one.text === undefined || text.startsWith(one.text)),
  );
}
