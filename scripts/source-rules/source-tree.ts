/** Files of the repository in the form that the rules need, each read once. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSource } from './parse-source.ts';
import type { SourceFile } from './source-file.ts';

/** Files that a command writes. Their generator has the words, so only rules of structure apply. */
const GENERATED = /generated\.ts$|webgl-interface\.ts$|(?:cycle|network)-model-code\.ts$/;

/** Files and pages of a repository. */
export interface SourceTree {
  /** Paths of all files, relative to the repository. */
  readonly files: ReadonlySet<string>;
  /** TypeScript and JavaScript that people write. */
  readonly sources: readonly SourceFile[];
  /** TypeScript that a command writes. */
  readonly generated: readonly SourceFile[];
  /** Text of every Markdown page, by its path. */
  readonly pages: ReadonlyMap<string, string>;
  /** Names of the scripts in package.json. */
  readonly verbs: ReadonlySet<string>;
}

/** Returns the paths of files that are in the repository or could be added to it. */
export function listFiles(root: string, pathspecs: readonly string[] = []): string[] {
  const options = ['ls-files', '-co', '--exclude-standard', '--', ...pathspecs];
  return execFileSync('git', options, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)));
}

/** Returns whether a command writes the file. */
export function isGenerated(path: string): boolean {
  return GENERATED.test(path);
}

/** Reads and parses the files of the repository at `root`. */
export function readTree(root: string): SourceTree {
  const files = listFiles(root);
  const code = files.filter((path) => /\.(?:ts|mjs)$/.test(path)).sort();
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const pages = files.filter((path) => path.endsWith('.md'));
  return {
    files: new Set(files),
    sources: code.filter((path) => !isGenerated(path)).map((path) => readSource(root, path)),
    generated: code.filter(isGenerated).map((path) => readSource(root, path)),
    pages: new Map(pages.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
    verbs: new Set(Object.keys(scripts)),
  };
}
