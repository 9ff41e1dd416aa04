/** Spacing of the values of an x axis, for plots of documents and of the dashboard. */

/** Distances between the values of an x axis. */
export type XSpacing = 'proportional' | 'equal' | 'doubling';

/** Place of a value on an axis before it is scaled, by spacing. */
const PLACES: Readonly<Record<XSpacing, (x: number, xs: readonly number[]) => number>> = {
  proportional: (x) => x,
  equal: (x, xs) => xs.indexOf(x),
  doubling: (x) => Math.log2(x),
};

/** Returns the function that gives the place of a value on an axis before it is scaled. */
export function placeOnAxis(spacing: XSpacing): (x: number, xs: readonly number[]) => number {
  return PLACES[spacing];
}

/** Returns the spacing that shows these values best: doublings need an axis of doublings. */
export function spacingOf(xs: Iterable<number>): XSpacing {
  const values = [...new Set(xs)];
  const areDoublings =
    values.length > 2 && values.every((x) => x >= 1 && Number.isInteger(Math.log2(x)));
  return areDoublings ? 'doubling' : 'proportional';
}
