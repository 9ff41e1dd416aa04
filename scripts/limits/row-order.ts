/** Order of the rows of results: that of the cases, without rows of cases that are gone. */
import type { LimitRow } from './limit-results.ts';
import { ROUTE_CASES } from './route-cases.ts';
import { PREPARATION } from './run-limits.ts';

/** Returns the rows of cases that there are, in the order of the cases. */
export function sortRows(rows: readonly LimitRow[]): readonly LimitRow[] {
  const placeOf = new Map<string, number>();
  for (const [route, cases] of Object.entries(ROUTE_CASES)) {
    for (const { input } of cases) placeOf.set(`${route}: ${input}`, placeOf.size);
  }
  const place = ({ route, input }: LimitRow) =>
    route === PREPARATION ? -1 : (placeOf.get(`${route}: ${input}`) ?? Number.NaN);
  return rows.filter((row) => !Number.isNaN(place(row))).toSorted((a, b) => place(a) - place(b));
}
