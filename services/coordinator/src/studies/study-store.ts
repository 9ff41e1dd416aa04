/** Studies in the journal: what was asked for, and what was measured so far. */
import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@tessera/frame';
import { listPoints, type StudyRequest, type StudyRow } from '../compute/study-request.ts';
import type { EventLog } from '../observe/event-log.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Database, Row } from '../store/database.ts';

export const STUDY_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
export type StudyStatus = (typeof STUDY_STATUSES)[number];

/** A model, capture or native frame of a study, with what its frame was asked for beside what is swept. */
export interface StudySubject {
  readonly title: string;
  readonly source: FrameSource;
  readonly options: FrameOptions;
}

export interface StudyRecord {
  readonly id: string;
  readonly submittedAt: Date;
  readonly request: StudyRequest;
  readonly status: StudyStatus;
  readonly pointCount: number;
  readonly pointsDone: number;
  /** Wall time of the points that are done. */
  readonly measuredMs: number;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
}

export interface StudyStoreOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly events: EventLog;
}

export class StudyStore {
  readonly #options: StudyStoreOptions;

  constructor(options: StudyStoreOptions) {
    this.#options = options;
  }

  /** Admits a study; when this returns it is in the journal. */
  add(request: StudyRequest, subjects: readonly StudySubject[]): StudyRecord {
    const { database, blobs } = this.#options;
    const id = randomUUID();
    database.commit(() => {
      for (const { source } of subjects) blobs.use(ownerOf(id), source.files);
      database.run(
        `INSERT INTO studies (id, submitted_ms, status, request) VALUES (?, ?, 'running', ?)`,
        id,
        Date.now(),
        JSON.stringify({ request, subjects }),
      );
    });
    this.#publish(id);
    return this.get(id)!;
  }

  get(id: string): StudyRecord | undefined {
    const row = this.#options.database.first(`${SELECT} WHERE id = ?`, id);
    return row === undefined ? undefined : readRow(row);
  }

  /** Ids of the newest studies, the newest first. */
  ids(limit: number): string[] {
    return this.#options.database
      .all('SELECT id FROM studies ORDER BY number DESC LIMIT ?', limit)
      .map(({ id }) => String(id));
  }

  /** What is rendered for a study, by index of the frame in its request. */
  subjects(id: string): readonly StudySubject[] {
    const sql = `SELECT json_extract(request, '$.subjects') AS subjects FROM studies WHERE id = ?`;
    const row = this.#options.database.first(sql, id);
    return JSON.parse(String(row?.subjects)) as StudySubject[]; // as `add` wrote it
  }

  /** Studies that are not over, oldest first. */
  unfinished(): StudyRecord[] {
    return this.#options.database
      .all(`${SELECT} WHERE status = 'running' ORDER BY number`)
      .map(readRow);
  }

  /** Yields the rows of each point that is done, as a JSON list, in the order of the points. */
  *rowsJson(id: string): Generator<string, void> {
    const sql = `SELECT position, rows FROM study_measurements
      WHERE study_id = ? AND position > ? ORDER BY position LIMIT 1`;
    for (let position = -1; ; ) {
      const row = this.#options.database.first(sql, id, position);
      if (row === undefined) return;
      position = Number(row.position);
      yield String(row.rows);
    }
  }

  /** Yields the rows of each point that is done, in the order of the points. */
  *rowsByPoint(id: string): Generator<readonly StudyRow[], void> {
    for (const json of this.rowsJson(id)) yield JSON.parse(json) as StudyRow[]; // as `keepRows` wrote it
  }

  /** Points that are done. */
  positions(id: string): Set<number> {
    const done = this.#options.database.all(
      'SELECT position FROM study_measurements WHERE study_id = ?',
      id,
    );
    return new Set(done.map((row) => Number(row.position)));
  }

  keepRows(id: string, position: number, wallMs: number, rows: readonly StudyRow[]): void {
    const insert = 'INSERT OR REPLACE INTO study_measurements VALUES (?, ?, ?, ?)';
    this.#options.database.run(insert, id, position, wallMs, JSON.stringify(rows));
    this.#publish(id);
  }

  finish(id: string, status: StudyStatus, error: StudyRecord['error']): void {
    const { database, blobs } = this.#options;
    const used = database.commitFreeing(() => {
      database.run(
        'UPDATE studies SET status = ?, finished_ms = ?, error_code = ?, error_message = ? WHERE id = ?',
        status,
        Date.now(),
        error?.code ?? null,
        error?.message ?? null,
        id,
      );
      return blobs.dropUser(ownerOf(id));
    });
    blobs.removeUnused(used);
    this.#publish(id);
  }

  /** Forgets a study that is over. */
  forget(id: string): void {
    const { database } = this.#options;
    database.commitFreeing(() => database.run('DELETE FROM studies WHERE id = ?', id));
  }

  #publish(id: string): void {
    this.#options.events.publish('study', id, this.get(id));
  }
}

/** All but the subjects: a subject may name thousands of files. */
const SELECT = `SELECT id, submitted_ms, status, error_code, error_message,
  json_extract(request, '$.request') AS request,
  (SELECT count(*) FROM study_measurements WHERE study_id = studies.id) AS points_done,
  (SELECT total(wall_ms) FROM study_measurements WHERE study_id = studies.id) AS measured_ms
  FROM studies`;

function ownerOf(id: string): string {
  return `study:${id}`;
}

/** What the journal holds was written by {@link StudyStore}. */
function readRow(row: Row): StudyRecord {
  const request = JSON.parse(String(row.request)) as StudyRequest;
  const { error_code: code, error_message: message } = row;
  return {
    id: String(row.id),
    submittedAt: new Date(Number(row.submitted_ms)),
    request,
    status: row.status as StudyStatus,
    pointCount: listPoints(request).length,
    pointsDone: Number(row.points_done),
    measuredMs: Number(row.measured_ms),
    error: code === null ? null : { code: code as ErrorCode, message: String(message) },
  };
}
