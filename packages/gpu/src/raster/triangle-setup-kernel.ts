/**
 * The kernel of triangle set-up: what triangle-setup.ts, triangle-basis.ts, depth-plane.ts and attribute-planes.ts say, operation by
 * operation, so that results are equal to the bit, for targets of one sample a pixel. It takes the triangles of a segment one after
 * another, up to one that needs clipping. A module imports `env.memory` and exports `run` ({@link TriangleSetupRun}); the addresses
 * of the chiplet's pools are constants in its code.
 *
 * Numbers of the corners are at `cornersPtr`; what became of primitive k is written to byte k at `outcomesPtr`. What it knows of the
 * draw is written beforehand ({@link writeDrawSetup}) at `triangleSetupPtr`:
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
  block,
  br,
  brIf,
  createLabel,
  type Expr,
  type FunctionBuilder,
  f32,
  f64,
  get,
  i32,
  ifThen,
  type Label,
  type Local,
  loop,
  ret,
  select,
  set,
  WasmModuleBuilder,
} from '@tessera/shader/wasm';
import { NEEDS_CLIPPING, NOT_FINITE, OUTSIDE_VIEW } from '../geometry/clip-codes.ts';
import { KernelCode } from '../kernel/kernel-code.ts';
import { type ChipletMemory, RASTER_RECORD_BYTES } from '../memory/chiplet-memory.ts';
import { type AttributeLayout, FLAG_FRONT_FACING } from './attribute-planes.ts';
import { emitTrianglePlanes, type Pair } from './attribute-planes-kernel.ts';
import {
  BOX_X0,
  BOX_X1,
  BOX_Y0,
  BOX_Y1,
  DEPTH_C,
  DEPTH_DX,
  DEPTH_DY,
  DEPTH_MAX,
  DRAW_SLOT,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  EDGE_COUNT,
  FACE_CULLED,
  NO_SAMPLE,
  ORIGIN_X,
  ORIGIN_Y,
  OUTSIDE,
  PRIMITIVE_RECORD,
  SET_UP,
  type SetupResult,
  SOURCE_PRIMITIVE,
  ZERO_AREA,
} from './raster-record.ts';
import type { SetupState } from './setup-state.ts';
import { emitTriangleBasis } from './triangle-basis-kernel.ts';

/** What is written beside edges and box. */
export const PLANES_NONE = 0;
export const PLANES_DEPTH = 1;
export const PLANES_ALL = 2;

/**
 * Sets up the triangles of a segment, until one needs clipping or records run out. Flat varyings come from a triangle's third
 * corner.
 *
 * @param first Number of the first one in the segment. @param end Behind the last one.
 * @param record Where the raster records go; each gets `source`, counted from that of the first triangle, and `drawSlot`.
 * @param recordLimit No triangle is taken from this record on.
 * @param planes One of the constants above.
 * @param primitivePtr Where the primitive records go, with all planes, `primitiveBytes` each, the first being the draw's
 *   number `primitive`.
 * @param groupBytes From the outputs of four vertices to those of the next four.
 * @returns The triangle to go on with.
 */
export type TriangleSetupRun = (
  first: number,
  end: number,
  record: number,
  recordLimit: number,
  source: number,
  drawSlot: number,
  planes: number,
  primitivePtr: number,
  primitiveBytes: number,
  primitive: number,
  groupBytes: number,
) => number;

const PARAMS = [
  'first',
  'end',
  'record',
  'recordLimit',
  'source',
  'drawSlot',
  'planes',
  'primitivePtr',
  'primitiveBytes',
  'primitive',
  'groupBytes',
] as const;
type Param = (typeof PARAMS)[number];

const CULLS_FRONT = 16;
const CULLS_BACK = 20;
const IS_FRONT_CLOCKWISE = 24;
const INPUT_COUNT = 28;
const OFFSET_FACTOR = 32;
const OFFSET_UNITS = 40;
const TARGET_HEIGHT = 48;
const INPUTS = 64;
/** Behind the offsets of the inputs. */
const NO_INPUT = -1;

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
    words[at + (INPUTS >> 2) + j] = word < 0 ? NO_INPUT : (4 * word) | isFlat[j]!;
  }
  words[at + (INPUTS >> 2) + vertexWords.length] = NO_INPUT;
}

/** The module for a chiplet's memory. */
export function generateTriangleSetupKernel(memory: ChipletMemory): Uint8Array<ArrayBuffer> {
  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 1 });
  const fn = module.addFunction('setUpTriangles', {
    params: PARAMS.map(() => 'i32' as const),
    results: ['i32'],
    export: 'run',
  });
  const emitter = new TriangleSetupEmitter(memory, fn);
  emitter.emit();
  return module.encode();
}

class TriangleSetupEmitter {
  readonly #memory: ChipletMemory;
  readonly #fn: FunctionBuilder;
  /** The code of one triangle. */
  readonly #code: KernelCode;
  readonly #decided = createLabel('triangle decided');
  readonly #outcome: Local;
  readonly #recordAddress: Local;

  constructor(memory: ChipletMemory, fn: FunctionBuilder) {
    this.#memory = memory;
    this.#fn = fn;
    this.#code = new KernelCode(fn);
    this.#outcome = fn.local('i32');
    this.#recordAddress = fn.local('i32');
  }

  /** The function: a loop over the triangles. */
  emit(): void {
    const fn = this.#fn;
    const { rasterRecordsPtr, outcomesPtr } = this.#memory;
    const done = createLabel('done');
    const again = createLabel('next triangle');
    const advance = (name: Param, by: Expr) =>
      set(this.#local(name), i32.add(this.#param(name), by));
    const head = new KernelCode(fn);
    const vertices = this.#emitCodes(head, done);
    this.#emitTriangle(vertices);
    fn.emit(
      set(
        this.#recordAddress,
        i32.add(
          i32.const(rasterRecordsPtr),
          i32.mul(this.#param('record'), i32.const(RASTER_RECORD_BYTES)),
        ),
      ),
      block(
        loop(
          [
            brIf(done, i32.geS(this.#param('first'), this.#param('end'))),
            brIf(done, i32.geS(this.#param('record'), this.#param('recordLimit'))),
            ...head.statements,
            ifThen(i32.eqz(get(this.#outcome)), [
              block(this.#code.statements, this.#decided),
              ifThen(i32.eqz(get(this.#outcome)), [
                advance('record', i32.const(1)),
                set(this.#recordAddress, i32.add(this.#record, i32.const(RASTER_RECORD_BYTES))),
                advance('primitivePtr', this.#param('primitiveBytes')),
                advance('primitive', i32.const(1)),
              ]),
            ]),
            i32.store8(this.#param('first'), get(this.#outcome), { offset: outcomesPtr }),
            advance('first', i32.const(1)),
            advance('source', i32.const(1)),
            br(again),
          ],
          again,
        ),
        done,
      ),
      ret(this.#param('first')),
    );
  }

  /**
   * Looks where the corners lie; leaves through `done` at a triangle that needs clipping.
   *
   * @returns Numbers of the corners.
   */
  #emitCodes(code: KernelCode, done: Label): readonly [Expr, Expr, Expr] {
    const { cornersPtr, vertexCodePtr } = this.#memory;
    const corners = code.keep(i32.mul(this.#param('first'), i32.const(12)));
    const vertices = [0, 1, 2].map((corner) =>
      code.keep(i32.load(corners, { offset: cornersPtr + 4 * corner })),
    ) as [Expr, Expr, Expr];
    const codes = vertices.map((vertex) =>
      code.keep(i32.load(i32.shl(vertex, i32.const(2)), { offset: vertexCodePtr })),
    );
    const any = code.keep(codes.reduce(i32.or));
    const isOutside = i32.or(
      i32.and(codes.reduce(i32.and), i32.const(OUTSIDE_VIEW)),
      i32.and(any, i32.const(NOT_FINITE)),
    );
    code.add(set(this.#outcome, select(i32.const(OUTSIDE), i32.const(SET_UP), isOutside)));
    const isCut = i32.and(any, i32.const(NEEDS_CLIPPING));
    code.add(ifThen(i32.eqz(get(this.#outcome)), [brIf(done, isCut)]));
    return vertices;
  }

  /** One triangle. */
  #emitTriangle(numbers: readonly [Expr, Expr, Expr]): void {
    const code = this.#code;
    const memory = this.#memory;
    const vertices = numbers.map((number) => code.keep(i32.shl(number, i32.const(3))));
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
    const store = (word: number, value: Expr) =>
      code.add(i32.store(this.#record, value, { offset: 4 * word }));
    store(EDGE_COUNT, i32.const(3));
    store(SOURCE_PRIMITIVE, this.#param('source'));
    store(DRAW_SLOT, this.#param('drawSlot'));
    code.add(brIf(this.#decided, i32.eqz(this.#param('planes'))));

    // 4. Depth, then everything else.
    const reciprocals = double(memory.vertexReciprocalWPtr);
    const basis = emitTriangleBasis(
      code,
      corners as [Pair, Pair, Pair],
      { x: double(memory.vertexExactXPtr), y: double(memory.vertexExactYPtr) },
      reciprocals,
      area,
    );
    const fromX = code.keep(
      f64.sub(f64.add(f64.convertI32S(originX), f64.const(0.5)), basis.start.x),
    );
    const fromY = code.keep(
      f64.sub(f64.add(f64.convertI32S(originY), f64.const(0.5)), basis.start.y),
    );
    const depth = this.#emitDepth(double(memory.vertexWindowZPtr), basis, fromX, fromY);
    code.add(brIf(this.#decided, i32.ne(this.#param('planes'), i32.const(PLANES_ALL))));
    store(PRIMITIVE_RECORD, this.#param('primitive'));
    const flags = i32.mul(isFront, i32.const(FLAG_FRONT_FACING));
    this.#emitHead(originX, originY, flags, depth);
    emitTrianglePlanes(
      code,
      memory,
      { inputsPtr: memory.triangleSetupPtr + INPUTS, inputCount: this.#state(INPUT_COUNT) },
      { to: this.#param('primitivePtr'), groupBytes: this.#param('groupBytes') },
      numbers,
      reciprocals,
      basis,
      fromX,
      fromY,
    );
  }

  get #record(): Expr {
    return get(this.#recordAddress);
  }

  #local(name: Param): Local {
    return this.#fn.param(PARAMS.indexOf(name));
  }

  #param(name: Param): Expr {
    return get(this.#local(name));
  }

  #state(offset: number): Expr {
    return i32.load(i32.const(this.#memory.triangleSetupPtr), { offset });
  }

  #leave(condition: Expr, result: SetupResult): void {
    this.#code.add(ifThen(condition, [set(this.#outcome, i32.const(result)), br(this.#decided)]));
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
    const to = this.#param('primitivePtr');
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
}

/** Twice the area of three points. */
function areaOf(p0: Pair, p1: Pair, p2: Pair): Expr {
  return f64.sub(
    f64.mul(f64.sub(p1.x, p0.x), f64.sub(p2.y, p0.y)),
    f64.mul(f64.sub(p2.x, p0.x), f64.sub(p1.y, p0.y)),
  );
}
