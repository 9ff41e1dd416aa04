/** Studies in the journal: their requests and their rows so far. */

import { randomUUID } from 'node:crypto';
import { type ErrorCode, RenderError } from '@tessera/frame';
import { countPoints, type StudyRequest, type StudyRow, upgradeRow } from '@tessera/study';
import { ADDRESS_PREFIX, accountOf, NO_CLIENT } from '../config/clients.ts';
import { upgradeOptions } from '../frames/frame-rows.ts';
import type { EventLog } from '../observe/event-log.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Database, Row } from '../store/database.ts';
import { readStored } from '../store/stored-row.ts';
import type { PointRows } from './row-page.ts';
import { type StoredRequest, upgradeRequest } from './upgrade-request.ts';

/** Statuses of a study. */
export const STUDY_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
/** Status of a study. */
export type StudyStatus = (typeof STUDY_STATUSES)[number];

/** Source of a study's frames, with the options that the study does not sweep. */
export interface StudySubject {
  readonly title: string;
  readonly source: FrameSource;
  readonly options: FrameOptions;
}

/** Stored study. */
export interface StudyRecord {
  readonly id: string;
  readonly submittedAt: Date;
  readonly request: StudyRequest;
  /** Client that posted the study; empty if an earlier version admitted it. */
  readonly client: string;
  readonly status: StudyStatus;
  readonly pointCount: number;
  readonly pointsDone: number;
  /** Wall time of the finished points, in milliseconds. */
  readonly measuredMs: number;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
}

/** Services of a {@link StudyStore}. */
export interface StudyStoreOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly events: EventLog;
}

/** All stored studies. */
export class StudyStore {
  readonly #options: StudyStoreOptions;

  constructor(options: StudyStoreOptions) {
    this.#options = options;
  }

  /** Admits a study. It is in the journal when this returns. */
  add(
    request: StudyRequest,
    subjects: readonly StudySubject[],
    client: string = NO_CLIENT,
  ): StudyRecord {
    const { database, blobs } = this.#options;
    const id = randomUUID();
    database.commit(() => {
      for (const { source } of subjects) {
        blobs.use(ownerOf(id), source.files, accountOf(client));
      }
      database.run(
        `INSERT INTO studies (id, submitted_ms, status, request, client) VALUES (?, ?, 'running', ?, ?)`,
        id,
        Date.now(),
        JSON.stringify({ request, subjects }),
        client,
      );
    });
    this.#publish(id);
    return this.get(id)!;
  }

  get(id: string): StudyRecord | undefined {
    return readStored(`studies, ${id}`, () => {
      const row = this.#options.database.first(`${SELECT} WHERE id = ?`, id);
      return row === undefined ? undefined : readRow(row);
    });
  }

  /** Returns the ids of the newest studies, newest first. */
  ids(limit: number): string[] {
    return this.#options.database
      .all('SELECT id FROM studies ORDER BY number DESC LIMIT ?', limit)
      .map(({ id }) => String(id));
  }

  /** Returns the subjects of a study, by index of the frame in its request. */
  subjects(id: string): readonly StudySubject[] {
    const sql = `SELECT json_extract(request, '$.subjects') AS subjects FROM studies WHERE id = ?`;
    return readStored(`studies, ${id}`, () => {
      const row = this.#options.database.first(sql, id);
      const subjects = JSON.parse(String(row?.subjects)) as StudySubject[]; // `add` wrote it.
      return subjects.map((subject) => ({ ...subject, options: upgradeOptions(subject.options) }));
    });
  }

  /** Returns the unfinished studies, oldest first. */
  unfinished(): StudyRecord[] {
    return readStored('studies', () =>
      this.#options.database.all(`${SELECT} WHERE status = 'running' ORDER BY number`).map(readRow),
    );
  }

  /**
   * Yields the rows of finished points as JSON lists, in the order of the points. A list has the
   * rows of one point, or of several with about LIST_CHARACTERS together.
   *
   * @throws {RenderError} NOT_FOUND if the study is deleted before the last list, because a reader
   *   would take the rows so far for all rows.
   */
  *rowsJson(id: string): Generator<string, void> {
    const sql = `SELECT position, rows FROM study_measurements
      WHERE study_id = ? AND position > ? ORDER BY position LIMIT ?`;
    for (let position = -1, limit = 1; ; ) {
      const found = this.#options.database.all(sql, id, position, limit);
      if (found.length === 0) return this.#requireExisting(id);
      position = Number(found.at(-1)!.position);
      const lists = found.map(({ rows }) =>
        readStored(`study_measurements, ${id}`, () => upgradeRows(String(rows))),
      );
      const longest = Math.max(...lists.map((list) => list.length));
      limit = Math.max(1, Math.floor(LIST_CHARACTERS / longest));
      const contents = lists.map((list) => list.slice(1, -1)).filter((content) => content !== '');
      if (contents.length > 0) yield `[${contents.join(',')}]`;
    }
  }

  /**
   * Returns the rows of the finished points from one position to before another.
   *
   * @throws {RenderError} NOT_FOUND if the study was deleted.
   */
  rowsOfPoints(id: string, first: number, end: number): PointRows[] {
    const sql = `SELECT position, rows FROM study_measurements
      WHERE study_id = ? AND position >= ? AND position < ? ORDER BY position`;
    this.#requireExisting(id);
    return readStored(`study_measurements, ${id}`, () =>
      this.#options.database.all(sql, id, first, end).map(({ position, rows }) => ({
        position: Number(position),
        // `keepRows` wrote it.
        rows: JSON.parse(upgradeRows(String(rows))) as Partial<StudyRow>[],
      })),
    );
  }

  /** Yields the rows of finished points in the lists of {@link rowsJson}. */
  *rowsByPoint(id: string): Generator<readonly StudyRow[], void> {
    // `keepRows` wrote it. Rows of earlier versions lack fields, which no caller needs.
    for (const json of this.rowsJson(id)) {
      yield readStored(`study_measurements, ${id}`, () => JSON.parse(json) as StudyRow[]);
    }
  }

  /** Returns the positions of the finished points. */
  positions(id: string): Set<number> {
    const done = this.#options.database.all(
      'SELECT position FROM study_measurements WHERE study_id = ?',
      id,
    );
    return new Set(done.map((row) => Number(row.position)));
  }

  keepRows(id: string, position: number, wallMs: number, rows: readonly StudyRow[]): void {
    // A point that a resumed study renders again has the same rows.
    const insert = 'INSERT INTO study_measurements VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
    this.#options.database.run(insert, id, position, wallMs, JSON.stringify(rows));
    this.#publish(id);
  }

  finish(id: string, status: StudyStatus, error: StudyRecord['error']): void {
    const { database, blobs } = this.#options;
    const used = database.commitFreeing(() => {
      database.run(
        `UPDATE studies SET status = ?, finished_ms = ?, error_code = ?, error_message = ?,
           client = iif(instr(client, ?) = 1, '', client) WHERE id = ?`,
        status,
        Date.now(),
        error?.code ?? null,
        error?.message ?? null,
        // Only a study that takes turns needs its address.
        ADDRESS_PREFIX,
        id,
      );
      return blobs.dropUser(ownerOf(id));
    });
    blobs.removeUnused(used);
    this.#publish(id);
  }

  /** Deletes a finished study. */
  delete(id: string): void {
    const { database } = this.#options;
    database.commitFreeing(() => database.run('DELETE FROM studies WHERE id = ?', id));
  }

  #requireExisting(id: string): void {
    const row = this.#options.database.first('SELECT 1 FROM studies WHERE id = ?', id);
    if (row === undefined) throw new RenderError('NOT_FOUND', `study ${id} was deleted`);
  }

  #publish(id: string): void {
    this.#options.events.publish('study', id, this.get(id));
  }
}

/** Length of the JSON of rows that are read at once: about 60 rows. */
const LIST_CHARACTERS = 2 ** 16;

/** All columns but the subjects, because a subject may name thousands of files. */
const SELECT = `SELECT id, submitted_ms, client, status, error_code, error_message,
  json_extract(request, '$.request') AS request,
  points_done, measured_ms FROM studies`;

function ownerOf(id: string): string {
  return `study:${id}`;
}

/** Returns the rows of a point with the names of this version. */
function upgradeRows(json: string): string {
  // Only version 0.1 wrote this name.
  if (!json.includes('"speedup":')) return json;
  return JSON.stringify((JSON.parse(json) as Parameters<typeof upgradeRow>[0][]).map(upgradeRow));
}

/** Converts a row, which {@link StudyStore} wrote. */
function readRow(row: Row): StudyRecord {
  // StudyStore.add wrote it.
  const request = upgradeRequest(JSON.parse(String(row.request)) as StoredRequest);
  const { error_code: code, error_message: message } = row;
  return {
    id: String(row.id),
    submittedAt: new Date(Number(row.submitted_ms)),
    request,
    client: String(row.client),
    status: row.status as StudyStatus,
    pointCount: countPoints(request),
    pointsDone: Number(row.points_done),
    measuredMs: Number(row.measured_ms),
    error: code === null ? null : { code: code as ErrorCode, message: String(message) },
  };
}
