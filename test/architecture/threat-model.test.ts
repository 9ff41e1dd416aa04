/** The threat model of SECURITY.md names tests that exist, by file and title. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const ACTORS = [
  "A web page in a user's browser",
  'Another user of the machine',
  'A client without a token',
  'A client with a token',
  'A chiplet with the secret',
  'The operator',
  'A neighbor tenant',
  'A reader of the network',
];

const model = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  .split('\n## Threat model\n')[1]!
  .split('\n## ')[0]!;
/** Text of each actor, by its heading. */
const sections = new Map(
  model
    .split('\n### ')
    .slice(1)
    .map((text) => [text.split('\n', 1)[0]!, text.slice(text.indexOf('\n'))]),
);

/** Returns the tests that a text names: a file, then titles until the next file. */
function readTests(text: string): [path: string, title: string][] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?=`[\w./-]+\.test\.ts`)/)
    .slice(1)
    .flatMap((part) => {
      const path = /^`([^`]+)`/.exec(part)![1]!;
      return [...part.matchAll(/"([^"]+)"/g)].map((match): [string, string] => [path, match[1]!]);
    });
}

describe('the threat model', () => {
  it('has a section for every actor', () => {
    expect([...sections.keys()]).toEqual(ACTORS);
  });

  it('shows every protection by a test', () => {
    const rows = model.split('\n').filter((line) => /^\| (?!---|it tries|what may)/.test(line));
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => readTests(row).length === 0)).toEqual([]);
  });

  it('says for every actor with a table what is not stopped', () => {
    const silent = [...sections].filter(
      ([, text]) => text.includes('\n| ') && !text.includes('\nNot stopped: '),
    );
    expect(silent.map(([actor]) => actor)).toEqual([]);
  });

  it.each(readTests(model))('names a test: %s "%s"', (path, title) => {
    expect(existsSync(join(ROOT, path)), path).toBe(true);
    const text = readFileSync(join(ROOT, path), 'utf8');
    // The title stands after `it(`, or after the table of `it.each`, in quotes of any kind.
    const at = ["'", '"', '`'].map((quote) => text.indexOf(`${quote}${title}${quote},`));
    const place = Math.max(...at);
    expect(place, title).toBeGreaterThan(0);
    expect(text.slice(0, place)).toMatch(/(^|\n) *(it\b[^;]*|\)\(\s*)$/);
  });
});
