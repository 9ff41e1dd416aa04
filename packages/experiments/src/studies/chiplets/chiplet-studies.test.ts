import type { FrameMeasurement } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { formatCsv, parseCsv, readRecords, type Table } from '../../tables/csv.ts';
import { BIN_COUNT } from './bin-count.ts';
import { CHIPLET_SCALING, karpFlatt } from './chiplet-scaling.ts';
import type { ChipletStudy, StudySummary } from './chiplet-study.ts';
import { LINK_BANDWIDTH } from './link-bandwidth.ts';
import { OVERLAP } from './overlap.ts';
import { STATIC_VS_DYNAMIC } from './static-vs-dynamic.ts';
import { VISIBILITY_COST } from './visibility-cost.ts';

/** Returns a pass of `columns` × 8 bins. Those of the first column are costly. */
function frameOf(columns: number, visibilityCycles: number, resultBytes = 4096): FrameMeasurement {
  const bins = Array.from({ length: 8 * columns }, (_, binId) => {
    const cycles = binId % columns === 0 ? 40_000 : 10_000;
    const cost = {
      costTerms: [],
      estimatedCycles: cycles,
      resultBytes,
      streamBytes: 0,
      isEarly: false,
    };
    return { binId, cycles, ...cost };
  });
  return {
    passes: [
      {
        grid: { columns, rows: 8 },
        historyKey: 'pass',
        visibilityCycles,
        bins,
        commandBytes: 256,
        streamBytes: 4096,
        copyWork: { timings: [], copies: [] },
        resources: [{ sha256: 'texture', bytes: 2 ** 20, kind: 'textures', isDrawn: false }],
        visibilityNeeds: [],
        binsNeed: [],
      },
    ],
  };
}

interface StudyResult extends StudySummary {
  readonly figures: Table;
}

function run(study: ChipletStudy, frame = frameOf(8, 20_000)): StudyResult {
  const bySetting = study.settings(64).map(() => frame);
  const figures = study.figures([{ scene: 'made', bySetting }]);
  return { figures, ...study.summarize(readRecords(parseCsv(formatCsv(figures)))) };
}

/** Returns the figure in a column of the row that contains all of `keys`. */
function figure({ figures: { head, rows } }: StudyResult, column: string, ...keys: unknown[]) {
  const found = rows.filter((row) => keys.every((key) => row.includes(key as string)));
  expect(found).toHaveLength(1);
  return Number(found[0]![head.indexOf(column)]);
}

describe('studies over chiplets', () => {
  it('give tables whose rows are as wide as their heads, and only finite figures', () => {
    const studies = [
      CHIPLET_SCALING,
      STATIC_VS_DYNAMIC,
      VISIBILITY_COST,
      BIN_COUNT,
      OVERLAP,
      LINK_BANDWIDTH,
    ];
    for (const study of studies) {
      const { figures, table, plot } = run(study);
      for (const { head, rows } of [figures, table]) {
        expect(rows.length).toBeGreaterThan(0);
        for (const row of rows) expect(row).toHaveLength(head.length);
        expect(JSON.stringify(rows)).not.toMatch(/NaN|Infinity|-\d/);
      }
      for (const { points } of plot.series) {
        for (const { y } of points) expect(y).toBeGreaterThan(0);
      }
    }
  });

  it('chiplet-scaling: no policy is above the bound, the bound not above Amdahl', () => {
    const result = run(CHIPLET_SCALING);
    for (const chiplets of [2, 4, 8, 16]) {
      const of = (policy: string, column = 'speedUp') => figure(result, column, policy, chiplets);
      const bound = of('dynamic-pull', 'boundSpeedUp');
      expect(bound).toBeLessThanOrEqual(of('dynamic-pull', 'amdahlSpeedUp'));
      expect(of('dynamic-pull')).toBeLessThanOrEqual(bound);
      expect(of('dynamic-pull')).toBeGreaterThan(of('static-interleaved'));
      const alone = figure(result, 'cycles', 'dynamic-pull', 1);
      expect(of('dynamic-pull')).toBeCloseTo(alone / of('dynamic-pull', 'cycles'), 1);
    }
    // Assignment takes cycles on one chiplet too.
    expect(figure(result, 'speedUp', 'dynamic-pull', 1)).toBeCloseTo(1, 2);
  });

  it('chiplet-scaling: the serial fraction is that of Amdahl’s law', () => {
    expect(karpFlatt(1 / (0.2 + 0.8 / 8), 8)).toBeCloseTo(0.2);
    expect(karpFlatt(16, 16)).toBeCloseTo(0);
  });

  it('static-vs-dynamic: a column of costly bins is interleaving’s worst case', () => {
    const result = run(STATIC_VS_DYNAMIC);
    const excess = (policy: string) =>
      figure(result, 'makespanCycles', policy, 8) / figure(result, 'lowerBoundCycles', policy, 8);
    expect(excess('static-interleaved')).toBeGreaterThan(2);
    expect(excess('static-diagonal')).toBeLessThan(1.1);
    expect(excess('dynamic-pull')).toBeLessThan(1.1);
  });

  it('overlap: brings a sequence to nine tenths of the bound, and without it to less', () => {
    const result = run(OVERLAP, frameOf(8, 100_000));
    const share = (overlap: string, inFlight: number) => {
      const row = result.figures.rows.find(
        (each) => each[1] === overlap && each[2] === inFlight && each[3] === 8,
      )!;
      return Number(row[5]) / Number(row[6]);
    };
    expect(share('visibility-first', 4)).toBeGreaterThan(0.9);
    expect(share('none', 1)).toBeLessThan(0.8);
  });

  it('link-bandwidth: a sequence over a full bus has a speed-up above 0, less than over a wide one', () => {
    const result = run(LINK_BANDWIDTH, frameOf(8, 20_000, 2 ** 16));
    const of = (bytes: number) =>
      Number(result.figures.rows.find((row) => row[1] === 'bus' && row[2] === bytes)![7]);
    expect(of(4)).toBeGreaterThan(0);
    expect(of(4)).toBeLessThan(of(4096));
  });
});
