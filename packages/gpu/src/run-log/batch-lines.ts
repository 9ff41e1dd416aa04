/**
 * Lines of memory of the current primitive batch: the records of its primitives one after another,
 * and the lists of its fine bins, each from a line of its own.
 */

import { ENTRY, LINE_BYTES, LIST_LINE_ENTRIES, type RecordRing } from '@tessera/chip/records';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';

/**
 * Size of a raster record in bytes: three edges, the plane of depth, the box and the draw, as
 * 32-bit words. Each varying component adds a plane.
 */
const RASTER_RECORD_BYTES = 64;
const PLANE_BYTES = 12;

/** Returns the number of lines of a primitive's record. */
export function recordLinesOf(components: number): number {
  return Math.ceil((RASTER_RECORD_BYTES + PLANE_BYTES * components) / LINE_BYTES);
}

/** Places of a batch's records and lists. */
export class BatchLines {
  /** Number of lines of the lists so far. */
  listLines = 0;
  readonly #memory: ChipletMemory;
  /** First line and number of lines by record. */
  readonly #first: Int32Array;
  readonly #count: Int32Array;
  #recordCount = 0;
  #lineCount = 0;
  /** First line of the current list. */
  #listBase = 0;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    this.#first = new Int32Array(memory.primitiveCapacity);
    this.#count = new Int32Array(memory.primitiveCapacity);
  }

  /** Starts a batch. */
  clear(): void {
    this.#lineCount = 0;
    this.follow();
  }

  /** Starts a batch whose records follow those of the batch before. */
  follow(): void {
    this.listLines = 0;
    this.#recordCount = 0;
  }

  /** Adds the next records of the batch, each of `lines` lines. */
  addRecords(records: number, lines: number): void {
    for (let i = 0; i < records; i++) {
      this.#first[this.#recordCount] = this.#lineCount;
      this.#count[this.#recordCount++] = lines;
      this.#lineCount += lines;
    }
  }

  /**
   * Writes the lines of the entries from number `from` of the ring on. They are those of a fine bin
   * from its entry `firstEntry` on, and fine bins follow one after another.
   */
  placeEntries(entries: RecordRing, from: number, firstEntry: number): void {
    const { i32, fineBinEntriesPtr } = this.#memory;
    if (from === entries.end) return;
    if (firstEntry === 0) this.#listBase = this.listLines;
    const { words } = entries;
    let line = this.#listBase;
    for (let number = from; number < entries.end; number++) {
      const entry = firstEntry + number - from;
      const record = i32[(fineBinEntriesPtr >> 2) + entry]!;
      const at = entries.at(number);
      words[at + ENTRY.recordLine] = this.#first[record]!;
      words[at + ENTRY.recordLines] = this.#count[record]!;
      line = this.#listBase + Math.floor(entry / LIST_LINE_ENTRIES);
      words[at + ENTRY.listLine] = line;
    }
    this.listLines = line + 1;
  }
}
