/** Code of the entry walk for the edges of a primitive. */
import {
  brIf,
  type Expr,
  f64,
  f64x2,
  i8x16,
  i32,
  i32x4,
  i64x2,
  type Label,
  v128,
} from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import { EDGE_A, EDGE_B, EDGE_C, EDGE_COUNT } from '../../records/raster-record.ts';
import { BLOCK_LOG2, QUARTERS, splatLane, type WalkVariables } from './entry-walk-variables.ts';

/** Upper bound of |a| + |b| for the kernel. Twice this, over 128 + 64 pixels, is below 2^29. */
const MAX_SLOPES = 2 ** 20;
const MAX_EDGE = 2 ** 30;
/** Addend that moves an integer below 2^31 in magnitude to the low word of a double. */
const TO_INTEGER = 1.5 * 2 ** 52;
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] as const;
const HIGH_HALF_TWICE = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/**
 * Emits the edge values at the fine bin's corner and their steps.
 *
 * @param isCorner Whether tiles are tested at their corners, half a pixel further inside than
 *   samples.
 * @param steep Label for entries whose edges are too steep.
 */
export function emitEdges(
  code: KernelCode,
  at: WalkVariables,
  record: Expr,
  isCorner: boolean,
  steep: Label,
): void {
  const edgeCount = i32.load(record, { offset: 4 * EDGE_COUNT });
  code.add(at.set('edgeCount', edgeCount));
  const isEdge = code.keep(i32x4.gtS(i32x4.splat(at.get('edgeCount')), at.vector('lanes')));
  const slopes = (word: number) =>
    code.keep(v128.and(v128.load(record, { offset: 4 * word }), isEdge));
  const a = slopes(EDGE_A);
  const b = slopes(EDGE_B);
  const size = code.keep(i32x4.add(i32x4.abs(a), i32x4.abs(b)));
  code.add(brIf(steep, v128.anyTrue(i32x4.gtS(size, code.splatI(MAX_SLOPES)))));

  const position = (name: 'left' | 'top') =>
    code.keep(f64x2.splat(f64.convertI32S(at.param(name))));
  const left = position('left');
  const top = position('top');
  const doubles = (value: number) => code.keep(f64x2.const([value, value]));
  const most = doubles(MAX_EDGE);
  const least = doubles(-MAX_EDGE);
  const toInteger = doubles(TO_INTEGER);
  const starts = [0, 1].map((pair) => {
    const half = (words: Expr) =>
      f64x2.convertLowI32x4S(pair === 0 ? words : i8x16.shuffle(words, words, HIGH_HALF_TWICE));
    const isPairEdge = pair === 0 ? i64x2.extendLowI32x4S(isEdge) : i64x2.extendHighI32x4S(isEdge);
    const c = v128.and(v128.load(record, { offset: 8 * (EDGE_C + 2 * pair) }), isPairEdge);
    const atCorner = code.keep(
      f64x2.add(f64x2.add(c, f64x2.mul(half(a), left)), f64x2.mul(half(b), top)),
    );
    const twice = f64x2.add(atCorner, atCorner);
    const value = isCorner ? f64x2.add(twice, half(size)) : twice;
    return f64x2.add(f64x2.pmax(least, f64x2.pmin(most, value)), toInteger);
  });
  code.add(at.setVector('start', i8x16.shuffle(starts[0]!, starts[1]!, LOW_WORDS)));
  code.add(at.setVector('stepX', i32x4.shl(a, i32.const(1))));
  code.add(at.setVector('stepY', i32x4.shl(b, i32.const(1))));
  const zero = code.splatI(0);
  code.add(
    at.setVector(
      'rise',
      i32x4.shl(i32x4.add(i32x4.maxS(a, zero), i32x4.maxS(b, zero)), i32.const(1)),
    ),
  );
  // Distance from a block's first pixel, at its most lenient test, to its least sample.
  const fall = i32x4.mul(
    i32x4.add(i32x4.minS(a, zero), i32x4.minS(b, zero)),
    code.splatI(2 * ((1 << BLOCK_LOG2) - 1)),
  );
  code.add(at.setVector('fall', isCorner ? i32x4.sub(fall, size) : fall));
  const isRight = code.keep(i32x4.const([0, -1, 0, -1]));
  const isBelow = code.keep(i32x4.const([0, 0, -1, -1]));
  // Per edge, for the pixels of a block: steps along a row and between rows, and the offset of tile
  // tests.
  for (const k of QUARTERS) {
    code.add(
      at.setVector(`along${k}`, i32x4.mul(splatLane(at.vector('stepX'), k), at.vector('lanes'))),
      at.setVector(`down${k}`, splatLane(at.vector('stepY'), k)),
    );
    // Per sub-tile: the rise of each pixel of its size towards its pixel furthest inside.
    const right = v128.and(splatLane(at.vector('stepX'), k), isRight);
    const below = v128.and(at.vector(`down${k}`), isBelow);
    code.add(
      at.setVector(`rise${k}`, splatLane(at.vector('rise'), k)),
      at.setVector(`subTiles${k}`, i32x4.add(i32x4.add(right, below), at.vector(`rise${k}`))),
    );
    if (isCorner) code.add(at.setVector(`slack${k}`, splatLane(size, k)));
  }
}
