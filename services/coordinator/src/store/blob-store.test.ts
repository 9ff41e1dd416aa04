import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeTestStore,
  openTestStore,
  removeTestStores,
} from '../testing/temporary-data-folder.ts';
import type { StoredBlob } from './blob-store.ts';

afterEach(removeTestStores);

const HELLO = Buffer.from('hello');
const HELLO_SHA256 = createHash('sha256').update(HELLO).digest('hex');

describe('BlobStore', () => {
  it('names a file by its content, and writes the same content once', async () => {
    const { blobs } = openTestStore();
    const first = await blobs.write(HELLO);
    const [second] = await Promise.all([blobs.write(HELLO), blobs.write(HELLO)]);
    expect(first).toEqual({ sha256: HELLO_SHA256, bytes: 5 });
    expect(second).toEqual(first);
    expect(blobs.totalBytes).toBe(5);
    expect(await blobs.read(HELLO_SHA256)).toEqual(HELLO);
  });

  it('does not rewrite a file that a frame uses', async () => {
    const { blobs, database } = openTestStore();
    const first = await blobs.write(HELLO);
    const { ino } = statSync(blobs.pathOf(first.sha256));
    database.commit(() => blobs.use('frame:a', [first]));
    blobs.release([first]);
    expect(await blobs.write(HELLO)).toEqual(first);
    expect(statSync(blobs.pathOf(first.sha256)).ino).toBe(ino);
    expect(blobs.totalBytes).toBe(5);
  });

  it('writes a large stream to disk as it arrives', async () => {
    const { blobs, path } = openTestStore();
    const chunk = Buffer.alloc(3_000_000, 7);
    const incoming: number[] = [];
    async function* chunks() {
      for (let i = 0; i < 4; i++) {
        incoming.push(readdirSync(join(path, 'incoming')).length);
        yield chunk;
      }
    }
    const blob = await blobs.writeStream(chunks(), 12_000_000);
    expect(incoming).toEqual([0, 0, 1, 1]);
    const written = await blobs.read(blob.sha256);
    expect(written.equals(Buffer.concat([chunk, chunk, chunk, chunk]))).toBe(true);
    expect(readdirSync(join(path, 'incoming'))).toEqual([]);
  });

  it('keeps a file exactly while it is held or used', async () => {
    const { blobs, database } = openTestStore();
    const blob = await blobs.write(HELLO);
    const path = blobs.pathOf(HELLO_SHA256);
    database.commit(() => blobs.use('frame:a', [blob]));
    blobs.hold([blob]);
    blobs.release([blob]);
    blobs.release([blob]);
    expect(existsSync(path)).toBe(true);
    const used = database.commit(() => blobs.dropUser('frame:a'));
    blobs.removeUnused(used);
    expect(existsSync(path)).toBe(false);
    expect(blobs.totalBytes).toBe(0);
  });

  it('leaves a file that another request is about to use', async () => {
    const { blobs, database } = openTestStore();
    const first = await blobs.write(HELLO);
    database.commit(() => blobs.use('frame:a', [first]));
    blobs.release([first]);
    await blobs.write(HELLO); // A second request with the same body.
    blobs.removeUnused(database.commit(() => blobs.dropUser('frame:a')));
    expect(await blobs.read(HELLO_SHA256)).toEqual(HELLO);
  });

  it('removes thousands of files in many turns, and keeps those that are written again', async () => {
    const { blobs, database } = openTestStore();
    const contents = Array.from({ length: 2000 }, (_, i) => Buffer.from(`content ${i}`));
    const written: StoredBlob[] = [];
    for (const content of contents) written.push(await blobs.write(content));
    database.commit(() => blobs.use('frame:a', written));
    blobs.release(written);
    const countFiles = () =>
      written.filter(({ sha256 }) => existsSync(blobs.pathOf(sha256))).length;
    expect(countFiles()).toBe(2000);
    blobs.removeUnused(database.commit(() => blobs.dropUser('frame:a')));
    // The first ones are removed in this turn, and all are counted.
    expect(countFiles()).toBeLessThan(2000);
    expect(countFiles()).toBeGreaterThan(1000);
    expect(blobs.totalBytes).toBe(0);
    blobs.removeUnused(written.map(({ sha256 }) => sha256));
    expect(blobs.totalBytes).toBe(0);
    const last = await blobs.write(contents.at(-1)!);
    expect(blobs.totalBytes).toBe(last.bytes);
    await expect.poll(countFiles).toBe(1);
    expect(await blobs.read(last.sha256)).toEqual(contents.at(-1));
    database.commit(() => blobs.use('frame:b', [last]));
    blobs.release([last]);
    blobs.removeUnused(database.commit(() => blobs.dropUser('frame:b')));
    expect([countFiles(), blobs.totalBytes]).toEqual([0, 0]);
  });

  it('refuses a stream that is too long or fails, and leaves no file', async () => {
    const { blobs, path } = openTestStore();
    await expect(blobs.writeStream([HELLO, HELLO], 9)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    async function* broken() {
      yield HELLO;
      throw new Error('the client went');
    }
    await expect(blobs.writeStream(broken(), 100)).rejects.toThrow('the client went');
    const large = Buffer.alloc(5_000_000);
    await expect(blobs.writeStream([large, HELLO], 5_000_000)).rejects.toThrow('more than');
    expect(readdirSync(join(path, 'incoming'))).toEqual([]);
    expect(readdirSync(join(path, 'files'))).toEqual([]);
  });

  it('removes files without an owner at its start', async () => {
    const first = openTestStore();
    const kept = await first.blobs.write(HELLO);
    first.database.commit(() => first.blobs.use('frame:a', [kept]));
    const orphan = await first.blobs.write(Buffer.from('orphan'));
    writeFileSync(join(first.path, 'incoming', 'half'), 'ha');
    mkdirSync(join(first.path, 'files', 'zz'));
    closeTestStore(first);

    const { blobs } = openTestStore({}, first.path);
    expect(blobs.totalBytes).toBe(5);
    expect(existsSync(blobs.pathOf(kept.sha256))).toBe(true);
    expect(existsSync(blobs.pathOf(orphan.sha256))).toBe(false);
    expect(readdirSync(join(first.path, 'incoming'))).toEqual([]);
  });
});
