/**
 * Kernel of tile traversal and early depth: WebAssembly SIMD, one lane per sample of a quad. A
 * module imports `env.memory` and exports `run` ({@link TraversalRun}). The addresses of the
 * chiplet's pools are constants in its code.
 *
 * The walk follows the Larrabee recursion (Abrash, "Rasterization on Larrabee"). It starts with the
 * part of the primitive's box in the fine bin. If this part is outside an edge, the walk ends. If
 * it is inside an edge, that edge is dropped. Small boxes are walked quad by quad, larger ones by
 * tiles of 8×8 pixels that the edges may reject.
 *
 * The depth of a fragment is computed here and nowhere else, in doubles: (c + dx X) + dy Y from the
 * origin of the raster record, clamped, rounded to the nearest. The early test, the late test and
 * every chiplet therefore use the same number.
 *
 * One file because all of it generates one function, whose parts share locals.
 */

import type { CompareFunction } from '@tessera/frame';
import { HAS_EIGHT_SAMPLES, QUAD_RECORD } from '@tessera/shader/codegen';
import {
  block,
  br,
  brIf,
  createLabel,
  type Expr,
  type FunctionBuilder,
  f64,
  f64x2,
  get,
  i8x16,
  i16x8,
  i32,
  i32x4,
  i64x2,
  ifThen,
  type Local,
  loop,
  ret,
  type Stmt,
  select,
  set,
  v128,
} from '@tessera/shader/wasm';
import { compareLanes } from '../../kernel/compare-kernel.ts';
import { encodeKernel } from '../../kernel/encode-kernel.ts';
import { KernelCode } from '../../kernel/kernel-code.ts';
import { type ChipletMemory, RASTER_RECORD_BYTES } from '../../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import {
  BOX_X0,
  BOX_X1,
  BOX_Y0,
  BOX_Y1,
  DEPTH_C,
  DEPTH_DX,
  DEPTH_DY,
  EDGE_A,
  EDGE_B,
  EDGE_C,
  ORIGIN_X,
  ORIGIN_Y,
  PRIMITIVE_RECORD,
  SOURCE_PRIMITIVE,
} from '../../records/raster-record.ts';
import type { DepthStage } from './early-depth.ts';
import { emitSampleRises } from './sample-rises-kernel.ts';

/** State that the code is specialized for. */
export interface TraversalKey {
  readonly depthStage: DepthStage;
  /** Comparison of the early test; other stages ignore it. */
  readonly depthCompare: CompareFunction;
  readonly isDepthWritten: boolean;
  /**
   * Number of edges of the draw's primitives: 0 for points, 3 for triangles, 4 for lines and for
   * points with several samples.
   */
  readonly edgeCount: 0 | 3 | 4;
  /**
   * Samples per pixel. If there are several, a lane of a quad is covered if one of its samples is.
   * Samples are in the masks of the quad record, and each has a vector of depths.
   */
  readonly sampleCount: number;
  /** Window depths that depth is clamped to. */
  readonly depthBounds: readonly [least: number, most: number];
}

/**
 * Walks raster records inside a rectangle and appends their quads to the quad list.
 *
 * @param entriesPtr Address of the int32 indices of `entryCount` raster records, in order.
 * @param left Left bound of the rectangle. Bounds are inclusive, at most 64 pixels in each
 *   direction.
 * @param quadLimit Number of quads in the list above which the walk stops before a record.
 * @param binX Left column of the coarse bin, even; `binY` is its top row.
 * @returns Number of records walked.
 */
export type TraversalRun = (
  entriesPtr: number,
  entryCount: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
  quadLimit: number,
  binX: number,
  binY: number,
  quadsPerRow: number,
) => number;

const PARAMS = [
  'entriesPtr',
  'entryCount',
  'left',
  'top',
  'right',
  'bottom',
  'quadLimit',
  'binX',
  'binY',
  'quadsPerRow',
] as const;
type Param = (typeof PARAMS)[number];

/** Offsets, in 32-bit words, of the counts at `traversalCountsPtr`, which the kernel increments. */
export const TRAVERSAL_COUNTS = {
  /** Quads in the list. */
  quadCount: 0,
  /** Fragments of these quads. */
  listedFragments: 1,
  quadsCovered: 2,
  fragmentsCovered: 3,
} as const;
type CountName = keyof typeof TRAVERSAL_COUNTS;
const COUNT_NAMES = Object.keys(TRAVERSAL_COUNTS) as CountName[];

/** Box width or height above which a box is walked by tiles, in pixels. */
const WHOLE_BOX_PX = 16;
const TILE_PX = 8;
const ALL_LANES = 0b1111;
/** Lanes of four samples, four bits each, and a lane's bit in each sample. */
const ALL_SAMPLES = 0xffff;
const LANE_OF_EACH_SAMPLE = 0x1111;
/** Shuffle for the low words of two double vectors. */
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27] as const;
const LOW_HALF_TWICE = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] as const;
const HIGH_HALF_TWICE = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15] as const;

/** Returns the module of `key` for a chiplet's memory. */
export function generateTraversalKernel(
  memory: ChipletMemory,
  key: TraversalKey,
): Uint8Array<ArrayBuffer> {
  return encodeKernel(
    'traverseTiles',
    PARAMS.map(() => 'i32' as const),
    ['i32'],
    (fn) => {
      fn.emit(...new TraversalEmitter(memory, key, fn).emit());
    },
  );
}

/** Locals of one edge: value at the first pixel of the walk, slopes, and vectors of them. */
interface EdgeLocals {
  readonly e: Local;
  readonly a: Local;
  readonly b: Local;
  /** Edge value at the four lanes of the first quad. */
  readonly start: Local;
  readonly stepX: Local;
  readonly stepY: Local;
  readonly row: Local;
  readonly quad: Local;
  /**
   * Edge value per sample minus that of the sample furthest inside; empty with one sample per
   * pixel.
   */
  readonly falls: readonly Local[];
}

class TraversalEmitter {
  readonly #memory: ChipletMemory;
  readonly #key: TraversalKey;
  readonly #fn: FunctionBuilder;
  readonly #counts: Readonly<Record<CountName, Local>>;
  readonly #edges: readonly EdgeLocals[];
  readonly #i32: (name: string) => Local;
  readonly #v128: (name: string) => Local;

  constructor(memory: ChipletMemory, key: TraversalKey, fn: FunctionBuilder) {
    this.#memory = memory;
    this.#key = key;
    this.#fn = fn;
    this.#counts = {
      quadCount: fn.local('i32'),
      listedFragments: fn.local('i32'),
      quadsCovered: fn.local('i32'),
      fragmentsCovered: fn.local('i32'),
    };
    this.#edges = Array.from({ length: key.edgeCount }, () => ({
      e: fn.local('i32'),
      a: fn.local('i32'),
      b: fn.local('i32'),
      start: fn.local('v128'),
      stepX: fn.local('v128'),
      stepY: fn.local('v128'),
      row: fn.local('v128'),
      quad: fn.local('v128'),
      falls: Array.from({ length: isMultisampled(key) ? key.sampleCount : 0 }, () =>
        fn.local('v128'),
      ),
    }));
    this.#i32 = namedLocals(fn, 'i32');
    this.#v128 = namedLocals(fn, 'v128');
  }

  #param(name: Param): Expr {
    return get(this.#fn.param(PARAMS.indexOf(name)));
  }

  #v(name: string): Expr {
    return get(this.#i32(name));
  }

  /** Emits the function, a loop over the records. */
  emit(): Stmt[] {
    const { traversalCountsPtr } = this.#memory;
    const countsAt = (name: CountName) => traversalCountsPtr + 4 * TRAVERSAL_COUNTS[name];
    const done = createLabel('done');
    const again = createLabel('next record');
    const index = this.#i32('index');
    const walked = createLabel('record walked');
    return [
      ...this.#emitConstants(),
      ...COUNT_NAMES.map((name) => set(this.#counts[name], i32.load(i32.const(countsAt(name))))),
      block(
        loop(
          [
            brIf(done, i32.geU(get(index), this.#param('entryCount'))),
            brIf(done, i32.gtS(get(this.#counts.quadCount), this.#param('quadLimit'))),
            block(this.#emitRecord(walked), walked),
            set(index, i32.add(get(index), i32.const(1))),
            br(again),
          ],
          again,
        ),
        done,
      ),
      ...COUNT_NAMES.map((name) => i32.store(i32.const(countsAt(name)), get(this.#counts[name]))),
      ret(get(index)),
    ];
  }

  /** Keeps vector constants in locals, because V8 rebuilds them from scalars at each use. */
  #emitConstants(): Stmt[] {
    const [depthMin, depthMax] = this.#key.depthBounds.map((depth) => depth * DEPTH_24_MAX);
    const constants: Readonly<Record<string, Expr>> = {
      laneBits: i32x4.const([1, 2, 4, 8]),
      rightLanes: i32x4.const([0, -1, 0, -1]),
      lowerLanes: i32x4.const([0, 0, -1, -1]),
      laneX: f64x2.const([0, 1]),
      two: f64x2.const([2, 2]),
      zero: f64x2.const([0, 0]),
      depthMin: f64x2.const([depthMin!, depthMin!]),
      depthMax: f64x2.const([depthMax!, depthMax!]),
      toInteger: f64x2.const([2 ** 52, 2 ** 52]),
      toSignedInteger: f64x2.const([1.5 * 2 ** 52, 1.5 * 2 ** 52]),
    };
    return Object.entries(constants).map(([name, value]) => set(this.#v128(name), value));
  }

  /**
   * Emits the walk of one record. Leaves through `walked`. One function because the five steps
   * share its locals.
   */
  #emitRecord(walked: ReturnType<typeof createLabel>): readonly Stmt[] {
    const code = new KernelCode(this.#fn);
    const v = (name: string) => this.#v(name);
    const assign = (name: string, value: Expr) => code.add(set(this.#i32(name), value));
    const entry = i32.load(i32.add(this.#param('entriesPtr'), i32.shl(v('index'), i32.const(2))));
    assign(
      'record',
      i32.add(
        i32.const(this.#memory.rasterRecordsPtr),
        i32.mul(entry, i32.const(RASTER_RECORD_BYTES)),
      ),
    );
    const field = (word: number) => i32.load(v('record'), { offset: 4 * word });

    // 1. The box inside the rectangle, and the even pixel where the walk starts.
    assign('x0', maxS(code, this.#param('left'), field(BOX_X0)));
    assign('y0', maxS(code, this.#param('top'), field(BOX_Y0)));
    assign('x1', minS(code, this.#param('right'), field(BOX_X1)));
    assign('y1', minS(code, this.#param('bottom'), field(BOX_Y1)));
    code.add(brIf(walked, i32.or(i32.ltS(v('x1'), v('x0')), i32.ltS(v('y1'), v('y0')))));
    assign('startX', i32.and(v('x0'), i32.const(-2)));
    assign('startY', i32.and(v('y0'), i32.const(-2)));
    assign('spanX', i32.sub(v('x1'), v('x0')));
    assign('spanY', i32.sub(v('y1'), v('y0')));

    // 2. The edges that cross the box. Values are exact in doubles, and those of crossing edges fit
    //    an int32.
    if (this.#edges.length > 0) this.#emitAllEdges(code, walked);

    // 3. The primitive.
    assign('primitive', field(PRIMITIVE_RECORD));
    assign('coveredBefore', get(this.#counts.fragmentsCovered));
    if (this.#key.depthStage !== 'none') {
      assign('originX', field(ORIGIN_X));
      assign('originY', field(ORIGIN_Y));
      const plane = (word: number) => f64.load(v('record'), { offset: 8 * word });
      code.add(
        set(this.#v128('depthC'), f64x2.splat(plane(DEPTH_C))),
        set(this.#v128('depthDx'), f64x2.splat(plane(DEPTH_DX))),
        set(this.#v128('depthDy'), f64x2.splat(plane(DEPTH_DY))),
      );
      if (isMultisampled(this.#key)) this.#emitSampleRises(code);
    }

    // 4. The walk: small boxes as one tile, larger ones by aligned tiles.
    assign('isTiled', this.#isTiled());
    assign('step', i32.const(128));
    assign('tileX0', v('startX'));
    assign('tileY', v('startY'));
    code.add(
      ifThen(v('isTiled'), [
        set(this.#i32('step'), i32.const(TILE_PX)),
        set(this.#i32('tileX0'), i32.and(v('x0'), i32.const(-TILE_PX))),
        set(this.#i32('tileY'), i32.and(v('y0'), i32.const(-TILE_PX))),
      ]),
    );
    code.add(
      loop((nextRow) => [
        set(this.#i32('tileX'), v('tileX0')),
        loop((nextTile) => [
          ...this.#emitTile(),
          set(this.#i32('tileX'), i32.add(v('tileX'), v('step'))),
          brIf(nextTile, i32.leS(v('tileX'), v('x1'))),
        ]),
        set(this.#i32('tileY'), i32.add(v('tileY'), v('step'))),
        brIf(nextRow, i32.leS(v('tileY'), v('y1'))),
      ]),
    );

    // 5. The flag of covered primitives.
    const source = i32.add(i32.const(this.#memory.coveredFlagsPtr), field(SOURCE_PRIMITIVE));
    code.add(
      ifThen(i32.ne(get(this.#counts.fragmentsCovered), v('coveredBefore')), [
        i32.store8(source, i32.const(1)),
      ]),
    );
    return code.statements;
  }

  /**
   * Emits all edges of a record in two pairs: their values at the start of the walk, and their
   * slopes, which are 0 if an edge contains the box. With several samples per pixel, an edge
   * contains the box if all samples are inside. One function because its steps share vectors.
   */
  #emitAllEdges(code: KernelCode, walked: ReturnType<typeof createLabel>): void {
    const v = (name: string) => this.#v(name);
    const vector = (name: string) => get(this.#v128(name));
    const a = code.keep(v128.load(v('record'), { offset: 4 * EDGE_A }));
    const b = code.keep(v128.load(v('record'), { offset: 4 * EDGE_B }));
    const splat = (name: string) => code.keep(f64x2.splat(f64.convertI32S(v(name))));
    const [x0, y0, spanX, spanY] = ['x0', 'y0', 'spanX', 'spanY'].map(splat) as [
      Expr,
      Expr,
      Expr,
      Expr,
    ];
    const pairs = [0, 1].map((pair) => {
      const half = (slopes: Expr) =>
        pair === 0 ? slopes : i8x16.shuffle(slopes, slopes, HIGH_HALF_TWICE);
      const slopeX = code.keep(f64x2.convertLowI32x4S(half(a)));
      const slopeY = code.keep(f64x2.convertLowI32x4S(half(b)));
      const c = v128.load(v('record'), { offset: 8 * (EDGE_C + 2 * pair) });
      const corner = code.keep(
        f64x2.add(f64x2.add(c, f64x2.mul(slopeX, x0)), f64x2.mul(slopeY, y0)),
      );
      const riseX = code.keep(f64x2.mul(slopeX, spanX));
      const riseY = code.keep(f64x2.mul(slopeY, spanY));
      const extreme = (of: typeof f64x2.pmax) =>
        f64x2.add(f64x2.add(corner, of(vector('zero'), riseX)), of(vector('zero'), riseY));
      const isOutside = i64x2.bitmask(extreme(f64x2.pmax));
      // A triangle has no fourth edge.
      const isAlone = pair === 1 && this.#edges.length === 3;
      code.add(brIf(walked, isAlone ? i32.and(isOutside, i32.const(1)) : isOutside));
      // The low word of an integer plus 1.5 × 2^52 is the integer, if it fits. It does for crossing
      // edges.
      const whole = (value: Expr) => code.keep(f64x2.add(value, vector('toSignedInteger')));
      const lowest = extreme(f64x2.pmin);
      if (!isMultisampled(this.#key)) {
        const crosses = code.keep(f64x2.lt(lowest, vector('zero')));
        return { furthest: whole(corner), samples: [], crosses };
      }
      const rises = emitSampleRises(code, this.#key.sampleCount, slopeX, slopeY);
      const most = code.keep(rises.reduce((so, rise) => f64x2.pmax(so, rise)));
      const least = rises.reduce((so, rise) => f64x2.pmin(so, rise));
      const outside = code.keep(f64x2.sub(corner, most));
      return {
        furthest: whole(f64x2.floor(corner)),
        samples: rises.map((rise) => whole(f64x2.floor(f64x2.add(outside, rise)))),
        crosses: code.keep(f64x2.lt(f64x2.add(f64x2.sub(lowest, most), least), vector('zero'))),
      };
    });
    const words = (of: (pair: (typeof pairs)[number]) => Expr) =>
      code.keep(i8x16.shuffle(of(pairs[0]!), of(pairs[1]!), LOW_WORDS));
    const crosses = words((pair) => pair.crosses);
    const offset = (from: string, start: string) => i32x4.splat(i32.sub(v(from), v(start)));
    const toStart = code.keep(
      i32x4.add(i32x4.mul(offset('x0', 'startX'), a), i32x4.mul(offset('y0', 'startY'), b)),
    );
    const furthest = words((pair) => pair.furthest);
    code.add(
      set(this.#v128('edgeE'), v128.and(i32x4.sub(furthest, toStart), crosses)),
      set(this.#v128('edgeA'), v128.and(a, crosses)),
      set(this.#v128('edgeB'), v128.and(b, crosses)),
    );
    const values = pairs[0]!.samples.map((_, sample) => words((pair) => pair.samples[sample]!));
    const falls = values.map((value) => code.keep(v128.and(i32x4.sub(value, furthest), crosses)));
    for (const [k, edge] of this.#edges.entries()) {
      const { start, stepX, stepY } = edge;
      const lane = (of: Expr) => code.keep(i8x16.shuffle(of, of, splatWord(k)));
      const slopeX = lane(vector('edgeA'));
      const slopeY = lane(vector('edgeB'));
      const lanes = i32x4.add(
        v128.and(slopeX, vector('rightLanes')),
        v128.and(slopeY, vector('lowerLanes')),
      );
      code.add(
        set(start, i32x4.add(lane(vector('edgeE')), lanes)),
        set(stepX, i32x4.shl(slopeX, i32.const(1))),
        set(stepY, i32x4.shl(slopeY, i32.const(1))),
        ...edge.falls.map((fall, sample) => set(fall, lane(falls[sample]!))),
      );
    }
    code.add(
      ifThen(
        this.#isTiled(),
        this.#edges.flatMap((edge, k) => [
          set(edge.e, i32x4.extractLane(vector('edgeE'), k)),
          set(edge.a, i32x4.extractLane(vector('edgeA'), k)),
          set(edge.b, i32x4.extractLane(vector('edgeB'), k)),
        ]),
      ),
    );
  }

  /** Returns whether the box is so large that it is walked by tiles. */
  #isTiled(): Expr {
    return i32.or(
      i32.geS(this.#v('spanX'), i32.const(WHOLE_BOX_PX)),
      i32.geS(this.#v('spanY'), i32.const(WHOLE_BOX_PX)),
    );
  }

  /** Emits the depths of samples minus the center's. */
  #emitSampleRises(code: KernelCode): void {
    const [dx, dy] = ['depthDx', 'depthDy'].map((name) => get(this.#v128(name))) as [Expr, Expr];
    const rises = emitSampleRises(code, this.#key.sampleCount, dx, dy);
    for (const [sample, rise] of rises.entries()) {
      code.add(set(this.#v128(`sampleRise${sample}`), rise));
    }
  }

  /** Emits the quads of the tile at (tileX, tileY), clipped to the box. */
  #emitTile(): readonly Stmt[] {
    const v = (name: string) => this.#v(name);
    const code = new KernelCode(this.#fn);
    const assign = (to: KernelCode, name: string, value: Expr) =>
      to.add(set(this.#i32(name), value));
    const rejected = createLabel('tile rejected');
    assign(code, 'firstX', maxS(code, v('tileX'), v('startX')));
    assign(code, 'qy', maxS(code, v('tileY'), v('startY')));
    assign(
      code,
      'lastX',
      minS(code, i32.sub(i32.add(v('tileX'), v('step')), i32.const(1)), v('x1')),
    );
    assign(
      code,
      'lastY',
      minS(code, i32.sub(i32.add(v('tileY'), v('step')), i32.const(1)), v('y1')),
    );
    const inTile = code.branch((tiled) => {
      const dx = tiled.keep(i32.sub(v('firstX'), v('startX')));
      const dy = tiled.keep(i32.sub(v('qy'), v('startY')));
      for (const { e, a, b, start, row } of this.#edges) {
        const rise = tiled.keep(i32.add(i32.mul(get(a), dx), i32.mul(get(b), dy)));
        const far = (slope: Local, last: string, first: string) =>
          i32.mul(
            select(get(slope), i32.const(0), i32.gtS(get(slope), i32.const(0))),
            i32.sub(v(last), v(first)),
          );
        const highest = i32.add(
          i32.add(i32.add(get(e), rise), far(a, 'lastX', 'firstX')),
          far(b, 'lastY', 'qy'),
        );
        tiled.add(brIf(rejected, i32.ltS(highest, i32.const(0))));
        tiled.add(set(row, i32x4.add(get(start), i32x4.splat(rise))));
      }
    });
    // A walk of a single tile starts at the position of the edges' vectors.
    const atStart = this.#edges.map(({ start, row }) => set(row, get(start)));
    code.add(ifThen(v('isTiled'), inTile, atStart));
    if (this.#key.depthStage !== 'none') this.#emitTileDepth(code);
    code.add(
      loop((nextRow) => [
        ...this.#emitRow(),
        ...this.#edges.map(({ row, stepY }) => set(row, i32x4.add(get(row), get(stepY)))),
        ...this.#advanceRowDepth(),
        set(this.#i32('qy'), i32.add(v('qy'), i32.const(2))),
        brIf(nextRow, i32.leS(v('qy'), v('lastY'))),
      ]),
    );
    return [block(code.statements, rejected)];
  }

  #emitRow(): readonly Stmt[] {
    const v = (name: string) => this.#v(name);
    const code = new KernelCode(this.#fn);
    for (const { quad, row } of this.#edges) code.add(set(quad, get(row)));
    code.add(set(this.#i32('qx'), v('firstX')));
    if (this.#key.depthStage !== 'none') this.#emitRowDepth(code);
    // Rows of quads, clipped to the box.
    code.add(
      set(
        this.#i32('rowLanes'),
        i32.and(
          select(i32.const(0b1100), i32.const(ALL_LANES), i32.ltS(v('qy'), v('y0'))),
          select(i32.const(0b0011), i32.const(ALL_LANES), i32.eq(v('qy'), v('y1'))),
        ),
      ),
    );
    code.add(
      loop((nextQuad) => [
        ...this.#emitQuad(),
        ...this.#edges.map(({ quad, stepX }) => set(quad, i32x4.add(get(quad), get(stepX)))),
        ...this.#advanceDepth(),
        set(this.#i32('qx'), i32.add(v('qx'), i32.const(2))),
        brIf(nextQuad, i32.leS(v('qx'), v('lastX'))),
      ]),
    );
    return code.statements;
  }

  /** Returns the lanes of the quad that are in the box. */
  #boxLanes(): Expr {
    const v = (name: string) => this.#v(name);
    const columnLanes = i32.and(
      select(i32.const(0b1010), i32.const(ALL_LANES), i32.ltS(v('qx'), v('x0'))),
      select(i32.const(0b0101), i32.const(ALL_LANES), i32.eq(v('qx'), v('x1'))),
    );
    return i32.and(v('rowLanes'), columnLanes);
  }

  /** Emits coverage, depth and list entry of one quad. */
  #emitQuad(): readonly Stmt[] {
    if (isMultisampled(this.#key)) return this.#emitSampledQuad();
    const code = new KernelCode(this.#fn);
    // A lane is outside if any edge is negative.
    const outside =
      this.#edges.length === 0
        ? i32.const(0)
        : i32x4.bitmask(this.#edges.map(({ quad }) => get(quad)).reduce(v128.or));
    const mask = this.#i32('mask');
    code.add(set(mask, i32.and(i32.xor(outside, i32.const(ALL_LANES)), this.#boxLanes())));
    if (this.#key.depthStage === 'early') {
      this.#emitTestedQuad(code, get(mask));
      return code.statements;
    }
    const covered = code.branch((inner) => {
      this.#count(inner, 'quadsCovered', i32.const(1));
      this.#count(inner, 'fragmentsCovered', i32.popcnt(get(mask)));
      this.#emitListed(inner, get(mask));
    });
    code.add(ifThen(get(mask), covered));
    return code.statements;
  }

  /**
   * Emits early depth and the list entry without a branch, also for uncovered quads. In a small
   * triangle's box about every second quad is uncovered, so a branch would often be mispredicted.
   * An uncovered quad leaves depth unchanged, and the next quad overwrites its record.
   */
  #emitTestedQuad(code: KernelCode, mask: Expr): void {
    this.#count(code, 'quadsCovered', i32.ne(mask, i32.const(0)));
    this.#count(code, 'fragmentsCovered', i32.popcnt(mask));
    const bits = get(this.#v128('laneBits'));
    const isCovered = i32x4.eq(v128.and(i32x4.splat(mask), bits), bits);
    const passed = code.keep(i32x4.bitmask(this.#emitDepthTest(code, isCovered)));
    this.#emitQuadRecord(code, passed);
    this.#count(code, 'listedFragments', i32.popcnt(passed));
    this.#count(code, 'quadCount', i32.ne(passed, i32.const(0)));
  }

  /** Emits a quad with several samples per pixel. */
  #emitSampledQuad(): readonly Stmt[] {
    const code = new KernelCode(this.#fn);
    // A lane of a sample is outside if the sign of its word is set.
    const outside = Array.from({ length: this.#key.sampleCount }, (_, sample) =>
      code.keep(
        this.#edges
          .map(({ quad, falls }) => i32x4.add(get(quad), get(falls[sample]!)))
          .reduce((all, value) => v128.or(all, value)),
      ),
    );
    const lanes = code.keep(this.#boxLanes());
    const inBox = code.keep(i32.mul(lanes, i32.const(LANE_OF_EACH_SAMPLE)));
    const groups = signsOf(outside).map((signs, group) => {
      const samples = this.#i32(`samples${group}`);
      code.add(set(samples, i32.and(i32.xor(signs, i32.const(ALL_SAMPLES)), inBox)));
      return samples;
    });
    const union = () => groups.map((samples) => get(samples)).reduce(i32.or);
    const covered = code.branch((inner) => {
      const mask = inner.keep(lanesOf(inner, union()));
      this.#count(inner, 'quadsCovered', i32.const(1));
      this.#count(inner, 'fragmentsCovered', i32.popcnt(mask));
      if (this.#key.depthStage !== 'early') {
        this.#emitListed(inner, mask, groups);
        return;
      }
      const bits = get(this.#v128('laneBits'));
      const boxLanes = inner.keep(i32x4.eq(v128.and(i32x4.splat(lanes), bits), bits));
      const passed = outside.map((value, sample) => {
        const isCovered = v128.andnot(boxLanes, i32x4.shrS(value, i32.const(31)));
        return this.#emitDepthTest(inner, isCovered, sample);
      });
      for (const [group, signs] of signsOf(passed).entries()) {
        inner.add(set(groups[group]!, signs));
      }
      const kept = inner.keep(lanesOf(inner, union()));
      inner.add(
        ifThen(
          kept,
          inner.branch((listed) => this.#emitListed(listed, kept, groups)),
        ),
      );
    });
    code.add(ifThen(union(), covered));
    return code.statements;
  }

  #count(code: KernelCode, name: CountName, more: Expr): void {
    code.add(set(this.#counts[name], i32.add(get(this.#counts[name]), more)));
  }

  /**
   * Emits the record of a quad.
   *
   * @param groups Lanes of four samples each, if there are several.
   * @returns Offset of the record from the start of the list.
   */
  #emitQuadRecord(code: KernelCode, lanes: Expr, groups: readonly Local[] = []): Expr {
    const { quadsPtr } = this.#memory;
    const { quadCount } = this.#counts;
    const record = code.keep(i32.mul(get(quadCount), i32.const(QUAD_RECORD.bytes)));
    const [samples, moreSamples] = groups;
    const upperHalf = (local: Local | undefined) =>
      local === undefined ? i32.const(0) : i32.shl(get(local), i32.const(16));
    const mask = i32.or(lanes, upperHalf(samples));
    const place = (offset: number) => ({ offset: quadsPtr + offset });
    code.add(
      i32.store(record, this.#v('qx'), place(QUAD_RECORD.x)),
      i32.store(record, i32.or(this.#v('qy'), upperHalf(moreSamples)), place(QUAD_RECORD.y)),
      i32.store(
        record,
        moreSamples === undefined ? mask : i32.or(mask, i32.const(HAS_EIGHT_SAMPLES)),
        place(QUAD_RECORD.mask),
      ),
      i32.store(record, this.#v('primitive'), place(QUAD_RECORD.primitive)),
    );
    return record;
  }

  /**
   * Emits the entry of a quad in the list.
   *
   * @param groups Lanes of four samples each, if there are several.
   */
  #emitListed(code: KernelCode, mask: Expr, groups: readonly Local[] = []): void {
    const { quadDepthsPtr } = this.#memory;
    const record = this.#emitQuadRecord(code, mask, groups);
    const { depthStage, sampleCount } = this.#key;
    if (depthStage === 'late' && sampleCount > 1) {
      const depths = code.keep(i32.mul(record, i32.const(sampleCount)));
      for (let sample = 0; sample < sampleCount; sample++) {
        const place = { offset: quadDepthsPtr + 16 * sample };
        code.add(v128.store(depths, this.#quadDepth(code, sample), place));
      }
    } else if (depthStage === 'late') {
      code.add(v128.store(record, this.#quadDepth(code), { offset: quadDepthsPtr }));
    }
    this.#count(code, 'listedFragments', i32.popcnt(mask));
    this.#count(code, 'quadCount', i32.const(1));
  }

  /** Tests covered lanes and writes the depth of those that pass. Returns these lanes. */
  #emitDepthTest(code: KernelCode, isCovered: Expr, sample: number | null = null): Expr {
    const { depthCompare, isDepthWritten } = this.#key;
    const address = this.#v('depthAddress');
    const place = { offset: this.#memory.binDepthPtr + 16 * (sample ?? 0) };
    const stored = code.keep(v128.load(address, place));
    const depth = code.keep(this.#quadDepth(code, sample));
    const pass = code.keep(v128.and(isCovered, compareLanes(depthCompare, depth, stored)));
    if (isDepthWritten) {
      code.add(v128.store(address, v128.bitselect(depth, stored, pass), place));
    }
    return pass;
  }

  /** Emits the start values of a tile's depths. Pixel coordinates are exact in doubles. */
  #emitTileDepth(code: KernelCode): void {
    const v = (name: string) => this.#v(name);
    const firstX = f64.convertI32S(i32.sub(v('firstX'), v('originX')));
    const firstY = f64.convertI32S(i32.sub(v('qy'), v('originY')));
    const steps = get(this.#v128('laneX'));
    code.add(
      set(this.#v128('tileDepthX'), f64x2.add(f64x2.splat(firstX), steps)),
      set(this.#v128('depthY'), f64x2.add(f64x2.splat(firstY), steps)),
    );
    if (this.#key.depthStage !== 'early') return;
    const row = i32.mul(
      i32.shrS(i32.sub(v('qy'), this.#param('binY')), i32.const(1)),
      this.#param('quadsPerRow'),
    );
    const column = i32.shrS(i32.sub(v('firstX'), this.#param('binX')), i32.const(1));
    code.add(set(this.#i32('rowAddress'), i32.shl(i32.add(row, column), this.#quadBytesLog2)));
  }

  get #quadBytesLog2(): Expr {
    return i32.const(4 + Math.log2(this.#key.sampleCount));
  }

  /** Emits the common part of the depths in a row of quads. */
  #emitRowDepth(code: KernelCode): void {
    const rows = code.keep(f64x2.mul(get(this.#v128('depthDy')), get(this.#v128('depthY'))));
    code.add(
      set(this.#v128('depthX'), get(this.#v128('tileDepthX'))),
      set(this.#v128('upperDepth'), i8x16.shuffle(rows, rows, LOW_HALF_TWICE)),
      set(this.#v128('lowerDepth'), i8x16.shuffle(rows, rows, HIGH_HALF_TWICE)),
    );
    if (this.#key.depthStage === 'early') {
      code.add(set(this.#i32('depthAddress'), this.#v('rowAddress')));
    }
  }

  /** Advances to the next row of quads. */
  #advanceRowDepth(): Stmt[] {
    const { depthStage } = this.#key;
    if (depthStage === 'none') return [];
    const y = this.#v128('depthY');
    const address = this.#i32('rowAddress');
    const rowBytes = i32.shl(this.#param('quadsPerRow'), this.#quadBytesLog2);
    return [
      set(y, f64x2.add(get(y), get(this.#v128('two')))),
      ...(depthStage === 'early' ? [set(address, i32.add(get(address), rowBytes))] : []),
    ];
  }

  /** Advances to the next quad of the row. */
  #advanceDepth(): Stmt[] {
    const { depthStage, sampleCount } = this.#key;
    if (depthStage === 'none') return [];
    const quadBytes = i32.const(16 * sampleCount);
    const x = this.#v128('depthX');
    const address = this.#i32('depthAddress');
    return [
      set(x, f64x2.add(get(x), get(this.#v128('two')))),
      ...(depthStage === 'early' ? [set(address, i32.add(get(address), quadBytes))] : []),
    ];
  }

  /**
   * Returns the stored depth of the four lanes of the quad at (qx, qy), or of one sample of each.
   */
  #quadDepth(code: KernelCode, sample: number | null = null): Expr {
    const vector = (name: string) => get(this.#v128(name));
    const along = code.keep(
      f64x2.add(vector('depthC'), f64x2.mul(vector('depthDx'), vector('depthX'))),
    );
    const rowDepth = (across: string): Expr => {
      const centre = f64x2.add(along, vector(across));
      const z = sample === null ? centre : f64x2.add(centre, vector(`sampleRise${sample}`));
      const clamped = f64x2.pmin(vector('depthMax'), f64x2.pmax(vector('depthMin'), z));
      // The low half of a number from 0 to 2^32 plus 2^52 is the nearest integer.
      return f64x2.add(clamped, vector('toInteger'));
    };
    return i8x16.shuffle(rowDepth('upperDepth'), rowDepth('lowerDepth'), LOW_WORDS);
  }
}

/** Returns the lanes that have a sample in a mask of four bits per sample. */
function lanesOf(code: KernelCode, samples: Expr): Expr {
  const pairs = code.keep(i32.or(samples, i32.shrU(samples, i32.const(8))));
  return i32.and(i32.or(pairs, i32.shrU(pairs, i32.const(4))), i32.const(ALL_LANES));
}

/**
 * Returns the signs of the words of vectors by sample, as masks of four samples: those of sample s
 * from bit 4 (s mod 4) on.
 */
function signsOf(samples: readonly Expr[]): Expr[] {
  return Array.from({ length: samples.length / 4 }, (_, group) => {
    const [first, second, third, fourth] = samples.slice(4 * group, 4 * group + 4);
    return i8x16.bitmask(
      i8x16.narrowI16x8S(i16x8.narrowI32x4S(first!, second!), i16x8.narrowI32x4S(third!, fourth!)),
    );
  });
}

function isMultisampled({ sampleCount }: TraversalKey): boolean {
  return sampleCount > 1;
}

/** Returns the shuffle that copies word `k` to all four words. */
function splatWord(k: number): number[] {
  return Array.from({ length: 16 }, (_, byte) => 4 * k + (byte & 3));
}

function namedLocals(fn: FunctionBuilder, type: 'i32' | 'v128'): (name: string) => Local {
  const localByName = new Map<string, Local>();
  return (name) => {
    const local = localByName.get(name) ?? fn.local(type);
    localByName.set(name, local);
    return local;
  };
}

function maxS(code: KernelCode, a: Expr, b: Expr): Expr {
  const [left, right] = [code.keep(a), code.keep(b)];
  return select(left, right, i32.gtS(left, right));
}

function minS(code: KernelCode, a: Expr, b: Expr): Expr {
  const [left, right] = [code.keep(a), code.keep(b)];
  return select(left, right, i32.ltS(left, right));
}
