/**
 * Study of the cycles of the visibility phase by its vertex shader, with and without an early bin,
 * and of the resulting frame.
 */
import {
  type ChipletStudy,
  mean,
  meanOf,
  onOneChiplet,
  percent,
  rowsWhere,
  simulateAlone,
  simulateSteady,
  simulationOf,
} from './chiplet-study.ts';

/**
 * Variants of the visibility phase. The first one is the reference. Minimal never has an early bin.
 */
const WAYS = [
  { shader: 'minimal', earlyBin: 'off' },
  { shader: 'full', earlyBin: 'off' },
  { shader: 'full', earlyBin: 'on' },
  { shader: 'auto', earlyBin: 'on' },
] as const;
type Way = (typeof WAYS)[number];
const [MINIMAL] = WAYS;
const CHIPLET_COUNTS = [1, 2, 4, 8, 16];
const SHOWN_COUNT = 8;

/** The study. */
export const VISIBILITY_COST: ChipletStudy = {
  settings: (bins) =>
    WAYS.map(({ shader, earlyBin }) => ({
      bins,
      visibility: shader,
      rendersEarlyBin: earlyBin === 'on',
    })),
  figures: (scenes) => ({
    head: [
      'scene',
      'shader',
      'earlyBin',
      'chiplets',
      'earlyBins',
      'visibilityCycles',
      'oneChipletCycles',
      'frameCycles',
      'cyclesPerFrame',
    ],
    keyColumns: 4,
    rows: scenes.flatMap(({ scene, bySetting }) =>
      WAYS.flatMap(({ shader, earlyBin }, i) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const measurement = bySetting[i]!;
          const bins = measurement.passes.flatMap((pass) => pass.bins);
          const serial = onOneChiplet(measurement);
          return [
            scene,
            shader,
            earlyBin,
            chiplets,
            bins.filter(({ isEarly }) => isEarly).length,
            serial.visibilityCycles,
            serial.cycles,
            simulateAlone(measurement, chiplets).cycles,
            simulateSteady(measurement, simulationOf(chiplets)).cyclesPerFrame.toFixed(1),
          ];
        }),
      ),
    ),
  }),
  summarize: (rows) => {
    const of = (way: Way, chiplets: number) => rowsWhere(rows, { ...way, chiplets });
    /** Returns a figure ÷ that with the minimal shader. */
    const ratioOf = (figure: string, way: Way, chiplets: number) => {
      const minimal = new Map(of(MINIMAL, chiplets).map((row) => [row.scene!, row]));
      return meanOf(
        of(way, chiplets),
        (row) => Number(row[figure]) / Number(minimal.get(row.scene!)![figure]),
      );
    };
    const nameOf = ({ shader, earlyBin }: Way) =>
      shader === 'full' ? `full, early bin ${earlyBin}` : shader;
    return {
      table: {
        head: [
          'shader',
          'scenes with an early bin',
          'visibility phase',
          'its part on one chiplet',
          'frame on one chiplet',
          `frame on ${SHOWN_COUNT}`,
          `sequence on ${SHOWN_COUNT}`,
        ],
        rows: WAYS.map((way) => {
          const one = of(way, 1);
          return [
            nameOf(way),
            one.filter(({ earlyBins }) => Number(earlyBins) > 0).length,
            ratioOf('visibilityCycles', way, 1).toFixed(3),
            percent(
              mean(one.map((row) => Number(row.visibilityCycles) / Number(row.oneChipletCycles))),
            ),
            ratioOf('frameCycles', way, 1).toFixed(3),
            ratioOf('frameCycles', way, SHOWN_COUNT).toFixed(3),
            ratioOf('cyclesPerFrame', way, SHOWN_COUNT).toFixed(3),
          ];
        }),
      },
      plot: {
        title: 'A frame by the visibility phase’s shader',
        xLabel: 'chiplets',
        yLabel: 'cycles ÷ those with the minimal shader',
        series: WAYS.flatMap((way) => [
          {
            name: `${nameOf(way)}, frame alone`,
            points: CHIPLET_COUNTS.map((x) => ({ x, y: ratioOf('frameCycles', way, x) })),
          },
          {
            name: `${nameOf(way)}, sequence`,
            points: CHIPLET_COUNTS.map((x) => ({ x, y: ratioOf('cyclesPerFrame', way, x) })),
          },
        ]),
      },
    };
  },
};
