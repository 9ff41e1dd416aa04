/**
 * Coarse depth of a whole target in visibility mode: an upper bound, for each tile of 8×8 samples,
 * of the depth that the primitives so far will store there. A primitive whose nearest depth in a
 * tile is behind the bound fails the depth test at every sample of the tile.
 *
 * A tile has two layers, after Hasselgren, Andersson, Akenine-Möller, "Masked Software Occlusion
 * Culling" (HPG 2016): the bound of the whole tile, and a working layer, which is a mask of samples
 * with a bound of its own. When the mask is full, the working layer becomes the tile's bound if it
 * is nearer. Many small triangles can thus hide geometry behind them together.
 *
 * The bound is sound. A sample's stored depth only decreases while draws test `less` or
 * `less-equal`. A covered sample stores at most the depth of its primitive, whether the primitive
 * passed or failed. Draws that may store a larger depth, or pass without storing depth, never lower
 * a bound. Bounds stay one step above the plane, because stored depth is rounded.
 */

import type { PreparedDraw, ShaderProgram } from '@tessera/frame';
import { FRAGMENT_DEPTH_SLOT } from '@tessera/frame';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../records/depth-24.ts';
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
  ORIGIN_X,
  ORIGIN_Y,
  RECORD_F64,
  RECORD_I32,
} from '../records/raster-record.ts';

const TILE_LOG2 = 3;
const TILE_PX = 1 << TILE_LOG2;
const TRIANGLE_EDGES = 3;

/** Permitted effects of a draw's primitives on coarse depth. */
export interface CoarseDepthUse {
  /** Whether primitives behind the bound have no effect. */
  readonly isTested: boolean;
  /** Whether covered samples store at most the primitive's depth. */
  readonly lowersBound: boolean;
  /** Whether stored depth may increase. */
  readonly raisesBound: boolean;
}

/** Returns the use of a draw. Primitives other than triangles neither test nor lower. */
export function coarseDepthUseOf(draw: PreparedDraw, program: ShaderProgram): CoarseDepthUse {
  const { depth, stencil } = draw.state;
  const { topology } = draw;
  const { polygonMode, isDepthClamped } = draw.state;
  // Bounds are of planes, and clamping moves depth off its plane.
  const isTriangle =
    topology.startsWith('triangle') && polygonMode === undefined && isDepthClamped !== true;
  const isNearer = depth.compare === 'less' || depth.compare === 'less-equal';
  const { fragment } = program;
  const writesDepth = fragment.outputSlots.includes(FRAGMENT_DEPTH_SLOT);
  // A stencil operation may apply although, or because, the depth test fails.
  const isPlain = depth.isTestEnabled && isNearer && !stencil.isTestEnabled && !writesDepth;
  const neverRaises = isNearer || depth.compare === 'equal' || depth.compare === 'never';
  return {
    isTested: isTriangle && isPlain,
    lowersBound: isTriangle && isPlain && depth.isWriteEnabled && !fragment.usesDiscard,
    raisesBound: depth.isTestEnabled && depth.isWriteEnabled && !neverRaises,
  };
}

/** Options of the coarse depth: size of the target and its content. */
export interface CoarseDepthOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Largest depth in the target at the start. */
  readonly storedDepth: number;
}

/** Coarse depth of one target. */
export class CoarseDepth {
  readonly #memory: ChipletMemory;
  readonly #widthPx: number;
  readonly #heightPx: number;
  readonly #columns: number;
  /** Per tile: bound of all samples; bound of the masked ones; mask of rows 0 to 3 and 4 to 7. */
  readonly #bounds: Float64Array;
  readonly #workingBounds: Float64Array;
  readonly #masks: Uint32Array;

  constructor(memory: ChipletMemory, { widthPx, heightPx, storedDepth }: CoarseDepthOptions) {
    this.#memory = memory;
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    this.#columns = Math.ceil(widthPx / TILE_PX);
    const count = this.#columns * Math.ceil(heightPx / TILE_PX);
    this.#bounds = new Float64Array(count).fill(storedDepth);
    this.#workingBounds = new Float64Array(count);
    this.#masks = new Uint32Array(2 * count);
  }

  /**
   * Returns whether the record, a triangle with its depth plane, is behind the bounds in all tiles
   * that its box shares with the rectangle. Bounds are inclusive.
   */
  isHidden(record: number, left: number, top: number, right: number, bottom: number): boolean {
    const { i32 } = this.#memory;
    const at = (this.#memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
    const x0 = Math.max(left, i32[at + BOX_X0]!);
    const y0 = Math.max(top, i32[at + BOX_Y0]!);
    const x1 = Math.min(right, i32[at + BOX_X1]!);
    const y1 = Math.min(bottom, i32[at + BOX_Y1]!);
    for (let row = y0 >> TILE_LOG2; row <= y1 >> TILE_LOG2; row++) {
      const tileTop = Math.max(y0, row << TILE_LOG2);
      const tileBottom = Math.min(y1, (row << TILE_LOG2) + TILE_PX - 1);
      for (let column = x0 >> TILE_LOG2; column <= x1 >> TILE_LOG2; column++) {
        const tileLeft = Math.max(x0, column << TILE_LOG2);
        const tileRight = Math.min(x1, (column << TILE_LOG2) + TILE_PX - 1);
        const nearest = this.#extremeDepth(record, tileLeft, tileTop, tileRight, tileBottom, -1);
        // Comparisons with NaN are false, so such a primitive is not hidden.
        const isBehind = nearest >= this.#bounds[row * this.#columns + column]! + 1;
        if (!isBehind) return false;
      }
    }
    return true;
  }

  /** Applies a record, a triangle that lowers bounds, to the tiles that it covers. */
  lower(record: number): void {
    const { i32 } = this.#memory;
    const at = (this.#memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
    const x0 = i32[at + BOX_X0]!;
    const y0 = i32[at + BOX_Y0]!;
    const x1 = i32[at + BOX_X1]!;
    const y1 = i32[at + BOX_Y1]!;
    for (let row = y0 >> TILE_LOG2; row <= y1 >> TILE_LOG2; row++) {
      const top = row << TILE_LOG2;
      const bottom = Math.min(top + TILE_PX, this.#heightPx) - 1;
      for (let column = x0 >> TILE_LOG2; column <= x1 >> TILE_LOG2; column++) {
        const left = column << TILE_LOG2;
        const right = Math.min(left + TILE_PX, this.#widthPx) - 1;
        const farthest = this.#extremeDepth(record, left, top, right, bottom, 1) + 1;
        const tile = row * this.#columns + column;
        // A NaN plane is never below the bound.
        if (!(farthest < this.#bounds[tile]!)) continue;
        this.#cover(record, tile, left, top, right, bottom, Math.max(farthest, 0));
      }
    }
  }

  /** Applies a record whose samples may store any depth. */
  raise(record: number): void {
    const { i32 } = this.#memory;
    const at = (this.#memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
    const lastRow = i32[at + BOX_Y1]! >> TILE_LOG2;
    const lastColumn = i32[at + BOX_X1]! >> TILE_LOG2;
    for (let row = i32[at + BOX_Y0]! >> TILE_LOG2; row <= lastRow; row++) {
      for (let column = i32[at + BOX_X0]! >> TILE_LOG2; column <= lastColumn; column++) {
        const tile = row * this.#columns + column;
        this.#bounds[tile] = DEPTH_24_MAX;
        this.#masks.fill(0, 2 * tile, 2 * tile + 2);
      }
    }
  }

  /** Adds the samples of a tile that the record covers to its working layer. */
  #cover(
    record: number,
    tile: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    depth: number,
  ): void {
    const upper = this.#coverage(record, left, top, right, Math.min(bottom, top + 3));
    const lower = bottom > top + 3 ? this.#coverage(record, left, top + 4, right, bottom) : 0;
    if ((upper | lower) === 0) return;
    const masks = this.#masks;
    const working = this.#workingBounds[tile]!;
    const isEmpty = (masks[2 * tile]! | masks[2 * tile + 1]!) === 0;
    // A layer nearer to the bound than to this depth is worth less than a new one.
    const isReplaced = isEmpty || working - depth > this.#bounds[tile]! - working;
    masks[2 * tile] = isReplaced ? upper : masks[2 * tile]! | upper;
    masks[2 * tile + 1] = isReplaced ? lower : masks[2 * tile + 1]! | lower;
    this.#workingBounds[tile] = isReplaced ? depth : Math.max(working, depth);
    const isFull =
      masks[2 * tile] === fullMask(left, top, right, Math.min(bottom, top + 3)) &&
      (bottom <= top + 3 || masks[2 * tile + 1] === fullMask(left, top + 4, right, bottom));
    if (!isFull) return;
    this.#bounds[tile] = Math.min(this.#bounds[tile]!, this.#workingBounds[tile]!);
    masks.fill(0, 2 * tile, 2 * tile + 2);
  }

  /** Returns the covered samples of up to four rows of a tile: bit 8 row + column. */
  #coverage(record: number, left: number, top: number, right: number, bottom: number): number {
    const { i32, f64 } = this.#memory;
    const at = (this.#memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
    const atF64 = (this.#memory.rasterRecordsPtr >> 3) + record * RECORD_F64;
    const x0 = Math.max(left, i32[at + BOX_X0]!);
    const y0 = Math.max(top, i32[at + BOX_Y0]!);
    const x1 = Math.min(right, i32[at + BOX_X1]!);
    const y1 = Math.min(bottom, i32[at + BOX_Y1]!);
    let mask = 0;
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        let isInside = true;
        for (let edge = 0; edge < TRIANGLE_EDGES && isInside; edge++) {
          const a = i32[at + EDGE_A + edge]!;
          const b = i32[at + EDGE_B + edge]!;
          isInside = f64[atF64 + EDGE_C + edge]! + a * x + b * y >= 0;
        }
        if (isInside) mask |= 1 << (TILE_PX * (y - top) + (x - left));
      }
    }
    return mask >>> 0;
  }

  /**
   * Returns the smallest (`side` −1) or largest (1) depth of the record's plane over the samples of
   * a rectangle.
   */
  #extremeDepth(
    record: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    side: -1 | 1,
  ): number {
    const { i32, f64 } = this.#memory;
    const at = (this.#memory.rasterRecordsPtr >> 2) + record * RECORD_I32;
    const atF64 = (this.#memory.rasterRecordsPtr >> 3) + record * RECORD_F64;
    const dx = f64[atF64 + DEPTH_DX]!;
    const dy = f64[atF64 + DEPTH_DY]!;
    const x = (dx * side > 0 ? right : left) - i32[at + ORIGIN_X]!;
    const y = (dy * side > 0 ? bottom : top) - i32[at + ORIGIN_Y]!;
    return Math.min(f64[atF64 + DEPTH_C]! + dx * x + dy * y, DEPTH_24_MAX);
  }
}

/**
 * Returns the number of tiles that a record's box touches, which is the cost of its coarse-depth
 * test in cycles.
 */
export function countTiles({ i32, rasterRecordsPtr }: ChipletMemory, record: number): number {
  const at = (rasterRecordsPtr >> 2) + record * RECORD_I32;
  const columns = (i32[at + BOX_X1]! >> TILE_LOG2) - (i32[at + BOX_X0]! >> TILE_LOG2) + 1;
  return columns * ((i32[at + BOX_Y1]! >> TILE_LOG2) - (i32[at + BOX_Y0]! >> TILE_LOG2) + 1);
}

function fullMask(left: number, top: number, right: number, bottom: number): number {
  const row = 0xff >> (TILE_PX - 1 - (right - left));
  let mask = 0;
  for (let y = 0; y <= bottom - top; y++) mask |= row << (TILE_PX * y);
  return mask >>> 0;
}
