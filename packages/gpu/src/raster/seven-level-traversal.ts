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
import {
  greatestSampleRise,
  leastSampleRise,
  MULTISAMPLE_COUNT,
  sampleRise,
} from './sample-positions.ts';

export const LEVEL_COUNT = 7;
const MAX_EDGES = 4;
const EDGE_WORDS = 5;
/** The level whose sub-tiles are blocks of 4×4 pixels. */
const BLOCK_LEVEL = 5;
export const BLOCK_PX = 4;
const FULL_MASK = 0xffff;
/** Words of a block: x, y, mask (bit 4 row + column), and 1 where all samples of all its pixels are covered. */
export const BLOCK_WORDS = 4;

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
  /**
   * By edge: slopes a and b; constant at the corner of a pixel that is furthest inside; what a tile's size less one
   * adds to that; how far the pixel's corner is from its sample. Edges that a primitive does not have are zeros.
   */
  private readonly edges = new Float64Array(EDGE_WORDS * MAX_EDGES);
  /** By edge and sample: how much less it has than the sample furthest inside. Zeros with one sample a pixel. */
  private readonly falls = new Float64Array(MULTISAMPLE_COUNT * MAX_EDGES);
  /** By edge: the same for the sample furthest outside. */
  private readonly deepestFalls = new Float64Array(MAX_EDGES);
  private isMultisampled = false;
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
   *
   * @param isMultisampled Whether pixels have several samples; one that has a covered sample is covered.
   */
  walk(
    record: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    isMultisampled = false,
  ): void {
    // 1. The primitive.
    this.isMultisampled = isMultisampled;
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
      if (isMultisampled) this.takeSamples(k, a, b);
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
    const greatest = greatestSampleRise(a, b);
    this.deepestFalls[edge] = leastSampleRise(a, b) - greatest;
    for (let sample = 0; sample < MULTISAMPLE_COUNT; sample++) {
      this.falls[MULTISAMPLE_COUNT * edge + sample] = sampleRise(a, b, sample) - greatest;
    }
  }

  /** Whether a sample is inside of all edges. @param at0 Edges at the sample furthest inside each. */
  private hasSample(at0: number, at1: number, at2: number, at3: number): boolean {
    const { falls } = this;
    for (let sample = 0; sample < MULTISAMPLE_COUNT; sample++) {
      const isInside =
        at0 + falls[sample]! >= 0 &&
        at1 + falls[MULTISAMPLE_COUNT + sample]! >= 0 &&
        at2 + falls[2 * MULTISAMPLE_COUNT + sample]! >= 0 &&
        at3 + falls[3 * MULTISAMPLE_COUNT + sample]! >= 0;
      if (isInside) return true;
    }
    return false;
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
    const { edges } = this;
    if (edges[2]! + edges[0]! * x + edges[1]! * y + edges[3]! * last < 0) return false;
    if (edges[7]! + edges[5]! * x + edges[6]! * y + edges[8]! * last < 0) return false;
    if (edges[12]! + edges[10]! * x + edges[11]! * y + edges[13]! * last < 0) return false;
    if (edges[17]! + edges[15]! * x + edges[16]! * y + edges[18]! * last < 0) return false;
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
      this.emit(x, y, FULL_MASK, true);
      return;
    }
    this.testPixels(x, y, entry < LEVEL_COUNT);
  }

  /** Levels 6 and 7 of a block that is not whole: its tiles of 2×2 pixels, then their pixels. */
  private testPixels(x: number, y: number, isLevel6: boolean): void {
    const { edges, hasBoxTest, left, top, right, bottom, boxX0, boxY0, boxX1, boxY1 } = this;
    const { isMultisampled } = this;
    const a0 = edges[0]!;
    const b0 = edges[1]!;
    const a1 = edges[5]!;
    const b1 = edges[6]!;
    const a2 = edges[10]!;
    const b2 = edges[11]!;
    const a3 = edges[15]!;
    const b3 = edges[16]!;
    const slack0 = edges[4]!;
    const slack1 = edges[9]!;
    const slack2 = edges[14]!;
    const slack3 = edges[19]!;
    let mask = 0;
    let tiles = 0;
    let pixels = 0;
    let pixelsInBox = 0;
    if (isLevel6) this.tilesTaken[5]!++;
    for (let sub = 0; sub < 4; sub++) {
      const dx = (sub & 1) * 2;
      const dy = (sub >> 1) * 2;
      const tileX = x + dx;
      const tileY = y + dy;
      if (isLevel6) {
        if (!this.passes(tileX, tileY, 2, 6)) continue;
      } else if (tileX > boxX1 || tileY > boxY1 || tileX + 1 < boxX0 || tileY + 1 < boxY0) continue;
      tiles++;
      const e0 = edges[2]! + a0 * tileX + b0 * tileY;
      const e1 = edges[7]! + a1 * tileX + b1 * tileY;
      const e2 = edges[12]! + a2 * tileX + b2 * tileY;
      const e3 = edges[17]! + a3 * tileX + b3 * tileY;
      for (let pixel = 0; pixel < 4; pixel++) {
        const px = pixel & 1;
        const py = pixel >> 1;
        const sampleX = tileX + px;
        const sampleY = tileY + py;
        if (sampleX > right || sampleY > bottom || sampleX < left || sampleY < top) continue;
        const isInBox =
          sampleX <= boxX1 && sampleY <= boxY1 && sampleX >= boxX0 && sampleY >= boxY0;
        if (hasBoxTest && !isInBox) continue;
        const at0 = e0 + a0 * px + b0 * py;
        const at1 = e1 + a1 * px + b1 * py;
        const at2 = e2 + a2 * px + b2 * py;
        const at3 = e3 + a3 * px + b3 * py;
        if (at0 < 0 || at1 < 0 || at2 < 0 || at3 < 0) continue;
        pixels++;
        if (!isInBox) continue;
        pixelsInBox++;
        const isCovered = isMultisampled
          ? this.hasSample(at0 - slack0, at1 - slack1, at2 - slack2, at3 - slack3)
          : at0 >= slack0 && at1 >= slack1 && at2 >= slack2 && at3 >= slack3;
        if (isCovered) {
          mask |= 1 << (4 * (dy + py) + dx + px);
        }
      }
    }
    this.subTilesPassed[6]! += pixels;
    this.subTilesInBox[6]! += pixelsInBox;
    this.tilesTaken[6]! += tiles;
    if (tiles > 0) this.blocksAtLastLevel++;
    if (mask !== 0) this.emit(x, y, mask, mask === FULL_MASK && !isMultisampled);
  }

  /** Whether all samples of a block are covered, and all its tiles pass whatever the switches. */
  private isWhole(x: number, y: number): boolean {
    const last = BLOCK_PX - 1;
    if (x < this.boxX0 || y < this.boxY0 || x + last > this.boxX1 || y + last > this.boxY1) {
      return false;
    }
    const { edges, isMultisampled, deepestFalls } = this;
    for (let k = 0; k < MAX_EDGES; k++) {
      const edge = EDGE_WORDS * k;
      const a = edges[edge]!;
      const b = edges[edge + 1]!;
      const e = edges[edge + 2]! - edges[edge + 4]! + (isMultisampled ? deepestFalls[k]! : 0);
      if (e + a * (a < 0 ? x + last : x) + b * (b < 0 ? y + last : y) < 0) return false;
    }
    return true;
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
