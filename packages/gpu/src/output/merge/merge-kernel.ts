/**
 * Kernel of the output merger for a list of quads in order: stencil and depth test, blending, write
 * (GL ES 3.0, section 4.1). A module imports `env.memory` and exports `run` ({@link MergeRun}).
 *
 * Targets are quad-tiled: 16 bytes per quad of depth and stencil, colors as in target-layout.ts.
 * The quad of pixel (x, y) has index ((y − binY) >> 1) × quadsPerRow + ((x − binX) >> 1). Its lanes
 * are (x, y) (x + 1, y) (x, y + 1) (x + 1, y + 1). A lane of depth is a 24-bit unsigned normalized
 * integer, a lane of stencil is 0 to 255.
 *
 * With several samples per pixel, the merger runs sample by sample. The vectors of a quad's samples
 * are consecutive in every target, and a quad record's masks have their lanes. A fragment has one
 * color for all its samples. It passes if one of them passes.
 */
import type { BlendState, RedSpread } from '@tessera/frame';
import { PRIMITIVE_FLAGS, PRIMITIVE_RECORD, QUAD_RECORD } from '@tessera/shader/codegen';
import {
  brIf,
  createLabel,
  type Expr,
  f32x4,
  get,
  i8x16,
  i32,
  i32x4,
  ifThen,
  type Local,
  loop,
  set,
  v128,
} from '@tessera/shader/wasm';
import { compareLanes } from '../../kernel/compare-kernel.ts';
import { encodeKernel } from '../../kernel/encode-kernel.ts';
import { KernelCode, LoopConstants } from '../../kernel/kernel-code.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import { type PackedOutputs, PackedPlace } from '../../shading/lane-packing.ts';
import { emitRounding } from '../target/float-rounding.ts';
import { emitSrgbDecoding, emitSrgbEncoding } from '../target/srgb-transfer.ts';
import { type ColorTarget, colorRangeOf } from '../target/target-layout.ts';
import {
  blendColor,
  clampToRange,
  clampToUnit,
  packColor,
  type Rgba,
  unpackColor,
} from './blend-kernel.ts';
import { combineLogically } from './logic-kernel.ts';
import type { ColorMerge, ColorOutputs, MergeKey } from './merge-key.ts';
import { emitCoveredSamples, GROUP_SAMPLES } from './sample-coverage-kernel.ts';
import { emitStencil } from './stencil-kernel.ts';

/** Offset of 16 bytes for constants from the counts. */
const LITERAL_OFFSET = 16;

const PARAMS = [
  'quadsPtr',
  'quadCount',
  'fragmentOutputPtr',
  'outputCount',
  'quadDepthPtr',
  'colorPtr',
  'depthPtr',
  'stencilPtr',
  'binX',
  'binY',
  'quadsPerRow',
  'countsPtr',
  'primitivesPtr',
  'primitiveStrideBytes',
] as const;
type Param = (typeof PARAMS)[number];

/**
 * Merges `quadCount` quads.
 *
 * @param fragmentOutputPtr Address of the fragment outputs: f32x4 of output j of quad q at
 *   `(q × outputCount + j) × 16`.
 * @param quadDepthPtr Address of the i32x4 of 24-bit depths per quad and sample, from the
 *   rasterizer.
 * @param countsPtr Address of 32 bytes. Two i32 are incremented: covered fragments that fail here,
 *   fragments that pass.
 * @param primitivesPtr Address of the primitive records, read only if the stencil state is
 *   two-sided. Bit 0 of the i32 at byte 8 is set for a front-facing primitive.
 */
export type MergeRun = (
  quadsPtr: number,
  quadCount: number,
  fragmentOutputPtr: number,
  outputCount: number,
  quadDepthPtr: number,
  colorPtr: number,
  depthPtr: number,
  stencilPtr: number,
  binX: number,
  binY: number,
  quadsPerRow: number,
  countsPtr: number,
  primitivesPtr: number,
  primitiveStrideBytes: number,
) => void;

/**
 * Returns the module of `key`.
 *
 * @param packed Layout of packed fragments, with one sample per pixel; `null` for outputs of quads.
 */
export function generateMergeKernel(
  key: MergeKey,
  packed: PackedOutputs | null = null,
): Uint8Array<ArrayBuffer> {
  return encodeKernel(
    'mergeQuads',
    PARAMS.map(() => 'i32' as const),
    [],
    (fn) => {
      const local = (name: Param) => fn.param(PARAMS.indexOf(name));
      const literal = i32.add(get(local('countsPtr')), i32.const(LITERAL_OFFSET));
      const constants = new LoopConstants(fn, literal);
      const setUp = new KernelCode(fn, constants);
      const kernel = new MergeEmitter(setUp, constants, key, packed, (name) => get(local(name)));

      const next = createLabel('next quad');
      const body = setUp.branch((code) => {
        kernel.emitQuad(code);
        const advance = (name: Param, byteCount: Expr) =>
          set(local(name), i32.add(get(local(name)), byteCount));
        code.add(
          advance('quadsPtr', i32.const(QUAD_RECORD.bytes)),
          ...(packed === null
            ? [advance('fragmentOutputPtr', i32.shl(get(local('outputCount')), i32.const(4)))]
            : []),
          advance('quadDepthPtr', i32.const(16 * key.targets.sampleCount)),
          set(local('quadCount'), i32.sub(get(local('quadCount')), i32.const(1))),
          brIf(next, get(local('quadCount'))),
        );
      });
      const counts = setUp.branch((code) => kernel.emitCounts(code));
      fn.emit(
        ...setUp.statements,
        ifThen(i32.gtS(get(local('quadCount')), i32.const(0)), [
          ...constants.statements,
          loop(body, next),
          ...counts,
        ]),
      );
    },
  );
}

class MergeEmitter {
  readonly #key: MergeKey;
  readonly #param: (name: Param) => Expr;
  readonly #pass: Local;
  readonly #coveredCount: Local;
  readonly #passCount: Local;
  /** Lanes that passed in any sample. */
  readonly #anyPass: Local;
  readonly #constants: LoopConstants;
  readonly #packed: PackedOutputs | null;
  readonly #packedPlace: PackedPlace | null;
  /** Address of the quad's first packed fragment. `#spread` moves fragments to their lanes. */
  readonly #firstOutput: Local;
  readonly #spread: Local;
  /** Index of the sample to merge. */
  #sample = 0;

  constructor(
    setUp: KernelCode,
    constants: LoopConstants,
    key: MergeKey,
    packed: PackedOutputs | null,
    param: (name: Param) => Expr,
  ) {
    const { fn } = setUp;
    this.#constants = constants;
    this.#key = key;
    this.#packed = packed;
    this.#packedPlace = packed === null ? null : new PackedPlace(setUp);
    this.#firstOutput = fn.local('i32');
    this.#spread = fn.local('v128');
    this.#param = param;
    this.#pass = fn.local('v128');
    this.#coveredCount = fn.local('i32');
    this.#passCount = fn.local('i32');
    this.#anyPass = fn.local('i32');
  }

  /** Emits the merge of the quad at the pointers. */
  emitQuad(code: KernelCode): void {
    const { sampleCount } = this.#key.targets;
    const record = this.#param('quadsPtr');
    const mask = code.keep(i32.load(record, { offset: QUAD_RECORD.mask }));
    const column = i32.shrS(i32.sub(i32.load(record), this.#param('binX')), i32.const(1));
    const row = i32.shrS(
      i32.sub(i32.load16U(record, { offset: QUAD_RECORD.y }), this.#param('binY')),
      i32.const(1),
    );
    const quad = code.keep(i32.add(i32.mul(row, this.#param('quadsPerRow')), column));
    const bits = this.#constants.vector([1, 2, 4, 8]);
    const takeLanes = (lanes: Expr) =>
      code.add(set(this.#pass, i32x4.eq(v128.and(i32x4.splat(lanes), bits), bits)));
    code.add(
      set(
        this.#coveredCount,
        i32.add(get(this.#coveredCount), i32.popcnt(i32.and(mask, i32.const(15)))),
      ),
    );
    if (sampleCount === 1) {
      takeLanes(mask);
      this.#findPacked(code, mask);
      this.#emitSample(code, quad, code.keep(i32.shl(quad, i32.const(4))));
      this.#countPassed(code, i32x4.bitmask(get(this.#pass)));
      return;
    }
    const offset = code.keep(i32.mul(quad, i32.const(16 * sampleCount)));
    const groups = emitCoveredSamples(code, this.#key, this.#param('quadsPtr'), mask, (index) =>
      this.#fragmentOutput(index),
    );
    code.add(set(this.#anyPass, i32.const(0)));
    for (let sample = 0; sample < sampleCount; sample++) {
      this.#sample = sample;
      const samples = groups[Math.floor(sample / GROUP_SAMPLES)]!;
      const shift = i32.const(4 * (sample % GROUP_SAMPLES));
      takeLanes(i32.and(mask, i32.shrU(samples, shift)));
      this.#emitSample(code, quad, offset);
      const passed = i32x4.bitmask(get(this.#pass));
      code.add(set(this.#anyPass, i32.or(get(this.#anyPass), passed)));
    }
    this.#countPassed(code, get(this.#anyPass));
  }

  /** Emits the lookup of a quad's packed fragments. */
  #findPacked(code: KernelCode, mask: Expr): void {
    if (this.#packed === null) return;
    const primitive = i32.load(this.#param('quadsPtr'), { offset: QUAD_RECORD.primitive });
    const first = this.#packedPlace!.takeQuad(code, primitive, mask);
    const { spreadTablePtr } = this.#packed;
    code.add(
      set(
        this.#firstOutput,
        i32.add(this.#param('fragmentOutputPtr'), i32.shl(first, i32.const(2))),
      ),
      set(this.#spread, v128.load(i32.shl(mask, i32.const(4)), { offset: spreadTablePtr })),
    );
  }

  #countPassed(code: KernelCode, lanes: Expr): void {
    code.add(set(this.#passCount, i32.add(get(this.#passCount), i32.popcnt(lanes))));
  }

  /**
   * Emits the merge of the lanes in `#pass` into one sample.
   *
   * @param offset Offset of the quad in depth and stencil.
   */
  #emitSample(code: KernelCode, quad: Expr, offset: Expr): void {
    const { depthCompare, isDepthWritten, stencil } = this.#key;
    const inSample = { offset: 16 * this.#sample };
    const depthAddress = code.keep(i32.add(this.#param('depthPtr'), offset));
    const usesDepth = depthCompare !== null || isDepthWritten;
    const depth = usesDepth ? code.keep(this.#incomingDepth(code)) : null;
    const storedDepth = usesDepth ? code.keep(v128.load(depthAddress, inSample)) : null;
    const depthPass =
      depthCompare === null ? null : code.keep(compareLanes(depthCompare, depth!, storedDepth!));
    if (stencil !== null) this.#emitStencil(code, offset, depthPass);
    else if (depthPass !== null) code.add(set(this.#pass, v128.and(get(this.#pass), depthPass)));

    const write = code.branch((inner) => {
      if (isDepthWritten) {
        const merged = v128.bitselect(depth!, storedDepth!, get(this.#pass));
        inner.add(v128.store(depthAddress, merged, inSample));
      }
      const isWritten = this.#key.colors.some(({ colorMask }) => colorMask.includes(true));
      if (isWritten) this.#emitColors(inner, quad);
    });
    const isPart = this.#key.targets.sampleCount > 1;
    const canFail = isPart || depthCompare !== null || stencil !== null;
    if (canFail) code.add(ifThen(v128.anyTrue(get(this.#pass)), write));
    else code.add(...write);
  }

  /** Emits the addition of the list's counts to the caller's. */
  emitCounts(code: KernelCode): void {
    const counts = this.#param('countsPtr');
    const failed = i32.sub(get(this.#coveredCount), get(this.#passCount));
    code.add(
      i32.store(counts, i32.add(i32.load(counts), failed)),
      i32.store(counts, i32.add(i32.load(counts, { offset: 4 }), get(this.#passCount)), {
        offset: 4,
      }),
    );
  }

  /** Returns the 24-bit depths of the quad, clamped and rounded to nearest. */
  #incomingDepth(code: KernelCode): Expr {
    const { depthOutput, depthBounds } = this.#key;
    if (depthOutput === null) {
      return v128.load(this.#param('quadDepthPtr'), { offset: 16 * this.#sample });
    }
    const [least, most] = depthBounds;
    const written = f32x4.pmax(code.splatF(least), this.#fragmentOutput(depthOutput));
    const clamped = f32x4.pmin(code.splatF(most), written);
    const scaled = f32x4.mul(clamped, code.splatF(DEPTH_24_MAX));
    return i32x4.truncSatF32x4S(f32x4.nearest(scaled));
  }

  #fragmentOutput(index: number): Expr {
    if (this.#packed === null) {
      return v128.load(this.#param('fragmentOutputPtr'), { offset: 16 * index });
    }
    const offset = this.#packed.outputPlaneBytes * index;
    return i8x16.swizzle(v128.load(get(this.#firstOutput), { offset }), get(this.#spread));
  }

  #emitStencil(code: KernelCode, offset: Expr, depthPass: Expr | null): void {
    const { front, back, isTwoSided } = this.#key.stencil!;
    const start = i32.add(this.#param('stencilPtr'), offset);
    const address = code.keep(
      this.#sample === 0 ? start : i32.add(start, i32.const(16 * this.#sample)),
    );
    if (!isTwoSided) {
      emitStencil(code, front, address, this.#pass, depthPass);
      return;
    }
    const primitive = i32.load(this.#param('quadsPtr'), { offset: QUAD_RECORD.primitive });
    const primitiveRecord = i32.add(
      this.#param('primitivesPtr'),
      i32.mul(primitive, this.#param('primitiveStrideBytes')),
    );
    const flags = i32.load(primitiveRecord, { offset: PRIMITIVE_RECORD.flags });
    const side = (face: typeof front) =>
      code.branch((inner) => emitStencil(inner, face, address, this.#pass, depthPass));
    code.add(
      ifThen(i32.and(flags, i32.const(PRIMITIVE_FLAGS.frontFacing)), side(front), side(back)),
    );
  }

  #emitColors(code: KernelCode, quad: Expr): void {
    const { targets, quadBytes, sampleCount } = this.#key.targets;
    const strideBytes = quadBytes * sampleCount;
    const offset =
      strideBytes === 16 ? i32.shl(quad, i32.const(4)) : i32.mul(quad, i32.const(strideBytes));
    const start = i32.add(this.#param('colorPtr'), offset);
    const address = code.keep(
      this.#sample === 0 ? start : i32.add(start, i32.const(quadBytes * this.#sample)),
    );
    targets.forEach((target, t) => {
      if (target === null) return;
      const color = this.#key.colors[t]!;
      if (target.storage === 'unorm8' || target.storage === 'srgb8') {
        this.#emitPackedColor(code, target, color, address);
      } else {
        this.#emitWideColor(code, target, color, address);
      }
    });
  }

  /** Returns the program's color. Missing channels are 0, missing alpha is 1. */
  #source(code: KernelCode, outputs: ColorOutputs, convert: (value: Expr) => Expr): Rgba {
    const channel = (index: 0 | 1 | 2 | 3): Expr => {
      const output = outputs[index];
      return output === null
        ? code.splatF(index === 3 ? 1 : 0)
        : code.keep(convert(this.#fragmentOutput(output)));
    };
    return [channel(0), channel(1), channel(2), channel(3)];
  }

  /** Emits the merge into an RGBA8 target. */
  #emitPackedColor(
    code: KernelCode,
    target: ColorTarget,
    { blend, colorMask, redSpread, outputs, secondOutputs }: ColorMerge,
    address: Expr,
  ): void {
    const { logicOperation } = this.#key;
    const place = { offset: target.offsetBytes };
    const stored = code.keep(v128.load(address, place));
    const read = (from: ColorOutputs) =>
      this.#source(code, from, (value) => clampToUnit(code, value));
    const source = read(outputs);
    const isSrgb = target.storage === 'srgb8';
    const eachColor = ([red, green, blue, alpha]: Rgba, convert: (color: Expr) => Expr): Rgba =>
      isSrgb ? [convert(red), convert(green), convert(blue), alpha] : [red, green, blue, alpha];
    let result = source;
    if (blend !== null) {
      const destination = eachColor(unpackColor(code, stored), (color) =>
        emitSrgbDecoding(code, color),
      );
      const second = secondOutputs && read(secondOutputs);
      result = blendColor(code, blend, source, second, destination, 'unit');
    }
    const encoded = eachColor(result, (color) => emitSrgbEncoding(code, color));
    const kept = keepChannels(code, target, spreadRed(redSpread, encoded));
    const bytes = colorMask.reduce(
      (sum, isWritten, c) => sum + (isWritten ? 0xff * 256 ** c : 0),
      0,
    );
    const isAll = colorMask.every((isWritten) => isWritten);
    const mask = isAll ? get(this.#pass) : v128.and(get(this.#pass), code.splatI(bytes));
    const packed = packColor(code, kept);
    const written =
      logicOperation === null
        ? packed
        : combineLogically(code, logicOperation, code.keep(packed), stored);
    code.add(v128.store(address, v128.bitselect(written, stored, mask), place));
  }

  /** Emits the merge into a target with one vector per channel. */
  #emitWideColor(
    code: KernelCode,
    target: ColorTarget,
    { blend, colorMask, isSourceClamped, redSpread, outputs, secondOutputs }: ColorMerge,
    address: Expr,
  ): void {
    const isInteger = target.storage === 'integer';
    const range = colorRangeOf(target);
    const sourceRange = isSourceClamped && !isInteger ? 'unit' : range;
    const places = [0, 1, 2, 3].map((c) => ({ offset: target.offsetBytes + 16 * c }));
    const stored = places.map((place) => code.keep(v128.load(address, place))) as unknown as Rgba;
    const read = (from: ColorOutputs) =>
      this.#source(code, from, (value) => clampToRange(code, value, sourceRange));
    const source = read(outputs);
    const blended = (state: BlendState): Rgba =>
      blendColor(code, state, source, secondOutputs && read(secondOutputs), stored, range);
    const result = blend === null || isInteger ? source : blended(blend);
    const spread = spreadRed(redSpread, result);
    const kept = isInteger ? spread : keepChannels(code, target, spread);
    for (const [c, place] of places.entries()) {
      if (!colorMask[c] || (isInteger && c >= target.channels)) continue;
      const value = isInteger ? kept[c]! : emitRounding(code, target.format, c, kept[c]!);
      const merged = v128.bitselect(value, stored[c]!, get(this.#pass));
      code.add(v128.store(address, merged, place));
    }
  }
}

/** Returns the color with red in the channels that store it. */
function spreadRed(spread: RedSpread | null, color: Rgba): Rgba {
  if (spread === null) return color;
  const [red, , , alpha] = color;
  return [red, red, red, spread === 'rgba' ? red : alpha];
}

/** Returns the color with channels that the format lacks set to 0, 0, 1. */
function keepChannels(code: KernelCode, { channels }: ColorTarget, color: Rgba): Rgba {
  if (channels === 4) return color;
  return color.map((value, c) =>
    c < channels ? value : code.splatF(c === 3 ? 1 : 0),
  ) as unknown as Rgba;
}
