/**
 * Reports of finished frames. They are in the journal and may be megabytes, so most readers read
 * them in pieces.
 */
import { type Coupling, RenderError, type SpecSummary } from '@tessera/frame';
import type { Database } from '../store/database.ts';
import { readStored } from '../store/stored-row.ts';

/** Bytes of a report read from the journal per turn of the event loop. */
const PIECE_BYTES = 2 ** 19;

/** Fields of a frame's report. */
export interface ReportSummary {
  readonly spec: SpecSummary;
  readonly coupling: Coupling;
  readonly retriedBins: number;
}

/** Reader of reports. */
export class FrameReports {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the report of a frame that had a result before.
   *
   * @throws {RenderError} NOT_FOUND if the frame was deleted meanwhile.
   */
  require(id: string): string {
    const json = this.json(id);
    if (json === null) throw new RenderError('NOT_FOUND', `frame ${id} was deleted`);
    return json;
  }

  /** Returns the report of a finished frame as JSON, or null if it has none. */
  json(id: string): string | null {
    const row = this.#database.first('SELECT report FROM frames WHERE id = ?', id);
    return typeof row?.report === 'string' ? row.report : null;
  }

  /** Returns the number of bytes of a frame's report, or null if it has none. */
  bytes(id: string): number | null {
    const sql = 'SELECT octet_length(report) AS bytes FROM frames WHERE id = ?';
    const bytes = this.#database.first(sql, id)?.bytes;
    return typeof bytes === 'number' ? bytes : null;
  }

  /**
   * Yields the report of a finished frame in pieces.
   *
   * @throws {RenderError} NOT_FOUND if it is deleted meanwhile.
   */
  *pieces(id: string, totalBytes: number): Generator<Uint8Array, void> {
    const sql = 'SELECT substr(CAST(report AS BLOB), ?, ?) AS piece FROM frames WHERE id = ?';
    for (let at = 0; at < totalBytes; at += PIECE_BYTES) {
      const row = this.#database.first(sql, at + 1, PIECE_BYTES, id);
      if (!(row?.piece instanceof Uint8Array)) {
        throw new RenderError('NOT_FOUND', `frame ${id} was deleted`);
      }
      yield row.piece;
    }
  }

  /**
   * Returns the specification, the coupling and the retried bins from a frame's report, or null if
   * it has none.
   *
   * @throws {DatabaseError} If the report is damaged.
   */
  summary(id: string): ReportSummary | null {
    return readStored(`frames, ${id}`, () => this.#summary(id));
  }

  #summary(id: string): ReportSummary | null {
    const row = this.#database.first(
      `SELECT json_extract(report, '$.spec') AS spec,
              json_extract(report, '$.coupling') AS coupling, json_extract(report, '$.wall.retriedBins') AS retried_bins
         FROM frames WHERE id = ? AND report IS NOT NULL`,
      id,
    );
    if (row === undefined) return null;
    return {
      spec: JSON.parse(String(row.spec)) as SpecSummary, // FrameStore.finish wrote it.
      // Reports of earlier versions have no coupling.
      coupling: row.coupling === 'exact' ? 'exact' : 'none',
      retriedBins: Number(row.retried_bins),
    };
  }
}
