/**
 * The frame `8lights` on the preset `attila-r5xx`, beside what ATTILA counts and measures:
 * coverage, the speed-up of several shader cores with as many ROPs, and the effect of hierarchical
 * depth.
 *
 * ATTILA draws in submission order without a visibility phase, so its figures are compared with
 * those of one bin that holds the frame and all of its primitives.
 */
import { type ChipletSpec, chipletPreset, withSettings } from '@tessera/chiplet-spec';
import { attilaSphereFrame } from './attila-sphere.ts';
import { type MeasuredFrame, measureBin, type ValidationRow } from './validation-rows.ts';

const PRESET = chipletPreset('attila-r5xx');
/** Cycles of ATTILA by the number of shader cores, which is also that of its ROPs. */
const ATTILA_CYCLES = { 1: 369_654, 2: 243_761, 4: 154_402 } as const;
const COUNTED = 'counted by ATTILA (attila-gpu/attila-sim, test/ogl/8lights, stats.frames.csv)';
const TIMED = 'ATTILA, whole frame of test/ogl/8lights';
/** Counts of ATTILA: its quads of 1 to 4 fragments are 3,921, 2,477, 929 and 434. */
const ATTILA_COUNTS = { triangles: 2302, quads: 7761, fragments: 13_398 } as const;

const SLOPE_REASON =
  'ATTILA sends 340,210 quads through its rasterizer, 332,449 of them empty, at no more than four a cycle, and 17,940 of its cycles load the vertices. This chip visits only covered tiles and is bound by vertex shading. On one core, vertex fetch also closes warps of a few vertices while its queue is full, which makes 1.6 times the instructions';

/** Returns all rows. */
export async function measureAttila(): Promise<ValidationRow[]> {
  const [one, two, four] = [await measureCores(1), await measureCores(2), await measureCores(4)];
  const flat = await measureCores(4, { hasHierarchicalDepth: false });
  return [
    ...countRows(four.counters),
    slopeRow(2, one.binCycles / two.binCycles),
    slopeRow(4, one.binCycles / four.binCycles),
    {
      name: '8lights: hierarchical depth off ÷ on',
      spec: PRESET.name,
      unit: 'cycles ÷ cycles',
      ours: flat.binCycles / four.binCycles,
      expected: 1,
      source: 'ATTILA: two of its test frames change by 0.15 % and by 1 %',
      tolerance: 0.01,
      reason: '',
    },
  ];
}

/** Measures the frame with a number of cores, each with a ROP that handles a quad per cycle. */
function measureCores(cores: number, settings: Partial<ChipletSpec> = {}): Promise<MeasuredFrame> {
  const rops = { depthQuadsPerCycle: cores, outputQuadsPerCycle: cores };
  const spec = withSettings(PRESET, { smCount: cores, ...rops, ...settings });
  return measureBin(spec, attilaSphereFrame(), false);
}

function slopeRow(cores: 2 | 4, ours: number): ValidationRow {
  return {
    name: `8lights: speed-up of ${cores} cores and ROPs`,
    spec: PRESET.name,
    unit: 'cycles ÷ cycles',
    ours,
    expected: ATTILA_CYCLES[1] / ATTILA_CYCLES[cores],
    source: `${TIMED}: ${ATTILA_CYCLES[1]} ÷ ${ATTILA_CYCLES[cores]} cycles`,
    tolerance: 0.15,
    reason: SLOPE_REASON,
  };
}

/** Returns a row per count of the rasterizer. */
function countRows(counters: MeasuredFrame['counters']): ValidationRow[] {
  const of = (name: keyof MeasuredFrame['counters']) => counters[name] ?? 0;
  const rowOf = (what: string, ours: number, expected: number, tolerance: number) => ({
    name: `8lights: ${what}`,
    spec: PRESET.name,
    unit: what,
    ours,
    expected,
    source: COUNTED,
    tolerance,
    reason: '',
  });
  const front = of('geometry.primitivesIn') - of('geometry.primitivesCulled');
  return [
    rowOf('triangles that face the eye', front, ATTILA_COUNTS.triangles, 0),
    rowOf('quads with a fragment', of('raster.quadsCovered'), ATTILA_COUNTS.quads, 0.01),
    rowOf('fragments covered', of('raster.fragmentsCovered'), ATTILA_COUNTS.fragments, 0.001),
  ];
}
