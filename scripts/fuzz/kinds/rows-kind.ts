/**
 * Rows of the journal: an input is JSON with the columns of a frame, a study, its measurements and
 * a specification. They are written to an SQLite file and read through the stores of the
 * coordinator. A damaged row has to be reported as such (DatabaseError), never as a bug.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { FrameStore } from '../../../services/coordinator/src/frames/frame-store.ts';
import { EventLog } from '../../../services/coordinator/src/observe/event-log.ts';
import { SpecStore } from '../../../services/coordinator/src/specs/spec-store.ts';
import { openDataFolder } from '../../../services/coordinator/src/store/data-folder.ts';
import { DatabaseError } from '../../../services/coordinator/src/store/database.ts';
import { StudyStore } from '../../../services/coordinator/src/studies/study-store.ts';
import { mutateJson } from '../mutate/mutate-json.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { refusalCode } from './refusals.ts';
import { ROW_SEEDS } from './rows-seeds.ts';

const RETENTION = { maxFrames: 1000, maxBytes: 2 ** 30, maxAgeMs: 2 ** 40 };
/** Tables in the order in which rows can be written. */
const TABLES = ['frames', 'studies', 'study_measurements', 'specs'] as const;

/** Makes the kind with its undamaged rows. */
export async function rowsKind(): Promise<FuzzKind> {
  const path = mkdtempSync(join(tmpdir(), 'tessera-fuzz-rows-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  const folder = openDataFolder(path);
  const events = new EventLog(1000, 1);
  const parts = { ...folder, events };
  const { database } = folder;
  const frames = new FrameStore({ ...parts, clock: { readMs: Date.now }, retention: RETENTION });
  const [studies, specs] = [new StudyStore(parts), new SpecStore(database)];

  function write(tables: Readonly<Record<string, unknown>>): void {
    for (const table of TABLES.toReversed()) database.run(`DELETE FROM ${table}`);
    for (const table of TABLES) {
      const row = (tables[table] ?? {}) as Readonly<Record<string, unknown>>;
      const names = Object.keys(row);
      const marks = names.map(() => '?').join();
      const values = Object.values(row).map(toSql);
      database.run(`INSERT INTO ${table} (${names.join()}) VALUES (${marks})`, ...values);
    }
  }

  function readAll(): void {
    for (const { id } of frames.list({ limit: 10 }).frames) frames.get(id);
    for (const { id } of database.all('SELECT id FROM frames')) {
      frames.outcome(String(id));
      frames.reports.summary(String(id));
    }
    for (const id of studies.ids(10)) {
      studies.get(id);
      studies.subjects(id);
      studies.positions(id);
      studies.rowsOfPoints(id, 0, 10);
      Array.from(studies.rowsByPoint(id));
    }
    studies.unfinished();
    for (const { name } of specs.list()) specs.require(name, 'spec');
  }

  return {
    seeds: ROW_SEEDS.map((tables) => new TextEncoder().encode(JSON.stringify(tables))),
    mutate: mutateJson,
    follow: (input) => {
      let tables: Readonly<Record<string, unknown>>;
      try {
        tables = JSON.parse(new TextDecoder().decode(input)) as typeof tables;
        database.commit(() => write(tables));
      } catch {
        return 'UNSTORABLE'; // not JSON, or refused by the columns' types
      }
      try {
        readAll();
        return 'read';
      } catch (error) {
        return error instanceof DatabaseError ? 'DAMAGED' : refusalCode(error);
      }
    },
  };
}

/** Returns a value of a column: JSON for what SQL has no type for. */
function toSql(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  return JSON.stringify(value) ?? null;
}
