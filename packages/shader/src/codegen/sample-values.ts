/**
 * Inputs that depend on samples, computed from the mask of a quad record (isa/stage-memory.ts). The
 * kernels and the SIMD interpreter share this code, so their bits are equal.
 */
import { SAMPLE_X, SAMPLE_Y } from '@tessera/frame';
import { bitsOfFloat } from '../ir/scalar-operators.ts';
import { AT_SAMPLE, SAMPLE_MASK_SHIFT, SAMPLE_NUMBER_SHIFT } from '../isa/stage-memory.ts';
import { type Expr, i32, i32x4, select, v128 } from '../wasm/index.ts';

const SAMPLE_NUMBERS = SAMPLE_X.map((_, sample) => sample);
/** Offsets of the samples in pixels, x to the right, y down. */
const OFFSET_X = SAMPLE_X.map((sixteenths) => sixteenths / 16);
const OFFSET_Y = SAMPLE_Y.map((sixteenths) => sixteenths / 16);
const LANE_BITS = [1, 2, 4, 8] as const;

/** Returns a value of the mask; called for each use of it. */
type Mask = () => Expr;

/** Returns the value of the sample that the quad is shaded at, as bits; `otherwise` for none. */
function ofSample(mask: Mask, values: readonly number[], otherwise: number): Expr {
  const place = (sample: number) => i32.const(AT_SAMPLE | (sample << SAMPLE_NUMBER_SHIFT));
  const bits = i32.const(AT_SAMPLE | (3 << SAMPLE_NUMBER_SHIFT));
  const chosen = values.reduce<Expr>(
    (rest, value, sample) =>
      select(i32.const(value), rest, i32.eq(i32.and(mask(), bits), place(sample))),
    i32.const(otherwise),
  );
  return i32x4.splat(chosen);
}

const ofFloats = (mask: Mask, values: readonly number[], otherwise: number): Expr =>
  ofSample(mask, values.map(bitsOfFloat), bitsOfFloat(otherwise));

/** Returns the offset in x of the place that a quad is shaded at from the pixel's center. */
export function sampleOffsetX(mask: Mask): Expr {
  return ofFloats(mask, OFFSET_X, 0);
}

/** Returns that offset in y, which points down. */
export function sampleOffsetY(mask: Mask): Expr {
  return ofFloats(mask, OFFSET_Y, 0);
}

/** Returns `sampleId`. */
export function sampleId(mask: Mask): Expr {
  return ofSample(mask, SAMPLE_NUMBERS, 0);
}

/** Returns `samplePosition.x`. */
export function samplePositionX(mask: Mask): Expr {
  return ofFloats(
    mask,
    OFFSET_X.map((offset) => 0.5 + offset),
    0.5,
  );
}

/** Returns `samplePosition.y`. */
export function samplePositionY(mask: Mask): Expr {
  return ofFloats(
    mask,
    OFFSET_Y.map((offset) => 0.5 - offset),
    0.5,
  );
}

/** Returns `sampleCount`. */
export function sampleCount(mask: Mask): Expr {
  const isMultisampled = i32.shrU(mask(), i32.const(SAMPLE_MASK_SHIFT));
  return i32x4.splat(select(i32.const(SAMPLE_X.length), i32.const(1), isMultisampled));
}

/** Returns `sampleMask`: bits by sample, or 1 for a covered pixel with one sample. */
export function sampleMask(mask: Mask): Expr {
  const bitIf = (lanes: Expr, shift: number, bit: number): Expr => {
    const bits = v128.const(
      LANE_BITS.map((lane) => lane << shift) as [number, number, number, number],
    );
    const isCovered = i32x4.ne(v128.and(lanes, bits), v128.const([0, 0, 0, 0]));
    return v128.and(isCovered, v128.const([bit, bit, bit, bit]));
  };
  const samples = () => i32.shrU(mask(), i32.const(SAMPLE_MASK_SHIFT));
  const ofOneSample = select(i32.const(0), i32.and(mask(), i32.const(15)), samples());
  return SAMPLE_NUMBERS.map((sample) =>
    bitIf(i32x4.splat(samples()), 4 * sample, 1 << sample),
  ).reduce(v128.or, bitIf(i32x4.splat(ofOneSample), 0, 1));
}
