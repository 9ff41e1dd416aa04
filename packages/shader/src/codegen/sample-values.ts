/**
 * Inputs that depend on samples, computed from a quad record (isa/stage-memory.ts). The kernels and
 * the SIMD interpreter share this code, so their bits are equal.
 */
import { samplePatternOf } from '@tessera/frame';
import { bitsOfFloat } from '../ir/scalar-operators.ts';
import {
  AT_SAMPLE,
  HAS_EIGHT_SAMPLES,
  SAMPLE_MASK_SHIFT,
  SAMPLE_NUMBER_SHIFT,
} from '../isa/stage-memory.ts';
import { type Expr, i32, i32x4, select, v128 } from '../wasm/index.ts';

const LANE_BITS = [1, 2, 4, 8] as const;
/** Samples that the word `mask` of a quad record has the lanes of. */
const SAMPLES_IN_MASK = 4;

/** Masks of a quad; each function is called for each use of the value. */
export interface QuadMasks {
  /** Returns the word `mask` of the record. */
  mask(): Expr;
  /** Returns `moreSamples` of the record. */
  moreSamples(): Expr;
}

/** Offsets of the samples in pixels, by pattern: x to the right, y down. */
const offsetsOf = (sampleCount: number, axis: 'x' | 'y') =>
  samplePatternOf(sampleCount)[axis].map((sixteenths) => sixteenths / 16);

/**
 * Returns the value of the sample that the quad is shaded at, as bits; `otherwise` for none.
 *
 * @param valuesOf Returns the values by sample, for a number of samples.
 */
function ofSample(
  { mask }: QuadMasks,
  valuesOf: (sampleCount: number) => readonly number[],
  otherwise: number,
): Expr {
  const all = AT_SAMPLE | (7 << SAMPLE_NUMBER_SHIFT) | HAS_EIGHT_SAMPLES;
  const cases = [4, 8].flatMap((sampleCount) =>
    valuesOf(sampleCount).map((value, sample) => ({
      value,
      place:
        AT_SAMPLE | (sample << SAMPLE_NUMBER_SHIFT) | (sampleCount === 8 ? HAS_EIGHT_SAMPLES : 0),
    })),
  );
  const chosen = cases.reduce<Expr>(
    (rest, { value, place }) =>
      select(i32.const(value), rest, i32.eq(i32.and(mask(), i32.const(all)), i32.const(place))),
    i32.const(otherwise),
  );
  return i32x4.splat(chosen);
}

const ofFloats = (
  quad: QuadMasks,
  valuesOf: (sampleCount: number) => readonly number[],
  otherwise: number,
): Expr => ofSample(quad, (count) => valuesOf(count).map(bitsOfFloat), bitsOfFloat(otherwise));

/** Returns the offset in x of the place that a quad is shaded at from the pixel's center. */
export function sampleOffsetX(quad: QuadMasks): Expr {
  return ofFloats(quad, (count) => offsetsOf(count, 'x'), 0);
}

/** Returns that offset in y, which points down. */
export function sampleOffsetY(quad: QuadMasks): Expr {
  return ofFloats(quad, (count) => offsetsOf(count, 'y'), 0);
}

/** Returns `sampleId`. */
export function sampleId(quad: QuadMasks): Expr {
  return ofSample(quad, (count) => Array.from({ length: count }, (_, sample) => sample), 0);
}

/** Returns `samplePosition.x`. */
export function samplePositionX(quad: QuadMasks): Expr {
  return ofFloats(quad, (count) => offsetsOf(count, 'x').map((offset) => 0.5 + offset), 0.5);
}

/** Returns `samplePosition.y`. */
export function samplePositionY(quad: QuadMasks): Expr {
  return ofFloats(quad, (count) => offsetsOf(count, 'y').map((offset) => 0.5 - offset), 0.5);
}

/** Returns `sampleCount`. */
export function sampleCount({ mask }: QuadMasks): Expr {
  const samples = i32.shrU(mask(), i32.const(SAMPLE_MASK_SHIFT));
  const fewer = select(i32.const(4), i32.const(1), samples);
  return i32x4.splat(select(i32.const(8), fewer, hasEight(mask())));
}

function hasEight(mask: Expr): Expr {
  return i32.and(mask, i32.const(HAS_EIGHT_SAMPLES));
}

/** Returns `sampleMask`: bits by sample, or 1 for a covered pixel with one sample. */
export function sampleMask({ mask, moreSamples }: QuadMasks): Expr {
  const bitIf = (lanes: Expr, shift: number, bit: number): Expr => {
    const bits = v128.const(
      LANE_BITS.map((lane) => lane << shift) as [number, number, number, number],
    );
    const isCovered = i32x4.ne(v128.and(lanes, bits), v128.const([0, 0, 0, 0]));
    return v128.and(isCovered, v128.const([bit, bit, bit, bit]));
  };
  const samples = () => i32.shrU(mask(), i32.const(SAMPLE_MASK_SHIFT));
  const several = () => i32.or(samples(), hasEight(mask()));
  const ofOneSample = select(i32.const(0), i32.and(mask(), i32.const(15)), several());
  const bitsOf = (lanes: () => Expr, first: number) =>
    Array.from({ length: SAMPLES_IN_MASK }, (_, k) =>
      bitIf(i32x4.splat(lanes()), 4 * k, 1 << (first + k)),
    );
  return [...bitsOf(samples, 0), ...bitsOf(moreSamples, SAMPLES_IN_MASK)].reduce(
    v128.or,
    bitIf(i32x4.splat(ofOneSample), 0, 1),
  );
}
