/** Branches of parsers that no input reaches by design, with the reason. */
import type { ModuleBranch } from './branch-coverage.ts';

/** Branches of one file with a text in their first line. */
interface UnreachableBranch {
  /** End of the path. */
  readonly file: string;
  /** Beginning of the branch's text. */
  readonly text: string;
  readonly reason: string;
}

/** All such branches. */
export const UNREACHABLE_BRANCHES: readonly UnreachableBranch[] = [];

/** Whether a branch is one of them. */
export function isUnreachable({ path, text }: ModuleBranch): boolean {
  return UNREACHABLE_BRANCHES.some((one) => path.endsWith(one.file) && text.startsWith(one.text));
}
