/**
 * Coarse binning (patent US 12,051,154, ¶35; fig. 3: 314): lists the primitives to process per
 * coarse bin of a pass. Lists are sound: a primitive that covers a sample of a bin is in its list.
 * They are nearly tight: the tests use the box, then the edges against the bin's rectangle, then
 * single samples where few remain.
 */
import {
  type CoarseBinGrid,
  type CoarseBinId,
  encodeVisibilityBin,
  type VisibleDraw,
} from '@tessera/frame';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import type { TriangleCoverage } from '../raster/coverage/triangle-coverage.ts';
import { BOX_X0, BOX_X1, BOX_Y0, BOX_Y1, RECORD_I32 } from '../records/raster-record.ts';
import type { CoarseDepth } from './coarse-depth.ts';
import type { IdArrayPool } from './id-array-pool.ts';

/** Average share of its box that a triangle covers. */
const TRIANGLE_SHARE_OF_BOX = 0.5;

/** Load of one bin, for the cost model. */
export interface BinLoad {
  primitives: number;
  estimatedFragments: number;
  estimatedFragmentInstructions: number;
  estimatedVertexInstructions: number;
}

/** Costs of a draw's primitives. */
export interface DrawCosts {
  readonly fragmentInstructions: number;
  /** Instructions for all vertices of one primitive. */
  readonly primitiveVertexInstructions: number;
  readonly isTriangle: boolean;
}

interface BinLists {
  readonly draws: VisibleDraw[];
  /** Load of the finished draws. */
  readonly load: BinLoad;
  /** Primitive ids of all draws. */
  ids: Uint32Array<ArrayBuffer>;
  idCount: number;
  /** Index of the first id of the current draw. */
  drawStart: number;
  /** Number of the bin's pixels in the boxes of that draw's primitives. */
  drawBoxPixels: number;
  /** Start of the current part, and of the current segment. */
  readonly part: ListPlace;
  readonly segment: ListPlace;
}

/** Place in the lists of a bin. */
interface ListPlace {
  /** Number of finished draws before it. */
  draw: number;
  /** Number of primitives of the next draw before it. */
  skip: number;
}

/** Lists of the primitives since the last segment. */
export interface CodedSegment {
  /** Bytes of the segment with its head. */
  readonly bytes: number;
  /** Bins with entries and the numbers of their entries, in turn. */
  readonly binEntries: readonly number[];
}

/**
 * Bytes at the start of a segment: number of the pass, sequence number, first draw and number of
 * draws, number of bins, and a flag for the last one of a part.
 */
const SEGMENT_HEAD_BYTES = 16;
/** Bytes before the lists of a bin in a segment: number of the bin, and bytes of its lists. */
const SEGMENT_BIN_BYTES = 4;

/** Collects the lists of one pass, draw by draw. */
export class CoarseBinner {
  readonly #memory: ChipletMemory;
  readonly #grid: CoarseBinGrid;
  readonly #bins: BinLists[] = [];
  /** Column of bins by column of fine bins. The next field has the same for rows. */
  readonly #columnByFineBin: Int32Array;
  readonly #rowByFineBin: Int32Array;
  readonly #fineBinLog2: number;
  readonly #isTight: boolean;
  readonly #coverage: TriangleCoverage;
  readonly #pool: IdArrayPool;
  /** Arrays of ids that became too small. */
  readonly #outgrown: Uint32Array<ArrayBuffer>[] = [];
  /** Bins in which a record of the current primitive is hidden. */
  readonly #hiddenBins = new Set<BinLists>();
  #costs: DrawCosts = {
    fragmentInstructions: 0,
    primitiveVertexInstructions: 0,
    isTriangle: false,
  };

  /** @param isTight Whether bins without a covered sample are left out. Otherwise boxes decide. */
  constructor(
    memory: ChipletMemory,
    coverage: TriangleCoverage,
    pool: IdArrayPool,
    grid: CoarseBinGrid,
    isTight = true,
  ) {
    this.#memory = memory;
    this.#coverage = coverage;
    this.#pool = pool;
    this.#isTight = isTight;
    this.#grid = grid;
    this.#fineBinLog2 = 31 - Math.clz32(grid.fineBinPx);
    this.#columnByFineBin = spanTable(grid.columnEdgesPx, grid.fineBinPx);
    this.#rowByFineBin = spanTable(grid.rowEdgesPx, grid.fineBinPx);
    for (let bin = 0; bin < grid.columns * grid.rows; bin++) {
      this.#bins.push({
        draws: [],
        load: {
          primitives: 0,
          estimatedFragments: 0,
          estimatedFragmentInstructions: 0,
          estimatedVertexInstructions: 0,
        },
        ids: pool.take(256),
        idCount: 0,
        drawStart: 0,
        drawBoxPixels: 0,
        part: { draw: 0, skip: 0 },
        segment: { draw: 0, skip: 0 },
      });
    }
  }

  /** Starts a draw. */
  beginDraw(costs: DrawCosts): void {
    this.#costs = costs;
  }

  /**
   * Lists primitive `id` of the draw in every bin that its raster record may touch. Ids ascend. A
   * primitive with several records from clipping is listed once.
   *
   * @param depth Coarse depth. Bins in which it hides the record are left out.
   * @returns Number of lists that this call extended.
   */
  add(record: number, id: number, depth: CoarseDepth | null = null): number {
    const { i32, rasterRecordsPtr } = this.#memory;
    const at = (rasterRecordsPtr >> 2) + record * RECORD_I32;
    const log2 = this.#fineBinLog2;
    const left = this.#columnByFineBin[i32[at + BOX_X0]! >> log2]!;
    const right = this.#columnByFineBin[i32[at + BOX_X1]! >> log2]!;
    const top = this.#rowByFineBin[i32[at + BOX_Y0]! >> log2]!;
    const bottom = this.#rowByFineBin[i32[at + BOX_Y1]! >> log2]!;
    let listed = 0;
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        if (this.#addToBin(record, id, column, row, depth)) listed++;
      }
    }
    return listed;
  }

  /**
   * Lists an unclipped triangle like {@link add}.
   *
   * @param coversBox Whether it may cover any sample.
   */
  addTriangle(record: number, id: number, coversBox: boolean): number {
    if (this.#isTight && !coversBox) return 0;
    const { i32, rasterRecordsPtr } = this.#memory;
    const at = (rasterRecordsPtr >> 2) + record * RECORD_I32;
    const log2 = this.#fineBinLog2;
    const x0 = i32[at + BOX_X0]!;
    const x1 = i32[at + BOX_X1]!;
    const y0 = i32[at + BOX_Y0]!;
    const y1 = i32[at + BOX_Y1]!;
    const left = this.#columnByFineBin[x0 >> log2]!;
    const right = this.#columnByFineBin[x1 >> log2]!;
    const top = this.#rowByFineBin[y0 >> log2]!;
    const bottom = this.#rowByFineBin[y1 >> log2]!;
    const { columnEdgesPx, rowEdgesPx, columns } = this.#grid;
    if (left === right && top === bottom) {
      // The whole box is in this bin.
      this.#append(this.#bins[top * columns + left]!, id, (x1 - x0 + 1) * (y1 - y0 + 1));
      return 1;
    }
    let listed = 0;
    for (let row = top; row <= bottom; row++) {
      const binTop = rowEdgesPx[row]!;
      const binBottom = rowEdgesPx[row + 1]! - 1;
      for (let column = left; column <= right; column++) {
        const binLeft = columnEdgesPx[column]!;
        const binRight = columnEdgesPx[column + 1]! - 1;
        const isListed =
          !this.#isTight ||
          this.#coverage.mayCoverRect(record, binLeft, binTop, binRight, binBottom);
        if (!isListed) continue;
        const width = Math.min(binRight, x1) - Math.max(binLeft, x0) + 1;
        const height = Math.min(binBottom, y1) - Math.max(binTop, y0) + 1;
        this.#append(this.#bins[row * columns + column]!, id, width * height);
        listed++;
      }
    }
    return listed;
  }

  /**
   * Lists primitive `id` in every bin.
   *
   * @returns Number of bins.
   */
  addToAll(id: number): number {
    for (const bin of this.#bins) this.#list(bin, id);
    return this.#bins.length;
  }

  /**
   * Finishes primitive `id`.
   *
   * @returns Number of bins from which it was left out because it is hidden there.
   */
  countHidden(id: number): number {
    if (this.#hiddenBins.size === 0) return 0;
    let count = 0;
    for (const bin of this.#hiddenBins) if (!isLast(bin, id)) count++;
    this.#hiddenBins.clear();
    return count;
  }

  /** Returns whether the last primitive listed in a bin is `id`. */
  isListed(binId: CoarseBinId, id: number): boolean {
    return isLast(this.#bins[binId]!, id);
  }

  #addToBin(
    record: number,
    id: number,
    column: number,
    row: number,
    depth: CoarseDepth | null,
  ): boolean {
    const { columnEdgesPx, rowEdgesPx, columns } = this.#grid;
    const x0 = columnEdgesPx[column]!;
    const x1 = columnEdgesPx[column + 1]! - 1;
    const y0 = rowEdgesPx[row]!;
    const y1 = rowEdgesPx[row + 1]! - 1;
    if (this.#isTight && !this.#coverage.mayCover(record, x0, y0, x1, y1)) return false;

    const bin = this.#bins[row * columns + column]!;
    if (depth?.isHidden(record, x0, y0, x1, y1)) {
      this.#hiddenBins.add(bin);
      return false;
    }
    bin.drawBoxPixels += this.#sharedPixels(record, x0, y0, x1, y1);
    return this.#list(bin, id);
  }

  #list(bin: BinLists, id: number): boolean {
    if (isLast(bin, id)) return false;
    this.#append(bin, id, 0);
    return true;
  }

  /**
   * Lists primitive `id` in a bin that does not contain it.
   *
   * @param boxPixels Number of pixels that its box shares with the bin.
   */
  #append(bin: BinLists, id: number, boxPixels: number): void {
    bin.drawBoxPixels += boxPixels;
    if (bin.idCount === bin.ids.length) {
      const larger = this.#pool.take(bin.ids.length * 2);
      larger.set(bin.ids);
      // Earlier draws keep their parts of it.
      this.#outgrown.push(bin.ids);
      bin.ids = larger;
    }
    bin.ids[bin.idCount++] = id;
  }

  /** Returns the number of pixels that a record's box shares with a rectangle that it touches. */
  #sharedPixels(record: number, x0: number, y0: number, x1: number, y1: number): number {
    const { i32, rasterRecordsPtr } = this.#memory;
    const at = (rasterRecordsPtr >> 2) + record * RECORD_I32;
    const width = Math.min(x1, i32[at + BOX_X1]!) - Math.max(x0, i32[at + BOX_X0]!) + 1;
    const height = Math.min(y1, i32[at + BOX_Y1]!) - Math.max(y0, i32[at + BOX_Y0]!) + 1;
    return width * height;
  }

  /** Finishes the draw. */
  endDraw(drawIndex: number): void {
    const { fragmentInstructions, primitiveVertexInstructions, isTriangle } = this.#costs;
    for (const bin of this.#bins) {
      const primitives = bin.idCount - bin.drawStart;
      if (primitives === 0) continue;
      const fragments = bin.drawBoxPixels * (isTriangle ? TRIANGLE_SHARE_OF_BOX : 1);
      bin.load.primitives += primitives;
      bin.load.estimatedFragments += fragments;
      bin.load.estimatedFragmentInstructions += fragments * fragmentInstructions;
      bin.load.estimatedVertexInstructions += primitives * primitiveVertexInstructions;
      bin.drawBoxPixels = 0;
      bin.draws.push({ drawIndex, primitiveIds: bin.ids.subarray(bin.drawStart, bin.idCount) });
      bin.drawStart = bin.idCount;
    }
  }

  /**
   * Ends a part of the pass, which may end within a draw, and returns the bytes that the streams of
   * its primitives would have.
   *
   * @param drawIndex Draw in progress, or null between draws.
   */
  endPart(drawIndex: number | null, drawCount: number): number {
    let bytes = 0;
    for (const bin of this.#bins) {
      bytes += encodeVisibilityBin(takeSince(bin, bin.part, drawIndex), drawCount).length;
    }
    return bytes;
  }

  /**
   * Ends a segment of the pass within a draw. Its draws have numbers from the first one on.
   *
   * @param firstDraw First draw of the segment.
   */
  endSegment(firstDraw: number, drawIndex: number): CodedSegment {
    const binEntries: number[] = [];
    let bytes = SEGMENT_HEAD_BYTES;
    for (const [binId, bin] of this.#bins.entries()) {
      const draws = takeSince(bin, bin.segment, drawIndex);
      const entries = draws.reduce((sum, { primitiveIds }) => sum + primitiveIds.length, 0);
      if (entries === 0) continue;
      binEntries.push(binId, entries);
      const moved = draws.map((draw) => ({ ...draw, drawIndex: draw.drawIndex - firstDraw }));
      bytes += SEGMENT_BIN_BYTES + encodeVisibilityBin(moved, drawIndex - firstDraw + 1).length;
    }
    return { bytes, binEntries };
  }

  /** Returns the encoded stream of each bin. This ends the pass and empties its lists. */
  encode(drawCount: number): Uint8Array[] {
    const streams = this.#bins.map((bin) => encodeVisibilityBin(bin.draws, drawCount));
    for (const bin of this.#bins) {
      this.#pool.giveBack(bin.ids);
      bin.draws.length = 0;
    }
    for (const ids of this.#outgrown) this.#pool.giveBack(ids);
    return streams;
  }

  /** Returns the load of each bin. */
  loads(): readonly Readonly<BinLoad>[] {
    return this.#bins.map((bin) => bin.load);
  }
}

function isLast({ ids, idCount, drawStart }: BinLists, id: number): boolean {
  return idCount > drawStart && ids[idCount - 1] === id;
}

/**
 * Returns the lists of a bin from a place on, and moves the place to their end.
 *
 * @param drawIndex Draw in progress, or null between draws.
 */
function takeSince(bin: BinLists, place: ListPlace, drawIndex: number | null): VisibleDraw[] {
  const current = bin.ids.subarray(bin.drawStart, bin.idCount);
  const last = drawIndex === null ? [] : [{ drawIndex, primitiveIds: current }];
  const { skip } = place;
  const draws = [...bin.draws.slice(place.draw), ...last].map((draw, i) =>
    i > 0 ? draw : { ...draw, primitiveIds: draw.primitiveIds.subarray(skip) },
  );
  place.draw = bin.draws.length;
  place.skip = drawIndex === null ? 0 : current.length;
  return draws;
}

/** Returns the coarse bin of each fine bin along one direction. */
function spanTable(edgesPx: readonly number[], fineBinPx: number): Int32Array {
  const size = edgesPx[edgesPx.length - 1]!;
  const table = new Int32Array(Math.ceil(size / fineBinPx));
  let span = 0;
  for (let i = 0; i < table.length; i++) {
    while (i * fineBinPx >= edgesPx[span + 1]!) span++;
    table[i] = span;
  }
  return table;
}
