/**
 * Study of the ways in which chiplets share frames: two-level binning with one chiplet or all in
 * the visibility phases, and the organizations of earlier systems.
 */
import {
  accountChiplets,
  type FrameMeasurement,
  type Organization,
  simulateFrames,
} from '@tessera/multi-chiplet';
import { BENCHMARK_SET, valleyFrame } from '@tessera/scenes';
import {
  bytesOnLink,
  type ChipletStudy,
  COMMON_CONTEXT,
  geometricMean,
  mean,
  onOneChiplet,
  rowsWhere,
  simulateSteady,
  simulationOf,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [8, 16];
const BINS = 128;

/** Link of CHOPIN's published configuration, and primitives of a batch that GPUpd distributes. */
const BOARD_LINK = { topology: 'full', bytesPerCycle: 64, latencyCycles: 200 } as const;
const BATCH_PRIMITIVES = 4096;

/** Way of sharing a frame. */
interface Way {
  readonly organization: Organization;
  /** Measurement among those of a number of chiplets; `one` is the same for all. */
  readonly measured: 'one' | 'shared' | 'sort-last';
  /** Whether chiplets distribute each batch of primitives one after another over a board's link. */
  readonly isInTurn?: boolean;
  /** Whether chiplets would all be busy for as long, whatever draws they get. */
  readonly isEven?: boolean;
}

const WAYS: Readonly<Record<string, Way>> = {
  binned: { organization: 'binned', measured: 'one' },
  'binned-shared': { organization: 'binned', measured: 'shared' },
  'shared-in-turn': { organization: 'binned', measured: 'shared', isInTurn: true },
  'split-frame': { organization: 'split-frame', measured: 'one' },
  'sort-last': { organization: 'sort-last', measured: 'sort-last' },
  'sort-last-even': { organization: 'sort-last', measured: 'sort-last', isEven: true },
  'alternate-frame': { organization: 'alternate-frame', measured: 'one' },
};
/** Triangles of the scenes. */
const TRIANGLES: Readonly<Record<string, number>> = {
  'valley-100k': 95_233,
  ...Object.fromEntries(
    Object.entries(BENCHMARK_SET).map(([name, { triangles }]) => [name, triangles]),
  ),
};
const NAMES = Object.keys(WAYS);

/** The study. */
export const ORGANIZATIONS_STUDY: ChipletStudy = {
  scenes: {
    // The same valley as those of the set.
    'valley-100k': (size) =>
      valleyFrame({ ...size, seed: 1, tiles: 16, tileCells: 12, objects: 128, objectColumns: 4 }),
    ...Object.fromEntries(Object.entries(BENCHMARK_SET).map(([name, { make }]) => [name, make])),
  },
  settings: () => [
    { bins: BINS, visibility: 'minimal' },
    ...CHIPLET_COUNTS.flatMap((count) => [
      { bins: BINS, visibility: 'minimal' as const, visibilityChiplets: count },
      { bins: BINS, visibility: 'minimal' as const, sortLastChiplets: count },
    ]),
  ],
  context: { ...COMMON_CONTEXT, coupling: 'none', placement: 'replicated' },
  figures: (scenes) => ({
    head: [
      ...['scene', 'organization', 'chiplets', 'cycles', 'speedUp', 'cyclesPerFrame'],
      ...['sequenceSpeedUp', 'crossingBytes'],
    ],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting: [one, ...others] }) =>
      CHIPLET_COUNTS.flatMap((chiplets, i) => {
        const measurements = { one: one!, shared: others[2 * i]!, 'sort-last': others[2 * i + 1]! };
        return NAMES.map((name) => {
          const way = WAYS[name]!;
          return [
            scene,
            name,
            chiplets,
            ...compare(measurements[way.measured], way, chiplets, one!, scene),
          ];
        });
      }),
    ),
  }),
  summarize: (rows) => {
    const scenes = [...new Set(rows.map(({ scene }) => scene!))];
    const figureOf = (column: string, scene: string, organization: string, chiplets: number) =>
      Number(rowsWhere(rows, { scene, organization, chiplets })[0]![column]);
    const figures = CHIPLET_COUNTS.flatMap((count) =>
      NAMES.map((name) => ({ name, count, column: 'speedUp' })),
    );
    figures.push({ name: 'alternate-frame', count: 16, column: 'sequenceSpeedUp' });
    figures.push({ name: 'binned-shared', count: 16, column: 'sequenceSpeedUp' });
    const cellsOf = (of: (figure: (typeof figures)[number]) => number) =>
      figures.map((figure) => of(figure).toFixed(2));
    return {
      table: {
        head: [
          'scene',
          ...figures.map(
            ({ name, count, column }) =>
              `${name}, N = ${count}${column === 'speedUp' ? '' : ', frame rate'}`,
          ),
        ],
        rows: [
          ...scenes.map((scene) => [
            scene,
            ...cellsOf(({ name, count, column }) => figureOf(column, scene, name, count)),
          ]),
          [
            'geometric mean',
            ...cellsOf(({ name, count, column }) =>
              geometricMean(scenes.map((scene) => figureOf(column, scene, name, count))),
            ),
          ],
        ],
      },
      plot: {
        title: 'Speed-up of a frame on 16 chiplets by organization',
        xLabel: 'frame, in the order of the table',
        yLabel: 'speed-up over one chiplet',
        xSpacing: 'equal',
        series: NAMES.map((name) => ({
          name,
          isReference: !name.startsWith('binned'),
          points: scenes.map((scene, i) => ({
            x: i + 1,
            y: figureOf('speedUp', scene, name, 16),
          })),
        })),
      },
    };
  },
};

/**
 * Returns the figures of a row.
 *
 * @param one Measurement of the frame on one chiplet.
 */
function compare(
  measurement: FrameMeasurement,
  { organization, isInTurn = false, isEven = false }: Way,
  chiplets: number,
  one: FrameMeasurement,
  scene: string,
) {
  const simulation = simulationOf(chiplets, {
    ...{ organization, framesInFlight: chiplets },
    ...(isInTurn ? { interconnect: BOARD_LINK } : {}),
  });
  const alone = simulateFrames([measurement], { ...simulation, overlap: 'none' });
  const oneCycles = onOneChiplet(one).cycles;
  let cycles = alone.frames[0]!.endCycle;
  if (isInTurn) {
    const batches = Math.ceil(TRIANGLES[scene]! / BATCH_PRIMITIVES);
    cycles += batches * chiplets * BOARD_LINK.latencyCycles;
  } else if (isEven) {
    const busy = accountChiplets(measurement, alone, chiplets).map((each) => each.busyCycles);
    cycles += Math.ceil(mean(busy)) - Math.max(...busy);
  }
  // Experiments are of a frame alone.
  const cyclesPerFrame =
    isInTurn || isEven ? cycles : simulateSteady(measurement, simulation).cyclesPerFrame;
  return [
    ...[cycles, (oneCycles / cycles).toFixed(4), cyclesPerFrame.toFixed(1)],
    ...[(oneCycles / cyclesPerFrame).toFixed(4), bytesOnLink(alone).crossingBytes],
  ];
}
