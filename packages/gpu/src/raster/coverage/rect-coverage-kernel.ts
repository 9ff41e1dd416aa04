/**
 * Kernel of rect-coverage.ts for triangles, with the same results. It
 * tests a record against a rectangle by its edges. Where few samples remain, it tests each of them,
 * four at a time. A module imports `env.memory` and exports `run` ({@link RectCoverageRun}).
 */
import {
  block,
  brIf,
  createLabel,
  type Expr,
  type FunctionBuilder,
  f64,
  f64x2,
  get,
  i8x16,
  i32,
  i32x4,
  i64x2,
  type Local,
  loop,
  ret,
  select,
  set,
  v128,
} from '@tessera/shader/wasm';
import { encodeKernel } from '../../kernel/encode-kernel.ts';
import { KernelCode } from '../../kernel/kernel-code.ts';
import { type ChipletMemory, RASTER_RECORD_BYTES } from '../../memory/chiplet-memory.ts';
import {
  BOX_X0,
  BOX_X1,
  BOX_Y0,
  BOX_Y1,
  EDGE_A,
  EDGE_B,
  EDGE_C,
} from '../../records/raster-record.ts';
import { EXACT_PIXELS } from './rect-coverage.ts';
import { emitSampleRises } from './sample-rises-kernel.ts';

/**
 * Tests records against a rectangle with inclusive bounds.
 *
 * @param record Index of the first record.
 * @param count Number of records, at least 1.
 * @param flagsPtr Address of one byte per record: 1 if the record may cover a sample of the
 *   rectangle.
 * @returns Flag of the last record.
 */
export type RectCoverageRun = (
  record: number,
  count: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  flagsPtr: number,
) => number;

const PARAMS = ['record', 'count', 'left', 'top', 'right', 'bottom', 'flagsPtr'] as const;
type Param = (typeof PARAMS)[number];

const EDGES = 3;
/**
 * Edge value from which all samples of up to 64 pixels are inside the edge, because slopes are
 * below 2^23. Larger values are clamped to it to fit an int32.
 */
const FAR_INSIDE = 2 ** 30;
const LANES = 4;
/** Addend that moves an integer below 2^31 in magnitude to the low word of a double. */
const TO_INTEGER = 1.5 * 2 ** 52;
/** Shuffle for the low words of two double vectors. */
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] as const;
const HIGH_HALF_TWICE = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/**
 * Returns the module for a chiplet's memory.
 *
 * @param sampleCount Samples per pixel.
 */
export function generateRectCoverageKernel(
  memory: ChipletMemory,
  sampleCount: number,
): Uint8Array<ArrayBuffer> {
  return encodeKernel(
    'testRects',
    PARAMS.map(() => 'i32' as const),
    ['i32'],
    (fn) => {
      const local = (name: Param) => fn.param(PARAMS.indexOf(name));
      const param = (name: Param) => get(local(name));
      const advance = (to: Local, by: number) => set(to, i32.add(get(to), i32.const(by)));
      const address = fn.local('i32');
      const flag = fn.local('i32');
      const prologue = new KernelCode(fn);
      const constants = keepConstants(prologue);
      fn.emit(
        ...prologue.statements,
        set(
          address,
          i32.add(
            i32.const(memory.rasterRecordsPtr),
            i32.mul(param('record'), i32.const(RASTER_RECORD_BYTES)),
          ),
        ),
        loop((again) => [
          set(flag, i32.const(0)),
          ...emitTest(fn, get(address), param, flag, constants, sampleCount),
          i32.store8(param('flagsPtr'), get(flag)),
          advance(local('flagsPtr'), 1),
          advance(address, RASTER_RECORD_BYTES),
          advance(local('count'), -1),
          brIf(again, param('count')),
        ]),
        ret(get(flag)),
      );
    },
  );
}

/** Keeps vector constants in locals, because V8 rebuilds them from scalars at each use. */
function keepConstants(code: KernelCode) {
  const doubles = (value: number) => code.keep(f64x2.const([value, value]));
  const integers = (values: readonly [number, number, number, number]) =>
    code.keep(i32x4.const(values));
  return {
    zero: doubles(0),
    farInside: doubles(FAR_INSIDE),
    toInteger: doubles(TO_INTEGER),
    lanes: integers([0, 1, 2, 3]),
    oddLanes: integers([0, -1, 0, -1]),
    upperLanes: integers([0, 0, -1, -1]),
    laneCount: integers([LANES, LANES, LANES, LANES]),
  };
}
type Constants = ReturnType<typeof keepConstants>;

function splatWord(k: number): number[] {
  return Array.from({ length: 16 }, (_, byte) => 4 * k + (byte & 3));
}

/**
 * Emits the test of one record, which sets `flag` to 1 if it may cover a sample. One function
 * because both steps share its locals.
 */
function emitTest(
  fn: FunctionBuilder,
  record: Expr,
  param: (name: Param) => Expr,
  flag: Local,
  constants: Constants,
  sampleCount: number,
) {
  const code = new KernelCode(fn);
  const decided = createLabel('record decided');
  const field = (word: number) => code.keep(i32.load(record, { offset: 4 * word }));
  const cut = (value: Expr, bound: Expr, isLow: boolean) =>
    code.keep(select(value, bound, isLow ? i32.gtS(value, bound) : i32.ltS(value, bound)));
  const x0 = cut(field(BOX_X0), param('left'), true);
  const y0 = cut(field(BOX_Y0), param('top'), true);
  const x1 = cut(field(BOX_X1), param('right'), false);
  const y1 = cut(field(BOX_Y1), param('bottom'), false);
  const spanX = code.keep(i32.sub(x1, x0));
  const spanY = code.keep(i32.sub(y1, y0));
  code.add(brIf(decided, i32.ltS(i32.or(spanX, spanY), i32.const(0))));

  // 1. Reject records with the whole rectangle outside an edge, in two pairs.
  const [firstX, firstY, widthX, widthY] = [x0, y0, spanX, spanY].map((value) =>
    code.keep(f64x2.splat(f64.convertI32S(value))),
  ) as [Expr, Expr, Expr, Expr];
  const a = code.keep(v128.load(record, { offset: 4 * EDGE_A }));
  const b = code.keep(v128.load(record, { offset: 4 * EDGE_B }));
  const corners = [0, 1].map((pair) => {
    const half = (slopes: Expr) =>
      pair === 0 ? slopes : i8x16.shuffle(slopes, slopes, HIGH_HALF_TWICE);
    const slopeX = code.keep(f64x2.convertLowI32x4S(half(a)));
    const slopeY = code.keep(f64x2.convertLowI32x4S(half(b)));
    const start = v128.load(record, { offset: 8 * (EDGE_C + 2 * pair) });
    const corner = code.keep(
      f64x2.add(f64x2.add(start, f64x2.mul(slopeX, firstX)), f64x2.mul(slopeY, firstY)),
    );
    const rise = (slope: Expr, width: Expr) => f64x2.pmax(constants.zero, f64x2.mul(slope, width));
    const highest = f64x2.add(f64x2.add(corner, rise(slopeX, widthX)), rise(slopeY, widthY));
    const isOutside = i64x2.bitmask(highest);
    // A triangle has no fourth edge.
    code.add(brIf(decided, pair === 0 ? isOutside : i32.and(isOutside, i32.const(1))));
    return { corner: code.keep(f64x2.pmin(constants.farInside, corner)), slopeX, slopeY };
  });

  // 2. Test the samples if there are few. Spans are compared first, because their product may
  //    overflow.
  code.add(set(flag, i32.const(1)));
  const limit = i32.const(EXACT_PIXELS);
  const samples = i32.mul(i32.add(spanX, i32.const(1)), i32.add(spanY, i32.const(1)));
  code.add(
    brIf(decided, i32.or(i32.geS(spanX, limit), i32.geS(spanY, limit))),
    brIf(decided, i32.gtS(samples, limit)),
  );
  const lane = (words: Expr, k: number) => i8x16.shuffle(words, words, splatWord(k));
  const vectors = Array.from({ length: EDGES }, (_, k) => {
    const slopeX = code.keep(lane(a, k));
    const twice = code.keep(i32x4.shl(slopeX, i32.const(1)));
    const along = code.keep(
      i32x4.add(v128.and(slopeX, constants.oddLanes), v128.and(twice, constants.upperLanes)),
    );
    const stepX = code.keep(i32x4.shl(twice, i32.const(1)));
    const stepY = code.keep(lane(b, k));
    return { along, row: fn.local('v128'), at: fn.local('v128'), stepX, stepY };
  });
  // Number of columns right of a lane; negative outside the row.
  const lastColumn = code.keep(i32x4.splat(spanX));
  const columns = fn.local('v128');
  const left = fn.local('i32');
  const rows = fn.local('i32');
  const words = (of: (pair: (typeof corners)[number]) => Expr) =>
    code.keep(
      i8x16.shuffle(
        f64x2.add(of(corners[0]!), constants.toInteger),
        f64x2.add(of(corners[1]!), constants.toInteger),
        LOW_WORDS,
      ),
    );
  for (const values of sampleCount > 1 ? sampleValues(code, corners, sampleCount) : [cornerOf]) {
    const at = words(values);
    for (const [k, { row, along }] of vectors.entries()) {
      code.add(set(row, i32x4.add(lane(at, k), along)));
    }
    code.add(
      set(rows, spanY),
      loop((nextRow) => [
        set(columns, i32x4.sub(lastColumn, constants.lanes)),
        set(left, spanX),
        ...vectors.map(({ at, row }) => set(at, get(row))),
        loop((next) => [
          // A lane is outside if an edge or the rest of its row is negative.
          brIf(
            decided,
            i32.ne(
              i32x4.bitmask(
                vectors
                  .map(({ at }) => get(at))
                  .reduce((all, at) => v128.or(all, at), get(columns)),
              ),
              i32.const(0b1111),
            ),
          ),
          ...vectors.map(({ at, stepX }) => set(at, i32x4.add(get(at), stepX))),
          set(columns, i32x4.sub(get(columns), constants.laneCount)),
          set(left, i32.sub(get(left), i32.const(LANES))),
          brIf(next, i32.geS(get(left), i32.const(0))),
        ]),
        ...vectors.map(({ row, stepY }) => set(row, i32x4.add(get(row), stepY))),
        set(rows, i32.sub(get(rows), i32.const(1))),
        brIf(nextRow, i32.geS(get(rows), i32.const(0))),
      ]),
    );
  }
  code.add(set(flag, i32.const(0)));
  return [block(code.statements, decided)];
}

/** A pair of edges, one per lane: values at the first pixel, and slopes. */
interface EdgePair {
  readonly corner: Expr;
  readonly slopeX: Expr;
  readonly slopeY: Expr;
}

function cornerOf({ corner }: EdgePair): Expr {
  return corner;
}

/**
 * Returns, for each sample, the values of edge pairs there, rounded down. Corners are values at the
 * sample furthest inside.
 */
function sampleValues(
  code: KernelCode,
  pairs: readonly EdgePair[],
  sampleCount: number,
): ((pair: EdgePair) => Expr)[] {
  const risesByPair = new Map(
    pairs.map((pair) => {
      const rises = emitSampleRises(code, sampleCount, pair.slopeX, pair.slopeY);
      const outside = code.keep(
        f64x2.sub(
          pair.corner,
          rises.reduce((most, rise) => f64x2.pmax(most, rise)),
        ),
      );
      return [pair, { rises, outside }];
    }),
  );
  return Array.from({ length: sampleCount }, (_, sample) => (pair: EdgePair) => {
    const { rises, outside } = risesByPair.get(pair)!;
    return f64x2.floor(f64x2.add(outside, rises[sample]!));
  });
}
