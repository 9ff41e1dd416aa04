/**
 * Rounding of floats to the formats of float targets, as vector code and as numbers, which agree
 * bit by bit.
 *
 * - half: 10 bits of mantissa, nearest even, overflow to infinity
 * - unsigned: unsigned floats with 6 or 5 bits of mantissa, nearest even, overflow to the largest
 *   finite number; negative numbers become 0
 * - steps: multiples of 1 ÷ (2^n − 1)
 */
import type { TextureFormat } from '@tessera/frame';
import { type Expr, f32x4, i32, i32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';

const { fround } = Math;

type Rounding =
  | { readonly kind: 'none' }
  | { readonly kind: 'half' }
  | { readonly kind: 'unsigned'; readonly mantissaBits: 5 | 6 }
  | { readonly kind: 'steps'; readonly max: number };

function roundingOf(format: TextureFormat, channel: number): Rounding {
  switch (format) {
    case 'r16float':
    case 'rg16float':
    case 'rgba16float':
      return { kind: 'half' };
    case 'rg11b10ufloat':
      return { kind: 'unsigned', mantissaBits: channel === 2 ? 5 : 6 };
    case 'rgb10a2unorm':
      return { kind: 'steps', max: channel === 3 ? 3 : 1023 };
    case 'r8snorm':
    case 'rg8snorm':
    case 'rgba8snorm':
      return { kind: 'steps', max: 127 };
    default:
      return { kind: 'none' };
  }
}

const INFINITY_BITS = 0x7f800000;
/** Smallest exponent of halves and unsigned floats. */
const MIN_EXPONENT = -14;
const MAX_EXPONENT = 15;

/** Rounds a channel of four lanes to the format. */
export function emitRounding(
  code: KernelCode,
  format: TextureFormat,
  channel: number,
  value: Expr,
): Expr {
  const rounding = roundingOf(format, channel);
  switch (rounding.kind) {
    case 'none':
      return value;
    case 'steps': {
      const steps = f32x4.nearest(f32x4.mul(value, code.splatF(rounding.max)));
      return f32x4.mul(steps, code.splatF(1 / rounding.max));
    }
    case 'half': {
      const x = code.keep(value);
      const sign = v128.and(x, code.splatI(-(2 ** 31)));
      return v128.or(emitShortFloat(code, f32x4.abs(x), 10, INFINITY_BITS), sign);
    }
    case 'unsigned': {
      const positive = code.keep(
        v128.bitselect(value, code.splatF(0), f32x4.ge(value, code.splatF(0))),
      );
      const isNumber = code.keep(f32x4.eq(value, value));
      const largest = bitsOf(largestFinite(rounding.mantissaBits));
      const rounded = emitShortFloat(code, positive, rounding.mantissaBits, largest);
      return v128.bitselect(rounded, code.splatF(Number.NaN), isNumber);
    }
  }
}

/**
 * Rounds to a float with a short mantissa.
 *
 * @param magnitude Magnitude, not negative.
 * @param overflowBits Result for finite numbers beyond the range.
 */
function emitShortFloat(
  code: KernelCode,
  magnitude: Expr,
  mantissaBits: number,
  overflowBits: number,
): Expr {
  const dropped = 23 - mantissaBits;
  const bits = code.keep(magnitude);
  const odd = v128.and(i32x4.shrU(bits, i32.const(dropped)), code.splatI(1));
  const half = code.splatI(2 ** (dropped - 1) - 1);
  const kept = code.splatI(-(2 ** dropped));
  const normal = code.keep(v128.and(i32x4.add(i32x4.add(bits, half), odd), kept));
  // Denormal numbers have a fixed step: that of floats next to `magic`.
  const magic = code.splatF(denormalMagic(mantissaBits));
  const denormal = f32x4.sub(f32x4.add(bits, magic), magic);
  const isDenormal = f32x4.lt(bits, code.splatF(2 ** MIN_EXPONENT));
  const isPast = i32x4.gtS(normal, code.splatI(bitsOf(largestFinite(mantissaBits))));
  const isSpecial = i32x4.geS(bits, code.splatI(INFINITY_BITS));
  const finite = v128.bitselect(denormal, normal, isDenormal);
  const limited = v128.bitselect(code.splatI(overflowBits), finite, isPast);
  return code.keep(v128.bitselect(bits, limited, isSpecial));
}

/** Rounds one number to the format. */
export function roundChannel(format: TextureFormat, channel: number, value: number): number {
  const rounding = roundingOf(format, channel);
  switch (rounding.kind) {
    case 'none':
      return fround(value);
    case 'steps':
      return fround(nearestEven(fround(fround(value) * rounding.max)) * fround(1 / rounding.max));
    case 'half':
      return Math.f16round(fround(value));
    case 'unsigned':
      return roundUnsigned(fround(value), rounding.mantissaBits);
  }
}

function roundUnsigned(value: number, mantissaBits: 5 | 6): number {
  if (Number.isNaN(value)) return Number.NaN;
  if (value <= 0) return 0;
  if (value === Infinity) return Infinity;
  const exponent = Math.max(exponentOf(value), MIN_EXPONENT);
  const step = 2 ** (exponent - mantissaBits);
  return Math.min(nearestEven(value / step) * step, largestFinite(mantissaBits));
}

function exponentOf(value: number): number {
  return ((bitsOf(value) >>> 23) & 0xff) - 127;
}

function largestFinite(mantissaBits: number): number {
  return (2 - 2 ** -mantissaBits) * 2 ** MAX_EXPONENT;
}

/** Returns a power of two whose floats have the step of the smallest numbers. */
function denormalMagic(mantissaBits: number): number {
  return 2 ** (MIN_EXPONENT - mantissaBits + 23);
}

const floatView = new Float32Array(1);
const intView = new Int32Array(floatView.buffer);

function bitsOf(value: number): number {
  floatView[0] = value;
  return intView[0]!;
}

function nearestEven(value: number): number {
  const below = Math.floor(value);
  const fraction = value - below;
  if (fraction !== 0.5) return fraction < 0.5 ? below : below + 1;
  return below + Math.abs(below % 2);
}
