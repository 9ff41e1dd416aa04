import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import type { Report } from '@tessera/frame';
import type { StudyRequest, StudyRow } from '@tessera/study';
import { afterEach, describe, expect, it } from 'vitest';
import type { FrameOptions } from '../prepare/frame-options.ts';
import { StudyStore } from '../studies/study-store.ts';
import {
  closeTestStore,
  openTestStore,
  putSource,
  removeTestStores,
  type TestStore,
} from '../testing/temporary-data-folder.ts';
import { CLIENT_BYTES, CLIENT_TABLES } from './client-tables.ts';
import { DATABASE_FORMAT, Database } from './database.ts';
import { ResourceStore } from './resource-store.ts';

afterEach(removeTestStores);

const OPTIONS = {
  spec: summarizeSpec(DEFAULT_CHIPLET_SPEC),
  policy: 'dynamic',
  chipletCount: null,
} as FrameOptions;
const REPORT = { image: { sha256: 'i' }, frame: { sha256: 'f' } } as unknown as Report;
const REQUEST = {
  frames: ['frame'],
  kinds: ['model'],
  chiplets: [1],
  policies: ['static'],
  bins: [4],
  specs: [null],
  visibility: ['minimal'],
} as unknown as StudyRequest; // Nothing renders its frames.

/** Files and other bytes of one owner, as the test keeps them. */
interface Owned {
  readonly client: string;
  readonly files: ReadonlyMap<string, number>;
  readonly otherBytes: number;
  /** Removes the owner; null for one that stays. */
  readonly drop: (() => void) | null;
}

/** Pseudo-random numbers below a bound (a linear congruential generator). */
function makeRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Returns the bytes of a client by a sum over the files that its owners have. */
function sumOf(owned: Iterable<Owned>, client: string): number {
  const files = new Map<string, number>();
  let bytes = 0;
  for (const { client: owner, files: own, otherBytes } of owned) {
    if (owner !== client) continue;
    for (const [sha256, length] of own) files.set(sha256, length);
    bytes += otherBytes;
  }
  for (const length of files.values()) bytes += length;
  return bytes;
}

class Clients {
  readonly #random: (bound: number) => number;
  readonly owned = new Set<Owned>();

  constructor(random: (bound: number) => number) {
    this.#random = random;
  }

  /** Adds a frame, maybe finished, a study with rows, or a resource; or removes something. */
  async step(test: TestStore, studies: StudyStore, resources: ResourceStore): Promise<void> {
    const client = ['a', 'b', 'address 192.0.2.1'][this.#random(3)]!;
    const account = client.startsWith('address') ? '' : client;
    const kind = this.#random(5);
    if (kind >= 3) {
      const removable = [...this.owned].filter(({ drop }) => drop !== null);
      const victim = removable[this.#random(removable.length)];
      if (victim === undefined) return;
      victim.drop!();
      this.owned.delete(victim);
    } else if (kind === 0) await this.#addFrame(test, client, account);
    else if (kind === 1) await this.#addStudy(test, studies, client, account);
    else await this.#addResource(test, resources, account);
  }

  /** Few contents, so that owners and clients share files. */
  #content(): Buffer {
    return Buffer.alloc(1 + this.#random(30), 'x');
  }

  async #addFrame({ store, blobs }: TestStore, client: string, account: string): Promise<void> {
    const source = await putSource(blobs, this.#content());
    const admission = { name: '', model: '', source, idempotency: null, client };
    const record = store.add(admission, OPTIONS, []);
    blobs.release(source.files);
    const rendered = {
      png: this.#content(),
      targetPngs: [this.#content()],
      report: REPORT,
      timelineJson: null,
      measurement: { passes: [] },
    };
    const result = await store.keepResult(rendered);
    const all = [...source.files, result.image, ...result.targets, result.measurement];
    store.finish(record, { status: 'done', result, report: REPORT });
    this.owned.add({
      client: account,
      files: new Map(all.map(({ sha256, bytes }) => [sha256, bytes])),
      otherBytes: JSON.stringify(REPORT).length,
      drop: () => store.delete(record.id),
    });
  }

  async #addStudy(
    { blobs }: TestStore,
    studies: StudyStore,
    client: string,
    account: string,
  ): Promise<void> {
    const source = await putSource(blobs, this.#content());
    const { id } = studies.add(REQUEST, [{ title: '', source, options: OPTIONS }], client);
    blobs.release(source.files);
    const isOver = this.#random(2) === 0;
    const rows = [{ scene: 'x'.repeat(this.#random(20)) }] as StudyRow[];
    for (const position of [0, 1]) studies.keepRows(id, position, 1, rows);
    studies.keepRows(id, 1, 1, rows); // Again, by a resumed study.
    if (isOver) studies.finish(id, 'done', null);
    const files = isOver ? [] : source.files;
    this.owned.add({
      client: account,
      files: new Map(files.map(({ sha256, bytes }) => [sha256, bytes])),
      // Rows of an address count for no client, as its files do.
      otherBytes: 2 * JSON.stringify(rows).length,
      drop: () => {
        if (!isOver) studies.finish(id, 'cancelled', null);
        studies.delete(id);
      },
    });
  }

  async #addResource({ blobs }: TestStore, resources: ResourceStore, account: string) {
    // Contents of their own, because a resource counts for the client that uploads it first.
    const blob = await blobs.write(Buffer.from(`resource ${this.#random(1e9)}`));
    resources.add(blob, account);
    blobs.release([blob]);
    const files = new Map([[blob.sha256, blob.bytes]]);
    this.owned.add({ client: account, files, otherBytes: 0, drop: null });
  }
}

describe('the bytes of clients in the journal', () => {
  it.each([1, 2, 3])('are a sum over their files, after every change (seed %i)', async (seed) => {
    const test = openTestStore();
    const studies = new StudyStore(test);
    const resources = new ResourceStore(test.database, test.blobs, 2 ** 20);
    const clients = new Clients(makeRandom(seed));
    const bytesOf = (client: string, { database } = test) =>
      Number(database.first(CLIENT_BYTES, client)?.bytes ?? 0);
    for (let i = 0; i < 120; i++) {
      await clients.step(test, studies, resources);
      for (const owner of clients.owned) {
        const [sha256] = owner.files.keys();
        if (sha256 !== undefined) expect(test.blobs.ownersOf(sha256)).not.toEqual([]);
      }
      for (const client of ['a', 'b']) expect(bytesOf(client)).toBe(sumOf(clients.owned, client));
      const counted = test.database.all('SELECT client FROM client_bytes');
      for (const { client } of counted) expect(['a', 'b']).toContain(client);
    }
    expect(bytesOf('a')).toBeGreaterThan(0);
    closeTestStore(test);
    const again = openTestStore({}, test.path);
    for (const client of ['a', 'b']) {
      expect(bytesOf(client, again)).toBe(sumOf(clients.owned, client));
    }
  });

  it('are part of format 7, to which a journal of format 6 is converted', () => {
    const { path, database } = openTestStore();
    const names = [...CLIENT_TABLES.matchAll(/CREATE (TABLE|TRIGGER) (\w+)/g)];
    expect(names.length).toBeGreaterThan(8);
    // Undoes the last migration.
    for (const [, kind, name] of names.reverse()) database.run(`DROP ${kind} ${name}`);
    for (const [, table, column] of CLIENT_TABLES.matchAll(/ALTER TABLE (\w+) ADD COLUMN (\w+)/g)) {
      database.run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
    database.run('PRAGMA user_version = 6');
    database.run(`INSERT INTO blobs VALUES ('f', 7)`);
    database.run(`INSERT INTO blob_uses VALUES ('f', 'frame:old')`);
    removeLater(path, database);
    const converted = new Database(`${path}/journal.sqlite`);
    expect(converted.first('PRAGMA user_version')?.user_version).toBe(DATABASE_FORMAT);
    expect(converted.first('SELECT client FROM blob_uses')?.client).toBe('');
    expect(converted.all('SELECT * FROM client_bytes')).toEqual([]);
    converted.close();
  });
});

/** Closes a store before another database opens its file. */
function removeLater(path: string, database: Database): void {
  closeTestStore({ path, database } as TestStore);
}
