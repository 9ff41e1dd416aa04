/** How many coarse bins a frame should have: few cannot be shared out evenly, many repeat work at their borders. */
import { serialCycles } from '@tessera/multi-chiplet';
import {
  type ChipletStudy,
  geometricMean,
  mean,
  percent,
  simulateAlone,
  simulateSteady,
  simulationOf,
} from './chiplet-study.ts';

const BIN_COUNTS = [8, 16, 32, 64, 128];
/** What the others are held against. */
const USUAL = BIN_COUNTS.indexOf(32);
const CHIPLET_COUNTS = [2, 4, 8, 16];

export const BIN_COUNT: ChipletStudy = {
  meaning: 'a frame over the number of coarse bins; --bins is not looked at',
  settings: () => BIN_COUNTS.map((bins) => ({ bins, visibility: 'minimal' })),
  run: (scenes) => {
    const rows = scenes.flatMap(({ scene, bySetting }) =>
      BIN_COUNTS.flatMap((wanted, i) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const [measurement, usual] = [bySetting[i]!, bySetting[USUAL]!];
          const { cycles } = simulateAlone(measurement, chiplets);
          const steady = simulateSteady(scene, measurement, simulationOf(chiplets));
          const serial = serialCycles(measurement);
          const lengths = measurement.passes.flatMap(({ bins }) => bins.map((bin) => bin.cycles!));
          return {
            scene,
            wanted,
            bins: lengths.length,
            chiplets,
            oneChipletCycles: serial.cycles,
            cycles,
            cyclesPerFrame: steady.cyclesPerFrame,
            work: serial.cycles / serialCycles(usual).cycles,
            longestShare: Math.max(...lengths) / lengths.reduce((sum, length) => sum + length, 0),
            speedUp: serialCycles(usual).cycles / cycles,
            steadySpeedUp: serialCycles(usual).cycles / steady.cyclesPerFrame,
          };
        }),
      ),
    );
    const of = (wanted: number, chiplets: number) =>
      rows.filter((row) => row.wanted === wanted && row.chiplets === chiplets);
    const speedUpOf = (wanted: number, chiplets: number) =>
      geometricMean(of(wanted, chiplets).map(({ speedUp }) => speedUp)).toFixed(2);
    return {
      figures: {
        head: [
          'scene',
          'binsWanted',
          'bins',
          'chiplets',
          'oneChipletCycles',
          'frameCycles',
          'cyclesPerFrame',
          'longestBinShare',
        ],
        rows: rows.map((row) => [
          row.scene,
          row.wanted,
          row.bins,
          row.chiplets,
          row.oneChipletCycles,
          row.cycles,
          row.cyclesPerFrame.toFixed(1),
          row.longestShare.toFixed(4),
        ]),
      },
      summary: {
        head: [
          'bins',
          'work of all',
          'longest bin',
          ...CHIPLET_COUNTS.map((count) => `frame, N = ${count}`),
          'sequence, N = 8',
        ],
        rows: BIN_COUNTS.map((wanted) => {
          const any = of(wanted, 8);
          return [
            wanted,
            geometricMean(any.map(({ work }) => work)).toFixed(3),
            percent(mean(any.map(({ longestShare }) => longestShare))),
            ...CHIPLET_COUNTS.map((count) => speedUpOf(wanted, count)),
            geometricMean(any.map(({ steadySpeedUp }) => steadySpeedUp)).toFixed(2),
          ];
        }),
      },
      plot: {
        title: 'Speed-up over one chiplet with 32 bins',
        xLabel: 'coarse bins',
        yLabel: 'speed-up',
        series: CHIPLET_COUNTS.map((chiplets) => ({
          name: `${chiplets} chiplets, frame alone`,
          points: BIN_COUNTS.map((x) => ({ x, y: Number(speedUpOf(x, chiplets)) })),
        })),
      },
    };
  },
};
