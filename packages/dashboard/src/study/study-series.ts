/**
 * Series of a study's plot: a figure over the number of chiplets or over a swept hardware
 * parameter, with a line per combination of the other parameters.
 */
import type { StudyRow } from './study-types.ts';

/** Meanings of the figures that can be plotted. */
export const PLOTTED = {
  cycles: 'simulated cycles',
  speedUp: 'speed-up over one chiplet',
  efficiency: 'speed-up ÷ chiplets',
  imbalance: 'largest share of bins ÷ mean share',
  linkBytes: 'bytes over the link',
} as const satisfies Partial<Record<keyof StudyRow, string>>;
/** Name of a figure of {@link PLOTTED}. */
export type PlottedFigure = keyof typeof PLOTTED;

/** One line of the plot. */
export interface Series {
  readonly name: string;
  /** Points by position on the horizontal axis. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Name of the horizontal axis that shows the number of chiplets. */
export const CHIPLETS_AXIS = 'chiplets';

/** Returns what the horizontal axis can show: chiplets, and swept parameters that are numbers. */
export function axesOf(rows: readonly StudyRow[]): readonly string[] {
  const swept = Object.entries(rows[0]?.settings ?? {});
  const numbers = swept.filter(([, value]) => typeof value === 'number');
  return [CHIPLETS_AXIS, ...numbers.map(([name]) => name)];
}

/**
 * Returns the series of the rows. A name lists only what differs.
 *
 * @param axis One of {@link axesOf}.
 */
export function makeSeries(
  rows: readonly StudyRow[],
  figure: PlottedFigure,
  axis = CHIPLETS_AXIS,
): Series[] {
  // Names of scenes may repeat, ids of frames do not.
  const frameOfScene = new Map(rows.map(({ scene, frame }) => [scene, frame]));
  const repeated = new Set(
    rows.filter(({ scene, frame }) => frameOfScene.get(scene) !== frame).map(({ scene }) => scene),
  );
  const sceneOf = ({ scene, frame }: StudyRow) =>
    repeated.has(scene) ? `${scene} ${frame.slice(0, 8)}` : scene;
  const described = rows.map((row) => ({ row, parts: partsOf(row, axis, sceneOf(row)) }));
  const differing = Object.keys(described[0]?.parts ?? {}).filter(
    (part) => part === 'policy' || new Set(described.map(({ parts }) => parts[part])).size > 1,
  );
  const nameOf = ({ parts }: (typeof described)[number]) =>
    differing.map((part) => parts[part]).join(', ');
  return [...Map.groupBy(described, nameOf)].map(([name, own]) => ({
    name,
    points: own
      .map(({ row }) => ({ x: positionOf(row, axis), y: row[figure] }))
      .sort((a, b) => a.x - b.x),
  }));
}

/** Returns what distinguishes series, in the order in which names list it. */
function partsOf(row: StudyRow, axis: string, scene: string): Readonly<Record<string, string>> {
  const settings = Object.entries(row.settings ?? {}).filter(([name]) => name !== axis);
  return {
    policy: row.policy,
    scene,
    ...(axis === CHIPLETS_AXIS ? {} : { chiplets: `${row.chiplets} chiplets` }),
    // Settings follow the name of the specification that they change.
    spec: row.settings === undefined ? row.spec : row.spec.split('+', 1)[0]!,
    ...Object.fromEntries(settings.map(([name, value]) => [name, `${name}=${value}`])),
    bins: `${row.bins} bins`,
    visibility: row.visibility,
  };
}

function positionOf(row: StudyRow, axis: string): number {
  return axis === CHIPLETS_AXIS ? row.chiplets : Number(row.settings?.[axis]);
}
