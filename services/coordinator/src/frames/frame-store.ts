/**
 * Frames of the coordinator. Unfinished frames are in memory and in the journal. Finished frames
 * are rows of the journal, with images and timelines in files. When they exceed an age, a number or
 * a total size, the oldest is deleted.
 */
import { randomUUID } from 'node:crypto';
import { RenderError, type Sha256 } from '@tessera/frame';
import { ADDRESS_PREFIX, accountOf, NO_CLIENT } from '../config/clients.ts';
import type { EventLog } from '../observe/event-log.ts';
import { startTrace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import { nextTurn } from '../process/event-loop-turn.ts';
import type { BlobStore, StoredBlob } from '../store/blob-store.ts';
import type { Database } from '../store/database.ts';
import { writeMeasurement } from '../store/measurement-file.ts';
import { type FrameProgress, ProgressJournal } from '../store/progress-journal.ts';
import type { RetentionClock } from '../store/retention-clock.ts';
import {
  type Admission,
  type FrameChanges,
  type FrameEnd,
  type FrameRecord,
  type FrameResult,
  type FrameStatus,
  type FrameSummary,
  filesOf,
  type Labels,
  type RenderedResult,
  type UnfinishedFrame,
} from './frame-record.ts';
import { FrameReports } from './frame-reports.ts';
import {
  FRAME_COLUMNS,
  readError,
  readFrame,
  readResult,
  readSummary,
  SUMMARY_COLUMNS,
} from './frame-rows.ts';

/** Limits of the finished frames that are kept. */
export interface Retention {
  readonly maxFrames: number;
  /** Bytes of files and reports. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** Filter of a list of frames, which is sorted newest first. */
export interface FrameFilter {
  readonly status?: FrameStatus | undefined;
  readonly policy?: string | undefined;
  /** Earliest time of submission, in milliseconds since 1970. */
  readonly fromMs?: number | undefined;
  /** Part of the name, of a tag, or of the kind and size of the file. */
  readonly search?: string | undefined;
  /** Tag that the frame has. */
  readonly tag?: string | undefined;
  /** Number of a frame; only earlier ones are listed. */
  readonly beforeNumber?: number | undefined;
  readonly limit: number;
}

/** Page of a list of frames. */
export interface FramePage {
  /** Frames, each read when it is iterated, because a row may be megabytes. */
  readonly frames: Iterable<FrameSummary>;
  /** `beforeNumber` of the next page; null on the last one. */
  readonly nextBefore: number | null;
}

/** Services and limits of a {@link FrameStore}. */
export interface FrameStoreOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly events: EventLog;
  readonly retention: Retention;
  /** Clock that determines the age of frames. */
  readonly clock: Pick<RetentionClock, 'readMs'>;
}

type Live = { -readonly [Field in keyof FrameRecord]: FrameRecord[Field] };

/** All frames that the coordinator stores. */
export class FrameStore {
  /** Reports of finished frames. */
  readonly reports: FrameReports;
  readonly #options: FrameStoreOptions;
  readonly #progress: ProgressJournal;
  /** Unfinished frames. */
  readonly #liveById = new Map<string, Live>();
  readonly #overById = new Map<string, AbortController>();
  /** Clients of unfinished frames. */
  readonly #clientById = new Map<string, string>();
  /**
   * Number of finished frames. Kept here because a query would read past all reports, which are
   * stored first in their rows.
   */
  #endedCount: number;
  #reportBytes: number;

  constructor(options: FrameStoreOptions) {
    this.#options = options;
    this.reports = new FrameReports(options.database);
    this.#progress = new ProgressJournal(options.database);
    const sums = options.database.first(
      `SELECT count(*) AS count, total(report_bytes) AS bytes FROM frames WHERE finished_ms IS NOT NULL`,
    );
    this.#endedCount = Number(sums?.count);
    this.#reportBytes = Number(sums?.bytes);
  }

  /**
   * Admits a frame whose files the caller holds. When this returns, the frame is in the journal and
   * will be rendered even if this process ends.
   */
  add(admission: Admission, options: FrameOptions, warnings: readonly string[]): FrameRecord {
    const { database, blobs } = this.#options;
    const record: Live = {
      id: randomUUID(),
      submittedAt: new Date(),
      name: admission.name,
      tags: admission.tags ?? [],
      model: admission.model,
      traceId: (admission.trace ?? startTrace()).traceId,
      source: admission.source,
      options,
      status: 'queued',
      phase: 'waiting',
      binsDone: 0,
      binCount: 0,
      warnings,
      result: null,
      error: null,
    };
    const { idempotency, client = NO_CLIENT } = admission;
    database.commit(() => {
      blobs.use(ownerOf(record.id), admission.source.files, accountOf(client));
      database.run(
        `INSERT INTO frames (id, submitted_ms, status, name, tags, model, policy, options, source, warnings,
           bins_done, bin_count, report_bytes, idempotency_key, fingerprint, trace_id, client)
         VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?, ?, ?, ?)`,
        record.id,
        record.submittedAt.getTime(),
        record.name,
        JSON.stringify(record.tags),
        record.model,
        options.policy,
        JSON.stringify(options),
        JSON.stringify(record.source),
        JSON.stringify(warnings),
        idempotency?.key ?? null,
        idempotency?.fingerprint ?? null,
        record.traceId,
        client,
      );
    });
    this.#enliven(record, client);
    this.#publish(record);
    return record;
  }

  /** Records whether a frame is in progress; see {@link ProgressJournal.note}. */
  noteProgress({ id }: FrameRecord, progress: FrameProgress): void {
    this.#progress.note(id, progress);
  }

  /** Records an orderly stop, which counts against no frame. */
  noteStop(): void {
    this.#progress.noteStop();
  }

  /**
   * Returns the frames that an earlier process did not finish, oldest first. They are live from
   * then on.
   */
  takeUnfinished(): UnfinishedFrame[] {
    this.#progress.blameUnseenEnd();
    const rows = this.#options.database.all(
      `SELECT ${FRAME_COLUMNS}, client, is_suspect, ends_alone FROM frames WHERE status IN ('queued', 'running')
         ORDER BY number`,
    );
    return rows.map((row) => {
      const record: Live = { ...readFrame(row) };
      const client = String(row.client);
      this.#enliven(record, client);
      return { record, client, isSuspect: row.is_suspect === 1, endsAlone: Number(row.ends_alone) };
    });
  }

  /**
   * Returns a signal that is aborted when the frame finishes, or null if no unfinished frame has
   * this id.
   */
  overSignal(id: string): AbortSignal | null {
    return this.#overById.get(id)?.signal ?? null;
  }

  /** Returns the client that posted a frame; empty if it has none or the frame is unknown. */
  clientOf(id: string): string {
    const live = this.#clientById.get(id);
    if (live !== undefined) return live;
    const row = this.#options.database.first('SELECT client FROM frames WHERE id = ?', id);
    return row === undefined ? NO_CLIENT : String(row.client);
  }

  #enliven(record: Live, client: string): void {
    this.#clientById.set(record.id, client);
    this.#liveById.set(record.id, record);
    this.#overById.set(record.id, new AbortController());
  }

  get(id: string): FrameRecord | undefined {
    const live = this.#liveById.get(id);
    if (live !== undefined) return live;
    const row = this.#options.database.first(
      `SELECT ${FRAME_COLUMNS} FROM frames WHERE id = ?`,
      id,
    );
    return row === undefined ? undefined : readFrame(row);
  }

  /** Returns the frame that was admitted with a key, and the fingerprint of its request. */
  findByKey(key: string): { readonly record: FrameRecord; readonly fingerprint: Sha256 } | null {
    const { database } = this.#options;
    const row = database.first(
      `SELECT ${FRAME_COLUMNS} FROM frames WHERE idempotency_key = ?`,
      key,
    );
    if (row === undefined) return null;
    const record = this.#liveById.get(String(row.id)) ?? readFrame(row);
    return { record, fingerprint: String(row.fingerprint) };
  }

  /** Whether the store has a frame of any status. */
  has(id: string): boolean {
    if (this.#liveById.has(id)) return true;
    return this.#options.database.first('SELECT 1 FROM frames WHERE id = ?', id) !== undefined;
  }

  /** Whether a frame is unfinished. Reads only memory. */
  isLive(id: string): boolean {
    return this.#liveById.has(id);
  }

  /**
   * Returns the result or error of a finished frame; undefined for an unknown or unfinished one.
   */
  outcome(id: string): Pick<FrameRecord, 'result' | 'error'> | undefined {
    const sql = `SELECT id, result, error_code, error_message FROM frames
      WHERE id = ? AND finished_ms IS NOT NULL`;
    const row = this.#options.database.first(sql, id);
    return row === undefined ? undefined : { result: readResult(row), error: readError(row) };
  }

  list(filter: FrameFilter): FramePage {
    const conditions = ['number < ?', 'submitted_ms >= ?'];
    const values: (string | number)[] = [
      filter.beforeNumber ?? Number.MAX_SAFE_INTEGER,
      filter.fromMs ?? 0,
    ];
    const add = (condition: string, value: string | undefined) => {
      if (value === undefined) return;
      conditions.push(condition);
      values.push(value);
    };
    // The journal stores a running frame as queued.
    if (filter.status === 'running' || filter.status === 'queued') {
      const ids = [...this.#liveById.values()]
        .filter(({ status }) => status === filter.status)
        .map(({ id }) => id);
      add('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
    } else {
      add('status = ?', filter.status);
    }
    add('policy = ?', filter.policy);
    add('EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)', filter.tag);
    add(`instr(lower(name || char(10) || model || char(10) || tags), lower(?)) > 0`, filter.search);
    const rows = this.#options.database.all(
      `SELECT number, id FROM frames WHERE ${conditions.join(' AND ')} ORDER BY number DESC LIMIT ?`,
      ...values,
      filter.limit + 1,
    );
    const shown = rows.slice(0, filter.limit);
    return {
      frames: this.#summaries(shown.map(({ id }) => String(id))),
      nextBefore: rows.length > filter.limit ? Number(shown.at(-1)?.number) : null,
    };
  }

  *#summaries(ids: readonly string[]): Generator<FrameSummary, void> {
    const sql = `SELECT ${SUMMARY_COLUMNS} FROM frames WHERE id = ?`;
    for (const id of ids) {
      const row = this.#liveById.has(id) ? undefined : this.#options.database.first(sql, id);
      const frame = this.#liveById.get(id) ?? (row === undefined ? undefined : readSummary(row));
      if (frame !== undefined) yield frame;
    }
  }

  /** Changes the name or tags of a frame. */
  label(record: FrameRecord, changes: Partial<Labels>): FrameRecord {
    const { name, tags } = { ...record, ...changes };
    this.#options.database.commit(() =>
      this.#options.database.run(
        'UPDATE frames SET name = ?, tags = ? WHERE id = ?',
        name,
        JSON.stringify(tags),
        record.id,
      ),
    );
    const live = this.#liveById.get(record.id);
    const labelled =
      live === undefined ? { ...record, name, tags } : Object.assign(live, { name, tags });
    this.#publish(labelled);
    return labelled;
  }

  /** Updates the progress of a frame. */
  update(record: FrameRecord, changes: FrameChanges): void {
    const live = this.#liveById.get(record.id);
    if (live === undefined) return;
    const { status, phase } = live;
    Object.assign(live, changes);
    if (live.status !== status || live.phase !== phase) this.#publish(live);
  }

  /**
   * Writes the result of a frame to files, which are held until {@link finish}.
   *
   * @throws {RenderError} STORAGE_FULL.
   */
  async keepResult(rendered: RenderedResult): Promise<FrameResult> {
    const { blobs } = this.#options;
    const held: StoredBlob[] = [];
    const write = async (bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredBlob> => {
      const blob = await (bytes instanceof Uint8Array
        ? blobs.write(bytes)
        : blobs.writeStream(bytes, Number.POSITIVE_INFINITY));
      held.push(blob);
      return blob;
    };
    try {
      const image = await write(rendered.png);
      const targets: StoredBlob[] = [];
      for (const png of rendered.targetPngs) targets.push(await write(png));
      const timeline =
        rendered.timelineJson === null ? null : await write(inTurns(rendered.timelineJson));
      const measurement = await write(inTurns(writeMeasurement(rendered.measurement)));
      const imageSha256 = rendered.report.image.sha256;
      const frameSha256 = rendered.report.frame.sha256;
      return { image, targets, timeline, measurement, imageSha256, frameSha256 };
    } catch (error) {
      blobs.release(held);
      throw error;
    }
  }

  /**
   * Records the outcome of a frame in the journal, then deletes frames beyond the limits.
   *
   * @throws {RenderError} STORAGE_FULL. The frame is then unchanged, and the call may be repeated.
   */
  finish(record: FrameRecord, end: FrameEnd): void {
    const { database, blobs } = this.#options;
    const live = this.#liveById.get(record.id);
    if (live === undefined) throw new Error(`frame ${record.id}: already finished`);
    const result = end.status === 'done' ? end.result : null;
    const error = end.status === 'done' ? null : end.error;
    const files = result === null ? [] : filesOf(result);
    const report = end.status === 'done' ? JSON.stringify(end.report) : null;
    const enter = () => {
      blobs.use(ownerOf(live.id), files, accountOf(this.clientOf(live.id)));
      database.run(
        `UPDATE frames SET finished_ms = ?, status = ?, warnings = ?, bins_done = ?, bin_count = ?,
           error_code = ?, error_message = ?, result = ?, report = ?, report_bytes = ?, progress = 0,
           client = iif(instr(client, ?) = 1, '', client) WHERE id = ?`,
        Date.now(),
        end.status,
        JSON.stringify(live.warnings),
        live.binsDone,
        live.binCount,
        error?.code ?? null,
        error?.message ?? null,
        result === null ? null : JSON.stringify(result),
        report,
        report?.length ?? 0,
        // Only a frame that waits for its turn needs its address.
        ADDRESS_PREFIX,
        live.id,
      );
    };
    if (end.status === 'done') database.commit(enter);
    else database.commitFreeing(enter);
    this.#endedCount++;
    this.#reportBytes += report?.length ?? 0;
    Object.assign(live, { phase: 'over', status: end.status, result, error });
    this.#liveById.delete(live.id);
    this.#overById.get(live.id)?.abort();
    this.#overById.delete(live.id);
    this.#clientById.delete(live.id);
    blobs.release(files);
    this.#publish(live);
    this.deleteOld();
  }

  /**
   * Records that an unfinished frame was cancelled.
   *
   * @throws {RenderError} STORAGE_FULL.
   */
  cancel(record: FrameRecord): void {
    const error = { code: 'FRAME_CANCELLED', message: 'the frame was cancelled' } as const;
    this.finish(record, { status: 'cancelled', error });
  }

  /** Releases the files of a result that will not be recorded. */
  dropResult(result: FrameResult): void {
    this.#options.blobs.release(filesOf(result));
  }

  /** Deletes a finished frame. */
  delete(id: string): void {
    const { database, blobs } = this.#options;
    const row = database.first(
      'SELECT report_bytes FROM frames WHERE id = ? AND finished_ms IS NOT NULL',
      id,
    );
    if (row === undefined) return;
    const used = database.commitFreeing(() => {
      database.run('DELETE FROM frames WHERE id = ?', id);
      return blobs.dropUser(ownerOf(id));
    });
    this.#endedCount--;
    this.#reportBytes -= Number(row.report_bytes);
    blobs.removeUnused(used);
  }

  /**
   * Deletes finished frames beyond the limits, oldest first. Always keeps the newest one. Deletes
   * nothing if the disk is too full to record it.
   */
  deleteOld(): void {
    try {
      this.#deleteOld();
    } catch (error) {
      if (!(error instanceof RenderError) || error.code !== 'STORAGE_FULL') throw error;
    }
  }

  #deleteOld(): void {
    const { database, blobs, clock, retention } = this.#options;
    const oldestMs = clock.readMs() - retention.maxAgeMs;
    while (this.#endedCount > 1) {
      const oldest = database.first(
        `SELECT id, finished_ms FROM frames WHERE finished_ms IS NOT NULL
           ORDER BY finished_ms, number LIMIT 1`,
      )!;
      const isTooMuch =
        this.#endedCount > retention.maxFrames ||
        blobs.totalBytes + this.#reportBytes > retention.maxBytes ||
        Number(oldest.finished_ms) < oldestMs;
      if (!isTooMuch) break;
      this.delete(String(oldest.id));
    }
  }

  #publish(record: FrameRecord): void {
    const { source: _source, ...summary } = record;
    this.#options.events.publish('frame', record.id, summary satisfies FrameSummary);
  }
}

/** Encodes text whose pieces take long to generate, one per turn of the event loop. */
async function* inTurns(pieces: Iterable<string | Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for (const piece of pieces) {
    yield typeof piece === 'string' ? Buffer.from(piece) : piece;
    await nextTurn();
  }
}

function ownerOf(id: string): string {
  return `frame:${id}`;
}
