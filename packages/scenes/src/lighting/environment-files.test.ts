import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EnvironmentFiles } from './environment-files.ts';
import type { FilteredEnvironment } from './environment-frame.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-environments-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Stands for an environment: files keep any value. */
const environmentOf = (level: number) =>
  ({ radiance: { levels: [Uint8Array.of(level)] } }) as unknown as FilteredEnvironment;

describe('EnvironmentFiles', () => {
  it('keeps environments for others that use the folder', () => {
    const path = join(folder, 'a', 'b');
    new EnvironmentFiles(path).set('k', environmentOf(7));
    expect(new EnvironmentFiles(path).get('k')).toEqual(environmentOf(7));
    expect(new EnvironmentFiles(path).get('other')).toBeUndefined();
    expect(readdirSync(path)).toEqual(['k']);
  });

  it('does not have a damaged one', () => {
    const files = new EnvironmentFiles(folder);
    writeFileSync(join(folder, 'damaged'), 'cut');
    expect(files.get('damaged')).toBeUndefined();
  });

  it('keeps the newest sixteen', () => {
    const path = join(folder, 'many');
    const files = new EnvironmentFiles(path);
    for (let i = 0; i < 20; i++) files.set(`k${i}`, environmentOf(i));
    expect(readdirSync(path)).toHaveLength(16);
    expect(files.get('k19')).toEqual(environmentOf(19));
  });

  it('does without a folder that cannot be written', () => {
    writeFileSync(join(folder, 'file'), '');
    const files = new EnvironmentFiles(join(folder, 'file', 'below'));
    files.set('k', environmentOf(1));
    expect(files.get('k')).toBeUndefined();
  });
});
