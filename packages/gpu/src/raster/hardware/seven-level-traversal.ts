/**
 * Walk of one primitive through the rasterizer's hardware: the Larrabee recursion (Abrash,
 * "Rasterization on Larrabee") unrolled into seven levels. Level l takes tiles of 2^(8 − l) pixels
 * and tests their four sub-tiles: 128 → 64 is level 1, 2 → 1 is level 7. This file walks and counts
 * the levels. The module in tile-traversal-module.ts adds the time. Level 5 passes blocks of 4×4
 * pixels, whose masks levels 6 and 7 compute.
 *
 * Coverage equals that of the traversal kernel, whatever the switches. A sub-tile is dropped only
 * if none of its samples can be covered, and every sample is tested in the end. Edge values are
 * doubles and exact.
 */

import { countBits, LEVEL_COUNT } from '@tessera/chip/records';
import { MAX_SAMPLE_COUNT } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import {
  BOX_X0,
  BOX_X1,
  BOX_Y0,
  BOX_Y1,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  EDGE_COUNT,
  RECORD_F64,
  RECORD_I32,
} from '../../records/raster-record.ts';
import { greatestSampleRise, leastSampleRise, sampleRise } from '../../records/sample-positions.ts';

const MAX_EDGES = 4;
const EDGE_WORDS = 6;
/** Level whose sub-tiles are blocks of 4×4 pixels. */
const BLOCK_LEVEL = 5;
/** Edge of a block, in pixels. */
export const BLOCK_PX = 4;
const FULL_MASK = 0xffff;
/** Masks of the 2×2 tiles of a block, by column and row. */
const TILE_00 = 0x0033;
const TILE_10 = 0x00cc;
const TILE_01 = 0x3300;
const TILE_11 = 0xcc00;
const ALL_TILES = FULL_MASK;
const MAX_INT32 = 0x7fff_ffff;
/** Mask with one pixel of each tile. */
const TILE_CORNERS = 0x0505;
/** Factor that repeats the bits of a row in all rows. */
const COLUMNS = 0x1111;
/**
 * Size of a block in words: x, y, mask (bit 4 row + column), and 1 if all samples of all its pixels
 * are covered.
 */
export const BLOCK_WORDS = 4;

/**
 * Point at which a tile is tested against an edge: a geometric corner or an outermost sample point.
 */
export type TilePoint = 'corner' | 'centre';

/** Switches of the rasterizer. None changes a covered sample. */
export interface TraversalSwitches {
  /** Whether tiles are also tested against the primitive's bounding box. */
  readonly hasBoxTest: boolean;
  /** Whether primitives enter at the level whose tiles match their box, not at level 1. */
  readonly entersAtBoxLevel: boolean;
  readonly tilePoint: TilePoint;
}

/** Walks one primitive at a time. */
export class SevenLevelTraversal {
  /** Number of tiles per level in the last walk, by level − 1. */
  readonly tilesTaken = new Int32Array(LEVEL_COUNT);
  readonly subTilesPassed = new Int32Array(LEVEL_COUNT);
  /** Number of passed sub-tiles that intersect the bounding box. */
  readonly subTilesInBox = new Int32Array(LEVEL_COUNT);
  /** Blocks with a covered sample in the last walk, BLOCK_WORDS words each. */
  blocks = new Int32Array(BLOCK_WORDS * 1024);
  blockCount = 0;
  /**
   * Number of blocks in the last walk that reached level 7, which takes all 2×2 tiles of a block in
   * a cycle.
   */
  blocksAtLastLevel = 0;

  private readonly i32: Int32Array;
  private readonly f64: Float64Array;
  private readonly recordsI32: number;
  private readonly recordsF64: number;
  private readonly hasBoxTest: boolean;
  private readonly entersAtBoxLevel: boolean;
  /** Distance of the tested corner from the outermost sample: 0 or half a pixel. */
  private readonly reach: number;
  // The primitive.
  /**
   * Edges, EDGE_WORDS each: slopes a and b; constant at the pixel corner furthest inside; its rise
   * per pixel of a tile's size minus one; distance from pixel corner to sample; constant of a
   * block's least sample. Missing edges are zeros.
   */
  private readonly edges = new Float64Array(EDGE_WORDS * MAX_EDGES);
  /**
   * Value of each sample minus that of the sample furthest inside, by edge and sample. Zeros with
   * one sample per pixel.
   */
  private readonly falls = new Float64Array(MAX_SAMPLE_COUNT * MAX_EDGES);
  private sampleCount = 1;
  private edgeCount = 0;
  private boxX0 = 0;
  private boxY0 = 0;
  private boxX1 = 0;
  private boxY1 = 0;
  private left = 0;
  private top = 0;
  private right = 0;
  private bottom = 0;

  constructor(memory: ChipletMemory, switches: TraversalSwitches) {
    this.i32 = memory.i32;
    this.f64 = memory.f64;
    this.recordsI32 = memory.rasterRecordsPtr >> 2;
    this.recordsF64 = memory.rasterRecordsPtr >> 3;
    this.hasBoxTest = switches.hasBoxTest;
    this.entersAtBoxLevel = switches.entersAtBoxLevel;
    this.reach = switches.tilePoint === 'corner' ? 0.5 : 0;
  }

  /**
   * Walks raster record `record` inside a rectangle of pixels with inclusive bounds. Blocks are in
   * recursion order: upper left, upper right, lower left, lower right sub-tile.
   *
   * @param sampleCount Samples per pixel. A pixel with a covered sample is covered.
   */
  walk(
    record: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    sampleCount = 1,
  ): void {
    // 1. The primitive.
    this.sampleCount = sampleCount;
    const { i32, f64 } = this;
    const at = this.recordsI32 + record * RECORD_I32;
    const atF64 = this.recordsF64 + record * RECORD_F64;
    for (let level = 0; level < LEVEL_COUNT; level++) {
      this.tilesTaken[level] = 0;
      this.subTilesPassed[level] = 0;
      this.subTilesInBox[level] = 0;
    }
    this.blockCount = 0;
    this.blocksAtLastLevel = 0;
    this.left = left;
    this.top = top;
    this.right = right;
    this.bottom = bottom;
    this.boxX0 = Math.max(left, i32[at + BOX_X0]!);
    this.boxY0 = Math.max(top, i32[at + BOX_Y0]!);
    this.boxX1 = Math.min(right, i32[at + BOX_X1]!);
    this.boxY1 = Math.min(bottom, i32[at + BOX_Y1]!);
    if (this.boxX1 < this.boxX0 || this.boxY1 < this.boxY0) return;
    const edgeCount = i32[at + EDGE_COUNT]!;
    this.edgeCount = edgeCount;
    for (let k = 0; k < MAX_EDGES; k++) {
      const isEdge = k < edgeCount;
      const a = isEdge ? i32[at + EDGE_A + k]! : 0;
      const b = isEdge ? i32[at + EDGE_B + k]! : 0;
      const c = isEdge ? f64[atF64 + EDGE_C + k]! : 0;
      const slack = this.reach * (Math.abs(a) + Math.abs(b));
      const edge = EDGE_WORDS * k;
      this.edges[edge] = a;
      this.edges[edge + 1] = b;
      this.edges[edge + 2] = c + slack;
      this.edges[edge + 3] = (a > 0 ? a : 0) + (b > 0 ? b : 0);
      this.edges[edge + 4] = slack;
      this.edges[edge + 5] = c + (BLOCK_PX - 1) * ((a < 0 ? a : 0) + (b < 0 ? b : 0));
      if (sampleCount > 1) this.takeSamples(k, a, b);
    }

    // 2. The tiles of the entry level that meet its box.
    const span = Math.max(this.boxX1 - this.boxX0, this.boxY1 - this.boxY0) + 1;
    const sizeLog2 = this.entersAtBoxLevel
      ? Math.min(LEVEL_COUNT, Math.max(1, 32 - Math.clz32(span - 1)))
      : LEVEL_COUNT;
    const level = 8 - sizeLog2;
    const entrySize = 2 ** sizeLog2;
    if (level <= BLOCK_LEVEL) {
      for (let y = this.boxY0 & -entrySize; y <= this.boxY1; y += entrySize) {
        for (let x = this.boxX0 & -entrySize; x <= this.boxX1; x += entrySize) {
          this.descend(x, y, level);
        }
      }
      return;
    }
    for (let y = this.boxY0 & -BLOCK_PX; y <= this.boxY1; y += BLOCK_PX) {
      for (let x = this.boxX0 & -BLOCK_PX; x <= this.boxX1; x += BLOCK_PX) {
        this.testBlock(x, y, level);
      }
    }
  }

  private takeSamples(edge: number, a: number, b: number): void {
    const { sampleCount } = this;
    const greatest = greatestSampleRise(a, b, sampleCount);
    this.edges[EDGE_WORDS * edge + 5]! += leastSampleRise(a, b, sampleCount) - greatest;
    for (let sample = 0; sample < sampleCount; sample++) {
      const rise = sampleRise(a, b, sample, sampleCount);
      this.falls[MAX_SAMPLE_COUNT * edge + sample] = rise - greatest;
    }
  }

  /**
   * Returns whether a sample is inside all edges.
   *
   * @param at0 Edge 0 at the sample furthest inside it; likewise the others.
   */
  private hasSample(at0: number, at1: number, at2: number, at3: number): boolean {
    const { falls, sampleCount } = this;
    for (let sample = 0; sample < sampleCount; sample++) {
      const isInside =
        at0 + falls[sample]! >= 0 &&
        at1 + falls[MAX_SAMPLE_COUNT + sample]! >= 0 &&
        at2 + falls[2 * MAX_SAMPLE_COUNT + sample]! >= 0 &&
        at3 + falls[3 * MAX_SAMPLE_COUNT + sample]! >= 0;
      if (isInside) return true;
    }
    return false;
  }

  /** Takes a tile at a level above 6: tests its sub-tiles and passes them to the next level. */
  private descend(x: number, y: number, level: number): void {
    this.tilesTaken[level - 1]!++;
    const half = 2 ** (7 - level);
    for (let sub = 0; sub < 4; sub++) {
      const subX = x + (sub & 1) * half;
      const subY = y + (sub >> 1) * half;
      if (!this.passes(subX, subY, half, level)) continue;
      if (level === BLOCK_LEVEL) this.testBlock(subX, subY, BLOCK_LEVEL + 1);
      else this.descend(subX, subY, level + 1);
    }
  }

  /** Returns whether a sub-tile passes, and counts it. */
  private passes(x: number, y: number, size: number, level: number): boolean {
    const last = size - 1;
    const isInBox =
      x <= this.boxX1 && y <= this.boxY1 && x + last >= this.boxX0 && y + last >= this.boxY0;
    // The box is inside the rectangle.
    if (!isInBox && (this.hasBoxTest || !this.meetsRectangle(x, y, last))) return false;
    const { edges } = this;
    if (edges[2]! + edges[0]! * x + edges[1]! * y + edges[3]! * last < 0) return false;
    if (edges[8]! + edges[6]! * x + edges[7]! * y + edges[9]! * last < 0) return false;
    if (edges[14]! + edges[12]! * x + edges[13]! * y + edges[15]! * last < 0) return false;
    if (
      this.edgeCount === MAX_EDGES &&
      edges[20]! + edges[18]! * x + edges[19]! * y + edges[21]! * last < 0
    ) {
      return false;
    }
    this.subTilesPassed[level - 1]!++;
    if (isInBox) this.subTilesInBox[level - 1]!++;
    return true;
  }

  private meetsRectangle(x: number, y: number, last: number): boolean {
    return x <= this.right && y <= this.bottom && x + last >= this.left && y + last >= this.top;
  }

  /** Runs levels 6 and 7 of a block. `entry` is 7 if the primitive enters there. */
  private testBlock(x: number, y: number, entry: number): void {
    const crossing = this.findCrossingEdges(x, y);
    const last = BLOCK_PX - 1;
    const isBoxed =
      x >= this.boxX0 && y >= this.boxY0 && x + last <= this.boxX1 && y + last <= this.boxY1;
    if (isBoxed && crossing === 0) {
      if (entry < LEVEL_COUNT) {
        this.tilesTaken[5]!++;
        this.subTilesPassed[5]! += 4;
        this.subTilesInBox[5]! += 4;
      }
      this.tilesTaken[6]! += 4;
      this.subTilesPassed[6]! += 16;
      this.subTilesInBox[6]! += 16;
      this.blocksAtLastLevel++;
      this.emit(x, y, FULL_MASK, true);
      return;
    }
    this.testPixels(x, y, entry < LEVEL_COUNT, crossing);
  }

  /**
   * Returns the edges, as bits, that have a sample of the block outside. All tiles and pixels pass
   * the other edges.
   */
  private findCrossingEdges(x: number, y: number): number {
    const { edges, edgeCount } = this;
    let crossing = 0;
    for (let k = 0; k < edgeCount; k++) {
      const edge = EDGE_WORDS * k;
      if (edges[edge + 5]! + edges[edge]! * x + edges[edge + 1]! * y < 0) crossing |= 1 << k;
    }
    return crossing;
  }

  /**
   * Runs levels 6 and 7 of a partially covered block: its 2×2 tiles, then their pixels, as bits of
   * masks.
   */
  private testPixels(x: number, y: number, isLevel6: boolean, crossing: number): void {
    const { edges } = this;
    const inBox = blockMask(x, y, this.boxX0, this.boxY0, this.boxX1, this.boxY1);
    const inRectangle = this.hasBoxTest
      ? inBox
      : blockMask(x, y, this.left, this.top, this.right, this.bottom);
    // 1. The pixels that pass the edges, the covered ones, and the tiles of level 6.
    let passing = FULL_MASK;
    let covered = FULL_MASK;
    let tilesPassing = ALL_TILES;
    for (let k = 0; k < this.edgeCount; k++) {
      if ((crossing & (1 << k)) === 0) continue;
      const edge = EDGE_WORDS * k;
      const a = edges[edge]!;
      const b = edges[edge + 1]!;
      const slack = edges[edge + 4]!;
      const e = edges[edge + 2]! + a * x + b * y;
      const most = e + edges[edge + 3]!;
      // With one sample per pixel, twice the edge value is an integer. A block's values usually fit
      // 32 bits, and signs need no branch.
      const start = (2 * e) | 0;
      const slope = Math.abs(a) + Math.abs(b);
      if (start === 2 * e && Math.abs(start) + 8 * slope < MAX_INT32) {
        const pass = insideOf(start, 2 * a, 2 * b);
        passing &= pass;
        covered &= slack === 0 ? pass : insideOf(start - 2 * slack, 2 * a, 2 * b);
        if (isLevel6) tilesPassing &= tilesInsideOf(2 * most, 4 * a, 4 * b);
        continue;
      }
      for (let pixel = 0; pixel < BLOCK_PX * BLOCK_PX; pixel++) {
        const at = e + a * (pixel & 3) + b * (pixel >> 2);
        if (at < 0) passing &= ~(1 << pixel);
        if (at < slack) covered &= ~(1 << pixel);
      }
      if (!isLevel6) continue;
      if (most < 0) tilesPassing &= ~TILE_00;
      if (most + 2 * a < 0) tilesPassing &= ~TILE_10;
      if (most + 2 * b < 0) tilesPassing &= ~TILE_01;
      if (most + 2 * a + 2 * b < 0) tilesPassing &= ~TILE_11;
    }
    // 2. Tiles. Those that intersect the box are counted separately.
    const tilesInBox = tilesOf(inBox);
    const tiles = tilesPassing & (isLevel6 ? tilesOf(inRectangle) : tilesInBox);
    const tileCount = countBits(tiles & TILE_CORNERS);
    if (isLevel6) {
      this.tilesTaken[5]!++;
      this.subTilesPassed[5]! += tileCount;
      this.subTilesInBox[5]! += countBits(tiles & tilesInBox & TILE_CORNERS);
    }
    // 3. Pixels.
    const pixels = passing & tiles & inRectangle;
    this.subTilesPassed[6]! += countBits(pixels);
    this.subTilesInBox[6]! += countBits(pixels & inBox);
    this.tilesTaken[6]! += tileCount;
    if (tileCount > 0) this.blocksAtLastLevel++;
    const isSampled = this.sampleCount > 1;
    const mask = isSampled ? this.findCovered(x, y, pixels & inBox) : pixels & inBox & covered;
    if (mask !== 0) this.emit(x, y, mask, mask === FULL_MASK && !isSampled);
  }

  /** Returns the pixels of a block, as bits, that have a covered sample. */
  private findCovered(x: number, y: number, pixels: number): number {
    const { edges } = this;
    const insideAt = (edge: number, px: number, py: number): number =>
      edges[edge + 2]! - edges[edge + 4]! + edges[edge]! * px + edges[edge + 1]! * py;
    let mask = 0;
    for (let pixel = 0; pixel < BLOCK_PX * BLOCK_PX; pixel++) {
      if ((pixels & (1 << pixel)) === 0) continue;
      const px = x + (pixel & 3);
      const py = y + (pixel >> 2);
      const isCovered = this.hasSample(
        insideAt(0, px, py),
        insideAt(EDGE_WORDS, px, py),
        insideAt(2 * EDGE_WORDS, px, py),
        insideAt(3 * EDGE_WORDS, px, py),
      );
      if (isCovered) mask |= 1 << pixel;
    }
    return mask;
  }

  private emit(x: number, y: number, mask: number, isWhole: boolean): void {
    const at = this.blockCount++ * BLOCK_WORDS;
    if (at === this.blocks.length) {
      const larger = new Int32Array(2 * this.blocks.length);
      larger.set(this.blocks);
      this.blocks = larger;
    }
    this.blocks[at] = x;
    this.blocks[at + 1] = y;
    this.blocks[at + 2] = mask;
    this.blocks[at + 3] = isWhole ? 1 : 0;
  }
}

/** Returns the pixels, as bits, of the block at x, y inside inclusive bounds. */
function blockMask(
  x: number,
  y: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
): number {
  return (COLUMNS * spanBits(left - x, right - x)) & rowBits(top - y, bottom - y);
}

/** Returns bits `first` to `last` of four. */
function spanBits(first: number, last: number): number {
  if (first > 3 || last < 0) return 0;
  return (15 << (first > 0 ? first : 0)) & (15 >> (last < 3 ? 3 - last : 0));
}

/** Returns rows `first` to `last` of a block. */
function rowBits(first: number, last: number): number {
  if (first > 3 || last < 0) return 0;
  return (
    (FULL_MASK << (first > 0 ? BLOCK_PX * first : 0)) &
    (FULL_MASK >> (last < 3 ? BLOCK_PX * (3 - last) : 0))
  );
}

/**
 * Returns the pixels of a block at which an edge is not negative. The edge is `start` at the first
 * pixel and rises by `a` per column and `b` per row, all in 32 bits.
 */
function insideOf(start: number, a: number, b: number): number {
  const across = a | 0;
  const down = b | 0;
  let outside = 0;
  let at0 = start | 0;
  for (let shift = 0; shift < BLOCK_PX * BLOCK_PX; shift += BLOCK_PX) {
    const at1 = (at0 + across) | 0;
    const at2 = (at1 + across) | 0;
    const at3 = (at2 + across) | 0;
    const row = (at0 >>> 31) | ((at1 >>> 30) & 2) | ((at2 >>> 29) & 4) | ((at3 >>> 28) & 8);
    outside |= row << shift;
    at0 = (at0 + down) | 0;
  }
  return outside ^ FULL_MASK;
}

/** Returns the tiles at which an edge is not negative, with the same parameters. */
function tilesInsideOf(start: number, a: number, b: number): number {
  const at00 = start | 0;
  const at10 = (at00 + (a | 0)) | 0;
  const at01 = (at00 + (b | 0)) | 0;
  const at11 = (at10 + (b | 0)) | 0;
  const outside =
    ((at00 >> 31) & TILE_00) |
    ((at10 >> 31) & TILE_10) |
    ((at01 >> 31) & TILE_01) |
    ((at11 >> 31) & TILE_11);
  return outside ^ ALL_TILES;
}

/** Returns all pixels of the 2×2 tiles that contain a pixel of the mask. */
function tilesOf(mask: number): number {
  const across = mask | ((mask & 0x5555) << 1) | ((mask & 0xaaaa) >> 1);
  return across | ((across & 0x0f0f) << BLOCK_PX) | ((across & 0xf0f0) >> BLOCK_PX);
}
