/** docs/two-level-binning.md names an existing test for every behavior of the specification. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENT = join(ROOT, 'docs/two-level-binning.md');
/**
 * Number of rows of the document's two tables; batches and the order of fine bins (¶31) are two
 * rows.
 */
const ROWS = 20;

describe('docs/two-level-binning.md', () => {
  const rows = readFileSync(DOCUMENT, 'utf8')
    .split('\n')
    .filter(
      (line) => line.startsWith('| ') && !line.startsWith('| where') && !line.startsWith('| ---'),
    )
    .map((line) => line.slice(1, -1).split('|'));

  it('names existing tests for every behavior', () => {
    expect(rows).toHaveLength(ROWS);
    for (const [where, , proof] of rows) {
      const links = [...proof!.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
      expect(links.length, where).toBeGreaterThan(0);
      for (const [, name, target] of links) {
        const path = resolve(dirname(DOCUMENT), target!);
        expect(target, where).toMatch(new RegExp(`/${name}\\.test\\.ts$`));
        expect(existsSync(path), `${where}: ${target}`).toBe(true);
        expect(readFileSync(path, 'utf8'), target).toMatch(/\bit(\.each|\()/);
      }
    }
  });
});
