import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Database } from '../store/database.ts';
import { makeTemporaryFolder, removeTestStores } from '../testing/temporary-data-folder.ts';
import { MAX_STORED_SPECS, SpecStore } from './spec-store.ts';

afterEach(removeTestStores);

function openStore(): { readonly store: SpecStore; readonly database: Database } {
  const database = new Database(join(makeTemporaryFolder(), 'journal.sqlite'));
  return { store: new SpecStore(database), database };
}

describe('SpecStore', () => {
  it('holds a bounded number of specifications, and always replaces one', () => {
    const { store, database } = openStore();
    for (let i = 0; i < MAX_STORED_SPECS; i++) store.put(`spec-${i}`, { set: { smCount: 2 } });
    expect(() => store.put('more', {})).toThrowError(/^name: 100 specifications are stored/);
    expect(store.put('spec-0', { set: { smCount: 3 } }).isNew).toBe(false);
    expect(store.require('spec-0', 'spec').smCount).toBe(3);
    database.close();
  });

  it('lists, replaces and deletes those that are not valid in this version', () => {
    const { store, database } = openStore();
    store.put('good', { set: { smCount: 2 } });
    for (const name of ['old', 'older']) {
      database.run('INSERT INTO specs VALUES (?, ?)', name, '{"set":{"smCount":65}}');
    }
    const problem = 'smCount: 65 is not an integer from 1 to 64 shader cores';
    expect(store.list()).toMatchObject([
      { name: 'good', spec: { smCount: 2 }, problem: null },
      { name: 'old', spec: null, problem },
      { name: 'older', spec: null, problem },
    ]);
    const message = `query.spec: 'old' is not valid in this version: ${problem}`;
    expect(() => store.require('old', 'query.spec')).toThrowError(message);
    expect(store.put('old', { set: { smCount: 64 } }).isNew).toBe(false);
    expect(store.require('old', 'query.spec').smCount).toBe(64);
    expect([store.delete('older'), store.delete('older')]).toEqual([true, false]);
    database.close();
  });
});
