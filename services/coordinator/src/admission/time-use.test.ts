import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Database } from '../store/database.ts';
import { makeTemporaryFolder, removeTestStores } from '../testing/temporary-data-folder.ts';
import { SLOTS, TimeUse } from './time-use.ts';

afterEach(removeTestStores);

const PERIOD_SECONDS = 600;
const SLOT_MS = (PERIOD_SECONDS * 1000) / SLOTS;
const CLIENTS = [
  { name: 'a', periodSeconds: PERIOD_SECONDS },
  { name: 'b', periodSeconds: PERIOD_SECONDS },
];

interface Charge {
  readonly client: string;
  readonly atMs: number;
  readonly seconds: number;
}

/** Returns the seconds of a client since a time. */
function sumSince(charges: readonly Charge[], client: string, sinceMs: number): number {
  return charges
    .filter((charge) => charge.client === client && charge.atMs > sinceMs)
    .reduce((sum, { seconds }) => sum + seconds, 0);
}

describe('TimeUse', () => {
  it('is the sum of the window, and at most one slot more, through restarts', () => {
    const path = join(makeTemporaryFolder(), 'journal.sqlite');
    let nowMs = 1_700_000_000_000;
    let database = new Database(path);
    let use = new TimeUse(database, CLIENTS, () => nowMs);
    const charges: Charge[] = [];
    for (let i = 0; i < 3000; i++) {
      nowMs += (i * 7919) % 5000;
      const client = i % 3 === 0 ? 'b' : 'a';
      const seconds = ((i * 31) % 100) / 64; // Exact in binary.
      charges.push({ client, atMs: nowMs, seconds });
      use.add(client, 'chipletSeconds', seconds);
      if (i % 250 === 249) {
        database.close();
        database = new Database(path);
        use = new TimeUse(database, CLIENTS, () => nowMs);
      }
      for (const name of ['a', 'b']) {
        const used = use.used(name, 'chipletSeconds');
        const periodMs = PERIOD_SECONDS * 1000;
        expect(used).toBeGreaterThanOrEqual(sumSince(charges, name, nowMs - periodMs));
        expect(used).toBeLessThanOrEqual(sumSince(charges, name, nowMs - periodMs - SLOT_MS));
      }
      expect(use.used('a', 'prepareSeconds')).toBe(0);
    }
    // Old slots leave the journal, too.
    const rows = Number(database.first('SELECT count(*) AS n FROM client_seconds')?.n);
    expect(rows).toBeLessThanOrEqual(2 * (SLOTS + 2));
    database.close();
  });

  it('says when the use is below a limit again, and is, and was not a second before', () => {
    const database = new Database(join(makeTemporaryFolder(), 'journal.sqlite'));
    let nowMs = 1_700_000_000_000;
    const use = new TimeUse(database, CLIENTS, () => nowMs);
    for (const seconds of [3, 1, 4, 1, 5]) {
      use.add('a', 'prepareSeconds', seconds);
      nowMs += 40_000;
    }
    for (const limit of [14, 10.5, 9, 2]) {
      const waitSeconds = use.secondsUntilBelow('a', 'prepareSeconds', limit);
      expect(use.used('a', 'prepareSeconds')).toBeGreaterThanOrEqual(limit);
      nowMs += (waitSeconds - 1) * 1000;
      expect(use.used('a', 'prepareSeconds')).toBeGreaterThanOrEqual(limit);
      nowMs += 1000;
      expect(use.used('a', 'prepareSeconds')).toBeLessThan(limit);
    }
    database.close();
  });

  it('counts nothing for clients without tokens, and keeps what a full disk refused', () => {
    const database = new Database(join(makeTemporaryFolder(), 'journal.sqlite'));
    const use = new TimeUse(database, CLIENTS, () => 1_700_000_000_000);
    use.add('address 192.0.2.1', 'chipletSeconds', 5);
    expect(use.used('address 192.0.2.1', 'chipletSeconds')).toBe(0);
    const pages = Number(database.first('PRAGMA page_count')?.page_count);
    database.first(`PRAGMA max_page_count = ${pages}`);
    // Fills the last pages.
    const fill = () => {
      for (let i = 0; ; i++)
        database.run('INSERT INTO blobs VALUES (?, 1)', `${i}`.padEnd(900, 'x'));
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
    for (let i = 0; i < 3; i++) use.add('a', 'chipletSeconds', 2);
    expect(use.used('a', 'chipletSeconds')).toBe(6);
    database.first('PRAGMA max_page_count = 100000');
    use.add('b', 'chipletSeconds', 1);
    const again = new TimeUse(database, CLIENTS, () => 1_700_000_000_000);
    expect(again.used('a', 'chipletSeconds')).toBe(6);
    database.close();
  });
});
