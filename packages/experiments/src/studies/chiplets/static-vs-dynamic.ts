/** What the bin phase loses by policy: its length over the bound, idle time, and the cycles of assigning. */
import {
  binPhase,
  type ChipletStudy,
  geometricMean,
  mean,
  POLICIES,
  percent,
  simulateAlone,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [2, 4, 8, 16];
const SHOWN_COUNT = 8;

export const STATIC_VS_DYNAMIC: ChipletStudy = {
  meaning: 'the bin phase by policy over max(total ÷ N, longest bin), idle time, cost of assigning',
  settings: (bins) => [{ bins, visibility: 'minimal' }],
  run: (scenes) => {
    const rows = scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      POLICIES.flatMap((policy) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const { simulated, cycles } = simulateAlone(measurement!, chiplets, { policy });
          const phase = binPhase(simulated, chiplets);
          const assignCycles = simulated.frames[0]!.passes.reduce(
            (sum, { assignment }) => sum + assignment.cycles,
            0,
          );
          return {
            scene,
            policy,
            chiplets,
            ...phase,
            excess: phase.makespanCycles / phase.lowerBoundCycles,
            idleShare: 1 - phase.busyCycles / (chiplets * phase.makespanCycles),
            assignCycles,
            assignShare: assignCycles / cycles,
          };
        }),
      ),
    );
    const of = (policy: string, chiplets: number) =>
      rows.filter((row) => row.policy === policy && row.chiplets === chiplets);
    const excessOf = (policy: string, chiplets: number) =>
      geometricMean(of(policy, chiplets).map(({ excess }) => excess));
    return {
      figures: {
        head: [
          'scene',
          'policy',
          'chiplets',
          'makespanCycles',
          'lowerBoundCycles',
          'idleShare',
          'assignCycles',
        ],
        rows: rows.map((row) => [
          row.scene,
          row.policy,
          row.chiplets,
          row.makespanCycles,
          row.lowerBoundCycles,
          row.idleShare.toFixed(4),
          row.assignCycles,
        ]),
      },
      summary: {
        head: [
          'policy',
          ...CHIPLET_COUNTS.map((count) => `N = ${count}`),
          `worst at ${SHOWN_COUNT}`,
          `idle at ${SHOWN_COUNT}`,
          `assigning at ${SHOWN_COUNT}`,
        ],
        rows: POLICIES.map((policy) => {
          const shown = of(policy, SHOWN_COUNT);
          return [
            policy,
            ...CHIPLET_COUNTS.map((count) => excessOf(policy, count).toFixed(3)),
            Math.max(...shown.map(({ excess }) => excess)).toFixed(3),
            percent(mean(shown.map(({ idleShare }) => idleShare))),
            percent(mean(shown.map(({ assignShare }) => assignShare))),
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
