/**
 * Study of the losses of the bin phase by policy: its length relative to the bound, idle time, and
 * the cycles of assignment.
 */
import type { CsvRecord } from '../../tables/csv.ts';
import {
  binPhase,
  type ChipletStudy,
  COMMON_CONTEXT,
  mean,
  meanOf,
  POLICIES,
  percent,
  rowsWhere,
  simulateAlone,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [2, 4, 8, 16];
const SHOWN_COUNT = 8;

/** The study. */
export const STATIC_VS_DYNAMIC: ChipletStudy = {
  settings: (bins) => [{ bins, visibility: 'minimal' }],
  context: { ...COMMON_CONTEXT, coupling: 'none', placement: 'replicated', overlap: 'none' },
  figures: (scenes) => ({
    head: [
      'scene',
      'policy',
      'chiplets',
      'makespanCycles',
      'lowerBoundCycles',
      'idleShare',
      'assignCycles',
      'cycles',
    ],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      POLICIES.flatMap((policy) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const { simulated, cycles } = simulateAlone(measurement!, chiplets, { policy });
          const { makespanCycles, lowerBoundCycles, busyCycles } = binPhase(simulated, chiplets);
          const assignCycles = simulated.frames[0]!.passes.reduce(
            (sum, { assignment }) => sum + assignment.cycles,
            0,
          );
          const idleShare = (1 - busyCycles / (chiplets * makespanCycles)).toFixed(4);
          const phase = [makespanCycles, lowerBoundCycles, idleShare, assignCycles];
          return [scene, policy, chiplets, ...phase, cycles];
        }),
      ),
    ),
  }),
  summarize: (rows) => {
    const excess = (row: CsvRecord) => Number(row.makespanCycles) / Number(row.lowerBoundCycles);
    const excessOf = (policy: string, chiplets: number) =>
      meanOf(rowsWhere(rows, { policy, chiplets }), excess);
    return {
      table: {
        head: [
          'policy',
          ...CHIPLET_COUNTS.map((count) => `N = ${count}`),
          `worst at ${SHOWN_COUNT}`,
          `idle at ${SHOWN_COUNT}`,
          `assigning at ${SHOWN_COUNT}`,
        ],
        rows: POLICIES.map((policy) => {
          const shown = rowsWhere(rows, { policy, chiplets: SHOWN_COUNT });
          return [
            policy,
            ...CHIPLET_COUNTS.map((count) => excessOf(policy, count).toFixed(3)),
            Math.max(...shown.map(excess)).toFixed(3),
            percent(mean(shown.map(({ idleShare }) => Number(idleShare)))),
            percent(mean(shown.map((row) => Number(row.assignCycles) / Number(row.cycles)))),
          ];
        }),
      },
      plot: {
        title: 'The bin phase over its lower bound',
        xLabel: 'chiplets',
        yLabel: 'makespan ÷ max(total ÷ N, longest bin)',
        series: POLICIES.map((name) => ({
          name,
          points: CHIPLET_COUNTS.map((x) => ({ x, y: excessOf(name, x) })),
        })),
      },
    };
  },
};
