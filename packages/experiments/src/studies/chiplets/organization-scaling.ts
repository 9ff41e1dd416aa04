/**
 * Study of the ways in which many chiplets share frames, over the number of triangles of a frame.
 */
import { terrainFrame } from '@tessera/scenes';
import type { CsvRecord } from '../../tables/csv.ts';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  rowsWhere,
  type StudySummary,
} from './chiplet-study.ts';
import {
  figuresOfWay,
  ORGANIZATION_WAYS,
  pickMeasurements,
  WAY_COLUMNS,
  waySettings,
} from './organization-ways.ts';

/** Number of chiplets of the plot. */
const PLOTTED_CHIPLETS = 64;
const BINS = 256; // for the largest number of chiplets
/** Patches along each edge of the terrain: a draw for each of 256 chiplets. */
const PATCHES = 16;
/** Numbers of triangles of the terrain, by the names of the scenes. */
const TRIANGLES: Readonly<Record<string, number>> = {
  'patches 10k': 10_082,
  'patches 100k': 100_352,
  'patches 1M': 999_698,
  'patches 10M': 9_999_392,
};

type WayName = keyof typeof ORGANIZATION_WAYS;
type FigureColumn = 'speedUp' | 'sequenceSpeedUp';

/** Columns of the table: a frame alone, then frames of a sequence. */
const SHOWN: readonly (readonly [name: WayName, column: FigureColumn])[] = [
  ['binned', 'speedUp'],
  ['binned-shared', 'speedUp'],
  ['split-frame', 'speedUp'],
  ['sort-last', 'speedUp'],
  ['binned-shared', 'sequenceSpeedUp'],
  ['alternate-frame', 'sequenceSpeedUp'],
];
/**
 * Largest number of chiplets of a sequence. The time of its simulation grows with the product of
 * frames in flight, chiplets and frames: up to 64 times from 64 to 256 chiplets.
 */
const MAX_SEQUENCE_CHIPLETS = 64;

/** The study. */
export const ORGANIZATION_SCALING = studyOrganizations([4, 16, PLOTTED_CHIPLETS, 256]);

/** Returns the study on numbers of chiplets. Only its plot needs the plotted number among them. */
export function studyOrganizations(chipletCounts: readonly number[]): ChipletStudy {
  return {
    scenes: Object.fromEntries(
      Object.entries(TRIANGLES).map(([name, triangles]) => [
        name,
        (size) => terrainFrame({ ...size, triangles, patches: PATCHES }),
      ]),
    ),
    settings: () => waySettings(chipletCounts, BINS),
    context: { ...COMMON_CONTEXT, coupling: 'none', placement: 'replicated' },
    figures: (measured) => ({
      head: ['scene', 'organization', 'chiplets', ...WAY_COLUMNS],
      keyColumns: 3,
      rows: measured.flatMap(({ scene, bySetting }) =>
        chipletCounts.flatMap((chiplets, i) => {
          const measurements = pickMeasurements(bySetting, i);
          return Object.entries(ORGANIZATION_WAYS).map(([name, way]) => [
            ...[scene, name, chiplets],
            ...figuresOfWay(measurements, way, chiplets, hasSequence(name, chiplets)),
          ]);
        }),
      ),
    }),
    summarize: (rows) => summarize(rows, chipletCounts),
  };
}

/** Whether a sequence is simulated: those of the fastest way of a frame, and of whole frames. */
function hasSequence(name: string, chiplets: number): boolean {
  const isShown = SHOWN.some(([shown, column]) => shown === name && column === 'sequenceSpeedUp');
  return isShown && chiplets <= MAX_SEQUENCE_CHIPLETS;
}

function summarize(rows: readonly CsvRecord[], chipletCounts: readonly number[]): StudySummary {
  const scenes = [...new Set(rows.map(({ scene }) => scene!))];
  const figureOf = (scene: string, organization: WayName, chiplets: number, column: FigureColumn) =>
    rowsWhere(rows, { scene, organization, chiplets })[0]![column]!;
  return {
    table: {
      head: [
        ...['scene', 'N'],
        ...SHOWN.map(([name, column]) => (column === 'speedUp' ? name : `${name}, frame rate`)),
      ],
      rows: scenes.flatMap((scene) =>
        chipletCounts.map((chiplets) => [
          ...[scene, chiplets],
          ...SHOWN.map(([name, column]) => {
            const figure = figureOf(scene, name, chiplets, column);
            return figure === '' ? '–' : Number(figure).toFixed(2);
          }),
        ]),
      ),
    },
    plot: {
      title: `Speed-up on ${PLOTTED_CHIPLETS} chiplets by triangles per frame`,
      xLabel: 'triangles per frame',
      yLabel: 'speed-up over one chiplet',
      xSpacing: 'doubling',
      series: SHOWN.filter(
        ([name, column]) => column === 'speedUp' || name === 'alternate-frame',
      ).map(([name, column]) => ({
        name: column === 'speedUp' ? name : `${name}, frame rate`,
        isReference: column !== 'speedUp',
        points: scenes
          .filter((scene) => scene in TRIANGLES)
          .map((scene) => ({
            x: TRIANGLES[scene]!,
            y: Number(figureOf(scene, name, PLOTTED_CHIPLETS, column)),
          })),
      })),
    },
  };
}
