/**
 * The kernel of rect-coverage.ts for triangles with one sample a pixel, which says the same: a record is tested against a rectangle by
 * its edges, and sample by sample, four of them at once, where few are in question. A module imports `env.memory` and exports `run`
 * ({@link RectCoverageRun}).
 */
import {
  block,
  brIf,
  createLabel,
  type Expr,
  type FunctionBuilder,
  f64,
  get,
  i32,
  i32x4,
  type Local,
  loop,
  ret,
  select,
  set,
  v128,
  WasmModuleBuilder,
} from '@tessera/shader/wasm';
import { KernelCode } from '../kernel/kernel-code.ts';
import { type ChipletMemory, RASTER_RECORD_BYTES } from '../memory/chiplet-memory.ts';
import { BOX_X0, BOX_X1, BOX_Y0, BOX_Y1, EDGE_A, EDGE_B, EDGE_C } from './raster-record.ts';
import { EXACT_SAMPLES } from './rect-coverage.ts';

/**
 * Tests records against a rectangle, bounds inclusive.
 *
 * @param record Number of the first one. @param count At least 1.
 * @param flagsPtr Where a byte a record goes: 1 if it may cover a sample of the rectangle.
 * @returns The flag of the last one.
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
 * An edge this far inside is inside at all of up to 64 samples, since slopes are below 2^23: less is enough to know, and fits an
 * int32.
 */
const FAR_INSIDE = 2 ** 29;
const LANES = 4;

/** The module for a chiplet's memory. */
export function generateRectCoverageKernel(memory: ChipletMemory): Uint8Array<ArrayBuffer> {
  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 1 });
  const fn = module.addFunction('testRects', {
    params: PARAMS.map(() => 'i32' as const),
    results: ['i32'],
    export: 'run',
  });
  const local = (name: Param) => fn.param(PARAMS.indexOf(name));
  const param = (name: Param) => get(local(name));
  const advance = (to: Local, by: number) => set(to, i32.add(get(to), i32.const(by)));
  const address = fn.local('i32');
  const flag = fn.local('i32');
  fn.emit(
    set(
      address,
      i32.add(
        i32.const(memory.rasterRecordsPtr),
        i32.mul(param('record'), i32.const(RASTER_RECORD_BYTES)),
      ),
    ),
    loop((again) => [
      set(flag, i32.const(0)),
      ...emitTest(fn, get(address), param, flag),
      i32.store8(param('flagsPtr'), get(flag)),
      advance(local('flagsPtr'), 1),
      advance(address, RASTER_RECORD_BYTES),
      advance(local('count'), -1),
      brIf(again, param('count')),
    ]),
    ret(get(flag)),
  );
  return module.encode();
}

/** Sets `flag` to 1 if the record may cover a sample. */
function emitTest(fn: FunctionBuilder, record: Expr, param: (name: Param) => Expr, flag: Local) {
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

  // 1. Edges that have the whole rectangle outside.
  const [firstX, firstY, widthX, widthY] = [x0, y0, spanX, spanY].map((value) =>
    code.keep(f64.convertI32S(value)),
  ) as [Expr, Expr, Expr, Expr];
  const zero = f64.const(0);
  const edges = Array.from({ length: EDGES }, (_, k) => {
    const a = field(EDGE_A + k);
    const b = field(EDGE_B + k);
    const slopeX = code.keep(f64.convertI32S(a));
    const slopeY = code.keep(f64.convertI32S(b));
    const start = f64.load(record, { offset: 8 * (EDGE_C + k) });
    const corner = code.keep(
      f64.add(f64.add(start, f64.mul(slopeX, firstX)), f64.mul(slopeY, firstY)),
    );
    const rise = (slope: Expr, width: Expr) => f64.max(f64.mul(slope, width), zero);
    const highest = f64.add(f64.add(corner, rise(slopeX, widthX)), rise(slopeY, widthY));
    code.add(brIf(decided, f64.lt(highest, zero)));
    return { a, b, corner };
  });

  // 2. Samples, where there are few. Spans are compared first: their product may not fit.
  code.add(set(flag, i32.const(1)));
  const limit = i32.const(EXACT_SAMPLES);
  const samples = i32.mul(i32.add(spanX, i32.const(1)), i32.add(spanY, i32.const(1)));
  code.add(
    brIf(decided, i32.or(i32.geS(spanX, limit), i32.geS(spanY, limit))),
    brIf(decided, i32.gtS(samples, limit)),
  );
  const lanes = code.keep(i32x4.const([0, 1, 2, 3]));
  const vectors = edges.map(({ a, b, corner }) => {
    const row = fn.local('v128');
    const along = i32x4.mul(i32x4.splat(a), lanes);
    const start = i32x4.splat(i32.truncSatF64S(f64.min(corner, f64.const(FAR_INSIDE))));
    code.add(set(row, i32x4.add(start, along)));
    const stepX = code.keep(i32x4.splat(i32.shl(a, i32.const(2))));
    return { row, at: fn.local('v128'), stepX, stepY: code.keep(i32x4.splat(b)) };
  });
  // What is right of a lane in its row; negative outside.
  const lastColumn = code.keep(i32x4.splat(spanX));
  const columns = fn.local('v128');
  const left = fn.local('i32');
  const rows = fn.local('i32');
  const nextColumns = code.keep(i32x4.splat(i32.const(LANES)));
  code.add(
    set(rows, spanY),
    loop((nextRow) => [
      set(columns, i32x4.sub(lastColumn, lanes)),
      set(left, spanX),
      ...vectors.map(({ at, row }) => set(at, get(row))),
      loop((next) => [
        // A lane is out where an edge, or what is left of the row, is negative.
        brIf(
          decided,
          i32.ne(
            i32x4.bitmask(
              vectors.map(({ at }) => get(at)).reduce((all, at) => v128.or(all, at), get(columns)),
            ),
            i32.const(0b1111),
          ),
        ),
        ...vectors.map(({ at, stepX }) => set(at, i32x4.add(get(at), stepX))),
        set(columns, i32x4.sub(get(columns), nextColumns)),
        set(left, i32.sub(get(left), i32.const(LANES))),
        brIf(next, i32.geS(get(left), i32.const(0))),
      ]),
      ...vectors.map(({ row, stepY }) => set(row, i32x4.add(get(row), stepY))),
      set(rows, i32.sub(get(rows), i32.const(1))),
      brIf(nextRow, i32.geS(get(rows), i32.const(0))),
    ]),
    set(flag, i32.const(0)),
  );
  return [block(code.statements, decided)];
}
