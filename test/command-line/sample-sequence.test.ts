/** Samples of a sequence through the command line, against the sequence with all frames timed. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readModel } from '@tessera/experiments/read-model';
import type { Report, SequenceReport } from '@tessera/frame';
import { LocalGpu, type SampledSequenceReport } from '@tessera/local-gpu';
import { importGltf } from '@tessera/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const MODEL = resolve(ROOT, 'test/golden/models/AnimatedMorphCube.glb');
const [COUNT, SECONDS] = [24, 4];
const SEQUENCE = ['--frames', String(COUNT), '--from', '0', '--to', String(SECONDS)];
const SIZE = ['--width', '48', '--height', '32', '--bins', '4', '--quality', 'simple'];

const folder = mkdtempSync(join(tmpdir(), 'tessera-sample-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(output: string, ...args: string[]) {
  const cli = resolve(ROOT, 'packages/experiments/src/cli.ts');
  const all = [cli, 'sequence', MODEL, ...SEQUENCE, ...SIZE, '-o', join(folder, output), ...args];
  return spawnSync(process.execPath, all, { encoding: 'utf8' });
}

function readReport<Kind>(output: string): Kind {
  return JSON.parse(readFileSync(join(folder, output, 'report.json'), 'utf8'));
}

/** Reports of all frames, each alone, with cycle timing. */
async function timeAllFrames(): Promise<Report[]> {
  const source = await readModel(MODEL);
  const reports: Report[] = [];
  const gpu = new LocalGpu();
  const frames = Array.from({ length: COUNT }, (_, i) => async () => {
    const timeSeconds = (SECONDS * i) / (COUNT - 1);
    return (await importGltf(source, { widthPx: 48, heightPx: 32, timeSeconds })).frame;
  });
  await gpu.renderSequence(frames, {
    timing: 'cycle',
    grid: { kind: 'bins', count: 4 },
    onFrame: ({ report }) => {
      reports.push(report);
    },
  });
  return reports;
}

describe('tessera sequence --sample', { timeout: 120_000 }, () => {
  let reports: readonly Report[] = [];
  beforeAll(async () => {
    reports = await timeAllFrames();
  });

  it('gives the exact totals of the full run if all frames are sampled', () => {
    expect(run('all', '--sample', '0.0001%@95%', '--figures', 'cycles,linkBytes').status).toBe(0);
    const { totals, figures, goal } = readReport<SampledSequenceReport>('all');
    expect(totals).toEqual({ frames: COUNT, sampledFrames: COUNT, isExhaustive: true });
    expect(goal).toMatchObject({ figures: ['cycles', 'linkBytes'], isMet: true });
    const sumOf = (name: string) =>
      reports.reduce((sum, { totals, link, chiplets }) => {
        if (name === 'cycles') return sum + totals.cycles!;
        if (name === 'linkBytes') return sum + link.bytes;
        const counts = chiplets.map(
          ({ counters }) => (counters as Readonly<Record<string, number>>)[name] ?? 0,
        );
        return sum + counts.reduce((all, count) => all + count, 0);
      }, 0);
    const checked = figures.filter(
      ({ name }) => name.includes('.') || ['cycles', 'linkBytes'].includes(name),
    );
    expect(checked.length).toBeGreaterThan(100);
    expect(Object.fromEntries(checked.map(({ name, estimate }) => [name, estimate]))).toEqual(
      Object.fromEntries(checked.map(({ name }) => [name, sumOf(name)])),
    );
    expect(figures.every(({ halfWidth }) => halfWidth === 0)).toBe(true);
  });

  it('times some frames and gives intervals that contain the totals', () => {
    const { status, stdout } = run('some', '--sample', '±2%@95%');
    expect(status).toBe(0);
    expect(stdout).toMatch(/some: sampled: \d+ of 24 frames were timed \(\d strata, seed 1\)/);
    const { totals, figures, goal, frames } = readReport<SampledSequenceReport>('some');
    expect(totals.sampledFrames).toBeLessThan(COUNT);
    expect(goal.isMet).toBe(true);
    const { estimate, halfWidth } = figures.find(({ name }) => name === 'cycles')!;
    const truth = reports.reduce((sum, report) => sum + report.totals.cycles!, 0);
    expect(halfWidth).toBeGreaterThan(0);
    expect(Math.abs(estimate - truth)).toBeLessThanOrEqual(halfWidth);
    expect(frames.filter(({ isSampled }) => isSampled)).toHaveLength(totals.sampledFrames);
  });

  it('writes the images of the timed frames, or with --images of all frames', () => {
    expect(run('images', '--sample', '±2%@95%', '--images').status).toBe(0);
    expect(run('full', '--timing', 'functional').status).toBe(0);
    const images = reports.map(({ image }) => image.sha256);
    const hashesOf = (output: string) =>
      readReport<SequenceReport | SampledSequenceReport>(output).frames.map(
        ({ imageSha256 }) => imageSha256,
      );
    expect(hashesOf('images')).toEqual(images);
    expect(hashesOf('full')).toEqual(images);
    const { frames } = readReport<SampledSequenceReport>('some');
    for (const { index, isSampled, imageSha256 } of frames) {
      const name = `frame-${String(index).padStart(4, '0')}.png`;
      const path = join(folder, 'some', name);
      expect([imageSha256, existsSync(path)]).toEqual([
        isSampled ? images[index] : null,
        isSampled,
      ]);
      const full = readFileSync(join(folder, 'full', name));
      expect(readFileSync(join(folder, 'images', name)).equals(full)).toBe(true);
      if (isSampled) expect(readFileSync(path).equals(full)).toBe(true);
    }
  });

  it('refuses a goal without a confidence', () => {
    const { status, stderr } = run('refused', '--sample', '1%');
    expect(status).toBe(2);
    expect(stderr).toContain("sample: '1%' is not a goal such as ±1%@95%");
  });
});
