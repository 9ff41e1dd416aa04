/** A connection that PostgreSQL ends in the middle of a transaction. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineUnavailableError } from '@tessera/engine';
import { expect, it } from 'vitest';
import { PostgresSql } from '../../packages/engine/src/sql/postgres.ts';
import { POSTGRES_PROGRAMS, PostgresServer } from '../../scripts/cluster/postgres-server.ts';

it.skipIf(POSTGRES_PROGRAMS === null)(
  'fails the transaction and not the process',
  async () => {
    const server = await PostgresServer.start();
    const lost: Error[] = [];
    const sql = new PostgresSql(server.url, (error) => lost.push(error));
    try {
      const transaction = sql.transaction(async (session) => {
        const [row] = await session.all('SELECT pg_backend_pid() AS pid');
        await sql.all('SELECT pg_terminate_backend($1)', Number(row!.pid));
        // No statement is under way when the driver reports the loss.
        while (lost.length === 0) await sleep(10);
        await session.all('SELECT 1');
      });
      await expect(transaction).rejects.toThrow(EngineUnavailableError);
      expect(lost[0]!.message).toMatch(/terminat/);
      expect(await sql.all('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      await sql.close();
      await server.stop();
    }
  },
  60_000,
);
