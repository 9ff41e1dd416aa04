import type { FrameMeasurement } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { countJudged, familyOf, judgeCoefficients, summarizeErrors } from './hold-out.ts';

/** Makes a scene whose bins take `cyclesPerPrimitive` and nothing else. */
function sceneOf(scene: string, cyclesPerPrimitive: number) {
  const bins = [100, 200, 300].map((primitives, binId) => ({
    binId,
    cycles: cyclesPerPrimitive * primitives,
    costTerms: [0, primitives, 0, 0, 0],
    estimatedCycles: 0,
    resultBytes: 0,
    streamBytes: 0,
    isEarly: false,
  }));
  const early = { ...bins[0]!, cycles: 1e9, isEarly: true };
  const pass = {
    grid: { columns: 4, rows: 1 },
    historyKey: '',
    visibilityCycles: 0,
    bins: [...bins, early],
    commandBytes: 0,
    streamBytes: 0,
    resources: [],
    copyWork: { timings: [], copies: [] },
    visibilityNeeds: [],
    binsNeed: [],
  };
  const measurement: FrameMeasurement = { passes: [pass] };
  return { scene, measurement };
}

describe('hold-out validation of the cost model', () => {
  it.each([
    ['buffer', 'buffer'],
    ['buffer 200x150', 'buffer'],
    ['buffer-interleave', 'buffer'],
    ['Box (glTF/Box.gltf)', 'Box'],
    ['BoxTextured', 'BoxTextured'],
  ])('assigns %s to the family %s', (scene, family) => {
    expect(familyOf(scene)).toBe(family);
  });

  it('fits the coefficients of a scene to scenes of other families only', () => {
    const scenes = [sceneOf('a', 10), sceneOf('a 200x150', 10), sceneOf('b', 20)];
    const rows = readRecords(parseCsv(formatCsv(judgeCoefficients(scenes))));
    const errorOf = (scene: string) => {
      const row = rows.find((each) => each.scene === scene && each.coefficients === 'held out');
      return [Number(row!.error), Number(row!.errorWithinScene)];
    };
    // 20 cycles are predicted instead of 10, and the other way round. Proportions are right.
    expect(errorOf('a')).toEqual([1, 0]);
    expect(errorOf('a 200x150')).toEqual([1, 0]);
    expect(errorOf('b')).toEqual([0.5, 0]);
    const fitted = rows.filter(({ coefficients }) => coefficients === 'fitted to all');
    for (const { error } of fitted) expect(Number(error)).toBeLessThan(0.5);
  });

  it('weights scenes by their cycles, and counts what it judged', () => {
    const scenes = [sceneOf('a', 10), sceneOf('b', 20)];
    const rows = readRecords(parseCsv(formatCsv(judgeCoefficients(scenes))));
    const summary = summarizeErrors(rows).rows.find(([name]) => name === 'held out')!;
    // (1 × 6,000 + 0.5 × 12,000) ÷ 18,000
    expect(summary.slice(2)).toEqual(['66.7 %', '100.0 %', '100.0 %', '0.0 %']);
    expect(countJudged(rows)).toBe('6 bins of 2 scenes of 2 families.\n');
  });
});
