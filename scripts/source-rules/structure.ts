/**
 * Rules about the shape of the tree: no cycle of modules at run time, no two folders of a workspace
 * that import each other, no overlong function or file without a stated reason.
 */
import { dirname } from 'node:path';
import type { SourceFile } from './source-file.ts';

/** Lines above which a file or a function needs a reason in its head comment. */
export const MAX_FILE_LINES = 500;
/** Lines above which a function needs a reason in its head comment. */
export const MAX_FUNCTION_LINES = 80;

/** Words by which a head comment gives the reason for a length. */
const REASON = /\b(?:one file|one function|long because)\b/i;

/** Returns groups of files that load each other at run time, each sorted (Tarjan 1972). */
export function findRuntimeCycles(sources: readonly SourceFile[]): string[][] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const indexByPath = new Map<string, number>();
  const lowByPath = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string): void => {
    indexByPath.set(path, indexByPath.size);
    lowByPath.set(path, indexByPath.get(path)!);
    stack.push(path);
    onStack.add(path);
    for (const { target, isTypeOnly } of byPath.get(path)!.imports) {
      if (isTypeOnly || !byPath.has(target)) continue;
      if (!indexByPath.has(target)) {
        visit(target);
        lowByPath.set(path, Math.min(lowByPath.get(path)!, lowByPath.get(target)!));
      } else if (onStack.has(target)) {
        lowByPath.set(path, Math.min(lowByPath.get(path)!, indexByPath.get(target)!));
      }
    }
    if (lowByPath.get(path) !== indexByPath.get(path)) return;
    const members = stack.splice(stack.lastIndexOf(path));
    for (const member of members) onStack.delete(member);
    const importsItself = byPath.get(path)!.imports.some(({ target }) => target === path);
    if (members.length > 1 || importsItself) cycles.push(members.sort());
  };
  for (const { path } of sources) if (!indexByPath.has(path)) visit(path);
  return cycles;
}

/**
 * Returns pairs of folders that import each other, types included, with one import in each
 * direction.
 */
export function findMutualFolders(sources: readonly SourceFile[]): string[] {
  const paths = new Set(sources.map(({ path }) => path));
  const exampleByArrow = new Map<string, string>();
  for (const { path, imports } of sources) {
    for (const { target } of imports) {
      const from = dirname(path);
      const to = dirname(target);
      if (from === to || !paths.has(target)) continue;
      const arrow = `${from} ${to}`;
      if (!exampleByArrow.has(arrow)) exampleByArrow.set(arrow, `${path} → ${target}`);
    }
  }
  const pairs: string[] = [];
  for (const [arrow, example] of exampleByArrow) {
    const [from, to] = arrow.split(' ') as [string, string];
    const back = exampleByArrow.get(`${to} ${from}`);
    if (back !== undefined && from < to) pairs.push(`${from} ↔ ${to}: ${example}; ${back}`);
  }
  return pairs.sort();
}

/** Returns files and functions that are too long and give no reason. */
export function findOverlong(source: SourceFile): string[] {
  const found: string[] = [];
  const head = source.comments[0]?.text ?? '';
  if (source.lineCount > MAX_FILE_LINES && !REASON.test(head)) {
    found.push(`${source.path}: ${source.lineCount} lines, no reason in the head comment`);
  }
  for (const { name, line, lineCount, headComment } of source.functions) {
    if (lineCount <= MAX_FUNCTION_LINES || REASON.test(headComment ?? '')) continue;
    found.push(`${source.path}:${line}: ${name} has ${lineCount} lines, no reason in its comment`);
  }
  return found;
}
