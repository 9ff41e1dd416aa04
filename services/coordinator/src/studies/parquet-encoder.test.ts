import type { StudyRow } from '@tessera/study';
import { GROUP_ROWS } from '@tessera/study/parquet';
import { describe, expect, it } from 'vitest';
import { ParquetEncoder } from './parquet-encoder.ts';

/** Bytes at both ends of a file of Parquet. */
const MAGIC = 'PAR1';
const COLUMNS = { sweep: {}, counters: [] };

/** Returns lists of rows that tell how many of them were read. */
function makeLists(count: number, rowsPerList = 1000) {
  const state = { read: 0 };
  function* lists(): Generator<StudyRow[], void> {
    for (; state.read < count; state.read++) {
      yield Array.from(
        { length: rowsPerList },
        (_, i) => ({ scene: `scene ${state.read}`, cycles: i }) as StudyRow,
      );
    }
  }
  return { state, lists };
}

async function fileOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

describe('ParquetEncoder', () => {
  it('encodes several files at once, each as if alone', async () => {
    const encoder = new ParquetEncoder();
    const encode = (lists: number) => fileOf(encoder.encode(COLUMNS, makeLists(lists).lists()));
    const alone = [await encode(9), await encode(5)];
    const together = await Promise.all([encode(9), encode(5)]);
    for (const [i, file] of together.entries()) {
      expect(file.toString('latin1', 0, 4)).toBe(MAGIC);
      expect(file.toString('latin1', file.length - 4)).toBe(MAGIC);
      expect(file.equals(alone[i]!)).toBe(true);
    }
  });

  it('reads no more rows than a group before it yields bytes', async () => {
    const { state, lists } = makeLists(1000);
    const pieces = new ParquetEncoder().encode(COLUMNS, lists());
    await pieces.next();
    expect(state.read).toBe(0);
    await pieces.next();
    expect(state.read).toBeLessThanOrEqual(GROUP_ROWS / 1000);
    // A client that disconnects ends the file and with it the thread.
    await pieces.return();
    expect(state.read).toBeLessThanOrEqual(GROUP_ROWS / 1000);
  });

  it('fills the row groups of a few files at a time', async () => {
    const encoder = new ParquetEncoder();
    const files = Array.from({ length: 20 }, () => {
      const { state, lists } = makeLists(10);
      return { state, pieces: encoder.encode(COLUMNS, lists()) };
    });
    for (const { pieces } of files) await pieces.next();
    const groups = files.map(({ pieces }) => pieces.next());
    const startedCount = () => files.filter(({ state }) => state.read > 0).length;
    await Promise.race(groups);
    expect(startedCount()).toBeLessThan(files.length / 2);
    await Promise.all(groups);
    expect(startedCount()).toBe(files.length);
    await Promise.all(files.map(({ pieces }) => pieces.return()));
  });

  it('rejects when rows cannot be read, and encodes the next file', async () => {
    const encoder = new ParquetEncoder();
    // biome-ignore lint/correctness/useYield: It fails before it yields.
    async function* failing(): AsyncGenerator<StudyRow[], void> {
      throw new Error('the database is away');
    }
    await expect(fileOf(encoder.encode(COLUMNS, failing()))).rejects.toThrow('is away');
    expect((await fileOf(encoder.encode(COLUMNS, []))).toString('latin1', 0, 4)).toBe(MAGIC);
  });

  it('rejects when the thread fails, and starts another', async () => {
    const encoder = new ParquetEncoder();
    const wrong = [[{ cycles: 0.5 } as StudyRow]]; // No whole number.
    await expect(fileOf(encoder.encode(COLUMNS, wrong))).rejects.toThrow('0.5');
    expect((await fileOf(encoder.encode(COLUMNS, []))).toString('latin1', 0, 4)).toBe(MAGIC);
  });
});
