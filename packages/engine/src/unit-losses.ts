/** Units that were in progress in cells that ended, and units that fail because of it. */
import { countFinished } from './outcomes.ts';
import { readJson, type Sql, type SqlRow, type SqlSession } from './sql/sql.ts';

/**
 * Cells that a unit may lose before it fails. After the first loss it runs alone, so this many
 * cells end by chance only if they live hardly longer than the unit takes.
 */
export const MAX_LOSSES = 8;

/**
 * Counts the loss of a run's cell for the units that were in progress there. Those that have lost
 * {@link MAX_LOSSES} cells fail.
 */
export async function recordLosses(
  sql: Sql,
  session: SqlSession,
  run: SqlRow,
  tenant: string,
): Promise<void> {
  if (run.cell === null || run.in_progress === null) return;
  const batch = String(run.batch);
  for (const position of readJson(run.in_progress) as number[]) {
    await session.all(
      `UPDATE unit SET losses = losses + 1 WHERE batch = $1 AND position = $2 AND state = 'open'`,
      batch,
      position,
    );
  }
  const error = {
    code: 'CELL_LOST',
    message: `${MAX_LOSSES} cells ended while they rendered the unit`,
  };
  const failed = await session.all(
    `UPDATE unit SET state = 'failed', error = $1
     WHERE batch = $2 AND state = 'open' AND losses >= ${MAX_LOSSES} RETURNING position`,
    JSON.stringify(error),
    batch,
  );
  if (failed.length === 0) return;
  const none = { doneCount: 0, failedCount: failed.length, wallMs: 0 };
  await countFinished(sql, session, { batch, tenant, ...none });
}
