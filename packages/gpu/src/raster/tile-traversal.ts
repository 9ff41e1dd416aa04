/**
 * Tile traversal: finds the quads of a primitive inside a fine bin, after the Larrabee recursion (Abrash,
 * "Rasterization on Larrabee"): a tile that an edge leaves outside is dropped, an edge that has a tile
 * wholly inside is forgotten below it, the others go on with tiles of half the size.
 *
 * Quads are aligned to even pixels of the target; lane 0 is (x, y), 1 (x + 1, y), 2 (x, y + 1),
 * 3 (x + 1, y + 1). The descent starts at the level that fits the primitive's box. Order of quads within
 * a primitive is of no consequence, since a primitive covers a sample once.
 */
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { type DepthStage, fragmentDepth, passesDepth } from './early-depth.ts';
import {
  BOX_X0,
  BOX_X1,
  BOX_Y0,
  BOX_Y1,
  DEPTH_C,
  DEPTH_DX,
  DEPTH_DY,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  EDGE_COUNT,
  ORIGIN_X,
  ORIGIN_Y,
  PRIMITIVE_RECORD,
  RECORD_F64,
  RECORD_I32,
} from './raster-record.ts';

/** Tiles of this edge and boxes up to twice of it are walked quad by quad. */
const LEAF_TILE_PX = 8;
const LANES_LEFT = 0b0101;
const LANES_RIGHT = 0b1010;
const LANES_TOP = 0b0011;
const LANES_BOTTOM = 0b1100;
const ALL_LANES = 0b1111;
/** Lanes in a mask. */
const LANE_COUNT = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);

/** Walks primitives and collects their quads in the quad list of the chiplet memory. */
export class TileTraversal {
  /** Quads in the list, from the start of the quad pool. */
  quadCount = 0;
  /** Fragments of the quads in the list. */
  listedFragments = 0;
  /** Since `clearCounts`. */
  quadsCovered = 0;
  fragmentsCovered = 0;
  fragmentsEarlyKilled = 0;

  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  readonly #rasterI32: number;
  readonly #rasterF64: number;
  readonly #quadsI32: number;
  readonly #quadDepthsI32: number;
  readonly #binDepthI32: number;

  // The bin.
  #binX = 0;
  #binY = 0;
  #quadsPerRow = 0;
  // The draw.
  #depthStage: DepthStage = 'none';
  #outcomes = 0;
  #isDepthWritten = false;
  // The primitive.
  #x0 = 0;
  #y0 = 0;
  #x1 = 0;
  #y1 = 0;
  #originX = 0;
  #originY = 0;
  #primitive = 0;
  #depthC = 0.5;
  #depthDx = 0.5;
  #depthDy = 0.5;

  constructor(memory: ChipletMemory) {
    this.#i32 = memory.i32;
    this.#f64 = memory.f64;
    this.#rasterI32 = memory.rasterRecordsPtr >> 2;
    this.#rasterF64 = memory.rasterRecordsPtr >> 3;
    this.#quadsI32 = memory.quadsPtr >> 2;
    this.#quadDepthsI32 = memory.quadDepthsPtr >> 2;
    this.#binDepthI32 = memory.binDepthPtr >> 2;
  }

  /** @param binX Left column of the coarse bin, even. @param quadsPerRow Quads in a row of its target. */
  beginBin(binX: number, binY: number, quadsPerRow: number): void {
    this.#binX = binX;
    this.#binY = binY;
    this.#quadsPerRow = quadsPerRow;
    this.quadCount = 0;
    this.listedFragments = 0;
    this.quadsCovered = 0;
    this.fragmentsCovered = 0;
    this.fragmentsEarlyKilled = 0;
  }

  /** @param outcomes Of `passingOutcomes`. */
  beginDraw(depthStage: DepthStage, outcomes: number, isDepthWritten: boolean): void {
    this.#depthStage = depthStage;
    this.#outcomes = outcomes;
    this.#isDepthWritten = isDepthWritten;
  }

  /** Empties the quad list. */
  clearList(): void {
    this.quadCount = 0;
    this.listedFragments = 0;
  }

  /**
   * Appends the quads of raster record `record` inside a rectangle (inclusive, at most 64 pixels
   * each way) to the list, which must have room for all of the rectangle's quads.
   *
   * @returns Whether a sample was covered.
   */
  traverse(record: number, left: number, top: number, right: number, bottom: number): boolean {
    const i32 = this.#i32;
    const f64 = this.#f64;
    const at = this.#rasterI32 + record * RECORD_I32;
    const atF64 = this.#rasterF64 + record * RECORD_F64;

    // 1. The box inside the rectangle, and the even pixel that the walk starts from.
    const x0 = Math.max(left, i32[at + BOX_X0]!);
    const y0 = Math.max(top, i32[at + BOX_Y0]!);
    const x1 = Math.min(right, i32[at + BOX_X1]!);
    const y1 = Math.min(bottom, i32[at + BOX_Y1]!);
    if (x1 < x0 || y1 < y0) return false;
    const startX = x0 & ~1;
    const startY = y0 & ~1;
    const spanX = x1 - x0;
    const spanY = y1 - y0;

    // 2. The edges that cross the box. Exact in doubles; those that cross fit an int32.
    let e0 = 0;
    let a0 = 0;
    let b0 = 0;
    let e1 = 0;
    let a1 = 0;
    let b1 = 0;
    let e2 = 0;
    let a2 = 0;
    let b2 = 0;
    let e3 = 0;
    let a3 = 0;
    let b3 = 0;
    const edgeCount = i32[at + EDGE_COUNT]!;
    for (let k = 0; k < edgeCount; k++) {
      const a = i32[at + EDGE_A + k]!;
      const b = i32[at + EDGE_B + k]!;
      const corner = f64[atF64 + EDGE_C + k]! + a * x0 + b * y0;
      const riseX = a * spanX;
      const riseY = b * spanY;
      if (corner + Math.max(riseX, 0) + Math.max(riseY, 0) < 0) return false;
      if (corner + Math.min(riseX, 0) + Math.min(riseY, 0) >= 0) continue;
      const e = (corner - (x0 - startX) * a - (y0 - startY) * b) | 0;
      if (k === 0) {
        e0 = e;
        a0 = a;
        b0 = b;
      } else if (k === 1) {
        e1 = e;
        a1 = a;
        b1 = b;
      } else if (k === 2) {
        e2 = e;
        a2 = a;
        b2 = b;
      } else {
        e3 = e;
        a3 = a;
        b3 = b;
      }
    }

    // 3. The primitive for emitQuad.
    this.#x0 = x0;
    this.#y0 = y0;
    this.#x1 = x1;
    this.#y1 = y1;
    this.#primitive = i32[at + PRIMITIVE_RECORD]!;
    if (this.#depthStage !== 'none') {
      this.#originX = i32[at + ORIGIN_X]!;
      this.#originY = i32[at + ORIGIN_Y]!;
      this.#depthC = f64[atF64 + DEPTH_C]!;
      this.#depthDx = f64[atF64 + DEPTH_DX]!;
      this.#depthDy = f64[atF64 + DEPTH_DY]!;
    }

    // 4. Small boxes quad by quad, larger ones by tiles of the level that fits.
    const coveredBefore = this.fragmentsCovered;
    if (Math.max(spanX, spanY) < 2 * LEAF_TILE_PX) {
      this.#walkQuads(startX, startY, x1, y1, e0, a0, b0, e1, a1, b1, e2, a2, b2, e3, a3, b3);
      return this.fragmentsCovered !== coveredBefore;
    }
    const size = spanX < 32 && spanY < 32 ? 16 : 32;
    for (let y = y0 & -size; y <= y1; y += size) {
      for (let x = x0 & -size; x <= x1; x += size) {
        const dx = x - startX;
        const dy = y - startY;
        // Imprecise only when it overflows: bounded as the head comment of raster-record.ts says.
        this.#descend(
          x,
          y,
          size,
          e0 + a0 * dx + b0 * dy,
          a0,
          b0,
          e1 + a1 * dx + b1 * dy,
          a1,
          b1,
          e2 + a2 * dx + b2 * dy,
          a2,
          b2,
          e3 + a3 * dx + b3 * dy,
          a3,
          b3,
        );
      }
    }
    return this.fragmentsCovered !== coveredBefore;
  }

  /** Tests a tile and goes down. Edge values are those of its top left pixel. */
  #descend(
    x: number,
    y: number,
    size: number,
    e0: number,
    a0: number,
    b0: number,
    e1: number,
    a1: number,
    b1: number,
    e2: number,
    a2: number,
    b2: number,
    e3: number,
    a3: number,
    b3: number,
  ): void {
    const last = size - 1;
    // 1. Trivial reject: the corner that is furthest inside an edge is outside of it.
    if (
      e0 + (a0 > 0 ? a0 * last : 0) + (b0 > 0 ? b0 * last : 0) < 0 ||
      e1 + (a1 > 0 ? a1 * last : 0) + (b1 > 0 ? b1 * last : 0) < 0 ||
      e2 + (a2 > 0 ? a2 * last : 0) + (b2 > 0 ? b2 * last : 0) < 0 ||
      e3 + (a3 > 0 ? a3 * last : 0) + (b3 > 0 ? b3 * last : 0) < 0
    ) {
      return;
    }
    // 2. Trivial accept of all edges: the furthest corner outside is inside of each.
    const isInside =
      e0 + (a0 < 0 ? a0 * last : 0) + (b0 < 0 ? b0 * last : 0) >= 0 &&
      e1 + (a1 < 0 ? a1 * last : 0) + (b1 < 0 ? b1 * last : 0) >= 0 &&
      e2 + (a2 < 0 ? a2 * last : 0) + (b2 < 0 ? b2 * last : 0) >= 0 &&
      e3 + (a3 < 0 ? a3 * last : 0) + (b3 < 0 ? b3 * last : 0) >= 0;
    const right = Math.min(x + last, this.#x1);
    const bottom = Math.min(y + last, this.#y1);
    const firstX = Math.max(x, this.#x0 & ~1);
    const firstY = Math.max(y, this.#y0 & ~1);
    if (isInside) {
      for (let qy = firstY; qy <= bottom; qy += 2) {
        for (let qx = firstX; qx <= right; qx += 2) this.#emitQuad(qx, qy, ALL_LANES);
      }
      return;
    }
    if (size === LEAF_TILE_PX) {
      const dx = firstX - x;
      const dy = firstY - y;
      e0 += a0 * dx + b0 * dy;
      e1 += a1 * dx + b1 * dy;
      e2 += a2 * dx + b2 * dy;
      e3 += a3 * dx + b3 * dy;
      this.#walkQuads(
        firstX,
        firstY,
        right,
        bottom,
        e0,
        a0,
        b0,
        e1,
        a1,
        b1,
        e2,
        a2,
        b2,
        e3,
        a3,
        b3,
      );
      return;
    }
    const half = size >> 1;
    for (let down = 0; down < size; down += half) {
      if (y + down > this.#y1 || y + down + half <= this.#y0) continue;
      for (let across = 0; across < size; across += half) {
        if (x + across > this.#x1 || x + across + half <= this.#x0) continue;
        this.#descend(
          x + across,
          y + down,
          half,
          e0 + a0 * across + b0 * down,
          a0,
          b0,
          e1 + a1 * across + b1 * down,
          a1,
          b1,
          e2 + a2 * across + b2 * down,
          a2,
          b2,
          e3 + a3 * across + b3 * down,
          a3,
          b3,
        );
      }
    }
  }

  /** Evaluates all quads from (x, y) to (right, bottom). */
  #walkQuads(
    x: number,
    y: number,
    right: number,
    bottom: number,
    e0: number,
    a0: number,
    b0: number,
    e1: number,
    a1: number,
    b1: number,
    e2: number,
    a2: number,
    b2: number,
    e3: number,
    a3: number,
    b3: number,
  ): void {
    let row0 = e0 | 0;
    let row1 = e1 | 0;
    let row2 = e2 | 0;
    let row3 = e3 | 0;
    const b01 = (a0 + b0) | 0;
    const b11 = (a1 + b1) | 0;
    const b21 = (a2 + b2) | 0;
    const b31 = (a3 + b3) | 0;
    for (let qy = y; qy <= bottom; qy += 2) {
      let f0 = row0;
      let f1 = row1;
      let f2 = row2;
      let f3 = row3;
      for (let qx = x; qx <= right; qx += 2) {
        // The sign bit of the or is set where any edge is negative.
        const s0 = f0 | f1 | f2 | f3;
        const s1 = (f0 + a0) | (f1 + a1) | (f2 + a2) | (f3 + a3);
        const s2 = (f0 + b0) | (f1 + b1) | (f2 + b2) | (f3 + b3);
        const s3 = (f0 + b01) | (f1 + b11) | (f2 + b21) | (f3 + b31);
        const outside = (s0 >>> 31) | ((s1 >>> 31) << 1) | ((s2 >>> 31) << 2) | ((s3 >>> 31) << 3);
        if (outside !== ALL_LANES) this.#emitQuad(qx, qy, outside ^ ALL_LANES);
        f0 = (f0 + 2 * a0) | 0;
        f1 = (f1 + 2 * a1) | 0;
        f2 = (f2 + 2 * a2) | 0;
        f3 = (f3 + 2 * a3) | 0;
      }
      row0 = (row0 + 2 * b0) | 0;
      row1 = (row1 + 2 * b1) | 0;
      row2 = (row2 + 2 * b2) | 0;
      row3 = (row3 + 2 * b3) | 0;
    }
  }

  /** Cuts the quad at the bounds, tests its depth and puts what is left into the list. */
  #emitQuad(x: number, y: number, inside: number): void {
    let mask = inside;
    if (x < this.#x0) mask &= ~LANES_LEFT;
    if (x === this.#x1) mask &= ~LANES_RIGHT;
    if (y < this.#y0) mask &= ~LANES_TOP;
    if (y === this.#y1) mask &= ~LANES_BOTTOM;
    if (mask === 0) return;
    this.quadsCovered++;
    const covered = LANE_COUNT[mask]!;
    this.fragmentsCovered += covered;
    if (this.#depthStage === 'early') {
      mask = this.#testDepth(x, y, mask);
      const left = LANE_COUNT[mask]!;
      this.fragmentsEarlyKilled += covered - left;
      if (mask === 0) return;
      this.listedFragments += left;
    } else {
      this.listedFragments += covered;
      if (this.#depthStage === 'late') this.#keepDepth(x, y);
    }
    const i32 = this.#i32;
    const at = this.#quadsI32 + 4 * this.quadCount;
    i32[at] = x;
    i32[at + 1] = y;
    i32[at + 2] = mask;
    i32[at + 3] = this.#primitive;
    this.quadCount++;
  }

  /** Depth test and write of the lanes in `mask`; returns those that pass. */
  #testDepth(x: number, y: number, mask: number): number {
    const i32 = this.#i32;
    const dx = x - this.#originX;
    const dy = y - this.#originY;
    const quad = ((y - this.#binY) >> 1) * this.#quadsPerRow + ((x - this.#binX) >> 1);
    const at = this.#binDepthI32 + 4 * quad;
    let passed = 0;
    for (let lane = 0; lane < 4; lane++) {
      if ((mask & (1 << lane)) === 0) continue;
      const depth = fragmentDepth(
        this.#depthC,
        this.#depthDx,
        this.#depthDy,
        dx + (lane & 1),
        dy + (lane >> 1),
      );
      if (!passesDepth(this.#outcomes, depth, i32[at + lane]!)) continue;
      passed |= 1 << lane;
      if (this.#isDepthWritten) i32[at + lane] = depth;
    }
    return passed;
  }

  /** Keeps the depth of all lanes for the output merger. */
  #keepDepth(x: number, y: number): void {
    const dx = x - this.#originX;
    const dy = y - this.#originY;
    const at = this.#quadDepthsI32 + 4 * this.quadCount;
    for (let lane = 0; lane < 4; lane++) {
      this.#i32[at + lane] = fragmentDepth(
        this.#depthC,
        this.#depthDx,
        this.#depthDy,
        dx + (lane & 1),
        dy + (lane >> 1),
      );
    }
  }
}

/** Lanes in a quad's mask. */
export function laneCount(mask: number): number {
  return LANE_COUNT[mask & ALL_LANES]!;
}
