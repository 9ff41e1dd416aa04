/** Table of the branches of parsers that a run reached. */
import type { ModuleBranch } from './branch-coverage.ts';
import { PARSERS, parserOf } from './parser-modules.ts';
import { isUnreachable } from './unreachable-branches.ts';

/** Branches of all kinds, joined: a branch is reached if an input of any kind reaches it. */
export function joinBranches(lists: readonly (readonly ModuleBranch[])[]): ModuleBranch[] {
  const joined = new Map<string, ModuleBranch>();
  for (const list of lists) {
    const counts = new Map<string, number>();
    for (const branch of list) {
      const index = counts.get(branch.path) ?? 0;
      counts.set(branch.path, index + 1);
      const key = `${branch.path}#${index}`;
      if (joined.get(key)?.isReached !== true) joined.set(key, branch);
    }
  }
  return [...joined.values()];
}

/** Row of the table. */
export interface CoverageRow {
  readonly name: string;
  readonly reached: number;
  /** Branches without those that no input can reach. */
  readonly reachable: number;
  readonly unreachable: number;
}

/** Returns a row for each parser of which modules were loaded, and the sum. */
export function tabulateCoverage(branches: readonly ModuleBranch[]): CoverageRow[] {
  const rows = PARSERS.map(({ name }) => {
    const own = branches.filter(({ path }) => parserOf(path)?.name === name);
    return rowOf(name, own);
  }).filter(({ reachable }) => reachable > 0);
  return [...rows, rowOf('all parsers', branches)];
}

function rowOf(name: string, branches: readonly ModuleBranch[]): CoverageRow {
  const reached = branches.filter(({ isReached }) => isReached).length;
  const unreachable = branches.filter((one) => !one.isReached && isUnreachable(one)).length;
  return { name, reached, reachable: branches.length - unreachable, unreachable };
}

/** Formats the table as Markdown. */
export function formatCoverage(rows: readonly CoverageRow[]): string {
  const lines = rows.map(({ name, reached, reachable, unreachable }) => {
    const share = ((100 * reached) / reachable).toFixed(1);
    return `| ${name} | ${reached} | ${reachable} | ${share} % | ${unreachable} |`;
  });
  const head =
    '| parser | reached | reachable | share | unreachable |\n| --- | --- | --- | --- | --- |';
  return `${head}\n${lines.join('\n')}\n`;
}

/** Lists the branches that were not reached, a line each. */
export function formatMissing(branches: readonly ModuleBranch[]): string {
  return branches
    .filter((branch) => !branch.isReached && !isUnreachable(branch))
    .map(({ path, line, kind, owner, text }) => `${path}:${line}: ${owner}: ${kind}: ${text}\n`)
    .join('');
}
