/**
 * Kernel of the viewport transform: WebAssembly SIMD, four vertices at a time, reading positions as
 * vertex kernels wrote them. A module imports `env.memory` and exports `run`
 * ({@link TransformRun}). The addresses of the vertex arrays are constants in its code.
 *
 * Codes are computed in floats where that is exact, and in doubles against the guard band. Window
 * coordinates are doubles. The operations and their order equal those of VertexStore.placeClipped,
 * which handles clip vertices, so results are equal to the bit.
 */
import {
  brIf,
  type Expr,
  type FunctionBuilder,
  f32,
  f32x4,
  f64x2,
  get,
  i8x16,
  i32,
  i32x4,
  type Local,
  loop,
  set,
  v128,
} from '@tessera/shader/wasm';
import { encodeKernel } from '../../kernel/encode-kernel.ts';
import { KernelCode } from '../../kernel/kernel-code.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import {
  MIN_CLIP_W,
  NOT_FINITE,
  OUTSIDE_BOTTOM,
  OUTSIDE_FAR,
  OUTSIDE_GUARD_BOTTOM,
  OUTSIDE_GUARD_LEFT,
  OUTSIDE_GUARD_RIGHT,
  OUTSIDE_GUARD_TOP,
  OUTSIDE_LEFT,
  OUTSIDE_NEAR,
  OUTSIDE_RIGHT,
  OUTSIDE_TOP,
  OUTSIDE_W,
} from './clip-codes.ts';

/** Vertices per group in the vertex arrays. */
const LANES = 4;

/**
 * Transforms groups of four vertices.
 *
 * @param groupCount Number of groups, at least 1.
 * @param groupBytes Distance between the outputs of consecutive groups.
 * @param xOffset Offset of x in a group's outputs, in bytes; likewise y, z and w.
 */
export type TransformRun = (
  groupCount: number,
  groupBytes: number,
  xOffset: number,
  yOffset: number,
  zOffset: number,
  wOffset: number,
  scaleX: number,
  offsetX: number,
  scaleY: number,
  offsetY: number,
  scaleZ: number,
  offsetZ: number,
  guardX: number,
  guardY: number,
  nearW: number,
) => void;

const FIRST_F64_PARAM = 6;
const F64_PARAMS = [
  'scaleX',
  'offsetX',
  'scaleY',
  'offsetY',
  'scaleZ',
  'offsetZ',
  'guardX',
  'guardY',
  'nearW',
] as const;
type F64Param = (typeof F64_PARAMS)[number];
const NEAR_W_PARAM = FIRST_F64_PARAM + F64_PARAMS.indexOf('nearW');

/** Shuffle that moves lanes 2 and 3 of a float vector to where `promoteLowF32x4` reads them. */
const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15] as const;
/** Shuffle that joins the masks of two double pairs into one mask of four floats. */
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] as const;

/** Returns the module for a chiplet's memory. */
export function generateTransformKernel(memory: ChipletMemory): Uint8Array<ArrayBuffer> {
  return encodeKernel(
    'transformVertices',
    [
      ...(['i32', 'i32', 'i32', 'i32', 'i32', 'i32'] as const),
      ...F64_PARAMS.map(() => 'f64' as const),
    ],
    [],
    (fn) => {
      const splats = Object.fromEntries(
        F64_PARAMS.map((name) => [name, fn.local('v128')]),
      ) as Readonly<Record<F64Param, Local>>;
      const from = fn.local('i32');
      const to = fn.local('i32');
      const left = fn.param(0);
      const advance = (local: Local, by: Expr) => set(local, i32.add(get(local), by));
      fn.emit(
        ...F64_PARAMS.map((name, i) =>
          set(splats[name], f64x2.splat(get(fn.param(FIRST_F64_PARAM + i)))),
        ),
        set(from, i32.const(memory.vertexOutputPtr)),
        // Vertex index, from which arrays of doubles and of codes are addressed.
        set(to, i32.const(0)),
        loop((next) => [
          ...emitGroup(fn, memory, splats, from, to),
          advance(from, get(fn.param(1))),
          advance(to, i32.const(LANES)),
          advance(left, i32.const(-1)),
          brIf(next, get(left)),
        ]),
      );
    },
  );
}

/** Emits the transform of one group. One function because the three steps share its locals. */
function emitGroup(
  fn: FunctionBuilder,
  memory: ChipletMemory,
  splats: Readonly<Record<F64Param, Local>>,
  from: Local,
  to: Local,
) {
  const code = new KernelCode(fn);
  const load = (param: number) =>
    code.keep(v128.load(i32.add(get(from), get(fn.param(param))), { align: 4 }));
  const x = load(2);
  const y = load(3);
  const z = load(4);
  const w = load(5);
  const constant = (name: F64Param) => get(splats[name]);

  // 1. The vectors in doubles, two lanes at a time.
  const halves = [x, y, z, w].map((vector) => [
    code.keep(f64x2.promoteLowF32x4(vector)),
    code.keep(f64x2.promoteLowF32x4(i8x16.shuffle(vector, vector, HIGH_HALF))),
  ]) as [Expr, Expr][];
  const [x2, y2, z2, w2] = halves as [[Expr, Expr], [Expr, Expr], [Expr, Expr], [Expr, Expr]];

  // 2. Codes.
  const minusW = code.keep(f32x4.neg(w));
  let codes: Expr = i32x4.const([0, 0, 0, 0]);
  const mark = (mask: Expr, bits: number) => {
    codes = code.keep(v128.or(codes, v128.and(mask, code.splatI(bits))));
  };
  const guardMask = (compare: (half: 0 | 1) => Expr) =>
    i8x16.shuffle(compare(0), compare(1), LOW_WORDS);
  const side = (
    value: Expr,
    value2: readonly [Expr, Expr],
    guard: F64Param,
    low: readonly [number, number],
    high: readonly [number, number],
  ) => {
    const band = [0, 1].map((half) => code.keep(f64x2.mul(constant(guard), w2[half as 0 | 1])));
    const isLow = code.keep(f32x4.lt(value, minusW));
    const isHigh = code.keep(f32x4.gt(value, w));
    mark(isLow, low[0]);
    mark(
      v128.and(
        isLow,
        guardMask((half) => f64x2.lt(value2[half], f64x2.neg(band[half]!))),
      ),
      low[1],
    );
    mark(isHigh, high[0]);
    mark(
      v128.and(
        isHigh,
        guardMask((half) => f64x2.gt(value2[half], band[half]!)),
      ),
      high[1],
    );
  };
  side(x, x2, 'guardX', [OUTSIDE_LEFT, OUTSIDE_GUARD_LEFT], [OUTSIDE_RIGHT, OUTSIDE_GUARD_RIGHT]);
  side(y, y2, 'guardY', [OUTSIDE_BOTTOM, OUTSIDE_GUARD_BOTTOM], [OUTSIDE_TOP, OUTSIDE_GUARD_TOP]);
  const nearW = f32x4.splat(f32.demoteF64(get(fn.param(NEAR_W_PARAM))));
  mark(f32x4.lt(z, f32x4.mul(minusW, nearW)), OUTSIDE_NEAR);
  mark(f32x4.gt(z, w), OUTSIDE_FAR);
  mark(f32x4.lt(w, code.splatF(MIN_CLIP_W)), OUTSIDE_W);
  // x − x is 0 for finite numbers and NaN for the others.
  const differences = [x, y, z, w].map((value) => f32x4.sub(value, value));
  const sum = differences.reduce((total, difference) => f32x4.add(total, difference));
  const isNumber = code.keep(f32x4.eq(sum, code.splatF(0)));
  codes = v128.bitselect(codes, code.splatI(NOT_FINITE), isNumber);
  code.add(
    v128.store(i32.shl(get(to), i32.const(2)), codes, { offset: memory.vertexCodePtr, align: 4 }),
  );

  // 3. Window coordinates, also of vertices that need clipping, where they are not used.
  const at = code.keep(i32.shl(get(to), i32.const(3)));
  for (const half of [0, 1] as const) {
    const store = (ptr: number, value: Expr) =>
      code.add(v128.store(at, value, { offset: ptr + 16 * half, align: 8 }));
    const one = code.keep(f64x2.const([1, 1]));
    const reciprocalW = code.keep(f64x2.div(one, w2[half]));
    store(memory.vertexReciprocalWPtr, reciprocalW);
    const map = (value: Expr, scale: F64Param, offset: F64Param) =>
      f64x2.add(f64x2.mul(f64x2.mul(value, reciprocalW), constant(scale)), constant(offset));
    const halfStep = code.keep(f64x2.const([0.5, 0.5]));
    const exactX = code.keep(map(x2[half], 'scaleX', 'offsetX'));
    const exactY = code.keep(map(y2[half], 'scaleY', 'offsetY'));
    store(memory.vertexExactXPtr, exactX);
    store(memory.vertexExactYPtr, exactY);
    store(memory.vertexWindowXPtr, f64x2.floor(f64x2.add(exactX, halfStep)));
    store(memory.vertexWindowYPtr, f64x2.floor(f64x2.add(exactY, halfStep)));
    store(memory.vertexWindowZPtr, map(z2[half], 'scaleZ', 'offsetZ'));
  }
  return code.statements;
}
