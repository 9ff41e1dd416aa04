/**
 * The energy of a study's rows is that of the same frame rendered directly, for other numbers of
 * chiplets, links, placements and specifications than the rendering of the study had.
 */
import { type ChipletSpec, chipletPreset, defineChipletSpec } from '@tessera/chiplet-spec';
import { defineEnergyOptions, ENERGY_EVENTS, energyOfReport } from '@tessera/energy';
import { addCounters, COUNTER_NAMES, type Counters, type Frame, type Report } from '@tessera/frame';
import { MachinePool } from '@tessera/gpu';
import { LocalGpu } from '@tessera/local-gpu';
import { type InterconnectSpec, parsePlacement } from '@tessera/multi-chiplet';
import { makeRows, type RenderedPoint, type StudyPoint, type StudyRow } from '@tessera/study';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from '../golden/scenes.ts';
import { readPassesFrame } from '../support/passes-capture.ts';

const GRID = { kind: 'bins', count: 8 } as const;
const CHIPLETS = [1, 2, 5];
const ENERGY = defineEnergyOptions({ memory: 'hbm2', linkClass: 'advanced-package' });
const BUS: InterconnectSpec = { topology: 'bus', bytesPerCycle: 256, latencyCycles: 32 };
const PACKAGES: InterconnectSpec = { topology: 'packages', bytesPerCycle: 16, latencyCycles: 200 };
const revision = { version: '0', commit: 'none' };

/** Rows of a frame that one chiplet rendered, on each number of chiplets. */
async function studyRows(
  frame: Frame,
  spec: ChipletSpec,
  interconnect: InterconnectSpec,
  placement: string,
): Promise<readonly StudyRow[]> {
  const gpu = new LocalGpu({ chipletCount: 1, spec });
  const options = { timing: 'cycle', coupling: 'exact', grid: GRID } as const;
  const { report, measurement } = await gpu.render(frame, options);
  const point = { spec: report.spec, settings: {}, bins: 8, visibility: 'minimal' };
  const rendered = {
    ...{ point: point as unknown as StudyPoint, alternative: null, report, measurement },
    ...{ scene: '', frame: '', split: 0, occlusion: false, captureFrame: 0 },
    ...{ organization: 'binned', visibilityChiplets: 1, visibilityDelivery: 'phase' },
  } as const satisfies RenderedPoint;
  const pool = new MachinePool(spec);
  return makeRows(
    { chiplets: CHIPLETS, coupling: 'exact', counters: COUNTER_NAMES, energy: ENERGY },
    { policy: 'dynamic', interconnect, placement, overlap: 'visibility-first' },
    rendered,
    {
      ...{ isVisibilityChipletRendering: true, revision, aloneCycles: null },
      makeMachine: (sharing) => pool.take(sharing),
    },
  ).rows;
}

/** Most that rounding each event of each run of a frame can change its energy, in picojoules. */
function roundingOf({ passes, bins, chiplets }: Report): number {
  const runs = passes.length * (1 + 8 * chiplets.length) + bins.length + chiplets.length;
  return (Object.keys(ENERGY_EVENTS).length * runs) / 2;
}

describe('energy of the rows of a study', () => {
  const default_ = chipletPreset('default');
  const small = defineChipletSpec({ ...default_, name: 'small', smCount: 1, clockHz: 700_000_000 });
  it.each<[string, Frame | Promise<Frame>, ChipletSpec, InterconnectSpec, string]>([
    ['terrain', GOLDEN_SCENES.terrain!(), default_, BUS, 'replicated'],
    ['terrain, packages', GOLDEN_SCENES.terrain!(), default_, PACKAGES, 'replicated'],
    ['first, small chiplets', GOLDEN_SCENES.first!(), small, BUS, 'replicated'],
    ['three passes', readPassesFrame(), default_, BUS, 'textures=interleaved,targets=kept'],
  ])('is that of the frame: %s', async (_name, made, spec, interconnect, placement) => {
    const frame = await made;
    const rows = await studyRows(frame, spec, interconnect, placement);
    expect(rows.map(({ chiplets }) => chiplets)).toEqual(CHIPLETS);
    for (const row of rows) {
      const gpu = new LocalGpu({ chipletCount: row.chiplets, spec });
      const { report } = await gpu.render(frame, {
        ...{ timing: 'cycle', coupling: 'exact', grid: GRID, interconnect },
        placement: parsePlacement(placement),
      });
      expect(row.cycles).toBe(report.totals.cycles);
      const counters: Counters = {};
      for (const chiplet of report.chiplets) addCounters(counters, chiplet.counters);
      for (const name of COUNTER_NAMES) expect(row.counters![name], name).toBe(counters[name] ?? 0);
      const { total, averagePower } = energyOfReport(report, ENERGY);
      const rounding = roundingOf(report);
      const seconds = row.cycles / report.spec.clockHz;
      for (const [end, ofRow, power, delay, mw] of [
        ['lowPj', row.energyLowPj, row.powerLowMw, row.energyDelayLowPjS, 'lowMw'],
        [
          'typicalPj',
          row.energyTypicalPj,
          row.powerTypicalMw,
          row.energyDelayTypicalPjS,
          'typicalMw',
        ],
        ['highPj', row.energyHighPj, row.powerHighMw, row.energyDelayHighPjS, 'highMw'],
      ] as const) {
        expect(Math.abs(ofRow! - total.total[end])).toBeLessThanOrEqual(rounding);
        // The bound is small against what a chiplet or a link more would change.
        expect(rounding / total.total[end]).toBeLessThan(1e-3);
        expect(power! / averagePower[mw]).toBeCloseTo(1, 3);
        expect(delay! / (ofRow! * seconds)).toBeCloseTo(1, 5);
      }
    }
    // Chiplets leak whether they work or not.
    expect(rows[2]!.energyTypicalPj! / rows[2]!.cycles).toBeGreaterThan(
      rows[0]!.energyTypicalPj! / rows[0]!.cycles,
    );
  });
});
