/**
 * What the rasterizer's hardware does with one primitive (spec: Rasterizer): the Larrabee recursion unrolled
 * into seven levels. Level l takes tiles of 2^(8 − l) pixels and tests their four sub-tiles: 128 → 64 is
 * level 1, 2 → 1 is level 7. Here the levels are walked and counted; the module in tile-traversal-module.ts
 * gives them time. Level 5 hands on blocks of 4×4 pixels, levels 6 and 7 make their masks.
 *
 * Coverage is that of the traversal kernel, whatever the switches: a sub-tile is dropped only when none of its
 * samples can be covered, and every sample is tested in the end. Edge values are doubles and exact.
 */
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
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
} from './raster-record.ts';

export const LEVEL_COUNT = 7;
/** The level whose sub-tiles are blocks of 4×4 pixels. */
const BLOCK_LEVEL = 5;
export const BLOCK_PX = 4;
const FULL_MASK = 0xffff;
/** Words of a block: x, y, mask (bit 4 row + column). */
export const BLOCK_WORDS = 3;

/** Where a tile is tested against an edge: at its geometric corners or at its outermost sample points. */
export type TilePoint = 'corner' | 'centre';

/** Switches of the rasterizer; none changes a covered sample. */
export interface TraversalSwitches {
  /** Tiles are tested against the primitive's bounding box too. */
  readonly hasBoxTest: boolean;
  /** Primitives enter at the level whose tiles are as large as their box, not at level 1. */
  readonly entersAtBoxLevel: boolean;
  readonly tilePoint: TilePoint;
}

/** Walks one primitive at a time. */
export class SevenLevelTraversal {
  /** Of the last walk, by level − 1: tiles that the level took, sub-tiles that it handed on. */
  readonly tilesTaken = new Int32Array(LEVEL_COUNT);
  readonly subTilesPassed = new Int32Array(LEVEL_COUNT);
  /** Of the sub-tiles handed on, those that meet the bounding box. */
  readonly subTilesInBox = new Int32Array(LEVEL_COUNT);
  /** Blocks with a covered sample of the last walk, BLOCK_WORDS words each. */
  blocks = new Int32Array(BLOCK_WORDS * 1024);
  blockCount = 0;
  /** Blocks of the last walk that reached level 7, which takes all 2×2 tiles of a block in a cycle. */
  blocksAtLastLevel = 0;

  private readonly i32: Int32Array;
  private readonly f64: Float64Array;
  private readonly recordsI32: number;
  private readonly recordsF64: number;
  private readonly hasBoxTest: boolean;
  private readonly entersAtBoxLevel: boolean;
  /** How far the tested corner is from the outermost sample: 0 or half a pixel. */
  private readonly reach: number;
  // The primitive.
  private edgeCount = 0;
  private readonly a = new Float64Array(4);
  private readonly b = new Float64Array(4);
  private readonly c = new Float64Array(4);
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
   * Walks raster record `record` inside a rectangle of pixels, bounds inclusive. Blocks come in the order of
   * the recursion: upper left, upper right, lower left, lower right sub-tile.
   */
  walk(record: number, left: number, top: number, right: number, bottom: number): void {
    // 1. The primitive.
    const { i32, f64 } = this;
    const at = this.recordsI32 + record * RECORD_I32;
    const atF64 = this.recordsF64 + record * RECORD_F64;
    this.tilesTaken.fill(0);
    this.subTilesPassed.fill(0);
    this.subTilesInBox.fill(0);
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
    this.edgeCount = i32[at + EDGE_COUNT]!;
    for (let k = 0; k < this.edgeCount; k++) {
      this.a[k] = i32[at + EDGE_A + k]!;
      this.b[k] = i32[at + EDGE_B + k]!;
      this.c[k] = f64[atF64 + EDGE_C + k]!;
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

  /** Takes a tile into a level above 6: tests its sub-tiles and takes those that pass into the next. */
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

  /** Whether a sub-tile goes on; counts it. */
  private passes(x: number, y: number, size: number, level: number): boolean {
    const last = size - 1;
    if (x > this.right || y > this.bottom || x + last < this.left || y + last < this.top) {
      return false;
    }
    const isInBox =
      x <= this.boxX1 && y <= this.boxY1 && x + last >= this.boxX0 && y + last >= this.boxY0;
    if (this.hasBoxTest && !isInBox) return false;
    const far = last + this.reach;
    const near = -this.reach;
    for (let k = 0; k < this.edgeCount; k++) {
      const a = this.a[k]!;
      const b = this.b[k]!;
      const e = this.c[k]! + a * x + b * y + a * (a > 0 ? far : near) + b * (b > 0 ? far : near);
      if (e < 0) return false;
    }
    this.subTilesPassed[level - 1]!++;
    if (isInBox) this.subTilesInBox[level - 1]!++;
    return true;
  }

  /** Levels 6 and 7 of a block; `entry` is 7 where the primitive enters there. */
  private testBlock(x: number, y: number, entry: number): void {
    if (this.isWhole(x, y)) {
      if (entry < LEVEL_COUNT) {
        this.tilesTaken[5]!++;
        this.subTilesPassed[5]! += 4;
        this.subTilesInBox[5]! += 4;
      }
      this.tilesTaken[6]! += 4;
      this.subTilesPassed[6]! += 16;
      this.subTilesInBox[6]! += 16;
      this.blocksAtLastLevel++;
      this.emit(x, y, FULL_MASK);
      return;
    }
    let mask = 0;
    let tiles = 0;
    if (entry < LEVEL_COUNT) this.tilesTaken[5]!++;
    for (let sub = 0; sub < 4; sub++) {
      const dx = (sub & 1) * 2;
      const dy = (sub >> 1) * 2;
      if (entry < LEVEL_COUNT) {
        if (!this.passes(x + dx, y + dy, 2, 6)) continue;
      } else if (!this.meetsBox(x + dx, y + dy)) continue;
      tiles++;
      for (let pixel = 0; pixel < 4; pixel++) {
        const px = dx + (pixel & 1);
        const py = dy + (pixel >> 1);
        if (!this.passes(x + px, y + py, 1, LEVEL_COUNT)) continue;
        if (this.coversSample(x + px, y + py)) mask |= 1 << (4 * py + px);
      }
    }
    this.tilesTaken[6]! += tiles;
    if (tiles > 0) this.blocksAtLastLevel++;
    if (mask !== 0) this.emit(x, y, mask);
  }

  /** Whether a 2×2 tile meets the box. */
  private meetsBox(x: number, y: number): boolean {
    return x <= this.boxX1 && y <= this.boxY1 && x + 1 >= this.boxX0 && y + 1 >= this.boxY0;
  }

  /** Whether all samples of a block are covered, and all its tiles pass whatever the switches. */
  private isWhole(x: number, y: number): boolean {
    const last = BLOCK_PX - 1;
    if (x < this.boxX0 || y < this.boxY0 || x + last > this.boxX1 || y + last > this.boxY1) {
      return false;
    }
    for (let k = 0; k < this.edgeCount; k++) {
      const a = this.a[k]!;
      const b = this.b[k]!;
      const e = this.c[k]! + a * (a < 0 ? x + last : x) + b * (b < 0 ? y + last : y);
      if (e < 0) return false;
    }
    return true;
  }

  private coversSample(x: number, y: number): boolean {
    if (x < this.boxX0 || y < this.boxY0 || x > this.boxX1 || y > this.boxY1) return false;
    for (let k = 0; k < this.edgeCount; k++) {
      if (this.c[k]! + this.a[k]! * x + this.b[k]! * y < 0) return false;
    }
    return true;
  }

  private emit(x: number, y: number, mask: number): void {
    const at = this.blockCount++ * BLOCK_WORDS;
    if (at === this.blocks.length) {
      const larger = new Int32Array(2 * this.blocks.length);
      larger.set(this.blocks);
      this.blocks = larger;
    }
    this.blocks[at] = x;
    this.blocks[at + 1] = y;
    this.blocks[at + 2] = mask;
  }
}
