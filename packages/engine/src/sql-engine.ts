/** Work engine in an SQL database: SQLite for one machine, PostgreSQL with pg-boss for many. */
import { claimChunk, noteCell } from './claims.ts';
import {
  listBatches,
  listRows,
  listUnits,
  listViolations,
  readBatch,
  readByKey,
  readStats,
} from './lists.ts';
import { storeOutcomes } from './outcomes.ts';
import type { JobQueue } from './queue/job-queue.ts';
import type { Sql } from './sql/sql.ts';
import { cancelBatch, submitBatch } from './submission.ts';
import type {
  Batch,
  BatchFilter,
  BatchUnit,
  BeatReply,
  CellClaim,
  Chunk,
  EngineStats,
  NewBatch,
  UnitFilter,
  UnitOutcome,
  Violation,
  WorkEngine,
} from './work/work-engine.ts';

/** Work engine in an SQL database. */
export class SqlEngine implements WorkEngine {
  readonly #sql: Sql;
  readonly #queue: JobQueue;

  constructor(sql: Sql, queue: JobQueue) {
    this.#sql = sql;
    this.#queue = queue;
  }

  async submit(batch: NewBatch): Promise<void> {
    await submitBatch(this.#sql, this.#queue, batch);
  }

  async claim(claim: CellClaim): Promise<Chunk | null> {
    return claimChunk(this.#sql, this.#queue, claim);
  }

  async beat(
    cell: string,
    version: string,
    inProgress: ReadonlyMap<string, readonly number[]>,
  ): Promise<BeatReply> {
    return this.#sql.transaction(async (session) => {
      await noteCell(this.#sql, session, { cell, version });
      const held = new Map<string, string>();
      for (const [chunkId, positions] of inProgress) {
        const [run] = await session.all(
          `UPDATE run SET in_progress = $1 WHERE job = $2 AND cell = $3
           RETURNING (SELECT tenant FROM batch WHERE batch.id = run.batch) AS tenant`,
          JSON.stringify(positions),
          chunkId,
          cell,
        );
        if (run !== undefined) held.set(chunkId, String(run.tenant));
      }
      for (const [tenant, ids] of Map.groupBy(held.keys(), (id) => held.get(id)!)) {
        await this.#queue.touch(session, { tenant, version }, ids);
      }
      return { lostChunks: [...inProgress.keys()].filter((id) => !held.has(id)) };
    });
  }

  async finish(
    cell: string,
    chunkId: string,
    outcomes: readonly UnitOutcome[],
  ): Promise<Violation[]> {
    return storeOutcomes(this.#sql, this.#queue, { cell, chunkId, outcomes });
  }

  async giveBack(chunkId: string): Promise<void> {
    await this.#sql.transaction(async (session) => {
      const [run] = await session.all(
        `UPDATE run SET cell = NULL, in_progress = NULL WHERE job = $1
         RETURNING (SELECT tenant FROM batch WHERE batch.id = run.batch) AS tenant,
           (SELECT version FROM batch WHERE batch.id = run.batch) AS version`,
        chunkId,
      );
      if (run === undefined) return;
      const place = { tenant: String(run.tenant), version: String(run.version) };
      await this.#queue.giveBack(session, place, chunkId);
    });
  }

  async cancel(batchId: string): Promise<boolean> {
    return cancelBatch(this.#sql, this.#queue, batchId);
  }

  async batch(id: string): Promise<Batch | null> {
    return readBatch(this.#sql, id);
  }

  async findByKey(tenant: string, idempotencyKey: string): Promise<Batch | null> {
    return readByKey(this.#sql, tenant, idempotencyKey);
  }

  async batches(filter: BatchFilter): Promise<Batch[]> {
    return listBatches(this.#sql, filter);
  }

  async units(batchId: string, filter: UnitFilter): Promise<BatchUnit[]> {
    return listUnits(this.#sql, batchId, filter);
  }

  async rows(
    batchId: string,
    from: number,
    limit: number,
  ): Promise<{ readonly position: number; readonly rows: readonly object[] }[]> {
    return listRows(this.#sql, batchId, from, limit);
  }

  async addBlob(tenant: string, sha256: string, bytes: number): Promise<void> {
    const insert = 'INSERT INTO blob VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
    await this.#sql.all(insert, tenant, sha256, bytes);
  }

  async blobBytes(tenant: string): Promise<number> {
    const sum = 'SELECT coalesce(sum(bytes), 0) AS bytes FROM blob WHERE tenant = $1';
    const [row] = await this.#sql.all(sum, tenant);
    return Number(row!.bytes);
  }

  async ping(): Promise<void> {
    await this.#sql.all('SELECT 1');
  }

  async violations(limit: number): Promise<Violation[]> {
    return listViolations(this.#sql, limit);
  }

  async stats(): Promise<EngineStats> {
    return readStats(this.#sql);
  }

  async close(): Promise<void> {
    await this.#queue.close();
    await this.#sql.close();
  }
}
