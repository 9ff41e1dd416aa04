/**
 * Fine binning inside a coarse bin (patent US 12,051,154, ¶31). Each primitive of a batch is added
 * to the lists of the fine bins that it may touch, in raster order from the top left. A bin's list
 * keeps the order of the primitives.
 */
import type { RectPx } from '@tessera/frame';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import type { TriangleCoverage } from '../raster/coverage/triangle-coverage.ts';
import { BOX_X0, BOX_X1, BOX_Y0, BOX_Y1, RECORD_I32 } from '../records/raster-record.ts';

/** End of a list. */
const NO_ENTRY = -1;

/** Lists of one coarse bin's fine bins for one batch. */
export class FineBinner {
  readonly #memory: ChipletMemory;
  readonly #coverage: TriangleCoverage;
  readonly #fineBinPx: number;
  readonly #fineBinLog2: number;
  #rect: RectPx = { x: 0, y: 0, width: 0, height: 0 };
  #columns = 0;
  #binCount = 0;
  #heads = new Int32Array(0);
  #tails = new Int32Array(0);
  #records = new Int32Array(4096);
  #nexts = new Int32Array(4096);
  #entryCount = 0;

  constructor(memory: ChipletMemory, coverage: TriangleCoverage, fineBinPx: number) {
    this.#memory = memory;
    this.#coverage = coverage;
    this.#fineBinPx = fineBinPx;
    this.#fineBinLog2 = 31 - Math.clz32(fineBinPx);
  }

  /** Number of fine bins in the coarse bin. */
  get binCount(): number {
    return this.#binCount;
  }

  /** Starts a coarse bin with empty lists. */
  beginBin(rect: RectPx, sampleCount = 1): void {
    this.#coverage.begin(sampleCount);
    this.#rect = rect;
    this.#columns = Math.ceil(rect.width / this.#fineBinPx);
    this.#binCount = this.#columns * Math.ceil(rect.height / this.#fineBinPx);
    this.#heads = new Int32Array(this.#binCount);
    this.#tails = new Int32Array(this.#binCount);
    this.clear();
  }

  /** Empties all lists for the next batch. */
  clear(): void {
    this.#heads.fill(NO_ENTRY);
    this.#entryCount = 0;
  }

  /** Returns the pixels of a fine bin, clipped to the coarse bin. */
  fineBinRect(bin: number): RectPx {
    const { x, y, width, height } = this.#rect;
    const left = (bin % this.#columns) * this.#fineBinPx;
    const top = Math.floor(bin / this.#columns) * this.#fineBinPx;
    return {
      x: x + left,
      y: y + top,
      width: Math.min(this.#fineBinPx, width - left),
      height: Math.min(this.#fineBinPx, height - top),
    };
  }

  /** Writes a fine bin's raster records to the entry pool in order, and returns their number. */
  listEntries(bin: number): number {
    const { i32, fineBinEntriesPtr } = this.#memory;
    let to = fineBinEntriesPtr >> 2;
    for (let entry = this.#heads[bin]!; entry !== NO_ENTRY; entry = this.#nexts[entry]!) {
      i32[to++] = this.#records[entry]!;
    }
    return to - (fineBinEntriesPtr >> 2);
  }

  /**
   * Adds a raster record to the lists of the fine bins that it may touch, and returns their number.
   *
   * @param isTriangle Whether it is a triangle, which has a faster test.
   * @param taken Receives these fine bins in the order of insertion.
   */
  add(record: number, isTriangle: boolean, taken: number[] | null = null): number {
    const { i32, rasterRecordsPtr } = this.#memory;
    const { x, y, width, height } = this.#rect;
    const at = (rasterRecordsPtr >> 2) + record * RECORD_I32;
    const left = Math.max(i32[at + BOX_X0]! - x, 0) >> this.#fineBinLog2;
    const top = Math.max(i32[at + BOX_Y0]! - y, 0) >> this.#fineBinLog2;
    const right = Math.min(i32[at + BOX_X1]! - x, width - 1) >> this.#fineBinLog2;
    const bottom = Math.min(i32[at + BOX_Y1]! - y, height - 1) >> this.#fineBinLog2;
    const isSingle = left === right && top === bottom;
    let added = 0;
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        if (!isSingle && !this.#mayTouch(record, isTriangle, column, row)) continue;
        this.#append(row * this.#columns + column, record);
        taken?.push(row * this.#columns + column);
        added++;
      }
    }
    return added;
  }

  /**
   * Adds `count` triangles like {@link add}, starting at `first`.
   *
   * @returns Total number of lists that contain them.
   */
  addTriangles(first: number, count: number): number {
    const { i32, rasterRecordsPtr } = this.#memory;
    const { x, y, width, height } = this.#rect;
    const columns = this.#columns;
    const log2 = this.#fineBinLog2;
    const lastX = width - 1;
    const lastY = height - 1;
    let added = 0;
    let at = (rasterRecordsPtr >> 2) + first * RECORD_I32;
    for (let record = first; record < first + count; record++, at += RECORD_I32) {
      const left = Math.max(i32[at + BOX_X0]! - x, 0) >> log2;
      const top = Math.max(i32[at + BOX_Y0]! - y, 0) >> log2;
      const right = Math.min(i32[at + BOX_X1]! - x, lastX) >> log2;
      const bottom = Math.min(i32[at + BOX_Y1]! - y, lastY) >> log2;
      if (left === right && top === bottom) {
        this.#append(top * columns + left, record);
        added++;
        continue;
      }
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
          if (!this.#mayTouch(record, true, column, row)) continue;
          this.#append(row * columns + column, record);
          added++;
        }
      }
    }
    return added;
  }

  #mayTouch(record: number, isTriangle: boolean, column: number, row: number): boolean {
    const left = this.#rect.x + column * this.#fineBinPx;
    const top = this.#rect.y + row * this.#fineBinPx;
    const right = left + this.#fineBinPx - 1;
    const bottom = top + this.#fineBinPx - 1;
    return isTriangle
      ? this.#coverage.mayCoverRect(record, left, top, right, bottom)
      : this.#coverage.mayCover(record, left, top, right, bottom);
  }

  #append(bin: number, record: number): void {
    const entry = this.#entryCount++;
    if (entry === this.#records.length) {
      this.#records = grow(this.#records);
      this.#nexts = grow(this.#nexts);
    }
    this.#records[entry] = record;
    this.#nexts[entry] = NO_ENTRY;
    if (this.#heads[bin] === NO_ENTRY) this.#heads[bin] = entry;
    else this.#nexts[this.#tails[bin]!] = entry;
    this.#tails[bin] = entry;
  }
}

function grow(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
