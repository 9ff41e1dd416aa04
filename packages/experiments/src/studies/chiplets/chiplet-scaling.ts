/**
 * Study of the speed-up of a single frame over the number of chiplets, by policy, with three
 * limits: Amdahl's law, longest-first assignment and the bound.
 */
import {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
  type FrameMeasurement,
} from '@tessera/multi-chiplet';
import type { Cell } from '../../tables/csv.ts';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  meanOf,
  onOneChiplet,
  percent,
  rowsWhere,
  type SceneMeasurements,
  serialFraction,
  simulateAlone,
  sum,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [1, 2, 4, 8, 16];
/** Numbers of chiplets in the document's table. */
const SHOWN_COUNTS = [2, 4, 8, 16];
/** Policies that differ on a single frame; without a frame before it, history is longest first. */
const POLICIES = [
  'static-blocks',
  'static-interleaved',
  'static-diagonal',
  'static-morton',
  'dynamic-longest-first',
  'dynamic-pull',
] as const satisfies readonly BinAssignmentPolicyName[];
/** Figures of GPUpd's two systems at 16 GPUs, derived from the speed-ups that it states. */
const PUBLISHED = [
  ['published: split frame, 16 GPUs', 0.281],
  ['published: GPUpd, 16 GPUs', 0.148],
] as const;
/** Columns of limits of the speed-up, by the names of their lines in table and plot. */
const REFERENCES = {
  Amdahl: 'amdahlSpeedUp',
  'longest first': 'longestFirstSpeedUp',
  'lower bound': 'boundSpeedUp',
} as const;

/** The study. */
export const CHIPLET_SCALING: ChipletStudy = {
  settings: (bins) => [{ bins, visibility: 'minimal', coupling: 'exact' }],
  context: { ...COMMON_CONTEXT, coupling: 'exact', placement: 'replicated', overlap: 'none' },
  figures: (scenes) => ({
    head: [
      'scene',
      'policy',
      'chiplets',
      'speedUp',
      'karpFlatt',
      ...Object.values(REFERENCES),
      'cycles',
    ],
    keyColumns: 3,
    contextColumns: ['cycles'],
    rows: scenes.flatMap(scaleScene),
  }),
  summarize: (rows) => {
    const lines = [...Object.keys(REFERENCES), ...POLICIES];
    const speedUpOf = (line: string, chiplets: number) => {
      const column = isReference(line) ? REFERENCES[line] : 'speedUp';
      const policy = isReference(line) ? POLICIES[0] : line;
      return meanOf(rowsWhere(rows, { policy, chiplets }), (row) => Number(row[column]));
    };
    const last = SHOWN_COUNTS.at(-1)!;
    return {
      table: {
        head: [
          'line',
          ...SHOWN_COUNTS.map((count) => `N = ${count}`),
          ...SHOWN_COUNTS.slice(-2).map((count) => `below the bound at ${count}`),
          `serial fraction at ${last}`,
        ],
        rows: [
          ...lines.map((line) => [
            line,
            ...SHOWN_COUNTS.map((count) => speedUpOf(line, count).toFixed(2)),
            ...SHOWN_COUNTS.slice(-2).map((count) =>
              line === 'Amdahl'
                ? ''
                : percent(1 - speedUpOf(line, count) / speedUpOf('lower bound', count)),
            ),
            karpFlatt(speedUpOf(line, last), last).toFixed(3),
          ]),
          ...PUBLISHED.map(([name, fraction]) => [
            name,
            ...SHOWN_COUNTS.map((count) =>
              count === last ? (1 / (fraction + (1 - fraction) / count)).toFixed(2) : '',
            ),
            '',
            '',
            fraction.toFixed(3),
          ]),
        ],
      },
      plot: {
        title: 'Speed-up of a frame alone',
        xLabel: 'chiplets',
        yLabel: 'speed-up over one chiplet',
        series: lines.map((name) => ({
          name,
          isReference: isReference(name),
          points: CHIPLET_COUNTS.map((x) => ({ x, y: speedUpOf(name, x) })),
        })),
      },
    };
  },
};

function isReference(line: string): line is keyof typeof REFERENCES {
  return Object.hasOwn(REFERENCES, line);
}

/** Returns a row for each policy and number of chiplets. */
function scaleScene({ scene, bySetting }: SceneMeasurements): Cell[][] {
  const measurement = bySetting[0]!;
  const { cycles } = onOneChiplet(measurement);
  const serial = serialFraction(measurement);
  return CHIPLET_COUNTS.flatMap((chiplets) => {
    const limits = [
      1 / (serial + (1 - serial) / chiplets),
      cycles / longestFirstCycles(measurement, chiplets),
      cycles / lowerBoundCycles(measurement, chiplets),
    ].map((speedUp) => speedUp.toFixed(4));
    return POLICIES.map((policy) => {
      const alone = simulateAlone(measurement, chiplets, { policy });
      const fraction = chiplets === 1 ? '' : karpFlatt(alone.speedUp, chiplets).toFixed(4);
      return [scene, policy, chiplets, alone.speedUp.toFixed(4), fraction, ...limits, alone.cycles];
    });
  });
}

/**
 * Returns the cycles of visibility phases and bins if bins are assigned longest first by the cycles
 * that they take on one chiplet. Transfers and assignment cost nothing.
 */
function longestFirstCycles(measurement: FrameMeasurement, chiplets: number): number {
  const ids = Array.from({ length: chiplets }, (_, id) => id);
  return onOneChiplet(measurement).passes.reduce((total, { visibilityCycles, binCycles }, i) => {
    const { grid, bins } = measurement.passes[i]!;
    const lists = BIN_ASSIGNMENT_POLICIES['dynamic-longest-first'].assign({
      grid,
      bins: bins.map(({ binId }, bin) => ({ binId, predictedCycles: binCycles[bin]! })),
      chipletIds: ids,
      initialLoads: ids.map(() => 0),
    });
    const loads = lists.map(({ binIndices }) =>
      sum(binIndices.map((binIndex) => binCycles[binIndex]!)),
    );
    return total + visibilityCycles + Math.max(...loads);
  }, 0);
}

function lowerBoundCycles(measurement: FrameMeasurement, chiplets: number): number {
  return sum(
    onOneChiplet(measurement).passes.map(
      ({ visibilityCycles, binCycles }) =>
        visibilityCycles + Math.max(Math.ceil(sum(binCycles) / chiplets), ...binCycles),
    ),
  );
}

/** Returns the serial fraction that a speed-up corresponds to (Karp and Flatt). */
export function karpFlatt(speedUp: number, chiplets: number): number {
  return (1 / speedUp - 1 / chiplets) / (1 - 1 / chiplets);
}
