/**
 * Study of the number of coarse bins. Few bins cannot be distributed evenly, and many repeat work
 * along their borders.
 */
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  mean,
  meanOf,
  onOneChiplet,
  percent,
  rowsWhere,
  simulateAlone,
  simulateSteady,
  simulationOf,
  sum,
} from './chiplet-study.ts';

const BIN_COUNTS = [8, 16, 32, 64, 128];
/** Number of bins of the reference frame on one chiplet. */
const USUAL = 32;
const CHIPLET_COUNTS = [2, 4, 8, 16];
/** Number of chiplets of the sequence. */
const SEQUENCE_CHIPLETS = 8;

/** The study. */
export const BIN_COUNT: ChipletStudy = {
  settings: () =>
    BIN_COUNTS.map((bins) => ({ bins, visibility: 'minimal', coupling: 'exact' }) as const),
  context: { ...COMMON_CONTEXT, coupling: 'exact', placement: 'replicated' },
  figures: (scenes) => ({
    head: [
      'scene',
      'bins',
      'binsRendered',
      'chiplets',
      'oneChipletCycles',
      'cycles',
      'cyclesPerFrame',
      'longestBinShare',
    ],
    keyColumns: 4,
    rows: scenes.flatMap(({ scene, bySetting }) =>
      BIN_COUNTS.flatMap((wanted, i) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const measurement = bySetting[i]!;
          const alone = onOneChiplet(measurement);
          const lengths = alone.passes.flatMap(({ binCycles }) => binCycles);
          const longest = Math.max(...lengths) / sum(lengths);
          const isInSequence = chiplets === SEQUENCE_CHIPLETS;
          return [
            scene,
            wanted,
            lengths.length,
            chiplets,
            alone.cycles,
            simulateAlone(measurement, chiplets).cycles,
            isInSequence
              ? simulateSteady(measurement, simulationOf(chiplets)).cyclesPerFrame.toFixed(1)
              : '',
            longest.toFixed(4),
          ];
        }),
      ),
    ),
  }),
  summarize: (rows) => {
    const usualCycles = new Map(
      rowsWhere(rows, { bins: USUAL }).map((row) => [row.scene!, Number(row.oneChipletCycles)]),
    );
    const of = (bins: number, chiplets: number) => rowsWhere(rows, { bins, chiplets });
    const speedUpOf = (figure: string, wanted: number, chiplets: number) =>
      meanOf(of(wanted, chiplets), (row) => usualCycles.get(row.scene!)! / Number(row[figure]));
    return {
      table: {
        head: [
          'bins',
          'work of all',
          'longest bin',
          ...CHIPLET_COUNTS.map((count) => `frame, N = ${count}`),
          `sequence, N = ${SEQUENCE_CHIPLETS}`,
        ],
        rows: BIN_COUNTS.map((wanted) => [
          wanted,
          (1 / speedUpOf('oneChipletCycles', wanted, 8)).toFixed(3),
          percent(mean(of(wanted, 8).map((row) => Number(row.longestBinShare)))),
          ...CHIPLET_COUNTS.map((count) => speedUpOf('cycles', wanted, count).toFixed(2)),
          speedUpOf('cyclesPerFrame', wanted, SEQUENCE_CHIPLETS).toFixed(2),
        ]),
      },
      plot: {
        title: 'Speed-up over one chiplet with 32 bins',
        xLabel: 'coarse bins',
        yLabel: 'speed-up',
        series: CHIPLET_COUNTS.map((chiplets) => ({
          name: `${chiplets} chiplets, frame alone`,
          points: BIN_COUNTS.map((x) => ({ x, y: speedUpOf('cycles', x, chiplets) })),
        })),
      },
    };
  },
};
