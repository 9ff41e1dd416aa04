/**
 * Two-level binning (US 12,051,154) over a whole frame: the properties that no single package can
 * prove. docs/two-level-binning.md maps each row of the specification to its test, and an
 * architecture test checks that table.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readModel } from '@tessera/experiments/read-model';
import { type Frame, parseGridRequest } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { importGltf } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from '../../golden/scenes.ts';

const MODELS = join(import.meta.dirname, '../../../../shared/models');
const BASE: RenderOptions = {
  policy: 'dynamic',
  grid: { kind: 'bins', count: 32 },
  visibilityShader: 'minimal',
};

const scene = (): Promise<Frame> => Promise.resolve(GOLDEN_SCENES.terrain!());
const triangles = (): Promise<Frame> => Promise.resolve(GOLDEN_SCENES['random-triangles']!());
const one = new LocalGpu({ chipletCount: 1 });
const three = new LocalGpu({ chipletCount: 3 });
const four = new LocalGpu({ chipletCount: 4 });

describe('two-level binning', () => {
  it.each([
    ['fig. 2', { grid: parseGridRequest('2x2') }],
    ['one bin', { grid: parseGridRequest('1') }],
    ['eight per chiplet', { grid: parseGridRequest('8/chiplet') }],
    ['auto', { grid: parseGridRequest('auto') }],
    ['a grid of odd shape', { grid: parseGridRequest('5x3') }],
    ['the full shader', { visibilityShader: 'full' }],
    ['the cheaper shader', { visibilityShader: 'auto', grid: parseGridRequest('2x1') }],
    ['no culling', { visibilitySwitches: { cullsPrimitives: false } }],
    ['occlusion', { visibilitySwitches: { cullsOccluded: true } }],
    [
      'full shader and no early bin',
      { visibilityShader: 'full', visibilitySwitches: { rendersEarlyBin: false } },
    ],
    ['bins split five times', { splits: 5 }],
    ['bins split to fine bins', { splits: 1024, grid: parseGridRequest('2x2') }],
    ['split bins and an early one', { splits: 3, visibilityShader: 'full' }],
    ['a visibility chiplet that renders nothing', { isVisibilityChipletRendering: false }],
  ] as const satisfies readonly (readonly [string, Partial<RenderOptions>])[])(
    'gives the image of 32 bins and one chiplet: %s',
    async (_name, change) => {
      const frame = await triangles();
      const expected = await one.render(frame, BASE);
      const { report } = await four.render(frame, { ...BASE, ...change });
      expect(report.image.sha256).toBe(expected.report.image.sha256);
      const pixels = report.bins.reduce((sum, bin) => sum + bin.width * bin.height, 0);
      expect(pixels).toBe(frame.widthPx * frame.heightPx);
    },
  );

  it('renders the early bin once, on chiplet 0, within the visibility phase', async () => {
    const frame = await scene();
    const options = { ...BASE, visibilityShader: 'full', timing: 'cycle' } as const;
    const { report, timeline } = await three.render(frame, options);
    const without = await three.render(frame, {
      ...options,
      visibilitySwitches: { rendersEarlyBin: false },
    });
    expect(report.visibility.earlyBins).toBe(1);
    expect(without.report.visibility.earlyBins).toBe(0);
    const early = report.bins.filter(({ isEarly }) => isEarly);
    expect(early).toHaveLength(1);
    // 320×240 pixels have 5 × 4 fine bins, each a coarse bin here. This is the middle one.
    expect(early[0]).toMatchObject({ chiplet: 0, id: 2 * 5 + 2 });
    expect(new Set(report.bins.map(({ id }) => id)).size).toBe(report.bins.length);
    // Each fragment is covered once, with or without the early bin. Its vertices are not shaded
    // again.
    expect(report.totals.fragments).toBe(without.report.totals.fragments);
    expect(report.totals.vertices).toBeLessThan(without.report.totals.vertices);
    expect(report.totals.primitives).toBe(without.report.totals.primitives);
    expect(report.image.sha256).toBe(without.report.image.sha256);
    // The bin takes only what the phase leaves.
    const phase = without.report.visibility.cycles!;
    expect(report.visibility.cycles!).toBeLessThan(1.01 * phase);
    // Chiplet 0 starts with the visibility phase and finishes that bin next.
    const ofChiplet0 = report.bins
      .filter(({ chiplet }) => chiplet === 0)
      .sort((a, b) => a.startCycle! - b.startCycle!);
    expect(ofChiplet0[0]!.isEarly).toBe(true);
    const names = timeline!.traceEvents.map(({ name }) => name);
    expect(names.some((name) => name.includes(`bin ${early[0]!.id}`))).toBe(true);
  });

  it('has no early bin where the minimal shader runs, the phase is short or chiplet 0 renders nothing', async () => {
    const frame = await scene();
    const short = await three.render(await GOLDEN_SCENES.cube!(), {
      ...BASE,
      visibilityShader: 'full',
    });
    expect(short.report.visibility.earlyBins).toBe(0);
    const minimal = await three.render(frame, BASE);
    expect(minimal.report.visibility.earlyBins).toBe(0);
    const spared = await three.render(frame, {
      ...BASE,
      visibilityShader: 'full',
      isVisibilityChipletRendering: false,
    });
    expect(spared.report.visibility.earlyBins).toBe(0);
    expect(spared.report.bins.every(({ chiplet }) => chiplet > 0)).toBe(true);
  });

  it('splits the costliest bins at borders of fine bins, each part a piece of work of its own', async () => {
    const frame = await scene();
    const gpu = new LocalGpu({ chipletCount: 8 });
    const options = { ...BASE, grid: parseGridRequest('2x2'), timing: 'cycle' } as const;
    const whole = await gpu.render(frame, options);
    const { report } = await gpu.render(frame, { ...options, splits: 4 });
    expect(whole.report.bins).toHaveLength(4);
    expect(report.bins).toHaveLength(8);
    expect(report.image.sha256).toBe(whole.report.image.sha256);
    expect(report.totals.fragments).toBe(whole.report.totals.fragments);
    expect(report.visibility.primitivesListed).toBe(whole.report.visibility.primitivesListed);
    expect(report.visibility.tightness!).toBeGreaterThanOrEqual(1);
    expect(new Set(report.bins.map(({ chiplet }) => chiplet)).size).toBeGreaterThan(4);
    expect(report.assignment.makespanCycles!).toBeLessThan(whole.report.assignment.makespanCycles!);
    const costliest = whole.report.bins.reduce((a, b) =>
      b.estimatedCost > a.estimatedCost ? b : a,
    );
    expect(report.bins.filter(({ id }) => id === costliest.id).length).toBeGreaterThan(1);
  });

  it.skipIf(!existsSync(MODELS))(
    'lists the visible primitives of models in a quarter of the bytes of 32-bit ids',
    async () => {
      let streamBytes = 0;
      let flatBytes = 0;
      for (const name of [
        'Duck',
        'Suzanne',
        'CesiumMan',
        'Fox',
        'SimpleInstancing',
        'WaterBottle',
      ]) {
        const files = readdirSync(join(MODELS, name), { recursive: true }).map(String);
        const file = files.find((path) => /\.(glb|gltf)$/.test(path))!;
        const source = await readModel(join(MODELS, name, file));
        const { frame } = await importGltf(source, {
          widthPx: 1280,
          heightPx: 720,
          timeSeconds: 0,
        });
        const { visibility } = (await one.render(frame, BASE)).report;
        expect(visibility.streamBytes, name).toBeLessThanOrEqual(visibility.primitivesListed);
        streamBytes += visibility.streamBytes;
        flatBytes += 4 * visibility.primitivesListed;
      }
      expect(streamBytes / flatBytes).toBeLessThan(0.15);
    },
  );
});
