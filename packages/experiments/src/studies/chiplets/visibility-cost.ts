/**
 * Study of the cycles of the visibility phase by its vertex shader, with and without an early bin,
 * and of the resulting frame.
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
} from './chiplet-study.ts';

/**
 * Variants of the visibility phase. The first one is the reference. Minimal never has an early bin.
 */
const WAYS = [
  { visibility: 'minimal', earlyBin: 'off' },
  { visibility: 'full', earlyBin: 'off' },
  { visibility: 'full', earlyBin: 'on' },
  { visibility: 'auto', earlyBin: 'on' },
] as const;
type Way = (typeof WAYS)[number];
const [MINIMAL] = WAYS;
const CHIPLET_COUNTS = [1, 2, 4, 8, 16];
const SHOWN_COUNT = 8;

/** The study. */
export const VISIBILITY_COST: ChipletStudy = {
  settings: (bins) =>
    WAYS.map(({ visibility, earlyBin }) => ({
      bins,
      visibility,
      rendersEarlyBin: earlyBin === 'on',
    })),
  context: { ...COMMON_CONTEXT, coupling: 'none', placement: 'replicated' },
  figures: (scenes) => ({
    head: [
      'scene',
      'visibility',
      'earlyBin',
      'chiplets',
      'earlyBins',
      'visibilityCycles',
      'oneChipletCycles',
      'cycles',
      'cyclesPerFrame',
    ],
    keyColumns: 4,
    rows: scenes.flatMap(({ scene, bySetting }) =>
      WAYS.flatMap(({ visibility, earlyBin }, i) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const measurement = bySetting[i]!;
          const bins = measurement.passes.flatMap((pass) => pass.bins);
          const serial = onOneChiplet(measurement);
          return [
            scene,
            visibility,
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
    const nameOf = ({ visibility, earlyBin }: Way) =>
      visibility === 'full' ? `full, early bin ${earlyBin}` : visibility;
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
            ratioOf('cycles', way, 1).toFixed(3),
            ratioOf('cycles', way, SHOWN_COUNT).toFixed(3),
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
            points: CHIPLET_COUNTS.map((x) => ({ x, y: ratioOf('cycles', way, x) })),
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
