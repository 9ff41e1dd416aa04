/**
 * `00_test_list.txt` of the Khronos suite. Each line names a page or another list, with flags
 * before the name. Version flags select the pages of a WebGL version; pages marked `--slow` are run
 * like all others.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Returns the paths of the pages for a version, relative to `root`, in list order. */
export function listPages(root: string, list: string, isWebGL2: boolean): string[] {
  const path = join(root, list);
  const version = isWebGL2 ? '2.0.1' : '1.0.4';
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const words = line
        .replace(/#.*|\/\/.*/, '')
        .trim()
        .split(/\s+/);
      const name = words.pop()!;
      if (!/\.(html|txt)$/.test(name) || !suits(words, version)) return [];
      const entry = relative(root, join(dirname(path), name));
      if (name.endsWith('.html')) return [entry];
      return existsSync(join(root, entry)) ? listPages(root, entry, isWebGL2) : [];
    });
}

function suits(flags: readonly string[], version: string): boolean {
  const versionAfter = (flag: string): string | null => {
    const at = flags.indexOf(flag);
    return at < 0 ? null : (flags[at + 1] ?? null);
  };
  const min = versionAfter('--min-version');
  const max = versionAfter('--max-version');
  return (
    (min === null || compareVersions(version, min) >= 0) &&
    (max === null || compareVersions(version, max) <= 0)
  );
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number));
  for (let part = 0; part < 3; part++) {
    const difference = (left![part] ?? 0) - (right![part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
