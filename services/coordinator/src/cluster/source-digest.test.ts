import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { digestSources } from './source-digest.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'tessera-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(resolve(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe('the digest of the sources', () => {
  beforeEach(() => {
    write('package-lock.json', '{}');
    write('packages/gpu/src/gpu.ts', 'export const CORES = 4;');
    write('services/coordinator/src/main.ts', 'start();');
  });

  it('changes with a source and with a library', () => {
    const digest = digestSources(folder);
    expect(digest).toMatch(/^[0-9a-f]{12}$/);
    expect(digestSources(folder)).toBe(digest);
    write('packages/gpu/src/gpu.ts', 'export const CORES = 8;');
    const changed = digestSources(folder);
    expect(changed).not.toBe(digest);
    write('package-lock.json', '{"packages": {}}');
    expect(digestSources(folder)).not.toBe(changed);
  });

  it('does not depend on files that a container has not', () => {
    const digest = digestSources(folder);
    write('packages/gpu/src/gpu.test.ts', 'test();');
    write('packages/gpu/src/testing/sample.ts', 'sample();');
    write('packages/gpu/README.md', '# GPU');
    expect(digestSources(folder)).toBe(digest);
  });

  it('covers this repository', () => {
    const copy = join(folder, 'copy');
    for (const name of ['packages', 'services', 'package-lock.json']) {
      cpSync(join(ROOT, name), join(copy, name), {
        recursive: true,
        filter: (path) => !/node_modules|\.test\.ts$|\/test-support|\/testing/.test(path),
      });
    }
    expect(digestSources(copy)).toBe(digestSources());
  });
});
