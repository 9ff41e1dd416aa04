/**
 * The comparison with piglit: what counts as agreement, which tests are drawn, and, where piglit,
 * apitrace and an X server are installed, a small sample from capture to verdict.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Image } from '@tessera/frame';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differenceFrom, isReference } from '../../../scripts/conformance/mesa/image-verdict.ts';
import {
  drawSample,
  findPiglit,
  listTests,
} from '../../../scripts/conformance/piglit/list-tests.ts';
import type { PiglitResult } from '../../../scripts/conformance/piglit/piglit-result.ts';
import {
  formatCauses,
  formatGroups,
  formatResults,
  parseResults,
} from '../../../scripts/conformance/piglit/piglit-totals.ts';

const SIZE = 64;
/** Number of tests that run again where piglit is installed. */
const SAMPLE = 12;

/** Returns an image whose left part is white. */
function half(columns: number, change?: (rgba: Uint8Array) => void): Image {
  const rgba = new Uint8Array(SIZE * SIZE * 4).map((_, at) =>
    (at >> 2) % SIZE < columns ? 255 : 0,
  );
  change?.(rgba);
  return { widthPx: SIZE, heightPx: SIZE, rgba };
}

describe('an image beside those of two renderers', () => {
  it('agrees up to rounding and the position of edges', () => {
    const references = [half(32), half(32)];
    expect(isReference(references)).toBe(true);
    expect(differenceFrom(half(32), references)).toBeNull();
    expect(differenceFrom(half(33), references)).toBeNull();
    const rounded = half(32, (rgba) => {
      for (let at = 0; at < rgba.length; at++) rgba[at] = Math.abs(rgba[at]! - 3);
    });
    expect(differenceFrom(rounded, references)).toBeNull();
    expect(differenceFrom(half(34), references)).toMatch(/^128 and 128 pixels differ/);
    expect(
      differenceFrom(
        half(32, (rgba) => rgba.fill(9)),
        references,
      ),
    ).toMatch(/at most by 246/);
    expect(differenceFrom({ ...half(32), heightPx: SIZE / 2 }, references)).toMatch(/in place of/);
  });

  it('differs where it lacks a small shape, and agrees with either renderer', () => {
    const dots = half(32, (rgba) => rgba.fill(128, 0, 6 * 4));
    expect(differenceFrom(half(32), [dots, dots])).toMatch(/^6 and 6 pixels/);
    expect(differenceFrom(half(32), [dots, half(32)])).toBeNull();
  });

  it('is not judged if the renderers have no common image', () => {
    expect(isReference([])).toBe(false);
    expect(isReference([half(32)])).toBe(false);
    expect(isReference([half(32), half(64)])).toBe(false);
  });
});

describe('tests of piglit', () => {
  let folder: string;
  const test = (name: string, command: string, more = '') =>
    `<Test type="gl" name="${name}"><option name="command" value="[${command}]" />${more}</Test>`;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tessera-piglit-list-'));
    mkdirSync(join(folder, 'tests'));
    const write = (profile: string, ...tests: string[]) =>
      writeFileSync(join(folder, `tests/${profile}.xml.gz`), gzipSync(tests.join('')));
    const concurrent = '<option name="run_concurrent" value="True" />';
    write(
      'quick_gl',
      ...[1, 2, 3].map((index) =>
        test(`spec@!opengl 1.1@t${index}`, `'t', '${index}'`, concurrent),
      ),
      test('spec@arb_tessellation_shader@later', "'later'"),
      test(
        'spec@ext_texture@surface',
        "'surface'",
        '<option name="require_platforms" value="x" />',
      ),
      test('spec@arb_texture_rg@one', "'one', 'a &gt; b'"),
    );
    write(
      'quick_shader',
      test('spec@glsl-1.20@a', "'shader_runner', 'tests/a.shader_test'"),
      test('spec@glsl-1.50@execution@geometry@b', "'shader_runner', 'tests/b.shader_test'"),
      test('spec@glsl-es-3.00@c', "'shader_runner_gles3', 'tests/c.shader_test'"),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are those of OpenGL 3.3 and OpenGL ES 3.0, in the order of a seed', () => {
    const names = (seed: string) => listTests(folder, seed).map(({ name }) => name);
    expect(names('1').sort()).toEqual([
      'spec@!opengl 1.1@t1',
      'spec@!opengl 1.1@t2',
      'spec@!opengl 1.1@t3',
      'spec@arb_texture_rg@one',
      'spec@glsl-1.20@a',
      'spec@glsl-es-3.00@c',
    ]);
    const orders = ['1', '2', '3', '4'].map((seed) => names(seed).join());
    expect(new Set(orders).size).toBeGreaterThan(1);
    expect(names('2')).toEqual(names('2'));
    const one = listTests(folder, '1').find(({ name }) => name === 'spec@arb_texture_rg@one');
    expect(one).toMatchObject({ command: ['one', 'a > b'], usesFbo: false, folder: 'extensions' });
  });

  it('are drawn by group', () => {
    const groups = drawSample(listTests(folder, '1'), 10).map(({ folder: group }) => group);
    expect(groups).toEqual([
      'shaders',
      'OpenGL 1.x and 2.x',
      'OpenGL 1.x and 2.x',
      'extensions',
      'OpenGL 3.x and ES',
    ]);
  });

  it('are counted by group and by cause', () => {
    let count = 0;
    const result = (outcome: PiglitResult['outcome'], ...messages: string[]): PiglitResult => ({
      name: `test ${++count}`,
      folder: 'shaders',
      outcome,
      messages,
    });
    const results = [
      result('agrees'),
      result('refused', 'call 20 (glAccum): the function is not supported'),
      result('refused', 'call 31 (glAccum): the function is not supported'),
      result('not judged', 'draws nothing'),
    ];
    expect(formatGroups(results)).toContain('| shaders | 1 | 0 | 2 | 0 | 0 | 1 | 33.3 % |');
    expect(formatCauses(results)).toBe(
      '| tests | cause | one of them |\n| --- | --- | --- |\n' +
        '| 2 | refused: (glAccum): the function is not supported | `test 2` |',
    );
    const kept = parseResults(formatResults(results));
    expect(formatGroups(kept)).toBe(formatGroups(results));
    expect(formatCauses(kept)).toBe(formatCauses(results));
  });
});

const isInstalled = (tool: string) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
const canRun = findPiglit() !== null && ['apitrace', 'glretrace', 'xvfb-run'].every(isInstalled);

const ROOT = join(import.meta.dirname, '../../..');
const RESULTS = parseResults(readFileSync(join(import.meta.dirname, 'results.csv'), 'utf8'));

it('has its results in the document', () => {
  const document = readFileSync(join(ROOT, 'docs/opengl-conformance.md'), 'utf8');
  expect(document).toContain(formatGroups(RESULTS));
  expect(document).toContain(formatCauses(RESULTS));
});

it.skipIf(!canRun)('a small sample of piglit goes from capture to verdict', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-piglit-'));
  const json = join(folder, 'results.json');
  const agreeing = RESULTS.filter(({ outcome }) => outcome === 'agrees').slice(0, SAMPLE);
  const filter = `^(${agreeing.map(({ name }) => RegExp.escape(name)).join('|')})$`;
  try {
    const program = join(ROOT, 'scripts/conformance/piglit/piglit.ts');
    const options = ['--tests', '1000', '--filter', filter, '--json', json];
    execFileSync('xvfb-run', ['-a', process.execPath, program, ...options], { stdio: 'pipe' });
    const results = JSON.parse(readFileSync(json, 'utf8')) as PiglitResult[];
    expect(results).toHaveLength(SAMPLE);
    // On a busy machine, a test may not end in time on Mesa.
    const judged = results.filter(({ outcome }) => outcome !== 'not judged');
    expect(judged.length).toBeGreaterThanOrEqual(SAMPLE / 2);
    expect(judged.filter(({ outcome }) => outcome !== 'agrees')).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
