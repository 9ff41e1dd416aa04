/** Short runs of scripts/fuzz, with a process per kind as in `npm run fuzz`. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { KIND_NAMES } from '../../scripts/fuzz/kinds/kind-table.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/**
 * Shares of the branches of each parser and of all that the corpus reaches at least, in percent.
 */
const LEAST_REACHED = 90;
const LEAST_REACHED_OF_ALL = 92;
const folder = mkdtempSync(join(tmpdir(), 'tessera-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function fuzz(...options: readonly string[]): Promise<string> {
  const script = ['scripts/fuzz/fuzz.ts', '--out', folder, ...options];
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: ROOT });
  return stdout;
}

/** Returns the shares of reached branches in a table of parsers, in percent. */
function readShares(text: string): Map<string, number> {
  const rows = text.matchAll(/^\| ([^|]+) \| \d+ \| \d+ \| ([\d.]+) % \| \d+ \|$/gm);
  return new Map([...rows].map(([, parser, share]) => [parser!, Number(share)]));
}

describe('fuzzing', () => {
  it('finds nothing in the corpus, which reaches most branches of the parsers', async () => {
    const stdout = await fuzz('--check');
    expect(stdout).not.toContain('FINDING');
    const kinds = [...stdout.matchAll(/^(\w+): (\d+) inputs/gm)].map(([, kind]) => kind);
    expect(kinds).toEqual(KIND_NAMES);
    const measured = readShares(stdout);
    expect(measured.get('all parsers')).toBeGreaterThanOrEqual(LEAST_REACHED_OF_ALL);
    const published = readShares(readFileSync(join(ROOT, 'docs/test-runs.md'), 'utf8'));
    expect([...published.keys()]).toEqual([...measured.keys()]);
    for (const [parser, share] of measured) {
      expect(share, parser).toBeGreaterThanOrEqual(LEAST_REACHED);
      expect(Math.abs(share - published.get(parser)!), parser).toBeLessThanOrEqual(1);
    }
    // Most damage is detected, some is harmless. Each kind must have both.
    for (const outcome of [
      ...['MALFORMED', 'FRAME_INVALID', 'SHADER_COMPILE_FAILED', 'FRAME_UNSUPPORTED'],
      ...['MODEL_INVALID', 'REQUEST_INVALID', 'DAMAGED'],
      ...['rendered', 'compared', 'imported', 'decoded', 'frameBroadcast', 'glb', 'read'],
      'mostlyAccepted',
    ]) {
      expect(stdout).toContain(`"${outcome}":`);
    }
  }, 300_000);

  it('finds nothing in damaged inputs', async () => {
    const stdout = await fuzz('--mutations', '1500', '--seed', '7', '--only', 'wire,native,rows');
    expect(stdout).not.toContain('FINDING');
    const done = [...stdout.matchAll(/^(\w+): (\d+) inputs/gm)].map(([, kind, n]) => [
      kind,
      Number(n),
    ]);
    expect(done).toEqual([
      ['wire', 900],
      ['native', 480],
      ['rows', 120],
    ]);
  }, 300_000);
});
