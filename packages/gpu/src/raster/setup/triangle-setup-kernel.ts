/**
 * Kernel of triangle setup. It performs the operations of
 * triangle-setup.ts, triangle-basis.ts, depth-plane.ts and attribute-planes.ts in the same order,
 * so results are equal to the bit. It processes the triangles of a segment in order and stops at
 * one that needs clipping. A module imports `env.memory` and exports `run`
 * ({@link TriangleSetupRun}). The addresses of the chiplet's pools are constants in its code.
 *
 * Vertex indices of the corners are at `cornersPtr`. The outcome of primitive k is written to byte
 * k at `outcomesPtr`. {@link writeDrawSetup} writes the parameters of the draw to
 * `triangleSetupPtr` beforehand:
 *
 * | byte | |
 * | --- | --- |
 * | 0 | i32 x0, y0, x1, y1 of the bounds |
 * | 16 | i32 culls front, culls back, front is clockwise, number of fragment inputs |
 * | 32 | f64 factor and units of the polygon offset |
 * | 48 | f32 height of the target |
 * | 64 | per fragment input, i32: byte offset of the vertex output + bits of isFlat; −1 if none |
 *
 * One file because all of it generates one function, whose parts share locals.
 */
import { PRIMITIVE_FLAGS } from '@tessera/shader/codegen';
import {
  block,
  br,
  brIf,
  createLabel,
  type Expr,
  type FunctionBuilder,
  f32,
  f32x4,
  f64,
  f64x2,
  get,
  i8x16,
  i32,
  i32x4,
  ifThen,
  type Label,
  type Local,
  loop,
  ret,
  select,
  set,
  v128,
} from '@tessera/shader/wasm';
import { NEEDS_CLIPPING, NOT_FINITE, OUTSIDE_ALL } from '../../geometry/vertices/clip-codes.ts';
import { encodeKernel } from '../../kernel/encode-kernel.ts';
import { KernelCode } from '../../kernel/kernel-code.ts';
import { type ChipletMemory, RASTER_RECORD_BYTES } from '../../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import {
  BOX_X0,
  DEPTH_C,
  DEPTH_DX,
  DRAW_SLOT,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  EDGE_COUNT,
  FACE_CULLED,
  NO_SAMPLE,
  ORIGIN_X,
  OUTSIDE,
  PRIMITIVE_RECORD,
  SET_UP,
  type SetupResult,
  SOURCE_PRIMITIVE,
  ZERO_AREA,
} from '../../records/raster-record.ts';
import { sampleReachSubpixels } from '../../records/sample-positions.ts';
import { emitSampleRises } from '../coverage/sample-rises-kernel.ts';
import type { AttributeLayout } from '../planes/attribute-planes.ts';
import { emitTrianglePlanes } from '../planes/attribute-planes-kernel.ts';
import {
  emitArea,
  emitTriangleBasis,
  lanesX,
  lanesY,
  type TriangleBasisCode,
} from '../planes/triangle-basis-kernel.ts';
import type { SetupState } from '../setup-state.ts';

/** Addend that moves an integer below 2^31 in magnitude to the low word of a double. */
const TO_INTEGER = 1.5 * 2 ** 52;
/** Shuffle for the low half of a vector. */
const LOW_HALF = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15] as const;
const LOW_OF_SECOND = [16, 17, 18, 19, 20, 21, 22, 23] as const;
const HIGH_OF_SECOND = [24, 25, 26, 27, 28, 29, 30, 31] as const;
/** Shuffle for the low words of two double vectors. */
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] as const;
/** Shuffle of one float, two floats of another vector, and its last word, which is 0. */
const FLOAT_PLANE = [0, 1, 2, 3, 16, 17, 18, 19, 20, 21, 22, 23, 28, 29, 30, 31] as const;

/** Writes no planes besides edges and box. */
export const PLANES_NONE = 0;
/** Writes the depth plane. */
export const PLANES_DEPTH = 1;
/** Writes the depth plane and the planes of all varyings. */
export const PLANES_ALL = 2;

/**
 * Sets up the triangles of a segment, until one needs clipping or records run out. Flat varyings
 * come from a triangle's first or third corner.
 *
 * @param first Index of the first triangle in the segment.
 * @param end Index after the last triangle.
 * @param record Index of the first raster record to write. Each record stores `drawSlot` and its
 *   source index.
 * @param source Source index of the first triangle.
 * @param recordLimit Index of the first record that must not be written.
 * @param planes One of the constants above.
 * @param primitivePtr Address of the primitive records with all planes, `primitiveBytes` each.
 * @param primitive Number of the first of these records within the draw.
 * @param groupBytes Distance between the outputs of consecutive groups of four vertices.
 * @returns Index of the first triangle not set up.
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
const OFFSET_LEAST = 48;
const OFFSET_MOST = 56;
const TARGET_HEIGHT = 64;
const INPUTS = 80;
/** Offset that ends the list of inputs. */
const NO_INPUT = -1;

/** Writes the parameters of a draw for the kernel. */
export function writeDrawSetup(
  { i32: words, f64: doubles, f32: floats, triangleSetupPtr }: ChipletMemory,
  { polygonBounds, cullsFront, cullsBack, isFrontClockwise, offset }: SetupState,
  { vertexWords, isFlat }: AttributeLayout,
  targetHeightPx: number,
): void {
  const at = triangleSetupPtr >> 2;
  const { x0, y0, x1, y1 } = polygonBounds;
  words.set([x0, y0, x1, y1], at);
  words.set([Number(cullsFront), Number(cullsBack), Number(isFrontClockwise)], at + 4);
  words[at + (INPUT_COUNT >> 2)] = vertexWords.length;
  const { factor, units, least, most } = offset;
  doubles.set([factor, units, least, most], (triangleSetupPtr + OFFSET_FACTOR) >> 3);
  floats[at + (TARGET_HEIGHT >> 2)] = targetHeightPx;
  for (let j = 0; j < vertexWords.length; j++) {
    const word = vertexWords[j]!;
    words[at + (INPUTS >> 2) + j] = word < 0 ? NO_INPUT : (4 * word) | isFlat[j]!;
  }
  words[at + (INPUTS >> 2) + vertexWords.length] = NO_INPUT;
}

/**
 * Returns the module for a chiplet's memory.
 *
 * @param sampleCount Samples per pixel.
 */
export function generateTriangleSetupKernel(
  memory: ChipletMemory,
  sampleCount: number,
): Uint8Array<ArrayBuffer> {
  return encodeKernel(
    'setUpTriangles',
    PARAMS.map(() => 'i32' as const),
    ['i32'],
    (fn) => {
      const emitter = new TriangleSetupEmitter(memory, fn, sampleCount);
      emitter.emit();
    },
  );
}

class TriangleSetupEmitter {
  readonly #memory: ChipletMemory;
  readonly #fn: FunctionBuilder;
  readonly #sampleCount: number;
  /** Code before the loop. */
  readonly #prologue: KernelCode;
  /** Code of one triangle. */
  readonly #code: KernelCode;
  readonly #constants = new Map<string, Expr>();
  readonly #decided = createLabel('triangle decided');
  readonly #outcome: Local;
  readonly #recordAddress: Local;

  constructor(memory: ChipletMemory, fn: FunctionBuilder, sampleCount: number) {
    this.#memory = memory;
    this.#sampleCount = sampleCount;
    this.#fn = fn;
    this.#prologue = new KernelCode(fn);
    this.#code = new KernelCode(fn);
    this.#outcome = fn.local('i32');
    this.#recordAddress = fn.local('i32');
  }

  /** Emits the function, a loop over the triangles. */
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
      ...this.#prologue.statements,
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
   * Emits the test of the corners' clip codes. Leaves through `done` at a triangle that needs
   * clipping.
   *
   * @returns Vertex indices of the corners.
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
      i32.and(codes.reduce(i32.and), i32.const(OUTSIDE_ALL)),
      i32.and(any, i32.const(NOT_FINITE)),
    );
    code.add(set(this.#outcome, select(i32.const(OUTSIDE), i32.const(SET_UP), isOutside)));
    const isCut = i32.and(any, i32.const(NEEDS_CLIPPING));
    code.add(ifThen(i32.eqz(get(this.#outcome)), [brIf(done, isCut)]));
    return vertices;
  }

  /** Emits the setup of one triangle. Vectors of doubles have x in lane 0 and y in lane 1. */
  #emitTriangle(numbers: readonly [Expr, Expr, Expr]): void {
    const code = this.#code;
    const memory = this.#memory;
    const vertices = numbers.map((number) => code.keep(i32.shl(number, i32.const(3))));
    const double = (ptr: number) =>
      vertices.map((at) => code.keep(f64.load(at, { offset: ptr }))) as [Expr, Expr, Expr];
    const points = (xPtr: number, yPtr: number) =>
      vertices.map((at) =>
        code.keep(v128.load64Lane(at, v128.load64Zero(at, { offset: xPtr }), 1, { offset: yPtr })),
      ) as [Expr, Expr, Expr];
    const corners = points(memory.vertexWindowXPtr, memory.vertexWindowYPtr);
    const [p0, p1, p2] = corners;

    // 1. Facing and culling.
    const area = code.keep(emitArea(code, f64x2.sub(p1, p0), f64x2.sub(p2, p0)));
    this.#leave(f64.eq(area, f64.const(0)), ZERO_AREA);
    const isClockwise = code.keep(f64.gt(area, f64.const(0)));
    const isFront = code.keep(i32.eq(isClockwise, this.#state(IS_FRONT_CLOCKWISE)));
    this.#leave(select(this.#state(CULLS_FRONT), this.#state(CULLS_BACK), isFront), FACE_CULLED);

    // 2. Box.
    const origin = this.#emitBox(corners);

    // 3. Edges, clockwise. A counterclockwise triangle has its last two corners swapped.
    const turns = code.keep(i32x4.splat(i32.sub(isClockwise, i32.const(1))));
    const q1 = code.keep(v128.bitselect(p2, p1, turns));
    const q2 = code.keep(v128.bitselect(p1, p2, turns));
    this.#emitEdges(p0, q1, q2);
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
      corners,
      points(memory.vertexExactXPtr, memory.vertexExactYPtr),
      reciprocals,
      area,
      this.#doubles(1, -1),
    );
    const centre = code.keep(f64x2.add(f64x2.convertLowI32x4S(origin), this.#doubles(0.5, 0.5)));
    const from = code.keep(f64x2.sub(centre, basis.start));
    const depth = this.#emitDepth(double(memory.vertexWindowZPtr), basis, from);
    code.add(brIf(this.#decided, i32.ne(this.#param('planes'), i32.const(PLANES_ALL))));
    store(PRIMITIVE_RECORD, this.#param('primitive'));
    const flags = i32.mul(isFront, i32.const(PRIMITIVE_FLAGS.frontFacing));
    this.#emitHead(centre, flags, depth);
    emitTrianglePlanes(
      code,
      memory,
      { inputsPtr: memory.triangleSetupPtr + INPUTS, inputCount: this.#state(INPUT_COUNT) },
      { to: this.#param('primitivePtr'), groupBytes: this.#param('groupBytes') },
      numbers,
      reciprocals,
      basis,
      from,
    );
  }

  /** Keeps a constant in a local, because V8 rebuilds it from scalars at each use. */
  #doubles(x: number, y: number): Expr {
    const key = `${x} ${y}`;
    const made = this.#constants.get(key) ?? this.#prologue.keep(f64x2.const([x, y]));
    this.#constants.set(key, made);
    return made;
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

  /**
   * Emits the box.
   *
   * @returns The origin, as int32 in lanes 0 and 1.
   */
  #emitBox([p0, p1, p2]: readonly [Expr, Expr, Expr]): Expr {
    const code = this.#code;
    const state = i32.const(this.#memory.triangleSetupPtr);
    // Lanes 0 and 1 of the bounds are the first column and row, lanes 2 and 3 the last. Filler
    // values in the other lanes never bound a result.
    const bounds = this.#prologue.keep(v128.load(state));
    const anyLow = i32x4.const([0, 0, -(2 ** 31), -(2 ** 31)]);
    const anyHigh = i32x4.const([2 ** 31 - 1, 2 ** 31 - 1, 0, 0]);
    const lows = this.#prologue.keep(
      i8x16.shuffle(bounds, anyLow, [...LOW_HALF, ...HIGH_OF_SECOND]),
    );
    const highs = this.#prologue.keep(
      i8x16.shuffle(bounds, anyHigh, [...LOW_OF_SECOND, ...HIGH_HALF]),
    );
    const reach = sampleReachSubpixels(this.#sampleCount);
    const [low, high] = [127 - reach, reach - 128];
    const rounding = this.#prologue.keep(i32x4.const([low, low, high, high]));

    const least = this.#integers(f64x2.pmin(f64x2.pmin(p0, p1), p2));
    const most = this.#integers(f64x2.pmax(f64x2.pmax(p0, p1), p2));
    const subpixels = i8x16.shuffle(least, most, LOW_WORDS);
    const pixels = i32x4.shrS(i32x4.add(subpixels, rounding), i32.const(8));
    const box = code.keep(i32x4.minS(i32x4.maxS(pixels, lows), highs));
    const opposite = code.keep(i8x16.shuffle(box, box, [...HIGH_HALF, ...LOW_HALF]));
    const isEmpty = i32.and(i32x4.bitmask(i32x4.gtS(box, opposite)), i32.const(3));
    this.#leave(isEmpty, NO_SAMPLE);
    const origin = code.keep(i32x4.shrS(i32x4.add(box, opposite), i32.const(1)));
    code.add(
      v128.store(this.#record, box, { offset: 4 * BOX_X0 }),
      v128.store64Lane(this.#record, origin, 0, { offset: 4 * ORIGIN_X }),
    );
    return origin;
  }

  /** Converts doubles without fractions to integers in the low words of the lanes. */
  #integers(doubles: Expr): Expr {
    return f64x2.add(doubles, this.#doubles(TO_INTEGER, TO_INTEGER));
  }

  /** Emits the edges p0 q1 and q1 q2, then q2 p0. */
  #emitEdges(p0: Expr, q1: Expr, q2: Expr): void {
    const code = this.#code;
    const first = this.#emitEdgePair([p0, q1], [q1, q2]);
    // The third edge is paired with one of length 0.
    const second = this.#emitEdgePair([q2, p0], [p0, p0]);
    const slopes = (one: Expr, other: Expr, word: number) =>
      code.add(
        v128.store(this.#record, i8x16.shuffle(one, other, LOW_WORDS), { offset: 4 * word }),
      );
    code.add(
      v128.store(this.#record, first.c, { offset: 8 * EDGE_C }),
      v128.store64Lane(this.#record, second.c, 0, { offset: 8 * (EDGE_C + 2) }),
    );
    slopes(first.a, second.a, EDGE_A);
    slopes(first.b, second.b, EDGE_B);
  }

  /**
   * Emits two edges, one per lane.
   *
   * @returns Coefficients a and b as integers in the low words of the lanes.
   */
  #emitEdgePair(from: readonly [Expr, Expr], to: readonly [Expr, Expr]) {
    const code = this.#code;
    const fromX = code.keep(lanesX(...from));
    const fromY = code.keep(lanesY(...from));
    const toX = code.keep(lanesX(...to));
    const toY = code.keep(lanesY(...to));
    const zero = this.#doubles(0, 0);
    const half = this.#doubles(128, 128);
    const a = code.keep(f64x2.sub(fromY, toY));
    const b = code.keep(f64x2.sub(toX, fromX));
    const isInclusive = v128.or(f64x2.gt(a, zero), v128.and(f64x2.eq(a, zero), f64x2.gt(b, zero)));
    const along = f64x2.mul(a, f64x2.sub(half, fromX));
    const across = f64x2.mul(b, f64x2.sub(half, fromY));
    const atPixelZero = f64x2.sub(
      f64x2.add(along, across),
      v128.andnot(this.#doubles(1, 1), isInclusive),
    );
    const inPixels = f64x2.mul(atPixelZero, this.#doubles(1 / 256, 1 / 256));
    const c =
      this.#sampleCount > 1 ? f64x2.add(inPixels, this.#greatestRise(a, b)) : f64x2.floor(inPixels);
    return { c: code.keep(c), a: code.keep(this.#integers(a)), b: code.keep(this.#integers(b)) };
  }

  /** Returns the rise of the sample furthest inside each of two edges. */
  #greatestRise(a: Expr, b: Expr): Expr {
    return emitSampleRises(this.#code, this.#sampleCount, a, b).reduce((most, rise) =>
      f64x2.pmax(most, rise),
    );
  }

  /**
   * Emits the depth plane.
   *
   * @returns The plane of the raster record: c in both lanes, then dx and dy.
   */
  #emitDepth(
    [windowZ0, windowZ1, windowZ2]: readonly [Expr, Expr, Expr],
    { first, second }: TriangleBasisCode,
    from: Expr,
  ): readonly [Expr, Expr] {
    const code = this.#code;
    const stored = (z: Expr) => f64.mul(z, f64.const(DEPTH_24_MAX));
    const z0 = code.keep(stored(windowZ0));
    const dz1 = f64x2.splat(f64.sub(stored(windowZ1), z0));
    const dz2 = f64x2.splat(f64.sub(stored(windowZ2), z0));
    const slopes = code.keep(f64x2.add(f64x2.mul(dz1, first), f64x2.mul(dz2, second)));
    const state = i32.const(this.#memory.triangleSetupPtr);
    const sizes = code.keep(f64x2.abs(slopes));
    const slope = f64x2.extractLane(f64x2.pmax(sizes, lanesY(sizes, sizes)), 0);
    const sum = f64.add(
      f64.mul(slope, f64.load(state, { offset: OFFSET_FACTOR })),
      f64.load(state, { offset: OFFSET_UNITS }),
    );
    const most = f64.load(state, { offset: OFFSET_MOST });
    const offset = f64.max(f64.load(state, { offset: OFFSET_LEAST }), f64.min(sum, most));
    const rise = code.keep(f64x2.mul(slopes, from));
    const c = code.keep(
      f64.add(f64.add(f64.add(z0, offset), f64x2.extractLane(rise, 0)), f64x2.extractLane(rise, 1)),
    );
    code.add(
      f64.store(this.#record, c, { offset: 8 * DEPTH_C }),
      v128.store(this.#record, slopes, { offset: 8 * DEPTH_DX, align: 8 }),
    );
    return [f64x2.splat(c), slopes];
  }

  #emitHead(centre: Expr, flags: Expr, [depthC, depthSlopes]: readonly [Expr, Expr]): void {
    const to = this.#param('primitivePtr');
    const max = this.#doubles(DEPTH_24_MAX, DEPTH_24_MAX);
    const normalized = (value: Expr) => f32x4.demoteF64x2Zero(f64x2.div(value, max));
    const height = f32.load(i32.const(this.#memory.triangleSetupPtr), { offset: TARGET_HEIGHT });
    const place = i32x4.replaceLane(f32x4.demoteF64x2Zero(centre), 2, flags);
    const plane = i8x16.shuffle(normalized(depthC), normalized(depthSlopes), FLOAT_PLANE);
    this.#code.add(
      v128.store(to, f32x4.replaceLane(place, 3, height), { offset: 0, align: 4 }),
      v128.store(to, plane, { offset: 32, align: 4 }),
    );
  }
}
