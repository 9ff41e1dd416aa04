/** Reports of finished frames. They are in the journal, and may be megabytes: most readers take them piece by piece. */
import { RenderError, type SpecSummary } from '@tessera/frame';
import type { Database } from '../store/database.ts';

/** Bytes of a report that are read from the journal in one turn of the event loop. */
const PIECE_BYTES = 2 ** 19;

export class FrameReports {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The report of a finished frame as JSON, or null without one. */
  json(id: string): string | null {
    const row = this.#database.first('SELECT report FROM frames WHERE id = ?', id);
    return typeof row?.report === 'string' ? row.report : null;
  }

  /** The number of bytes of the report of a finished frame; null without one. */
  bytes(id: string): number | null {
    const sql = 'SELECT octet_length(report) AS bytes FROM frames WHERE id = ?';
    const bytes = this.#database.first(sql, id)?.bytes;
    return typeof bytes === 'number' ? bytes : null;
  }

  /** Yields the report of a finished frame in pieces. @throws {RenderError} NOT_FOUND if it is deleted meanwhile. */
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

  /** Specification and retried bins of a finished frame, of its report; null without one. */
  summary(id: string): { readonly spec: SpecSummary; readonly retriedBins: number } | null {
    const row = this.#database.first(
      `SELECT json_extract(report, '$.spec') AS spec, json_extract(report, '$.wall.retriedBins') AS retried_bins
         FROM frames WHERE id = ? AND report IS NOT NULL`,
      id,
    );
    if (row === undefined) return null;
    return {
      spec: JSON.parse(String(row.spec)) as SpecSummary, // as FrameStore.finish wrote it
      retriedBins: Number(row.retried_bins),
    };
  }
}
