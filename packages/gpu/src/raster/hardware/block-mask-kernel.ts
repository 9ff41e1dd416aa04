/**
 * Code of the entry walk for levels 6 and 7 of a 4×4 block: its 2×2 tiles, then their pixels, as
 * bits of masks (bit 4 row + column). A vector is a row. Edges are processed in a loop. The sign of
 * an edge value marks a pixel as outside.
 */
import { type Expr, i8x16, i16x8, i32, i32x4, ifThen, select, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import {
  QUARTERS,
  type Quarter,
  splatLane,
  type WalkScalar,
  type WalkVariables,
} from './entry-walk-variables.ts';
import type { TraversalSwitches } from './seven-level-traversal.ts';

const ROWS = 4;
const FULL_MASK = 0xffff;
/** Factor that repeats the bits of a row in all rows. */
const COLUMNS = 0x1111;
/** Upper left pixel of each 2×2 tile. The other pixels of a tile are offsets from it. */
const TILE_CORNERS = 0x0505;
const TILE_PIXELS = 0x0033;

/**
 * Emits the test of the block at variables `x`, `y`, with the edges at its first pixel in the
 * vector `edges`. Adds to `passed6`, `passed7` and `lastLevelBlocks`, and leaves the covered
 * samples in `mask`.
 */
export class BlockMasks {
  readonly #switches: TraversalSwitches;
  readonly #at: WalkVariables;

  constructor(switches: TraversalSwitches, variables: WalkVariables) {
    this.#switches = switches;
    this.#at = variables;
  }

  emit(code: KernelCode): void {
    const v = (name: WalkScalar) => this.#at.get(name);
    // Edges that have a sample of the block outside.
    const crossing = code.keep(
      i32x4.bitmask(i32x4.add(this.#at.vector('edges'), this.#at.vector('fall'))),
    );
    const last = i32.const(ROWS - 1);
    const differences = [
      i32.sub(v('x'), v('x0')),
      i32.sub(v('y'), v('y0')),
      i32.sub(i32.sub(v('x1'), v('x')), last),
      i32.sub(i32.sub(v('y1'), v('y')), last),
    ];
    const outside = i32.ltS(
      differences.reduce((all, one) => i32.or(all, one)),
      i32.const(0),
    );
    code.add(
      ifThen(
        i32.or(crossing, outside),
        code.branch((inner) => this.#emitPixels(inner)),
        [
          this.#at.set('mask', i32.const(FULL_MASK)),
          this.#at.add('passed6', i32.shl(v('isLevel6'), i32.const(2))),
          this.#at.add('passed7', i32.const(16)),
          this.#at.add('lastLevelBlocks', i32.const(1)),
        ],
      ),
    );
  }

  /** Emits the test of a partially covered block. */
  #emitPixels(code: KernelCode): void {
    const v = (name: WalkScalar) => this.#at.get(name);
    // 1. Box and rectangle.
    const inBox = this.#boundsMask(code, v('x0'), v('y0'), v('x1'), v('y1'));
    const inRectangle = this.#switches.hasBoxTest
      ? inBox
      : this.#boundsMask(code, ...this.#at.rectangle);

    // 2. Pixels that pass the edges, and those that are covered.
    const hasSlack = this.#switches.tilePoint === 'corner';
    for (const k of QUARTERS) {
      if (k < 3) this.#emitEdge(code, k, hasSlack);
      else {
        const isEdge = i32.eq(v('edgeCount'), i32.const(QUARTERS.length));
        code.add(
          ifThen(
            isEdge,
            code.branch((inner) => this.#emitEdge(inner, k, hasSlack)),
          ),
        );
      }
    }
    const insideOf = (name: 'outside' | 'uncovered') =>
      code.keep(
        i32.xor(
          signsOf((row) => this.#at.vector(`${name}${row}`)),
          i32.const(FULL_MASK),
        ),
      );
    const passing = insideOf('outside');
    const covered = hasSlack ? insideOf('uncovered') : passing;

    // 3. Tiles: each nibble has the edges that the tile is outside of.
    const first = code.keep(i32x4.add(this.#at.vector('edges'), this.#at.vector('rise')));
    const right = code.keep(i32x4.shl(this.#at.vector('stepX'), i32.const(1)));
    const down = code.keep(i32x4.shl(this.#at.vector('stepY'), i32.const(1)));
    const below = code.keep(i32x4.add(first, down));
    const tileEdges = [first, i32x4.add(first, right), below, i32x4.add(below, right)];
    const signs = code.keep(signsOf((tile) => tileEdges[tile]!));
    const pairs = code.keep(i32.or(signs, i32.shrU(signs, i32.const(1))));
    const any = code.keep(
      i32.and(i32.or(pairs, i32.shrU(pairs, i32.const(2))), i32.const(COLUMNS)),
    );
    // Moves nibbles to the corners of tiles: bits 0, 4, 8 and 12 to 0, 2, 8 and 10.
    const corners = i32.or(
      i32.and(any, i32.const(0x0101)),
      i32.and(i32.shrU(any, i32.const(2)), i32.const(0x0404)),
    );
    const tilesPassing = i32.xor(i32.mul(corners, i32.const(TILE_PIXELS)), i32.const(FULL_MASK));
    const tilesInRectangle = tilesOf(code, inRectangle);
    const tilesInBox = this.#switches.hasBoxTest ? tilesInRectangle : tilesOf(code, inBox);
    const tiles = code.keep(
      select(i32.and(tilesPassing, tilesInRectangle), tilesInBox, v('isLevel6')),
    );
    const tileCount = code.keep(i32.popcnt(i32.and(tiles, i32.const(TILE_CORNERS))));
    const pixels = code.keep(i32.and(i32.and(passing, tiles), inRectangle));
    code.add(
      this.#at.add('passed6', select(tileCount, i32.const(0), v('isLevel6'))),
      this.#at.add('passed7', i32.popcnt(pixels)),
      this.#at.add('lastLevelBlocks', i32.ne(tileCount, i32.const(0))),
      this.#at.set('mask', i32.and(i32.and(pixels, inBox), covered)),
    );
  }

  /** Adds the signs of edge `k` at the pixels to those of the previous edges. */
  #emitEdge(code: KernelCode, k: Quarter, hasSlack: boolean): void {
    const start = i32x4.add(splatLane(this.#at.vector('edges'), k), this.#at.vector(`along${k}`));
    const add = (name: 'outside' | 'uncovered', row: Quarter, value: Expr) => {
      const to = `${name}${row}` as const;
      const all = k === 0 ? value : v128.or(this.#at.vector(to), value);
      code.add(this.#at.setVector(to, all));
    };
    let at = code.keep(start);
    for (const row of QUARTERS) {
      if (row > 0) at = code.keep(i32x4.add(at, this.#at.vector(`down${k}`)));
      add('outside', row, at);
      if (hasSlack) add('uncovered', row, i32x4.sub(at, this.#at.vector(`slack${k}`)));
    }
  }

  /** Returns the pixels of the block inside inclusive bounds. */
  #boundsMask(code: KernelCode, left: Expr, top: Expr, right: Expr, bottom: Expr): Expr {
    const upTo4 = (value: Expr) => {
      const kept = code.keep(value);
      const atLeast0 = code.keep(select(kept, i32.const(0), i32.gtS(kept, i32.const(0))));
      return code.keep(select(atLeast0, i32.const(4), i32.ltS(atLeast0, i32.const(4))));
    };
    const last = i32.const(ROWS - 1);
    const { x, y } = { x: this.#at.get('x'), y: this.#at.get('y') };
    const fromLeft = upTo4(i32.sub(left, x));
    const fromRight = upTo4(i32.sub(last, i32.sub(right, x)));
    const fromTop = upTo4(i32.sub(top, y));
    const fromBottom = upTo4(i32.sub(last, i32.sub(bottom, y)));
    const columns = i32.and(i32.shl(i32.const(15), fromLeft), i32.shrU(i32.const(15), fromRight));
    const rows = i32.and(
      i32.shl(i32.const(FULL_MASK), i32.shl(fromTop, i32.const(2))),
      i32.shrU(i32.const(FULL_MASK), i32.shl(fromBottom, i32.const(2))),
    );
    return code.keep(i32.and(i32.mul(columns, i32.const(COLUMNS)), rows));
  }
}

/** Returns the signs of the lanes of four vectors as 16 bits. Narrowing keeps signs. */
function signsOf(vector: (index: Quarter) => Expr): Expr {
  return i8x16.bitmask(
    i8x16.narrowI16x8S(
      i16x8.narrowI32x4S(vector(0), vector(1)),
      i16x8.narrowI32x4S(vector(2), vector(3)),
    ),
  );
}

/** Returns all pixels of the 2×2 tiles that contain a pixel of the mask. */
function tilesOf(code: KernelCode, mask: Expr): Expr {
  const moved = (bits: Expr, up: number, shift: number) =>
    i32.or(
      i32.shl(i32.and(bits, i32.const(up)), i32.const(shift)),
      i32.shrU(i32.and(bits, i32.const(up << shift)), i32.const(shift)),
    );
  const across = code.keep(i32.or(mask, moved(mask, 0x5555, 1)));
  return code.keep(i32.or(across, moved(across, 0x0f0f, 4)));
}
