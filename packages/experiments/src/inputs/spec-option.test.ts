import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSpecOption, specQuery } from './spec-option.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-spec-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const path = join(folder, 'spec.json');
  writeFileSync(path, text);
  return path;
}

const FILE = JSON.stringify({ preset: 'loongson', set: { smCount: 2, hasBoxTest: false } });

describe('readSpecOption', () => {
  it('applies settings to a preset or to a file', () => {
    expect(readSpecOption('hmgpu').name).toBe('hmgpu');
    expect(readSpecOption('default', ['smCount=2', 'dramChannels=8']).name).toBe(
      'default+smCount=2,dramChannels=8',
    );
    const { name, smCount, warpThreads } = readSpecOption(fileOf(FILE), ['smCount=3']);
    expect([name, smCount, warpThreads]).toEqual(['loongson+hasBoxTest=off,smCount=3', 3, 16]);
  });

  it.each([
    ['default', ['smCount=65'], '--set: smCount: 65 is not an integer from 1 to 64 shader cores'],
    ['default', ['smCount=2', 'smCount=3'], '--set: smCount: set twice'],
    ['default', ['smCounts=2'], '--set: smCounts: no such parameter; did you mean smCount?'],
    ['best', [], "'best' is not one of default"],
    ['none.json', [], '--spec: none.json: ENOENT'],
  ])('refuses %s %j', (spec, settings, message) => {
    expect(() => readSpecOption(spec, settings)).toThrowError(message);
  });

  it.each([
    ['{', 'JSON'],
    ['{"set":{"smCount":0}}', 'smCount: 0 is not an integer from 1 to 64 shader cores'],
    ['{"smCount":4}', 'smCount: a specification has only preset and set'],
  ])('refuses a file %s and names it', (text, message) => {
    const path = fileOf(text);
    expect(() => readSpecOption(path)).toThrowError(`--spec: ${path}: `);
    expect(() => readSpecOption(path)).toThrowError(message);
  });
});

describe('specQuery', () => {
  it('leaves names and settings to the service', () => {
    expect(specQuery(undefined)).toEqual({});
    expect(specQuery('stored', ['a=1', 'b=2'])).toEqual({ spec: 'stored', set: 'a=1,b=2' });
  });

  it('sends the content of a file, with the settings beside it in front of those in it', () => {
    const path = fileOf(FILE);
    expect(specQuery(path)).toEqual({ spec: 'loongson', set: 'smCount=2,hasBoxTest=off' });
    expect(specQuery(path, ['smCount=3'])).toEqual({
      spec: 'loongson',
      set: 'smCount=3,hasBoxTest=off',
    });
    expect(specQuery(fileOf('{}'))).toEqual({ spec: 'default' });
    expect(() => specQuery(path, ['smCount=99'])).toThrowError('--set: smCount: 99 is not');
  });
});
