/**
 * Causes of the golden scenes: steps of the critical path add up to the frame, reasons for idleness
 * to the idle cycles of each chiplet, and kinds of waits to the cycles of each unit.
 */
import { CHIPLET_PRESETS } from '@tessera/chiplet-spec';
import { COUPLINGS, type Counters, listWaits, type Report, TIMED_UNITS } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { ORGANIZATIONS, parsePlacement } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { readPassesFrame } from '../support/passes-capture.ts';
import { readSmallCapture, SMALL_CAPTURES } from '../support/recorded-captures.ts';
import { GOLDEN_SCENES } from './scenes.ts';

const CHIPLETS = 3;

function total(cycles: readonly number[]): number {
  return cycles.reduce((sum, each) => sum + each, 0);
}

function expectSums({ causes, totals, chiplets }: Report): void {
  const { criticalPath, idle, bounds } = causes!;
  expect(total(criticalPath.map(({ cycles }) => cycles))).toBe(totals.cycles);
  for (const { cycles } of criticalPath) expect(cycles).toBeGreaterThan(0);
  expect(idle.map((reasons) => total(Object.values(reasons)))).toEqual(
    chiplets.map(({ idleCycles }) => idleCycles),
  );
  let before = totals.cycles!;
  for (const { share, utilization, predictedCycles } of bounds) {
    expect(share).toBeLessThanOrEqual(1);
    expect(utilization).toBeLessThanOrEqual(1);
    expect(predictedCycles).toBeLessThan(before);
    before = predictedCycles;
  }
  for (const { counters } of chiplets) expectWaits(counters);
}

function expectWaits(counters: Counters): void {
  for (const unit of TIMED_UNITS) {
    const sums = { starved: 0, stalled: 0 };
    for (const { state, counter } of listWaits(unit)) sums[state] += counters[counter] ?? 0;
    expect(sums.starved, unit).toBe(counters[`${unit}.cyclesStarved`] ?? 0);
    expect(sums.stalled, unit).toBe(counters[`${unit}.cyclesStalled`] ?? 0);
  }
}

const CASES = Object.values(CHIPLET_PRESETS).flatMap((spec) =>
  COUPLINGS.map((coupling) => ({ name: spec.name, spec, coupling })),
);

describe.each(CASES)('causes of the golden scenes, $name, $coupling', ({ spec, coupling }) => {
  it.each(Object.keys(GOLDEN_SCENES))('%s adds up', async (scene) => {
    const gpu = new LocalGpu({ chipletCount: CHIPLETS, spec });
    const frame = await GOLDEN_SCENES[scene]!();
    const options = { policy: 'dynamic', grid: { kind: 'bins', count: 8 } } as const;
    const { report } = await gpu.render(frame, { ...options, timing: 'cycle', coupling });
    expectSums(report);
  });
});

/** Ways in which chiplets share a frame and its memory. */
const MODES: readonly (readonly [string, RenderOptions])[] = [
  ...ORGANIZATIONS.map((organization) => [organization, { organization }] as const),
  ['streamed visibility', { visibilityDelivery: 'stream' }],
  ['split visibility', { visibilityChiplets: 3 }],
  ['split and streamed visibility', { visibilityChiplets: 3, visibilityDelivery: 'stream' }],
  ['shared memories', { placement: parsePlacement('textures=interleaved,streams=home') }],
  ['kept targets', { placement: parsePlacement('targets=kept') }],
  [
    'targets and framebuffer everywhere',
    { placement: parsePlacement('targets=interleaved,framebuffer=interleaved') },
  ],
  ['a ring', { interconnect: { topology: 'ring', bytesPerCycle: 4, latencyCycles: 200 } }],
  ['packages', { interconnect: { topology: 'packages', bytesPerCycle: 64, latencyCycles: 8 } }],
  ['no overlap', { overlap: 'none' }],
  ['a visibility chiplet without bins', { isVisibilityChipletRendering: false }],
];
/** Options that only coupled chiplets have. */
const NEEDS_COUPLING = ({ placement, interconnect }: RenderOptions) =>
  placement !== undefined || interconnect?.topology === 'packages';

describe('causes of a capture with three passes', () => {
  it.each(MODES)('%s', async (_name, options) => {
    const gpu = new LocalGpu({ chipletCount: 5 });
    for (const coupling of COUPLINGS) {
      if (coupling === 'none' && NEEDS_COUPLING(options)) continue;
      const { report } = await gpu.render(readPassesFrame(), {
        ...options,
        timing: 'cycle',
        coupling,
      });
      expect(report.passes.length).toBeGreaterThanOrEqual(3);
      expectSums(report);
    }
  });
});

describe.skipIf(SMALL_CAPTURES.length === 0)('causes of recorded captures', () => {
  it.each(SMALL_CAPTURES.length === 0 ? ['none'] : SMALL_CAPTURES)('%s', async (name) => {
    const gpu = new LocalGpu({ chipletCount: CHIPLETS });
    const { report } = await gpu.render(readSmallCapture(name), { timing: 'cycle' });
    expectSums(report);
  });
});
