import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Report } from '@tessera/frame';
import { createContext, type SimulatedGpuChoice } from '@tessera/webgl';
import { afterAll, describe, expect, it } from 'vitest';
import { FIGURE_NAMES } from '../../packages/experiments/src/reports/figure-names.ts';
import { readFigures } from '../../packages/experiments/src/reports/report-figures.ts';

const folder = mkdtempSync(join(tmpdir(), 'tessera-diff-'));
afterAll(() => rmSync(folder, { recursive: true }));

function render(gpu: SimulatedGpuChoice): Report {
  const gl = createContext(64, 64, { gpu, antialias: false });
  gl.clear(gl.COLOR_BUFFER_BIT);
  return gl.frame().report!;
}

const old = render({ timing: 'cycle', chipletCount: 2 });
const cycles = 10_000;
const counters = { ...old.chiplets[0]!.counters, 'raster.quadsCovered': 40 };
const before = {
  ...old,
  totals: { ...old.totals, cycles },
  chiplets: [{ ...old.chiplets[0]!, counters }, old.chiplets[1]!],
};
const after = {
  ...before,
  policy: 'static-blocks',
  totals: { ...before.totals, cycles: cycles + 200 },
  chiplets: [old.chiplets[0]!, { ...old.chiplets[1]!, counters: { 'raster.quadsCovered': 41 } }],
  spec: { ...old.spec, parameters: { ...old.spec.parameters, l2CacheBytes: 4096 } },
};
for (const [name, report] of Object.entries({ before, after }))
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));

function diff(...args: string[]) {
  const cli = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
  const all = [cli, 'report-diff', 'before.json', ...args];
  return spawnSync(process.execPath, all, { encoding: 'utf8', cwd: folder });
}

describe('report-diff', { timeout: 240_000 }, () => {
  it('lists what differs, and accepts a figure at its limit', () => {
    const { status, stdout, stderr } = diff('after.json', '--max', 'cycles=+2%,fragments=0');
    expect([status, stderr]).toEqual([0, '']);
    const { l2CacheBytes } = old.spec.parameters;
    expect(stdout).toMatch(/^ +old +new +change\n/);
    expect(stdout).toMatch(/^policy +dynamic-pull +static-blocks$/m);
    expect(stdout).toMatch(new RegExp(`^spec l2CacheBytes +${l2CacheBytes} +4096 +-\\d`, 'm'));
    expect(stdout).toMatch(/^cycles +10000 +10200 +\+2\.00 %$/m);
    expect(stdout).toMatch(/^raster\.quadsCovered +40 +41 +\+2\.50 %$/m);
    expect(stdout).not.toMatch(/^(fragments|wall|size|image)/m);
    expect(stdout).toContain('pass  cycles: 10000 → 10200 (+2.00 %), at most +2%\n');
  });

  it('fails one above a limit', () => {
    const limits = ['--max', 'cycles=199', '--max', 'cycles=+1.99%,raster.quadsCovered=1'];
    const { status, stdout, stderr } = diff('after.json', ...limits, '--json');
    expect(status).toBe(1);
    expect(stderr).toBe(
      'FAIL  cycles: 10000 → 10200 (+2.00 %), at most 199\nFAIL  cycles: 10000 → 10200 (+2.00 %), at most +1.99%\n',
    );
    const { settings, figures, limits: results } = JSON.parse(stdout);
    expect(settings).toContainEqual({ name: 'policy', old: 'dynamic-pull', new: 'static-blocks' });
    expect(figures).toContainEqual({ name: 'cycles', old: 10_000, new: 10_200 });
    expect(results.map(({ isMet }: { isMet: boolean }) => isMet)).toEqual([false, false, true]);
  });

  it('says that reports are equal, and rejects bad limits and files', () => {
    expect(diff('before.json').stdout).toBe('the reports are equal except for wall times\n');
    expect(diff('before.json', '--max', 'cycles=-1%').status).toBe(1);
    writeFileSync(join(folder, 'no-report.json'), '{"reportVersion":1}');
    expect(diff('no-report.json')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no-report.json: is not a frame report of version 1'),
    });
    expect(diff('after.json', '--max', 'wall=3')).toMatchObject({ status: 2 });
  });
});

describe('readFigures', () => {
  it('reads every figure of a report with cycles', () => {
    const figures = readFigures(old);
    expect(FIGURE_NAMES.filter((name) => typeof figures.get(name) !== 'number')).toEqual([]);
    expect(figures.get('chiplets')).toBe(2);
    const functional = readFigures(render({}));
    const empty = FIGURE_NAMES.filter((name) => functional.get(name) === null);
    expect(empty).toEqual([
      ...['cycles', 'simulatedMs', 'visibilityCycles', 'makespanCycles', 'linkCycles', 'energyPj'],
    ]);
  });
});
