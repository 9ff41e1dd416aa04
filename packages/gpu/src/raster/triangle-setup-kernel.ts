/**
 * The kernel of triangle set-up: what triangle-setup.ts, triangle-basis.ts, depth-plane.ts and attribute-planes.ts say, operation by
 * operation, so that results are equal to the bit, for targets of one sample a pixel. A module imports `env.memory` and exports `run`
 * ({@link TriangleSetupRun}); the addresses of the chiplet's pools are constants in its code.
 *
 * What it knows of the draw is written beforehand ({@link writeDrawSetup}) at `triangleSetupPtr`:
 *
 * | byte | |
 * | --- | --- |
 * | 0 | i32 x0, y0, x1, y1 of the bounds |
 * | 16 | i32 culls front, culls back, front is clockwise, number of fragment inputs |
 * | 32 | f64 factor and units of the polygon offset |
 * | 48 | f32 height of the target |
 * | 64 | by fragment input, i32: offset of the vertex output in bytes, bit 0 set where it is flat; −1 where there is none |
 */
import {
  brIf,
  type Expr,
  type FunctionBuilder,
  f32,
  f32x4,
  f64,
  f64x2,
  get,
  i32,
  i32x4,
  ifThen,
  type Local,
  loop,
  ret,
  select,
  set,
  v128,
  WasmModuleBuilder,
} from '@tessera/shader/wasm';
import { KernelCode } from '../kernel/kernel-code.ts';
import {
  type ChipletMemory,
  PRIMITIVE_RECORD_HEAD_BYTES,
  RASTER_RECORD_BYTES,
} from '../memory/chiplet-memory.ts';
import { type AttributeLayout, FLAG_FRONT_FACING } from './attribute-planes.ts';
import {
  BOX_X0,
  BOX_X1,
  BOX_Y0,
  BOX_Y1,
  DEPTH_C,
  DEPTH_DX,
  DEPTH_DY,
  DEPTH_MAX,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  EDGE_COUNT,
  FACE_CULLED,
  NO_SAMPLE,
  ORIGIN_X,
  ORIGIN_Y,
  SET_UP,
  type SetupResult,
  ZERO_AREA,
} from './raster-record.ts';
import type { SetupState } from './setup-state.ts';
import { MIN_HEIGHT_SUBPIXELS } from './triangle-basis.ts';

/** What is written beside edges and box. */
export const PLANES_NONE = 0;
export const PLANES_DEPTH = 1;
export const PLANES_ALL = 2;

/**
 * Sets up a triangle whose vertices need no clipping.
 *
 * @param v0 Numbers of its vertices; flat varyings come from the third.
 * @param planes One of the constants above.
 * @param primitivePtr Where the primitive record goes, with all planes.
 * @param groupBytes From the outputs of four vertices to those of the next four.
 */
export type TriangleSetupRun = (
  record: number,
  v0: number,
  v1: number,
  v2: number,
  planes: number,
  primitivePtr: number,
  groupBytes: number,
) => SetupResult;

const CULLS_FRONT = 16;
const CULLS_BACK = 20;
const IS_FRONT_CLOCKWISE = 24;
const INPUT_COUNT = 28;
const OFFSET_FACTOR = 32;
const OFFSET_UNITS = 40;
const TARGET_HEIGHT = 48;
const INPUTS = 64;

/** Tells the kernel of a draw. */
export function writeDrawSetup(
  { i32: words, f64: doubles, f32: floats, triangleSetupPtr }: ChipletMemory,
  { polygonBounds, cullsFront, cullsBack, isFrontClockwise, offsetFactor, offsetUnits }: SetupState,
  { vertexWords, isFlat }: AttributeLayout,
  targetHeightPx: number,
): void {
  const at = triangleSetupPtr >> 2;
  const { x0, y0, x1, y1 } = polygonBounds;
  words.set([x0, y0, x1, y1], at);
  words.set([Number(cullsFront), Number(cullsBack), Number(isFrontClockwise)], at + 4);
  words[at + (INPUT_COUNT >> 2)] = vertexWords.length;
  doubles[(triangleSetupPtr + OFFSET_FACTOR) >> 3] = offsetFactor;
  doubles[(triangleSetupPtr + OFFSET_UNITS) >> 3] = offsetUnits;
  floats[at + (TARGET_HEIGHT >> 2)] = targetHeightPx;
  for (let j = 0; j < vertexWords.length; j++) {
    const word = vertexWords[j]!;
    words[at + (INPUTS >> 2) + j] = word < 0 ? -1 : (4 * word) | isFlat[j]!;
  }
}

/** The module for a chiplet's memory. */
export function generateTriangleSetupKernel(memory: ChipletMemory): Uint8Array<ArrayBuffer> {
  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 1 });
  const fn = module.addFunction('setUpTriangle', {
    params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    results: ['i32'],
    export: 'run',
  });
  const emitter = new TriangleSetupEmitter(memory, fn);
  emitter.emit();
  return module.encode();
}

/** A point, or what differs between two. */
interface Pair {
  readonly x: Expr;
  readonly y: Expr;
}

class TriangleSetupEmitter {
  readonly #memory: ChipletMemory;
  readonly #fn: FunctionBuilder;
  readonly #code: KernelCode;
  readonly #record: Expr;

  constructor(memory: ChipletMemory, fn: FunctionBuilder) {
    this.#memory = memory;
    this.#fn = fn;
    this.#code = new KernelCode(fn);
    this.#record = this.#code.keep(
      i32.add(
        i32.const(memory.rasterRecordsPtr),
        i32.mul(get(fn.param(0)), i32.const(RASTER_RECORD_BYTES)),
      ),
    );
  }

  emit(): void {
    const code = this.#code;
    const memory = this.#memory;
    const vertices = [1, 2, 3].map((param) => code.keep(i32.shl(this.#param(param), i32.const(3))));
    const double = (ptr: number) =>
      vertices.map((at) => code.keep(f64.load(at, { offset: ptr }))) as [Expr, Expr, Expr];
    const windowX = double(memory.vertexWindowXPtr);
    const windowY = double(memory.vertexWindowYPtr);
    const corners = [0, 1, 2].map((i) => ({ x: windowX[i]!, y: windowY[i]! }));
    const [p0, p1, p2] = corners as [Pair, Pair, Pair];

    // 1. Facing and culling.
    const area = code.keep(areaOf(p0, p1, p2));
    this.#leave(f64.eq(area, f64.const(0)), ZERO_AREA);
    const isClockwise = code.keep(f64.gt(area, f64.const(0)));
    const isFront = code.keep(i32.eq(isClockwise, this.#state(IS_FRONT_CLOCKWISE)));
    this.#leave(select(this.#state(CULLS_FRONT), this.#state(CULLS_BACK), isFront), FACE_CULLED);

    // 2. Box.
    const [originX, originY] = this.#emitBox(windowX, windowY);

    // 3. Edges, clockwise: a triangle that is not has its last corners changed.
    const swap = (a: Expr, b: Expr) => code.keep(select(a, b, isClockwise));
    const q1 = { x: swap(p1.x, p2.x), y: swap(p1.y, p2.y) };
    const q2 = { x: swap(p2.x, p1.x), y: swap(p2.y, p1.y) };
    this.#emitEdge(0, p0, q1);
    this.#emitEdge(1, q1, q2);
    this.#emitEdge(2, q2, p0);
    code.add(i32.store(this.#record, i32.const(3), { offset: 4 * EDGE_COUNT }));
    this.#leave(i32.eqz(this.#param(4)), SET_UP);

    // 4. Depth, then everything else.
    const reciprocals = double(memory.vertexReciprocalWPtr);
    const basis = this.#emitBasis(corners as [Pair, Pair, Pair], reciprocals, double, area);
    const fromX = code.keep(
      f64.sub(f64.add(f64.convertI32S(originX), f64.const(0.5)), basis.start.x),
    );
    const fromY = code.keep(
      f64.sub(f64.add(f64.convertI32S(originY), f64.const(0.5)), basis.start.y),
    );
    const depth = this.#emitDepth(double(memory.vertexWindowZPtr), basis, fromX, fromY);
    this.#leave(i32.ne(this.#param(4), i32.const(PLANES_ALL)), SET_UP);
    const flags = i32.mul(isFront, i32.const(FLAG_FRONT_FACING));
    this.#emitHead(originX, originY, flags, depth);
    this.#emitPlanes(reciprocals, basis, fromX, fromY);
    this.#fn.emit(...code.statements, ret(i32.const(SET_UP)));
  }

  #param(index: number): Expr {
    return get(this.#fn.param(index));
  }

  #state(offset: number): Expr {
    return i32.load(i32.const(this.#memory.triangleSetupPtr), { offset });
  }

  #leave(condition: Expr, result: SetupResult): void {
    this.#code.add(ifThen(condition, [ret(i32.const(result))]));
  }

  /** @returns The origin. */
  #emitBox(x: readonly [Expr, Expr, Expr], y: readonly [Expr, Expr, Expr]): readonly [Expr, Expr] {
    const code = this.#code;
    const least = ([a, b, c]: readonly [Expr, Expr, Expr]) => f64.min(f64.min(a, b), c);
    const most = ([a, b, c]: readonly [Expr, Expr, Expr]) => f64.max(f64.max(a, b), c);
    const pixel = (value: Expr, add: number) =>
      code.keep(i32.shrS(i32.add(i32.truncSatF64S(value), i32.const(add)), i32.const(8)));
    const cut = (value: Expr, bound: number, isLow: boolean) => {
      const limit = code.keep(this.#state(bound));
      const isInside = isLow ? i32.gtS(value, limit) : i32.ltS(value, limit);
      return code.keep(select(value, limit, isInside));
    };
    const x0 = cut(pixel(least(x), 127), 0, true);
    const y0 = cut(pixel(least(y), 127), 4, true);
    const x1 = cut(pixel(most(x), -128), 8, false);
    const y1 = cut(pixel(most(y), -128), 12, false);
    this.#leave(i32.or(i32.ltS(x1, x0), i32.ltS(y1, y0)), NO_SAMPLE);
    const originX = code.keep(i32.shrS(i32.add(x0, x1), i32.const(1)));
    const originY = code.keep(i32.shrS(i32.add(y0, y1), i32.const(1)));
    for (const [word, value] of [
      [BOX_X0, x0],
      [BOX_Y0, y0],
      [BOX_X1, x1],
      [BOX_Y1, y1],
      [ORIGIN_X, originX],
      [ORIGIN_Y, originY],
    ] as const) {
      code.add(i32.store(this.#record, value, { offset: 4 * word }));
    }
    return [originX, originY];
  }

  #emitEdge(k: number, from: Pair, to: Pair): void {
    const code = this.#code;
    const a = code.keep(f64.sub(from.y, to.y));
    const b = code.keep(f64.sub(to.x, from.x));
    const isInclusive = i32.or(
      f64.lt(to.y, from.y),
      i32.and(f64.eq(to.y, from.y), f64.gt(to.x, from.x)),
    );
    const toCentre = (value: Expr) => f64.sub(f64.const(128), value);
    const atPixelZero = f64.sub(
      f64.add(f64.mul(a, toCentre(from.x)), f64.mul(b, toCentre(from.y))),
      select(f64.const(0), f64.const(1), isInclusive),
    );
    const c = f64.floor(f64.mul(atPixelZero, f64.const(1 / 256)));
    code.add(
      f64.store(this.#record, c, { offset: 8 * (EDGE_C + k) }),
      i32.store(this.#record, i32.truncSatF64S(a), { offset: 4 * (EDGE_A + k) }),
      i32.store(this.#record, i32.truncSatF64S(b), { offset: 4 * (EDGE_B + k) }),
    );
  }

  /** As TriangleBasis: over exact corners, or over rounded ones where samples may lie too far outside. */
  #emitBasis(
    rounded: readonly [Pair, Pair, Pair],
    [r0, r1, r2]: readonly [Expr, Expr, Expr],
    double: (ptr: number) => [Expr, Expr, Expr],
    roundedArea: Expr,
  ) {
    const code = this.#code;
    const exactX = double(this.#memory.vertexExactXPtr);
    const exactY = double(this.#memory.vertexExactYPtr);
    const local = (value: Expr): Local => {
      const made = this.#fn.local('f64');
      code.add(set(made, value));
      return made;
    };
    const x0 = local(exactX[0]);
    const y0 = local(exactY[0]);
    const ex1 = local(f64.sub(exactX[1], exactX[0]));
    const ey1 = local(f64.sub(exactY[1], exactY[0]));
    const ex2 = local(f64.sub(exactX[2], exactX[0]));
    const ey2 = local(f64.sub(exactY[2], exactY[0]));
    const area = local(f64.sub(f64.mul(get(ex1), get(ey2)), f64.mul(get(ex2), get(ey1))));
    const size = code.keep(f64.abs(get(area)));
    const length = (x: Expr, y: Expr) => f64.add(f64.abs(x), f64.abs(y));
    const longest = f64.max(
      f64.max(length(get(ex1), get(ey1)), length(get(ex2), get(ey2))),
      length(f64.sub(get(ex2), get(ex1)), f64.sub(get(ey2), get(ey1))),
    );
    const dr1 = code.keep(f64.sub(r1, r0));
    const dr2 = code.keep(f64.sub(r2, r0));
    const rise = f64.add(
      f64.abs(f64.sub(f64.mul(dr1, get(ey2)), f64.mul(dr2, get(ey1)))),
      f64.abs(f64.sub(f64.mul(dr2, get(ex1)), f64.mul(dr1, get(ex2)))),
    );
    const isExact = i32.and(
      i32.and(
        f64.gt(size, f64.const(0)),
        f64.ge(size, f64.mul(f64.const(MIN_HEIGHT_SUBPIXELS), longest)),
      ),
      f64.le(rise, f64.mul(f64.min(f64.min(r0, r1), r2), size)),
    );
    const [p0, p1, p2] = rounded;
    code.add(
      ifThen(i32.eqz(isExact), [
        set(x0, p0.x),
        set(y0, p0.y),
        set(ex1, f64.sub(p1.x, p0.x)),
        set(ey1, f64.sub(p1.y, p0.y)),
        set(ex2, f64.sub(p2.x, p0.x)),
        set(ey2, f64.sub(p2.y, p0.y)),
        set(area, roundedArea),
      ]),
    );
    const perPixel = code.keep(f64.div(f64.const(256), get(area)));
    const scaled = (value: Expr) => code.keep(f64.mul(value, perPixel));
    const inPixels = (value: Local) => code.keep(f64.mul(get(value), f64.const(1 / 256)));
    return {
      start: { x: inPixels(x0), y: inPixels(y0) },
      first: { x: scaled(get(ey2)), y: scaled(f64.neg(get(ex2))) },
      second: { x: scaled(f64.neg(get(ey1))), y: scaled(get(ex1)) },
    };
  }

  /** @returns The plane that the raster record has. */
  #emitDepth(
    [windowZ0, windowZ1, windowZ2]: readonly [Expr, Expr, Expr],
    { first, second }: { readonly first: Pair; readonly second: Pair },
    fromX: Expr,
    fromY: Expr,
  ): readonly [Expr, Expr, Expr] {
    const code = this.#code;
    const stored = (z: Expr) => f64.mul(z, f64.const(DEPTH_MAX));
    const z0 = code.keep(stored(windowZ0));
    const dz1 = code.keep(f64.sub(stored(windowZ1), z0));
    const dz2 = code.keep(f64.sub(stored(windowZ2), z0));
    const dx = code.keep(f64.add(f64.mul(dz1, first.x), f64.mul(dz2, second.x)));
    const dy = code.keep(f64.add(f64.mul(dz1, first.y), f64.mul(dz2, second.y)));
    const state = i32.const(this.#memory.triangleSetupPtr);
    const slope = f64.max(f64.abs(dx), f64.abs(dy));
    const offset = f64.add(
      f64.mul(slope, f64.load(state, { offset: OFFSET_FACTOR })),
      f64.load(state, { offset: OFFSET_UNITS }),
    );
    const c = code.keep(
      f64.add(f64.add(f64.add(z0, offset), f64.mul(dx, fromX)), f64.mul(dy, fromY)),
    );
    code.add(
      f64.store(this.#record, c, { offset: 8 * DEPTH_C }),
      f64.store(this.#record, dx, { offset: 8 * DEPTH_DX }),
      f64.store(this.#record, dy, { offset: 8 * DEPTH_DY }),
    );
    return [c, dx, dy];
  }

  #emitHead(
    originX: Expr,
    originY: Expr,
    flags: Expr,
    [depthC, depthDx, depthDy]: readonly [Expr, Expr, Expr],
  ): void {
    const to = this.#param(5);
    const centre = (origin: Expr) =>
      f32.demoteF64(f64.add(f64.convertI32S(origin), f64.const(0.5)));
    const normalized = (value: Expr) => f32.demoteF64(f64.div(value, f64.const(DEPTH_MAX)));
    const height = f32.load(i32.const(this.#memory.triangleSetupPtr), { offset: TARGET_HEIGHT });
    this.#code.add(
      f32.store(to, centre(originX), { offset: 0 }),
      f32.store(to, centre(originY), { offset: 4 }),
      i32.store(to, flags, { offset: 8 }),
      f32.store(to, height, { offset: 12 }),
      f32.store(to, normalized(depthC), { offset: 32 }),
      f32.store(to, normalized(depthDx), { offset: 36 }),
      f32.store(to, normalized(depthDy), { offset: 40 }),
      f32.store(to, f32.const(0), { offset: 44 }),
    );
  }

  /** 1 / w, then the varyings. */
  #emitPlanes(
    [r0, r1, r2]: readonly [Expr, Expr, Expr],
    { first, second }: { readonly first: Pair; readonly second: Pair },
    fromX: Expr,
    fromY: Expr,
  ): void {
    const code = this.#code;
    const b1 = code.keep(f64.add(f64.mul(first.x, fromX), f64.mul(first.y, fromY)));
    const b2 = code.keep(f64.add(f64.mul(second.x, fromX), f64.mul(second.y, fromY)));
    const pair = ({ x, y }: Pair) => code.keep(f64x2.replaceLane(f64x2.splat(x), 1, y));
    const slopes1 = pair(first);
    const slopes2 = pair(second);
    const plane = (into: KernelCode, to: Expr, a0: Expr, a1: Expr, a2: Expr) => {
      const c = f64.add(f64.add(a0, f64.mul(a1, b1)), f64.mul(a2, b2));
      const slopes = f32x4.demoteF64x2Zero(
        f64x2.add(f64x2.mul(f64x2.splat(a1), slopes1), f64x2.mul(f64x2.splat(a2), slopes2)),
      );
      into.add(
        f32.store(to, f32.demoteF64(c)),
        v128.store64Lane(to, slopes, 0, { offset: 4, align: 4 }),
        f32.store(to, f32.const(0), { offset: 12 }),
      );
    };
    const record = this.#param(5);
    plane(
      code,
      i32.add(record, i32.const(16)),
      r0,
      code.keep(f64.sub(r1, r0)),
      code.keep(f64.sub(r2, r0)),
    );

    const outputs = [1, 2, 3].map((param) =>
      code.keep(
        i32.add(
          i32.const(this.#memory.vertexOutputPtr),
          i32.add(
            i32.mul(i32.shrU(this.#param(param), i32.const(2)), this.#param(6)),
            i32.shl(i32.and(this.#param(param), i32.const(3)), i32.const(2)),
          ),
        ),
      ),
    ) as [Expr, Expr, Expr];
    const left = this.#fn.local('i32');
    const input = this.#fn.local('i32');
    const to = this.#fn.local('i32');
    code.add(
      set(left, this.#state(INPUT_COUNT)),
      set(input, i32.const(this.#memory.triangleSetupPtr + INPUTS)),
      set(to, i32.add(record, i32.const(PRIMITIVE_RECORD_HEAD_BYTES))),
    );
    const step = code.branch((body) => {
      const offset = body.keep(i32.load(get(input)));
      const constant = body.branch((held) => {
        // Bit 0 is also set where there is none, whose offset is below 0.
        const place = i32.add(outputs[2], i32.and(offset, i32.const(~1)));
        const zero = i32x4.const([0, 0, 0, 0]);
        held.add(
          v128.store(get(to), zero, { align: 4 }),
          ifThen(i32.geS(offset, i32.const(0)), [i32.store(get(to), i32.load(place))]),
        );
      });
      const varying = body.branch((varied) => {
        const value = (k: 0 | 1 | 2) => f64.promoteF32(f32.load(i32.add(outputs[k], offset)));
        const a0 = varied.keep(f64.mul(value(0), r0));
        const a1 = varied.keep(f64.sub(f64.mul(value(1), r1), a0));
        const a2 = varied.keep(f64.sub(f64.mul(value(2), r2), a0));
        plane(varied, get(to), a0, a1, a2);
      });
      body.add(
        ifThen(i32.and(offset, i32.const(1)), constant, varying),
        set(input, i32.add(get(input), i32.const(4))),
        set(to, i32.add(get(to), i32.const(16))),
        set(left, i32.sub(get(left), i32.const(1))),
      );
    });
    code.add(ifThen(get(left), [loop((next) => [...step, brIf(next, get(left))])]));
  }
}

/** Twice the area of three points. */
function areaOf(p0: Pair, p1: Pair, p2: Pair): Expr {
  return f64.sub(
    f64.mul(f64.sub(p1.x, p0.x), f64.sub(p2.y, p0.y)),
    f64.mul(f64.sub(p2.x, p0.x), f64.sub(p1.y, p0.y)),
  );
}
