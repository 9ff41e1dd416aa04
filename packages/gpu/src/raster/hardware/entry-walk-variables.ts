/** Parameters and variables of the entry-walk kernel, which the parts of its code share by name. */
import {
  type Expr,
  type FunctionBuilder,
  get,
  i8x16,
  i32,
  type Local,
  type Stmt,
  set,
} from '@tessera/shader/wasm';
import { FINE_BIN_BLOCKS } from '../../records/entry-walk-layout.ts';

/**
 * Walks entries of a fine bin, all of one draw, and writes the results to the chiplet's memory
 * (entry-walk-layout.ts).
 *
 * @param entriesPtr Address of the int32 indices of raster records.
 * @param entryCount Number of entries, at most ENTRY_WALK.maxEntries.
 * @param left Left bound of the fine bin; bounds are inclusive.
 * @param firstQuad Index of the entries' first quad in the quad list. The quads are sorted into
 *   packing order.
 * @param endQuad Index after their last quad.
 * @param depthUse See DEPTH_USES.
 * @param hasDepths 1 if quads have depths beside them.
 * @returns Number of entries walked, or one of ENTRY_WALK.failures. The walk stops before an entry
 *   whose blocks may not fit or whose edges are too steep.
 */
export type EntryWalkRun = (
  entriesPtr: number,
  entryCount: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  firstQuad: number,
  endQuad: number,
  draw: number,
  depthUse: number,
  hasDepths: number,
) => number;

/** Parameters of the kernel, in order. */
export const ENTRY_WALK_PARAMS = [
  'entriesPtr',
  'entryCount',
  'left',
  'top',
  'right',
  'bottom',
  'firstQuad',
  'endQuad',
  'draw',
  'depthUse',
  'hasDepths',
] as const;
/** Name of a parameter. */
export type EntryWalkParam = (typeof ENTRY_WALK_PARAMS)[number];

/** Log2 of a block's edge in pixels. */
export const BLOCK_LOG2 = 2;

/** 32-bit variables that several parts share. */
export type WalkScalar =
  | 'index'
  /** Edges of the primitive, and its box in the fine bin. */
  | 'edgeCount'
  | 'x0'
  | 'y0'
  | 'x1'
  | 'y1'
  /** Next quad, and the entry's first quad. */
  | 'quad'
  | 'firstOfEntry'
  /** Size of the entry's quad numbers in packing order, in bytes. */
  | 'packed'
  /** Write positions of the next block and the next entry; position of the entry's first block. */
  | 'blockAt'
  | 'entryAt'
  | 'firstBlock'
  /**
   * Tiles of the entry level, their size and the current one; 1 if level 6 tests tiles of blocks.
   */
  | 'entryTiles'
  | 'tileLog2'
  | 'tileStep'
  | 'tileX'
  | 'tileY'
  | 'isLevel6'
  /**
   * Current tile: number of its first block in the entry tile, log2 of its size in blocks, its
   * first pixel.
   */
  | 'place'
  | 'sizeLog2'
  /** Passing sub-tiles that are not visited yet. */
  | 'pending'
  | 'x'
  | 'y'
  /** Covered samples of the current block. */
  | 'mask'
  /** Totals of the entry: blocks that level 7 takes, cycles of the slowest level. */
  | 'lastLevelBlocks'
  | 'steps'
  /** Totals of the call: sub-tiles that levels 6 and 7 pass, covered samples. */
  | 'passed6'
  | 'passed7'
  | 'fragments'
  | 'sorted'
  | 'at';

/** Indices of edges, or of rows of a block. */
export const QUARTERS = [0, 1, 2, 3] as const;
/** Index of an edge, or of a row of a block. */
export type Quarter = (typeof QUARTERS)[number];
/** Vectors with one lane per edge, except `lanes` (0 to 3) and those by row or by edge. */
export type WalkVector =
  | 'lanes'
  /** Value at the fine bin's corner, and step per pixel. */
  | 'start'
  | 'stepX'
  | 'stepY'
  /**
   * Rise from a tile's first pixel to that furthest inside, per pixel of its size minus one; fall
   * to a block's least sample.
   */
  | 'rise'
  | 'fall'
  /** Value at the first pixel of the current tile. */
  | 'edges'
  /** Signs of the edges that its sub-tiles are outside of. */
  | 'outside'
  /**
   * Signs of edges with a pixel outside, by row of the current block, as tiles and as samples are
   * tested.
   */
  | `${'outside' | 'uncovered'}${Quarter}`
  /** Values by edge. */
  | `${'along' | 'down' | 'slack' | 'subTiles' | 'rise'}${Quarter}`;

/** First column and row, last column and row. */
export type Bounds = readonly [Expr, Expr, Expr, Expr];

/** Locals of the kernel by name. */
export class WalkVariables {
  readonly fn: FunctionBuilder;
  readonly #scalars = new Map<WalkScalar, Local>();
  readonly #vectors = new Map<WalkVector, Local>();

  constructor(fn: FunctionBuilder) {
    this.fn = fn;
  }

  param(name: EntryWalkParam): Expr {
    return get(this.fn.param(ENTRY_WALK_PARAMS.indexOf(name)));
  }

  /** Bounds of the fine bin. */
  get rectangle(): Bounds {
    return [this.param('left'), this.param('top'), this.param('right'), this.param('bottom')];
  }

  get(name: WalkScalar): Expr {
    return get(this.#scalar(name));
  }

  set(name: WalkScalar, value: Expr): Stmt {
    return set(this.#scalar(name), value);
  }

  add(name: WalkScalar, value: Expr | number): Stmt {
    const by = typeof value === 'number' ? i32.const(value) : value;
    return this.set(name, i32.add(this.get(name), by));
  }

  vector(name: WalkVector): Expr {
    return get(this.#vector(name));
  }

  setVector(name: WalkVector, value: Expr): Stmt {
    return set(this.#vector(name), value);
  }

  #scalar(name: WalkScalar): Local {
    const local = this.#scalars.get(name) ?? this.fn.local('i32');
    this.#scalars.set(name, local);
    return local;
  }

  #vector(name: WalkVector): Local {
    const local = this.#vectors.get(name) ?? this.fn.local('v128');
    this.#vectors.set(name, local);
    return local;
  }
}

/** Returns the block number, within a fine bin, of the pixel x, y relative to its corner. */
export function blockOf(x: Expr, y: Expr): Expr {
  return i32.add(
    i32.mul(i32.shrS(y, i32.const(BLOCK_LOG2)), i32.const(FINE_BIN_BLOCKS)),
    i32.shrS(x, i32.const(BLOCK_LOG2)),
  );
}

/** Copies lane `k` to all four lanes. */
export function splatLane(vector: Expr, k: Quarter): Expr {
  const bytes = Array.from({ length: 16 }, (_, byte) => 4 * k + (byte & 3));
  return i8x16.shuffle(vector, vector, bytes);
}
