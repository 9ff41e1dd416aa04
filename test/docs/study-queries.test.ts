/** The queries of docs/how-to/query-a-study.md run, on a real PostgreSQL server and on SQLite. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openEngine, unitKeyOf, type WorkEngine } from '@tessera/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCsv, readRecords } from '../../packages/experiments/src/tables/csv.ts';
import { POSTGRES_PROGRAMS, PostgresServer } from '../../scripts/cluster/postgres-server.ts';
import { Database } from '../../services/coordinator/src/store/database.ts';

const PAGE = readFileSync(
  resolve(import.meta.dirname, '../../docs/how-to/query-a-study.md'),
  'utf8',
);

/** Returns the queries below a heading. */
function queriesOf(heading: string, study: string): string[] {
  const [, section] = PAGE.split(`\n## ${heading}\n`);
  const [own] = section!.split('\n## ');
  return [...own!.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, sql]) =>
    sql!.replaceAll('STUDY', study),
  );
}

const SCENES = ['box', 'duck'];
/** Rows of each unit. The last unit fails. */
const UNITS = SCENES.map((scene, index) =>
  ['dynamic', 'static'].flatMap((policy) =>
    [1, 4].map((chiplets) => ({
      scene,
      policy,
      chiplets,
      cycles: 1000 * (index + 1) - 10 * chiplets - (policy === 'dynamic' ? 1 : 0),
      speedUp: chiplets === 1 ? 1 : policy === 'dynamic' ? 2 ** (index + 1) : 2,
    })),
  ),
);
const MEANS = [
  { policy: 'dynamic', chiplets: 1, speed_up: 1 },
  { policy: 'dynamic', chiplets: 4, speed_up: expect.closeTo(Math.sqrt(8)) },
  { policy: 'static', chiplets: 1, speed_up: 1 },
  { policy: 'static', chiplets: 4, speed_up: expect.closeTo(2) },
];

/** Submits a study and finishes its units. */
async function finishStudy(engine: WorkEngine): Promise<string> {
  const id = randomUUID();
  await engine.submit({
    id,
    tenant: { name: 'a', weight: 1, maxQueuedUnits: 100 },
    workClass: 'study',
    version: '1',
    title: '',
    request: {},
    idempotencyKey: null,
    units: [0, 1, 2].map((i) => ({ key: unitKeyOf({ id, i }), blob: 'b' })),
  });
  const failure = { code: 'MODEL_INVALID', message: 'no scene' };
  for (;;) {
    const cell = { cell: 'one', version: '1', classes: ['study'], heldBlobs: [], targetMs: 1000 };
    const chunk = await engine.claim(cell as never);
    if (chunk === null) return id;
    const outcomes = chunk.units.map(({ position, key }) => ({
      position,
      key,
      result: position < 2 ? { digest: key, summary: {} } : failure,
      isDetermined: true,
      rows: UNITS[position] ?? [],
      wallMs: 1,
    }));
    await engine.finish('one', chunk.id, outcomes);
  }
}

/** Runs statements with `psql`, as a reader would, and returns the rows of the last one. */
function runPsql(url: string, statements: readonly string[]): object[] {
  const commands = statements.flatMap((statement) => ['-c', statement]);
  const options = ['--csv', '--quiet', '--no-psqlrc', '-v', 'ON_ERROR_STOP=1'];
  const psql = join(POSTGRES_PROGRAMS!, 'psql');
  const output = execFileSync(psql, [url, ...options, ...commands], { encoding: 'utf8' });
  return readRecords(parseCsv(output)).map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, text]) => [
        name,
        /^[\d.]+$/.test(text) ? Number(text) : text,
      ]),
    ),
  );
}

describe('docs/how-to/query-a-study.md', { timeout: 120_000 }, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tessera-queries-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const plain = (rows: readonly object[]) => rows.map((row) => ({ ...row }));

  it.skipIf(POSTGRES_PROGRAMS === null)('has queries for PostgreSQL', async () => {
    const server = await PostgresServer.start();
    try {
      const engine = await openEngine(server.url, () => {});
      const study = await finishStudy(engine);
      const [means, fastest, failed, grants] = queriesOf('A cluster on PostgreSQL', study);
      const ask = (...statements: string[]) => runPsql(server.url, statements);
      expect(ask(means!)).toEqual(MEANS);
      expect(ask(fastest!)).toEqual([
        { scene: 'box', policy: 'dynamic', chiplets: 4, cycles: 959 },
        { scene: 'duck', policy: 'dynamic', chiplets: 4, cycles: 1959 },
      ]);
      expect(ask(failed!)).toEqual([{ code: 'MODEL_INVALID', example: 'no scene', units: 1 }]);
      expect(ask('CREATE ROLE reader', grants!, 'SET ROLE reader', means!)).toEqual(MEANS);
      await engine.close();
    } finally {
      await server.stop();
    }
  });

  it('has a query for a cluster on SQLite, while the engine is open', async () => {
    const path = join(folder, 'engine.db');
    const engine = await openEngine(`sqlite:${path}`, () => {});
    const study = await finishStudy(engine);
    const [means] = queriesOf('A cluster on SQLite', study);
    const reader = new DatabaseSync(path, { readOnly: true });
    expect(plain(reader.prepare(means!).all())).toEqual(MEANS);
    reader.close();
    await engine.close();
  });

  it('has a query for the journal of a service that is stopped', () => {
    const path = join(folder, 'journal.sqlite');
    const database = new Database(path);
    database.run(
      `INSERT INTO studies (id, submitted_ms, status, request) VALUES ('s', 0, 'done', '{}')`,
    );
    for (const [position, rows] of UNITS.entries()) {
      const insert = `INSERT INTO study_measurements VALUES ('s', ?, 1, ?)`;
      database.run(insert, position, JSON.stringify(rows));
    }
    database.close();
    const [means] = queriesOf('A service on one machine', 's');
    const reader = new DatabaseSync(path, { readOnly: true });
    expect(plain(reader.prepare(means!).all())).toEqual(MEANS);
    reader.close();
  });
});
