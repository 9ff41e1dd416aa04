import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, removeTestStores } from '../testing/temporary-data-folder.ts';
import { SequenceTimelines } from './sequence-timelines.ts';

const never = new AbortController().signal;

/** Writes `bytes` when the test releases it, and counts its calls. */
function makeWriter(bytes: number) {
  const released = Promise.withResolvers<void>();
  const writer = {
    count: 0,
    isAborted: false,
    release: () => released.resolve(),
    write: async (path: string, signal: AbortSignal) => {
      writer.count++;
      signal.addEventListener('abort', () => {
        writer.isAborted = true;
        released.reject(signal.reason);
      });
      await released.promise;
      writeFileSync(path, Buffer.alloc(bytes, 'x'));
      return bytes;
    },
  };
  return writer;
}

describe('SequenceTimelines', () => {
  afterEach(removeTestStores);

  async function readAll(
    timelines: SequenceTimelines,
    id: string,
    write: ReturnType<typeof makeWriter>['write'],
    signal = never,
  ) {
    const opened = await timelines.open(id, write, signal);
    if (opened === null) return null;
    const content = await opened.file.readFile();
    await opened.file.close();
    expect(content.length).toBe(opened.bytes);
    return content.length;
  }

  it('computes a timeline once for all concurrent and later readers', async () => {
    const timelines = new SequenceTimelines(join(makeTemporaryFolder(), 'timelines'));
    const counted = makeWriter(1000);
    const readers = [1, 2, 3].map(() => readAll(timelines, 'a', counted.write));
    counted.release();
    expect(await Promise.all(readers)).toEqual([1000, 1000, 1000]);
    expect(await readAll(timelines, 'a', counted.write)).toBe(1000);
    expect(counted.count).toBe(1);
    expect(await readAll(timelines, 'b', counted.write)).toBe(1000);
    expect(counted.count).toBe(2);
  });

  it('ends a computation when its last reader disconnects, and starts another for the next reader', async () => {
    const folder = join(makeTemporaryFolder(), 'timelines');
    const timelines = new SequenceTimelines(folder);
    const writer = makeWriter(10);
    const leaving = [new AbortController(), new AbortController()];
    const readers = leaving.map(({ signal }) => readAll(timelines, 'a', writer.write, signal));
    const outcomes = Promise.allSettled(readers);
    leaving[0]!.abort();
    expect(writer.isAborted).toBe(false);
    leaving[1]!.abort();
    expect(writer.isAborted).toBe(true);
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = makeWriter(20);
    next.release();
    expect(await readAll(timelines, 'a', next.write)).toBe(20);
  });

  it('removes the least recently used beyond its bytes, and the file of a deleted sequence', async () => {
    const folder = join(makeTemporaryFolder(), 'timelines');
    const timelines = new SequenceTimelines(folder, 2500);
    const writer = makeWriter(1000);
    writer.release();
    for (const id of ['a', 'b', 'a', 'c']) await readAll(timelines, id, writer.write);
    expect(writer.count).toBe(3);
    await expect.poll(() => readdir(folder)).toHaveLength(2);
    await readAll(timelines, 'a', writer.write);
    expect(writer.count).toBe(3);
    await readAll(timelines, 'b', writer.write);
    expect(writer.count).toBe(4);
    timelines.delete('b');
    await expect.poll(() => readdir(folder)).toHaveLength(1);
  });

  it('computes again after a failure, and deletes files of an earlier process', async () => {
    const folder = join(makeTemporaryFolder(), 'timelines');
    const before = new SequenceTimelines(folder);
    const failing = () => Promise.reject(new Error('no room'));
    await expect(before.open('a', failing, never)).rejects.toThrow('no room');
    const writer = makeWriter(10);
    writer.release();
    expect(await readAll(before, 'a', writer.write)).toBe(10);
    const after = new SequenceTimelines(folder);
    expect(await readdir(folder)).toEqual([]);
    expect(await after.open('a', async () => null, never)).toBeNull();
  });
});
