import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeTestStore,
  makeTemporaryFolder,
  openTestStore,
  putSource,
  removeTestStores,
} from '../testing/temporary-data-folder.ts';
import { DATABASE_FORMAT, Database, DatabaseError, isFolderFull } from './database.ts';

afterEach(removeTestStores);

const INSERT = `INSERT INTO blobs VALUES (?, ?)`;
const COUNT = 'SELECT count(*) AS count FROM blobs';

describe('Database', () => {
  it('has made all writes durable when it is closed', async () => {
    const database = new Database(join(makeTemporaryFolder(), 'journal.sqlite'));
    database.run('INSERT INTO specs VALUES (?, ?)', 'first', '{}');
    const early = database.whenDurable();
    database.run('INSERT INTO specs VALUES (?, ?)', 'second', '{}');
    database.close();
    await early;
    await database.whenDurable();
  });

  it('rolls a failed transaction back', () => {
    const database = new Database(join(makeTemporaryFolder(), 'journal.sqlite'));
    expect(() =>
      database.commit(() => {
        database.run(INSERT, 'a', 1);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(database.first(COUNT)?.count).toBe(0);
    database.close();
  });

  it('reports a full disk, keeps its content, and continues when there is space', () => {
    const path = join(makeTemporaryFolder(), 'journal.sqlite');
    const database = new Database(path);
    const pages = Number(database.first('PRAGMA page_count')?.page_count);
    database.first(`PRAGMA max_page_count = ${pages + 2}`);
    let kept = 0;
    const fill = () => {
      for (;;) {
        database.commit(() => database.run(INSERT, `${kept}`.padStart(1000, 'x'), 1));
        kept++;
      }
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'STORAGE_FULL' }));
    expect(kept).toBeGreaterThan(0);
    expect(database.first(COUNT)?.count).toBe(kept);
    database.first('PRAGMA max_page_count = 100000');
    database.commit(() => database.run(INSERT, 'fits now', 1));
    database.close();
    const again = new Database(path);
    expect(again.first(COUNT)?.count).toBe(kept + 1);
    again.close();
  });

  it('writes little back per checkpoint, so that no commit blocks the event loop for long', () => {
    const path = join(makeTemporaryFolder(), 'journal.sqlite');
    const database = new Database(path);
    for (let i = 0; i < 300; i++) database.run(INSERT, `${i}`.padStart(30_000, 'x'), 1);
    expect(statSync(path).size).toBeGreaterThan(6e6);
    expect(statSync(`${path}-wal`).size).toBeLessThan(2e6);
    database.close();
  });

  it('resolves when writes are durable, for any number of callers', async () => {
    const folder = makeTemporaryFolder();
    const database = new Database(join(folder, 'journal.sqlite'));
    await database.whenDurable(); // Nothing has been written since.
    const waiting: Promise<void>[] = [];
    for (let i = 0; i < 20; i++) {
      database.commit(() => database.run(INSERT, `${i}`, i));
      waiting.push(database.whenDurable());
    }
    await Promise.all(waiting);
    database.close();
    const again = new Database(join(folder, 'journal.sqlite'));
    expect(again.first(COUNT)?.count).toBe(20);
    again.close();
  });

  it('is refused to a second process', () => {
    const path = join(makeTemporaryFolder(), 'journal.sqlite');
    const database = new Database(path);
    expect(() => new Database(path)).toThrow(/another coordinator uses this folder.*DATA_DIR/);
    database.close();
    new Database(path).close();
  });

  it('refuses a file of a later format and one that is not a journal, and names it', () => {
    const folder = makeTemporaryFolder();
    const path = join(folder, 'journal.sqlite');
    const database = new Database(path);
    database.run(`PRAGMA user_version = ${DATABASE_FORMAT + 1}`);
    database.close();
    expect(() => new Database(path)).toThrow(`format ${DATABASE_FORMAT + 1}`);
    const other = join(folder, 'other.sqlite');
    writeFileSync(other, 'not a database at all, but long enough to be looked at'.repeat(100));
    expect(() => new Database(other)).toThrow(other);
  });

  /** Returns a copy of the files on disk while the process runs, as a crash would leave them. */
  function crash(rows: number): { folder: string; walBytes: number } {
    const running = makeTemporaryFolder();
    const database = new Database(join(running, 'journal.sqlite'));
    for (let i = 0; i < rows; i++) database.commit(() => database.run(INSERT, `blob ${i}`, i));
    const folder = makeTemporaryFolder();
    for (const name of ['journal.sqlite', 'journal.sqlite-wal']) {
      copyFileSync(join(running, name), join(folder, name));
    }
    database.close();
    return { folder, walBytes: readFileSync(join(folder, 'journal.sqlite-wal')).length };
  }

  it('has every transaction that returned after a crash', () => {
    const { folder } = crash(20);
    const database = new Database(join(folder, 'journal.sqlite'));
    expect(database.first(COUNT)?.count).toBe(20);
    database.close();
  });

  it('drops an incomplete last transaction and keeps all before it', () => {
    for (const missingBytes of [1, 100, 4000, 5000]) {
      const { folder, walBytes } = crash(20);
      truncateSync(join(folder, 'journal.sqlite-wal'), walBytes - missingBytes);
      const database = new Database(join(folder, 'journal.sqlite'));
      const count = Number(database.first(COUNT)?.count);
      expect(count).toBeGreaterThanOrEqual(18);
      expect(count).toBeLessThan(20);
      database.run(INSERT, 'after', 1); // The journal continues from there.
      expect(database.first(COUNT)?.count).toBe(count + 1);
      database.close();
    }
  });

  it('names a damaged file and the remedy when it is opened', () => {
    const path = join(makeTemporaryFolder(), 'journal.sqlite');
    const database = new Database(path);
    for (let i = 0; i < 300; i++) database.run(INSERT, `${i}`.padStart(3000, 'x'), 1);
    database.close();
    const bytes = readFileSync(path);
    for (let page = 1; page < bytes.length / 4096; page += 2) {
      bytes.fill(0xa5, page * 4096, (page + 1) * 4096);
    }
    writeFileSync(path, bytes);
    expect(() => new Database(path)).toThrow(DatabaseError);
    expect(() => new Database(path)).toThrow(/journal\.sqlite: the journal is damaged .*backup/);
  });

  it('distinguishes an exhausted quota from a broken disk', () => {
    const folder = makeTemporaryFolder();
    const failing = (code: string) => () => {
      throw Object.assign(new Error(code), { code });
    };
    expect(isFolderFull(folder, failing('EDQUOT'))).toBe(true);
    expect(isFolderFull(folder, failing('EIO'))).toBe(false);
    expect(isFolderFull(folder)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps the files of a lost journal when it creates a new one', async () => {
    const first = openTestStore();
    const { sha256 } = await putSource(first.blobs, Buffer.from('posted')).then(
      ({ files }) => files[0]!,
    );
    closeTestStore(first);
    for (const name of ['journal.sqlite', 'journal.sqlite-wal']) {
      rmSync(join(first.path, name), { force: true });
    }
    openTestStore({}, first.path);
    const kept = join(first.path, 'files-without-journal-1', sha256.slice(0, 2), sha256);
    expect(String(readFileSync(kept))).toBe('posted');
  });
});
