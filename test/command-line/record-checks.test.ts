import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { encodePng } from '@tessera/frame/png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordChecks } from '../../packages/experiments/src/commands/record-checks.ts';
import { decodePng } from '../support/compare-images.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TRIANGLE = join(ROOT, 'packages/webgl/examples/triangle.mjs');
/** Pixels of the 64×36 images. */
const PIXELS = 2304;

const folder = mkdtempSync(join(tmpdir(), 'tessera-record-'));
afterAll(() => rmSync(folder, { recursive: true }));

function record(...args: string[]) {
  const cli = join(ROOT, 'packages/experiments/src/cli.ts');
  const size = ['--width', '64', '--height', '36'];
  return spawnSync(process.execPath, [cli, 'record', TRIANGLE, ...size, ...args], {
    encoding: 'utf8',
    cwd: folder,
  });
}

const path = (name: string) => join(folder, name);

describe('record --expect and --budget', { timeout: 240_000 }, () => {
  let cycles: number;

  /** Writes a copy of an image with the red of the first pixels changed. */
  async function writeChanged(name: string, from: string, pixels: number, by: number) {
    const image = decodePng(readFileSync(path(from)));
    for (let at = 0; at < pixels * 4; at += 4) image.rgba[at]! += image.rgba[at]! < 128 ? by : -by;
    writeFileSync(path(name), await encodePng(image));
  }

  beforeAll(async () => {
    const { stdout } = record('--frames', '2', '-o', 'golden.png', '--json');
    cycles = JSON.parse(stdout)[1].report.totals.cycles;
    await writeChanged('near.png', 'golden-0001.png', PIXELS, 8);
    await writeChanged('off.png', 'golden-0001.png', 23, 9);
  });

  it('passes if the last frame has its image and each frame keeps to its budgets', () => {
    const budget = `cycles=${cycles * 2},raster.quadsCovered=1e9`;
    const frames = ['--frames', '2', '-o', 'out.png'];
    const { status, stdout, stderr } = record(
      ...frames,
      '--expect',
      'near.png',
      '--budget',
      budget,
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(
      'pass  out-0001.png: 0 of 2304 pixels (0.0000 %) differ from near.png by more than 8 of 255, at most 0; see out-0001-difference.png\n',
    );
    expect(stdout).toContain(`pass  out-0001.png: cycles ${cycles}, at most ${cycles * 2}\n`);
    expect(stdout.match(/^pass {2}out-000\d.png: cycles/gm)).toHaveLength(2);
    expect(existsSync(path('out-0000-difference.png'))).toBe(false);
    const difference = decodePng(readFileSync(path('out-0001-difference.png')));
    expect([...difference.rgba.subarray(0, 4)]).toEqual([64, 0, 0, 255]);
  });

  it('fails by one pixel and by one cycle, and names both', () => {
    const args = ['--frames', '2', '-o', 'out.png', '--expect', 'off.png'];
    expect(record(...args, '--max-over8', '1%').status).toBe(0);
    const { status, stdout, stderr } = record(
      ...args,
      ...['--max-over8', '22', '--budget', `cycles=${cycles - 1}`, '--json'],
    );
    expect(status).toBe(1);
    expect(stderr).toContain(
      'FAIL  out-0001.png: 23 of 2304 pixels (0.9983 %) differ from off.png by more than 8 of 255, at most 22;',
    );
    expect(stderr).toContain(`FAIL  out-0001.png: cycles ${cycles}, at most ${cycles - 1}\n`);
    const [, last] = JSON.parse(stdout);
    expect(last.checks.map(({ isMet }: { isMet: boolean }) => isMet)).toEqual([false, false]);
  });

  it('compares every frame with a reference of its number', () => {
    const frames = ['--frames', '2', '--expect', 'golden-{frame}.png', '--timing', 'functional'];
    const { status, stdout } = record(...frames);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^pass {2}out-0000\.png: .* golden-0000\.png /m);
    expect(stdout).toMatch(/^pass {2}out-0001\.png: .* golden-0001\.png /m);
  });

  it('fails on an image of another size', () => {
    const { status, stderr } = record('--expect', 'golden-0000.png', '--width', '32');
    expect([status, stderr]).toEqual([1, 'FAIL  out.png: 32×36, but golden-0000.png is 64×36\n']);
  });

  it('rejects a budget in cycles without cycle timing', () => {
    const { status, stderr } = record('--budget', 'cycles=3', '--timing', 'functional');
    const message = 'budget: cycles has no value with --timing functional';
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it.each([
    [{ budget: ['cycels=3'] }, "budget: 'cycels' is neither a counter"],
    [{ budget: ['cycles'] }, "budget: 'cycles' is not NAME=VALUE"],
    [{ budget: ['cycles=3,fragments=many'] }, "budget fragments: 'many' is not a number"],
    [{ expect: 'none.png' }, 'none.png: ENOENT'],
    [{ 'max-over8': '3' }, 'max-over8: applies only with --expect'],
    [{ expect: './a.png' }, 'expect: ./a.png is also the output'],
  ])('rejects %j before the program starts', async (values, message) => {
    await expect(RecordChecks.read(values, ['a.png'])).rejects.toThrow(message);
  });
});
