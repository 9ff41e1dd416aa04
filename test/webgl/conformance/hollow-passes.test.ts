/** Passes that leave out assertions: what pages say, and the comparison with a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AssertionCounts } from '../../../scripts/conformance/assertion-counts.ts';
import {
  formatCountComparison,
  judgeHollowPass,
} from '../../../scripts/conformance/compare-counts.ts';
import { MISSING_FEATURE } from '../../../scripts/conformance/missing-features.ts';
import { ResultsFile } from '../../../scripts/conformance/results-file.ts';
import type { Outcome, Verdict } from '../../../scripts/conformance/verdict.ts';

const ORIGIN = { suite: 'a1b2c3', browser: 'Browser 1', webgl: 1, command: 'run' } as const;
const folder = mkdtempSync(join(tmpdir(), 'hollow-passes-'));
afterAll(() => rmSync(folder, { recursive: true }));

function verdict(
  name: string,
  assertions: number,
  missing: readonly string[] = [],
  outcome: Outcome = 'pass',
): Verdict {
  return { name, folder: 'c', outcome, assertions, failed: 0, messages: [], missing, cpuMs: 1 };
}

function countsOf(...pages: [name: string, assertions: number, outcome: Outcome][]) {
  const counts = new AssertionCounts(ORIGIN);
  for (const [name, assertions, outcome] of pages) counts.add({ name, assertions, outcome });
  return counts;
}

describe('assertions that state the absence of a feature', () => {
  it.each([
    'No EXT_sRGB support -- this is legal',
    'No OES_texture_half_float support. This is legal',
    'No OVR_multiview2 support or no EXT_disjoint_timer_query_webgl2 support -- this is legal',
    'EXT_sRGB not listed as supported and getExtension failed -- this is legal',
    'WEBGL_multi_draw extension is not supported - this is legal',
    'Extension EXT_color_buffer_float is unavailable - this is legal',
    'No vertex texture image units (vertex texture fetch not supported) -- this is legal',
    'No OffscreenCanvas support',
    'EXT_float_blend is allowed to be missing.',
    'Optional ext WEBGL_compressed_texture_astc MAY be unsupported.',
    'Missing ext EXT_color_buffer_float is optional, skipping.',
    'EXT_srgb not supported. (ok!)',
    'WEBGL_depth_texture not supported, skipping tests.',
    'drawingBufferStorage not present -- skipping test',
  ])('recognizes «%s»', (message) => expect(message).toMatch(MISSING_FEATURE));

  it.each([
    'Optional ext WEBGL_compressed_texture_astc is supported.',
    'floating-point RGB16F render target not supported; this is allowed.',
    'floating-point RGB32F render target should not be supported without enabling it',
    'Unable to test square texture larger than maximum size -- this is legal',
    'getError was expected value: INVALID_ENUM : No TEXTURE_3D',
    'No extra properties found on WebGL context.',
    'EXT_sRGB listed as supported and getExtension succeeded',
  ])('counts «%s»', (message) => expect(message).not.toMatch(MISSING_FEATURE));
});

describe('comparison with a browser', () => {
  const counts = countsOf(['c/a.html', 10, 'pass'], ['c/b.html', 4, 'fail']);

  it('skips a pass with fewer assertions than the browser, if something is missing', () => {
    const outcome = (...page: Parameters<typeof verdict>) =>
      judgeHollowPass(verdict(...page), counts).outcome;
    expect(outcome('c/a.html', 9, ['EXT_none'])).toBe('skipped');
    expect(outcome('c/a.html', 10, ['EXT_none'])).toBe('pass');
    expect(outcome('c/a.html', 9)).toBe('pass');
    expect(outcome('c/a.html', 9, ['EXT_none'], 'fail')).toBe('fail');
    expect(outcome('c/new.html', 9, ['EXT_none'])).toBe('pass');
    expect(judgeHollowPass(verdict('c/a.html', 1, ['EXT_none']), null).outcome).toBe('pass');
  });

  it('lists pages with fewer assertions and sums up to the number of the browser', () => {
    const many = countsOf(
      ['c/a.html', 10, 'pass'],
      ['c/b.html', 30, 'pass'],
      ['c/fails.html', 7, 'fail'],
      ['c/more.html', 10, 'pass'],
      ['deqp/c/texturefiltering/a.html', 90, 'pass'],
    );
    const text = formatCountComparison(
      [
        verdict('c/a.html', 5, ['EXT_none'], 'skipped'),
        verdict('c/b.html', 27),
        verdict('c/fails.html', 1),
        verdict('c/more.html', 1000),
        verdict('c/unknown.html', 5),
        verdict('deqp/c/texturefiltering/a.html', 20),
      ],
      many,
    );
    expect(text.split('\n')).toEqual([
      'pages with fewer assertions than in Browser 1: 2 of 3 without failures in both',
      '  c/a.html: skipped, 5 of 10 (EXT_none)',
      '  c/b.html: pass, 27 of 30 (nothing seems to be missing)',
      'assertions made on these pages: 42 of 50, 84.00 %; mean of the pages 80.00 %',
      'pages that assert once more for each inexact pixel: 1, with 20 assertions, 90 in the browser',
    ]);
  });
});

describe('files of a run', () => {
  it('reads the counts that it wrote', () => {
    const path = join(folder, 'counts.json');
    expect(AssertionCounts.read(path)).toBeNull();
    countsOf(['c/d/a.html', 10, 'pass'], ['c/b.html', 4, 'skipped']).write(path);
    const read = AssertionCounts.read(path)!;
    expect(read.origin).toEqual(ORIGIN);
    expect(read.find('c/d/a.html')).toEqual({ assertions: 10, outcome: 'pass' });
    expect(read.find('c/b.html')).toEqual({ assertions: 4, outcome: 'skipped' });
    expect(read.find('c/d/b.html')).toBeNull();
  });

  it('resumes from the verdicts of an earlier run', () => {
    const path = join(folder, 'verdicts.json');
    const file = new ResultsFile(path, true);
    file.set(verdict('c/a.html', 1));
    file.write();
    expect(new ResultsFile(path, true).find('c/a.html')).toEqual(verdict('c/a.html', 1));
    expect(new ResultsFile(path, false).find('c/a.html')).toBeUndefined();
  });
});
