/** Parameters and variables of the kernel of the entry walk, which the parts of its code share by name. */
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
 * Walks entries of a fine bin, all of one draw, and writes what it finds to the chiplet's memory (entry-walk-layout.ts).
 *
 * @param entriesPtr int32 numbers of raster records. @param entryCount At most ENTRY_WALK.maxEntries.
 * @param left Bounds of the fine bin, inclusive.
 * @param firstQuad Where the entries' quads begin in the quad list; they are brought into the order of packing.
 * @param endQuad Where they end.
 * @param depthUse See DEPTH_USES. @param hasDepths 1 if quads have depths beside them.
 * @param boundsX Left column of the coarse bin. @param boundsPerRow Blocks in a row of it.
 * @returns How many entries were walked: it stops before one that blocks may have no room for, or whose edges are too steep; or one
 *   of ENTRY_WALK.failures.
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
  boundsX: number,
  boundsY: number,
  boundsPerRow: number,
) => number;

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
  'boundsX',
  'boundsY',
  'boundsPerRow',
] as const;
export type EntryWalkParam = (typeof ENTRY_WALK_PARAMS)[number];

/** log2 of the pixels of a block's edge. */
export const BLOCK_LOG2 = 2;

/** Variables of 32 bits, those that several parts use. */
export type WalkScalar =
  | 'index'
  /** Edges of the primitive, and its box in the fine bin. */
  | 'edgeCount'
  | 'x0'
  | 'y0'
  | 'x1'
  | 'y1'
  /** The quad to go on with, and the entry's first. */
  | 'quad'
  | 'firstOfEntry'
  /** Bytes of the entry's numbers of quads in the order of packing. */
  | 'packed'
  /** Where the next block and the next entry are written; where the entry's first block is. */
  | 'blockAt'
  | 'entryAt'
  | 'firstBlock'
  /** Tiles of the entry level, their size and the one in hand; 1 if level 6 tests tiles of blocks. */
  | 'entryTiles'
  | 'tileLog2'
  | 'tileStep'
  | 'tileX'
  | 'tileY'
  | 'isLevel6'
  /** The tile in hand: number of its first block in the entry tile, log2 of its size in blocks, its first pixel. */
  | 'place'
  | 'sizeLog2'
  /** Sub-tiles that pass and are still to come. */
  | 'pending'
  | 'x'
  | 'y'
  /** Covered samples of the block in hand. */
  | 'mask'
  /** Of the entry: blocks that level 7 takes, cycles of the slowest level. */
  | 'lastLevelBlocks'
  | 'steps'
  /** Of the call: sub-tiles that levels 6 and 7 hand on, covered samples. */
  | 'passed6'
  | 'passed7'
  | 'fragments'
  | 'sorted'
  | 'at';

/** Numbers of edges, or of rows of a block. */
export const QUARTERS = [0, 1, 2, 3] as const;
export type Quarter = (typeof QUARTERS)[number];
/** Vectors: with a lane an edge, but for `lanes` (0 to 3), and by row or by edge. */
export type WalkVector =
  | 'lanes'
  /** At the fine bin's corner, and what a pixel more adds. */
  | 'start'
  | 'stepX'
  | 'stepY'
  /** From a tile's first pixel to that furthest inside, for each pixel of its size less one; to a block's least sample. */
  | 'rise'
  | 'fall'
  /** At the first pixel of the tile in hand. */
  | 'edges'
  /** Signs of what its sub-tiles are outside of. */
  | 'outside'
  /** By row of the block in hand: signs of edges that have a pixel outside of them, as tiles and as samples are tested. */
  | `${'outside' | 'uncovered'}${Quarter}`
  /** By edge. */
  | `${'along' | 'down' | 'slack' | 'subTiles' | 'rise'}${Quarter}`;

/** First column and row, last column and row. */
export type Bounds = readonly [Expr, Expr, Expr, Expr];

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

  /** Of the fine bin. */
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

/** Number of the block, in a fine bin, of the pixel x, y from its corner. */
export function blockOf(x: Expr, y: Expr): Expr {
  return i32.add(
    i32.mul(i32.shrS(y, i32.const(BLOCK_LOG2)), i32.const(FINE_BIN_BLOCKS)),
    i32.shrS(x, i32.const(BLOCK_LOG2)),
  );
}

/** Lane `k` in all four. */
export function splatLane(vector: Expr, k: Quarter): Expr {
  const bytes = Array.from({ length: 16 }, (_, byte) => 4 * k + (byte & 3));
  return i8x16.shuffle(vector, vector, bytes);
}
