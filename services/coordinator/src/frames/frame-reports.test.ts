import { afterEach, describe, expect, it } from 'vitest';
import { openTestStore, removeTestStores } from '../testing/temporary-data-folder.ts';
import { FrameReports } from './frame-reports.ts';

/** Report larger than a piece, with characters of one to four bytes. */
const REPORT = JSON.stringify({
  spec: { name: 'Größe 🐟' },
  bins: new Array(30_000).fill('bin … of a 🐟 size'),
  wall: { retriedBins: 3 },
});

describe('FrameReports', () => {
  afterEach(removeTestStores);

  function storeReport(report: string | null): FrameReports {
    const { database } = openTestStore();
    database.run(
      `INSERT INTO frames (id, submitted_ms, status, model, policy, options, source, warnings, bins_done,
         bin_count, report_bytes, report) VALUES ('a', 0, 'done', '', '', '', '', '', 0, 0, 0, ?)`,
      report,
    );
    return new FrameReports(database);
  }

  it('returns a report unchanged in pieces', () => {
    const reports = storeReport(REPORT);
    const bytes = reports.bytes('a')!;
    expect(bytes).toBe(Buffer.byteLength(REPORT));
    const pieces = [...reports.pieces('a', bytes)];
    expect(pieces.length).toBeGreaterThan(1);
    expect(Buffer.concat(pieces).toString()).toBe(REPORT);
    expect(reports.json('a')).toBe(REPORT);
  });

  it('summarizes a report without parsing it in JavaScript', () => {
    expect(storeReport(REPORT).summary('a')).toEqual({
      spec: { name: 'Größe 🐟' },
      coupling: 'none',
      retriedBins: 3,
    });
  });

  it('returns none for an unknown or unfinished frame', () => {
    const reports = storeReport(null);
    for (const id of ['a', 'b']) {
      expect([reports.bytes(id), reports.json(id), reports.summary(id)]).toEqual([
        null,
        null,
        null,
      ]);
    }
    expect(() => [...reports.pieces('b', 10)]).toThrow('frame b was deleted');
  });
});
