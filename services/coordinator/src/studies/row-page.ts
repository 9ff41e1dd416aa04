/**
 * Pages of a study's rows. Each row has a number that never changes: that of its point times the
 * rows of a point, plus its index there. So a page is found at once, also in a study that runs.
 */
import { countPoints, countSimulations, type StudyRequest, type StudyRow } from '@tessera/study';

/** Upper bound on the rows of a page. */
export const MAX_PAGE_ROWS = 500;

/** Rows of a finished point. */
export interface PointRows {
  readonly position: number;
  readonly rows: readonly Partial<StudyRow>[];
}

/** Row with its number. */
export type NumberedRow = { readonly number: number } & Partial<StudyRow>;

/** Page of rows. */
export interface RowPage {
  /** Number of the first row. */
  readonly from: number;
  /** Number of rows of the whole study when it is done. */
  readonly total: number;
  /** Number of the first row of the next page; null after the last page. */
  readonly next: number | null;
  /** Rows that exist. Those of points that are not rendered or failed are missing. */
  readonly rows: readonly NumberedRow[];
}

/**
 * Returns the rows with numbers from `from` to `from + limit - 1`.
 *
 * @param readPoints Reads the rows of finished points from one position to before another.
 */
export async function readRowPage(
  request: StudyRequest,
  { from, limit }: { readonly from: number; readonly limit: number },
  readPoints: (first: number, end: number) => readonly PointRows[] | Promise<readonly PointRows[]>,
): Promise<RowPage> {
  const rowsPerPoint = countSimulations(request);
  const total = countPoints(request) * rowsPerPoint;
  const end = Math.min(from + limit, total);
  const page = { from, total, next: end < total ? end : null };
  if (from >= total) return { ...page, rows: [] };
  const first = Math.floor(from / rowsPerPoint);
  const points = await readPoints(first, Math.ceil(end / rowsPerPoint));
  const rows = points.flatMap(({ position, rows: own }) => {
    const start = position * rowsPerPoint;
    const skipped = Math.max(0, from - start);
    return own
      .slice(skipped, end - start)
      .map((row, i) => ({ number: start + skipped + i, ...row }));
  });
  return { ...page, rows };
}
