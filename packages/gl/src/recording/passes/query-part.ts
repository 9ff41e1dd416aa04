/**
 * Occlusion queries in passes. A query counts the draws between two calls. They may be in several
 * passes, with draws of clears in between, so a query has a part for each run of draws.
 */
import { MAX_PASS_QUERIES, type Pass, type PassQuery } from '@tessera/frame';

/** Consecutive draws of one pass that one query counts. */
export interface QueryPart extends PassQuery {
  drawCount: number;
  /** Number of fragments that passed; `null` until the pass is rendered. */
  count: number | null;
}

/** Pass that a query's draws are appended to. */
interface QueriedPass {
  readonly draws: readonly unknown[];
  readonly queries: QueryPart[];
}

/** Result of a rendered pass. */
export interface CountedPass {
  /** Fragments that passed, by query of the pass; missing if the pass has none. */
  readonly queryCounts?: readonly number[] | undefined;
}

/** Whether a query counts draws of a pass that was not rendered. */
export function isUncounted({ queries }: Pick<QueriedPass, 'queries'>): boolean {
  return queries.some(({ count }) => count === null);
}

/** Returns the queries of a pass in the format of a frame. */
export function describeQueries({ queries }: Pick<QueriedPass, 'queries'>): Pick<Pass, 'queries'> {
  if (queries.length === 0) return {};
  return { queries: queries.map(({ firstDraw, drawCount }) => ({ firstDraw, drawCount })) };
}

/**
 * Stores the counts of the queries of passes.
 *
 * @param rendered Results of the passes. A missing count is 0.
 */
export function storeCounts(
  passes: readonly Pick<QueriedPass, 'queries'>[],
  rendered: readonly CountedPass[],
): void {
  for (const [passIndex, { queries }] of passes.entries()) {
    for (const [query, part] of queries.entries()) {
      part.count = rendered[passIndex]?.queryCounts?.[query] ?? 0;
    }
  }
}

/** Whether a query cannot count the next draw of a pass, because the pass has too many queries. */
export function isQueryFull({ draws, queries }: QueriedPass, parts: readonly QueryPart[]): boolean {
  return queries.length >= MAX_PASS_QUERIES && !continues(draws.length, queries, parts);
}

/**
 * Adds the next draw of a pass to a query.
 *
 * @param parts Parts of the query so far.
 */
export function countNextDraw({ draws, queries }: QueriedPass, parts: QueryPart[]): void {
  if (continues(draws.length, queries, parts)) {
    parts.at(-1)!.drawCount++;
    return;
  }
  const part = { firstDraw: draws.length, drawCount: 1, count: null };
  parts.push(part);
  queries.push(part);
}

function continues(
  drawIndex: number,
  queries: readonly QueryPart[],
  parts: readonly QueryPart[],
): boolean {
  const last = parts.at(-1);
  if (last === undefined || last !== queries.at(-1)) return false;
  return last.firstDraw + last.drawCount === drawIndex;
}
