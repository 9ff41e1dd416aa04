/** A short run of scripts/fuzz, with a process per kind as in `npm run fuzz`. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const MUTATIONS = '2500';

describe('fuzzing', () => {
  it('finds nothing that is not answered with a problem, in all kinds', async () => {
    const script = ['scripts/fuzz/fuzz.ts', '--mutations', MUTATIONS, '--seed', '7'];
    const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: ROOT });
    expect(stdout).not.toContain('FINDING');
    const done = [...stdout.matchAll(/^(\w+): (\d+) inputs/gm)].map(([, kind, n]) => [
      kind,
      Number(n),
    ]);
    expect(done).toEqual([
      ['wire', 1125],
      ['native', 500],
      ['glsl', 375],
      ['gltf', 300],
      ['capture', 200],
    ]);
    // Most damage is detected, some is harmless. Each kind must have both.
    for (const outcome of [
      'malformed',
      'FRAME_INVALID',
      'SHADER_COMPILE_FAILED',
      'MODEL_INVALID',
    ]) {
      expect(stdout).toContain(`"${outcome}":`);
    }
    for (const outcome of ['rendered', 'compiled', 'imported', 'frameBroadcast']) {
      expect(stdout).toContain(`"${outcome}":`);
    }
  }, 300_000);
});
