/**
 * Blending and color conversion (GL ES 3.0, sections 4.1.7 and 2.1.6). The destination is unpacked
 * to 0…1, factors and equation are computed in single precision, the result is clamped and rounded
 * to nearest, ties to even. NaN counts as 0.
 */
import type { BlendChannelState, BlendFactor, BlendState } from '@tessera/frame';
import { type Expr, f32x4, i32, i32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import { type ColorRange, clampNumber } from '../target/target-layout.ts';

/** Red, green, blue and alpha of four lanes. */
export type Rgba = readonly [Expr, Expr, Expr, Expr];

/** Addend 2^23, which rounds 0 ≤ x < 2^22 to an integer in the low bits. */
const ROUNDING = 8388608;
const ONE_255TH = 1 / 255;

/** Clamps `value` to 0…1. NaN becomes 0. */
export function clampToUnit(code: KernelCode, value: Expr): Expr {
  return f32x4.pmin(code.splatF(1), f32x4.pmax(code.splatF(0), value));
}

/** Clamps `value` to the range that a target's colors have. */
export function clampToRange(code: KernelCode, value: Expr, range: ColorRange): Expr {
  if (range === 'unit') return clampToUnit(code, value);
  if (range === 'any') return value;
  const given = code.keep(value);
  const number = v128.bitselect(given, code.splatF(0), f32x4.eq(given, given));
  return f32x4.pmin(code.splatF(1), f32x4.pmax(code.splatF(-1), number));
}

/** Unpacks the channels of four RGBA8 words to 0…1. */
export function unpackColor(code: KernelCode, packed: Expr): Rgba {
  const channel = (shift: number): Expr => {
    const shifted = shift === 0 ? packed : i32x4.shrU(packed, i32.const(shift));
    const byte = shift === 24 ? shifted : v128.and(shifted, code.splatI(0xff));
    return code.keep(f32x4.mul(f32x4.convertI32x4S(byte), code.splatF(ONE_255TH)));
  };
  return [channel(0), channel(8), channel(16), channel(24)];
}

/** Packs channels within 0…1 to RGBA8 words with red in the low byte. */
export function packColor(code: KernelCode, [red, green, blue, alpha]: Rgba): Expr {
  const rounded = (value: Expr): Expr =>
    f32x4.add(f32x4.mul(value, code.splatF(255)), code.splatF(ROUNDING));
  const byteAt = (value: Expr, shift: number): Expr =>
    v128.and(i32x4.shl(rounded(value), i32.const(shift)), code.splatI(0xff << shift));
  const redByte = v128.and(rounded(red), code.splatI(0xff));
  const redGreen = v128.or(redByte, byteAt(green, 8));
  // The shift drops all bits except the byte's.
  const alphaByte = i32x4.shl(rounded(alpha), i32.const(24));
  return v128.or(redGreen, v128.or(byteAt(blue, 16), alphaByte));
}

/**
 * Returns the blended channels.
 *
 * @param second Second color of the program; `null` if no factor uses it.
 * @param range Range of sources, destination, constant and result.
 */
export function blendColor(
  code: KernelCode,
  state: BlendState,
  source: Rgba,
  second: Rgba | null,
  destination: Rgba,
  range: ColorRange,
): Rgba {
  const colors: BlendedColors = { source, second: second ?? source, destination };
  const constant = state.constant.map((value) => clampNumber(value, range));
  const channel = (index: 0 | 1 | 2 | 3): Expr => {
    const {
      equation,
      source: sourceFactor,
      destination: destinationFactor,
    } = index === 3 ? state.alpha : state.color;
    const s = source[index];
    const d = destination[index];
    const blended = combine(
      equation,
      s,
      d,
      weigh(code, sourceFactor, index, s, constant, colors),
      weigh(code, destinationFactor, index, d, constant, colors),
    );
    return code.keep(clampToRange(code, blended, range));
  };
  return [channel(0), channel(1), channel(2), channel(3)];
}

/**
 * Combines source and destination by the equation.
 *
 * @param weightedSource Source times its factor; `weightedDestination` likewise. `min` and `max`
 *   use neither.
 */
function combine(
  equation: BlendChannelState['equation'],
  source: Expr,
  destination: Expr,
  weightedSource: Expr,
  weightedDestination: Expr,
): Expr {
  switch (equation) {
    case 'add':
      return f32x4.add(weightedSource, weightedDestination);
    case 'subtract':
      return f32x4.sub(weightedSource, weightedDestination);
    case 'reverse-subtract':
      return f32x4.sub(weightedDestination, weightedSource);
    case 'min':
      return f32x4.pmin(source, destination);
    case 'max':
      return f32x4.pmax(source, destination);
  }
}

interface BlendedColors {
  readonly source: Rgba;
  readonly second: Rgba;
  readonly destination: Rgba;
}

/** Returns `value` times its factor. */
function weigh(
  code: KernelCode,
  factor: BlendFactor,
  index: 0 | 1 | 2 | 3,
  value: Expr,
  constants: readonly number[],
  { source, second, destination }: BlendedColors,
): Expr {
  const constant = (channel: number): Expr => code.splatF(constants[channel]!);
  const oneMinus = (subtrahend: Expr): Expr => f32x4.sub(code.splatF(1), subtrahend);
  switch (factor) {
    case 'zero':
      return code.splatF(0);
    case 'one':
      return value;
    case 'src-color':
      return f32x4.mul(value, source[index]);
    case 'one-minus-src-color':
      return f32x4.mul(value, oneMinus(source[index]));
    case 'dst-color':
      return f32x4.mul(value, destination[index]);
    case 'one-minus-dst-color':
      return f32x4.mul(value, oneMinus(destination[index]));
    case 'src-alpha':
      return f32x4.mul(value, source[3]);
    case 'one-minus-src-alpha':
      return f32x4.mul(value, oneMinus(source[3]));
    case 'dst-alpha':
      return f32x4.mul(value, destination[3]);
    case 'one-minus-dst-alpha':
      return f32x4.mul(value, oneMinus(destination[3]));
    case 'constant-color':
      return f32x4.mul(value, constant(index));
    case 'one-minus-constant-color':
      return f32x4.mul(value, oneMinus(constant(index)));
    case 'constant-alpha':
      return f32x4.mul(value, constant(3));
    case 'one-minus-constant-alpha':
      return f32x4.mul(value, oneMinus(constant(3)));
    case 'src1-color':
      return f32x4.mul(value, second[index]);
    case 'one-minus-src1-color':
      return f32x4.mul(value, oneMinus(second[index]));
    case 'src1-alpha':
      return f32x4.mul(value, second[3]);
    case 'one-minus-src1-alpha':
      return f32x4.mul(value, oneMinus(second[3]));
    case 'src-alpha-saturate':
      if (index === 3) return value;
      return f32x4.mul(value, code.keep(f32x4.pmin(source[3], oneMinus(destination[3]))));
  }
}
