/**
 * Study of the ways in which chiplets share frames: two-level binning with one chiplet or all in
 * the visibility phases, and the organizations of earlier systems.
 */
import { accountChiplets, simulateFrames } from '@tessera/multi-chiplet';
import { BENCHMARK_SET, valleyFrame } from '@tessera/scenes';
import type { Cell } from '../../tables/csv.ts';
import { BENCHMARK_SCENES } from '../scenes/study-scenes.ts';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  geometricMean,
  mean,
  rowsWhere,
} from './chiplet-study.ts';
import {
  compareWithOne,
  figuresOfWay,
  type MeasurementsByWay,
  ORGANIZATION_WAYS,
  type OrganizationWay,
  pickMeasurements,
  simulationOfWay,
  WAY_COLUMNS,
  waySettings,
} from './organization-ways.ts';

const CHIPLET_COUNTS = [8, 16];
const BINS = 128;

/** Link of CHOPIN's published configuration, and primitives of a batch that GPUpd distributes. */
const BOARD_LINK = { topology: 'full', bytesPerCycle: 64, latencyCycles: 200 } as const;
const BATCH_PRIMITIVES = 4096;

/** Way of sharing a frame, or an experiment with one. */
interface Way extends OrganizationWay {
  /** Whether chiplets distribute each batch of primitives one after another over a board's link. */
  readonly isInTurn?: boolean;
  /** Whether chiplets would all be busy for as long, whatever draws they get. */
  readonly isEven?: boolean;
}

const WAYS: Readonly<Record<string, Way>> = {
  binned: ORGANIZATION_WAYS.binned,
  'binned-shared': ORGANIZATION_WAYS['binned-shared'],
  'shared-in-turn': { ...ORGANIZATION_WAYS['binned-shared'], isInTurn: true },
  'split-frame': ORGANIZATION_WAYS['split-frame'],
  'sort-last': ORGANIZATION_WAYS['sort-last'],
  'sort-last-even': { ...ORGANIZATION_WAYS['sort-last'], isEven: true },
  'alternate-frame': ORGANIZATION_WAYS['alternate-frame'],
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
    ...BENCHMARK_SCENES,
  },
  settings: () => waySettings(CHIPLET_COUNTS, BINS),
  context: { ...COMMON_CONTEXT, coupling: 'none', placement: 'replicated' },
  figures: (scenes) => ({
    head: ['scene', 'organization', 'chiplets', ...WAY_COLUMNS],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting }) =>
      CHIPLET_COUNTS.flatMap((chiplets, i) => {
        const measurements = pickMeasurements(bySetting, i);
        return Object.entries(WAYS).map(([name, way]) => [
          ...[scene, name, chiplets],
          ...(way.isInTurn || way.isEven
            ? figuresOfExperiment(measurements, way, chiplets, scene)
            : figuresOfWay(measurements, way, chiplets)),
        ]);
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

/** Returns the figures of an experiment, which is of a frame alone. */
function figuresOfExperiment(
  measurements: MeasurementsByWay,
  way: Way,
  chiplets: number,
  scene: string,
): Cell[] {
  const { isInTurn = false } = way;
  const measurement = measurements[way.measured];
  const alone = simulateFrames([measurement], {
    ...simulationOfWay(way, chiplets),
    ...(isInTurn ? { interconnect: BOARD_LINK } : {}),
    overlap: 'none',
  });
  let cycles = alone.frames[0]!.endCycle;
  if (isInTurn) {
    const batches = Math.ceil(TRIANGLES[scene]! / BATCH_PRIMITIVES);
    cycles += batches * chiplets * BOARD_LINK.latencyCycles;
  } else {
    const busy = accountChiplets(measurement, alone, chiplets).map((each) => each.busyCycles);
    cycles += Math.ceil(mean(busy)) - Math.max(...busy);
  }
  return compareWithOne(measurements.one, alone, cycles, cycles);
}
