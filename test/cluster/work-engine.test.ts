/** The work engine, on SQLite and on a real PostgreSQL server with pg-boss. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CellClaim,
  type Chunk,
  EngineUnavailableError,
  type NewBatch,
  openEngine,
  QuotaExceededError,
  type UnitFilter,
  type UnitOutcome,
  unitKeyOf,
  type WorkEngine,
} from '@tessera/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSTGRES_PROGRAMS, PostgresServer } from '../../scripts/cluster/postgres-server.ts';

const VERSION = '1.0';

/**
 * Returns a batch of units with distinct names; a letter of `blobs` names the blob of each unit.
 */
function batchOf(blobs: string, more: Partial<NewBatch> = {}): NewBatch {
  const id = more.id ?? randomUUID();
  return {
    id,
    tenant: { name: 'a', weight: 1, maxQueuedUnits: 1_000_000 },
    workClass: 'study',
    version: VERSION,
    title: 'a study',
    request: { z: 1, a: [2] },
    idempotencyKey: null,
    units: [...blobs].map((blob, i) => ({ key: unitKeyOf({ id, i }), blob })),
    ...more,
  };
}

function claimOf(cell: string, more: Partial<CellClaim> = {}): CellClaim {
  const classes = ['interactive', 'study'] as const;
  return { cell, version: VERSION, classes, heldBlobs: [], targetMs: 1000, ...more };
}

function outcomesOf(units: Chunk['units'], more: Partial<UnitOutcome> = {}): UnitOutcome[] {
  return units.map(({ position, key }) => ({
    position,
    key,
    result: { digest: `digest of ${key}`, summary: { bytes: 3 } },
    isDetermined: true,
    rows: [{ position }],
    wallMs: 100,
    ...more,
  }));
}

const kinds = [
  { kind: 'SQLite', isMissing: false },
  { kind: 'PostgreSQL', isMissing: POSTGRES_PROGRAMS === null },
];

describe.each(kinds)('The work engine on $kind', { timeout: 120_000 }, ({ kind, isMissing }) => {
  let server: PostgresServer | null = null;
  let folder = '';
  let url = '';
  let engine: WorkEngine;
  const errors: Error[] = [];

  beforeAll(async () => {
    if (isMissing) return;
    if (kind === 'PostgreSQL') {
      server = await PostgresServer.start();
      url = server.url;
    } else {
      folder = mkdtempSync(join(tmpdir(), 'tessera-engine-'));
      url = `sqlite:${join(folder, 'engine.db')}`;
    }
    engine = await openEngine(url, (error) => errors.push(error));
  }, 120_000);

  afterAll(async () => {
    await engine?.close();
    await server?.stop();
    if (folder !== '') rmSync(folder, { recursive: true });
  });

  /** Claims and finishes chunks until nothing waits. Returns the chunks. */
  async function drain(cell: string, more: Partial<CellClaim> = {}): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    for (;;) {
      const chunk = await engine.claim(claimOf(cell, more));
      if (chunk === null) return chunks;
      chunks.push(chunk);
      await engine.finish(cell, chunk.id, outcomesOf(chunk.units));
    }
  }

  it.skipIf(isMissing)('finishes each unit of a batch once', async () => {
    const batch = batchOf('aaaabb');
    await engine.submit(batch);
    await engine.submit(batch); // Changes nothing.
    const chunks = await drain('one');
    const positions = chunks.flatMap(({ units }) => units.map(({ position }) => position));
    expect(positions.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(chunks.every(({ units, batch }) => units.length > 0 && batch.title === 'a study')).toBe(
      true,
    );
    expect(chunks[0]!.batch.request).toEqual(batch.request);
    expect(await engine.batch(batch.id)).toMatchObject({
      state: 'done',
      unitCount: 6,
      doneCount: 6,
      failedCount: 0,
      wallMs: 600,
    });
    const units = await engine.units(batch.id, { from: 1, limit: 2 });
    expect(units.map(({ position, state, cell }) => [position, state, cell])).toEqual([
      [1, 'done', 'one'],
      [2, 'done', 'one'],
    ]);
    expect(units[0]!.result).toEqual({
      digest: `digest of ${batch.units[1]!.key}`,
      summary: { bytes: 3 },
    });
    expect(await engine.rows(batch.id, 4, 10)).toEqual([
      { position: 4, rows: [{ position: 4 }] },
      { position: 5, rows: [{ position: 5 }] },
    ]);
    const { tenants, waitingUnits, runningUnits } = await engine.stats();
    expect([waitingUnits, runningUnits]).toEqual([0, 0]);
    expect(tenants.find(({ name }) => name === 'a')!.openUnits).toBe(0);
  });

  it.skipIf(isMissing)('cuts chunks by the time that units took', async () => {
    const batch = batchOf('a'.repeat(400));
    await engine.submit(batch);
    const [first, ...rest] = await drain('one', { targetMs: 2000 });
    expect(first!.units.length).toBe(8); // The time of a unit is not known yet.
    expect(rest[0]!.units.length).toBe(20); // 2,000 ms of units that take 100 ms.
    expect(rest.at(-1)!.units.length).toBe(1); // The rest is shared among the cells.
  });

  it.skipIf(isMissing)('gives results of earlier batches with the claim', async () => {
    const units = batchOf('aa').units;
    await engine.submit(batchOf('aa', { units }));
    await drain('one');
    await engine.submit(batchOf('aa', { units }));
    const chunk = (await engine.claim(claimOf('two')))!;
    expect(chunk.units[0]!.known).toEqual({
      digest: `digest of ${units[0]!.key}`,
      summary: { bytes: 3 },
      rows: [{ position: 0 }],
    });
    await engine.finish('two', chunk.id, outcomesOf(chunk.units));
    await drain('two');
  });

  it.skipIf(isMissing)('keeps the first of two results that differ, and reports both', async () => {
    const units = batchOf('a').units;
    await engine.submit(batchOf('a', { units }));
    await drain('one');
    const batch = batchOf('a', { units });
    await engine.submit(batch);
    const chunk = (await engine.claim(claimOf('two')))!;
    const wrong = { digest: 'another', summary: { bytes: 4 } };
    const violations = await engine.finish(
      'two',
      chunk.id,
      outcomesOf(chunk.units, { result: wrong }),
    );
    const expected = {
      key: units[0]!.key,
      digests: [`digest of ${units[0]!.key}`, 'another'],
      cells: ['one', 'two'],
    };
    expect(violations).toEqual([expected]);
    expect(await engine.violations(10)).toEqual([expected]);
    expect((await engine.units(batch.id, { from: 0, limit: 1 }))[0]!.result!.digest).toBe(
      expected.digests[0],
    );
    expect((await engine.stats()).violationCount).toBe(1);
  });

  it.skipIf(isMissing)('fails units with their errors', async () => {
    const batch = batchOf('aa');
    await engine.submit(batch);
    const result = { code: 'MODEL_INVALID', message: 'no scene' };
    for (;;) {
      const chunk = await engine.claim(claimOf('one'));
      if (chunk === null) break;
      await engine.finish('one', chunk.id, outcomesOf(chunk.units, { result }));
    }
    expect(await engine.batch(batch.id)).toMatchObject({
      state: 'done',
      doneCount: 0,
      failedCount: 2,
    });
    expect((await engine.units(batch.id, { from: 0, limit: 1 }))[0]).toMatchObject({
      state: 'failed',
      error: result,
    });
    expect(await engine.rows(batch.id, 0, 9)).toEqual([]);
  });

  it.skipIf(isMissing)('lists the units of one state', async () => {
    const batch = batchOf('aaaaaa');
    await engine.submit(batch);
    const result = { code: 'MODEL_INVALID', message: 'no scene' };
    for (;;) {
      const chunk = await engine.claim(claimOf('one'));
      if (chunk === null) break;
      const outcomes = outcomesOf(chunk.units).map((outcome) =>
        outcome.position % 2 === 0 ? outcome : { ...outcome, result },
      );
      await engine.finish('one', chunk.id, outcomes);
    }
    const positionsOf = async (filter: Partial<UnitFilter>) =>
      (await engine.units(batch.id, { from: 0, limit: 9, ...filter })).map((unit) => unit.position);
    expect(await positionsOf({ state: 'failed' })).toEqual([1, 3, 5]);
    expect(await positionsOf({ state: 'failed', from: 2, limit: 1 })).toEqual([3]);
    expect(await positionsOf({ state: 'done' })).toEqual([0, 2, 4]);
    expect(await positionsOf({ state: 'cancelled' })).toEqual([]);
    expect(await positionsOf({})).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.skipIf(isMissing)('prefers runs whose blob the cell holds', async () => {
    const batch = batchOf('xyz');
    await engine.submit(batch);
    const chunk = (await engine.claim(claimOf('one', { heldBlobs: ['y', 'other'] })))!;
    expect(chunk.units.map(({ position }) => position)).toEqual([1]);
    const next = (await engine.claim(claimOf('one', { heldBlobs: ['other'] })))!;
    expect(next.units.map(({ position }) => position)).toEqual([0]);
    await engine.finish('one', chunk.id, outcomesOf(chunk.units));
    await engine.finish('one', next.id, outcomesOf(next.units));
    await drain('one');
  });

  it.skipIf(isMissing)(
    'claims interactive units first, and only those that a cell asks for',
    async () => {
      await engine.submit(batchOf('a'));
      await engine.submit(batchOf('b', { workClass: 'interactive' }));
      const first = (await engine.claim(claimOf('one')))!;
      expect(first.batch.workClass).toBe('interactive');
      expect(await engine.claim(claimOf('one', { classes: ['interactive'] }))).toBeNull();
      await engine.finish('one', first.id, outcomesOf(first.units));
      await drain('one');
    },
  );

  it.skipIf(isMissing)('leaves units to cells of their version', async () => {
    await engine.submit(batchOf('a', { version: '2.0' }));
    expect(await engine.claim(claimOf('one'))).toBeNull();
    expect(await drain('one', { version: '2.0' })).toHaveLength(1);
  });

  it.skipIf(isMissing)('shares cells by weight, whatever tenants have submitted', async () => {
    const tenants = [
      { name: 'heavy', weight: 1, maxQueuedUnits: 1_000_000 },
      { name: 'light', weight: 1, maxQueuedUnits: 1_000_000 },
      { name: 'double', weight: 2, maxQueuedUnits: 1_000_000 },
    ];
    for (const tenant of tenants) {
      // Ten batches of the first tenant for each of the others.
      for (let i = 0; i < (tenant.name === 'heavy' ? 10 : 1); i++) {
        await engine.submit(batchOf('t'.repeat(300), { tenant }));
      }
    }
    const unitsOf: Record<string, number> = {};
    for (let claimed = 0; claimed < 400; ) {
      const chunk = (await engine.claim(claimOf('one')))!;
      await engine.finish('one', chunk.id, outcomesOf(chunk.units));
      unitsOf[chunk.batch.tenant] = (unitsOf[chunk.batch.tenant] ?? 0) + chunk.units.length;
      claimed += chunk.units.length;
    }
    expect(unitsOf.heavy! / unitsOf.light!).toBeGreaterThan(0.8);
    expect(unitsOf.heavy! / unitsOf.light!).toBeLessThan(1.25);
    expect(unitsOf.double! / unitsOf.light!).toBeGreaterThan(1.6);
    expect(unitsOf.double! / unitsOf.light!).toBeLessThan(2.5);
    await drain('one', { targetMs: 60_000 });
  });

  it.skipIf(isMissing)('refuses units beyond the quota of a tenant, and loses none', async () => {
    const tenant = { name: 'small', weight: 1, maxQueuedUnits: 3 };
    await engine.submit(batchOf('aa', { tenant }));
    const more = batchOf('bb', { tenant });
    await expect(engine.submit(more)).rejects.toThrow(QuotaExceededError);
    expect(await engine.batch(more.id)).toBeNull();
    await drain('one');
    await engine.submit(more);
    await drain('one');
    expect(await engine.batch(more.id)).toMatchObject({ state: 'done' });
  });

  it.skipIf(isMissing)('cancels the open units of a batch', async () => {
    const batch = batchOf('abab');
    await engine.submit(batch);
    const chunk = (await engine.claim(claimOf('one')))!;
    await engine.finish('one', chunk.id, outcomesOf(chunk.units));
    const held = (await engine.claim(claimOf('one')))!;
    expect(await engine.cancel(batch.id)).toBe(true);
    expect(await engine.cancel(randomUUID())).toBe(false);
    const { lostChunks } = await engine.beat('one', VERSION, new Map([[held.id, []]]));
    expect(lostChunks).toEqual([held.id]);
    await engine.finish('one', held.id, outcomesOf(held.units));
    expect(await engine.claim(claimOf('one'))).toBeNull();
    expect(await engine.batch(batch.id)).toMatchObject({ state: 'cancelled', doneCount: 1 });
    const states = (await engine.units(batch.id, { from: 0, limit: 9 })).map(({ state }) => state);
    expect(states).toEqual(['done', 'cancelled', 'cancelled', 'cancelled']);
  });

  it.skipIf(isMissing)('claims what a cell gives back at once', async () => {
    await engine.submit(batchOf('a'));
    const chunk = (await engine.claim(claimOf('one')))!;
    await engine.giveBack(chunk.id);
    const again = (await engine.claim(claimOf('two')))!;
    expect(again.units).toEqual(chunk.units);
    await engine.finish('two', again.id, outcomesOf(again.units));
  });

  it.skipIf(isMissing)(
    'gives the units of a silent cell to another one, suspects alone',
    async () => {
      const batch = batchOf('a'.repeat(60));
      await engine.submit(batch);
      const lost = (await engine.claim(claimOf('silent')))!;
      expect(lost.units.length).toBeGreaterThan(1);
      await drain('kept');
      await engine.beat('silent', VERSION, new Map([[lost.id, [1]]]));
      const startMs = performance.now();
      let chunk: Chunk | null = null;
      while (chunk === null) {
        await sleep(200);
        chunk = await engine.claim(claimOf('kept'));
      }
      expect(performance.now() - startMs).toBeGreaterThan(9000);
      // Unit 0 was not in progress. Unit 1 was, so it follows alone.
      expect(chunk.units.map(({ position }) => position)).toEqual([0]);
      await engine.finish('kept', chunk.id, outcomesOf(chunk.units));
      const alone = (await engine.claim(claimOf('kept')))!;
      expect(alone.units.map(({ position }) => position)).toEqual([1]);
      // A late answer of the silent cell is stored once.
      expect(await engine.finish('silent', alone.id, outcomesOf(alone.units))).toEqual([]);
      expect(await engine.finish('kept', alone.id, outcomesOf(alone.units))).toEqual([]);
      await drain('kept');
      expect(await engine.batch(batch.id)).toMatchObject({ state: 'done', doneCount: 60 });
    },
  );

  it.skipIf(kind !== 'SQLite')('fails a unit that ends eight cells, and no other', async () => {
    const batch = batchOf('aaa');
    await engine.submit(batch);
    const database = new DatabaseSync(join(folder, 'engine.db'));
    const lost: number[][] = [];
    for (;;) {
      const chunk = await engine.claim(claimOf('dying'));
      if (chunk === null) break;
      const positions = chunk.units.map(({ position }) => position);
      if (!positions.includes(1)) {
        await engine.finish('dying', chunk.id, outcomesOf(chunk.units));
        continue;
      }
      lost.push(positions);
      await engine.beat('dying', VERSION, new Map([[chunk.id, [1]]]));
      // The cell has ended: its last beat is long ago.
      database.exec('UPDATE job SET beat_ms = 0 WHERE beat_ms IS NOT NULL');
    }
    database.close();
    expect(lost).toHaveLength(8);
    expect(lost.slice(1).every((positions) => positions.length === 1)).toBe(true);
    const units = await engine.units(batch.id, { from: 0, limit: 9 });
    expect(units.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
    expect(units[1]!.error!.code).toBe('CELL_LOST');
  });

  it.skipIf(isMissing)('takes submissions of one tenant at once', async () => {
    const engines = await Promise.all(
      ['p', 'q', 'r'].map(() => openEngine(url, (error) => errors.push(error))),
    );
    const tenant = { name: 'busy', weight: 1, maxQueuedUnits: 60 };
    const batches = Array.from({ length: 60 }, () => batchOf('a', { tenant }));
    await Promise.all(batches.map((batch, i) => engines[i % 3]!.submit(batch)));
    await expect(engine.submit(batchOf('a', { tenant }))).rejects.toThrow(QuotaExceededError);
    await drain('one');
    for (const { id } of batches) expect(await engine.batch(id)).toMatchObject({ state: 'done' });
    await Promise.all(engines.map((own) => own.close()));
  });

  it.skipIf(isMissing)('serves several processes at once', async () => {
    const engines = await Promise.all(
      ['p', 'q', 'r'].map(() => openEngine(url, (error) => errors.push(error))),
    );
    const batch = batchOf('a'.repeat(200) + 'b'.repeat(200));
    await engine.submit(batch);
    const claimed = await Promise.all(
      engines.map(async (own, i) => {
        const positions: number[] = [];
        for (;;) {
          const chunk = await own.claim(claimOf(`cell ${i}`, { targetMs: 300 }));
          if (chunk === null) return positions;
          await own.finish(`cell ${i}`, chunk.id, outcomesOf(chunk.units));
          positions.push(...chunk.units.map(({ position }) => position));
        }
      }),
    );
    expect(claimed.flat().toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 400 }, (_, i) => i),
    );
    await Promise.all(engines.map((own) => own.close()));
  });

  it.skipIf(isMissing || kind === 'SQLite')('survives a restart of the database', async () => {
    const batch = batchOf('aa');
    await engine.submit(batch);
    await server!.kill();
    await expect(engine.submit(batchOf('a'))).rejects.toThrow(EngineUnavailableError);
    await expect(engine.claim(claimOf('one'))).rejects.toThrow(EngineUnavailableError);
    await server!.launch();
    await drain('one');
    expect(await engine.batch(batch.id)).toMatchObject({ state: 'done', doneCount: 2 });
    expect(errors.every((error) => error instanceof Error)).toBe(true);
  });
});

describe('The address of an engine', () => {
  it('is refused if it names none, without its password', async () => {
    const opening = openEngine('mysql://user:secret@host/db', () => {});
    await expect(opening).rejects.toThrow(/use sqlite:PATH or postgres:/);
    await expect(opening).rejects.not.toThrow(/secret/);
  });
});
