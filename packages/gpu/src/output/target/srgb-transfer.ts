/**
 * sRGB transfer function in both directions, as vector code and as numbers, which agree bit by bit.
 * Powers use Newton's iteration: x^(5/12) is the root of y^12 = x^5 and b^2.4 that of y^5 = b^12.
 * Encoding is accurate to 0.501 of an 8-bit step, so every 8-bit value survives decoding and
 * encoding.
 */
import { type Expr, f32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';

/** Arithmetic on vectors, or on numbers rounded to single precision. */
interface Arithmetic<V> {
  readonly constant: (value: number) => V;
  readonly keep: (value: V) => V;
  readonly add: (a: V, b: V) => V;
  readonly mul: (a: V, b: V) => V;
  readonly div: (a: V, b: V) => V;
  readonly sqrt: (a: V) => V;
  /** Selects a if x ≤ limit, otherwise b. */
  readonly upTo: (x: V, limit: number, a: V, b: V) => V;
}

function vectors(code: KernelCode): Arithmetic<Expr> {
  return {
    constant: (value) => code.splatF(value),
    keep: (value) => code.keep(value),
    add: f32x4.add,
    mul: f32x4.mul,
    div: f32x4.div,
    sqrt: f32x4.sqrt,
    upTo: (x, limit, a, b) => v128.bitselect(a, b, f32x4.le(x, code.splatF(limit))),
  };
}

const { fround } = Math;
const numbers: Arithmetic<number> = {
  constant: fround,
  keep: (value) => value,
  add: (a, b) => fround(a + b),
  mul: (a, b) => fround(a * b),
  div: (a, b) => fround(a / b),
  sqrt: (a) => fround(Math.sqrt(a)),
  upTo: (x, limit, a, b) => (x <= fround(limit) ? a : b),
};

/** Encodes linear light, 0…1, to 0…1. */
function encode<V>({ constant, keep, add, mul, div, sqrt, upTo }: Arithmetic<V>, linear: V): V {
  const x = keep(linear);
  const root2 = keep(sqrt(x));
  const root4 = keep(sqrt(root2));
  const root8 = sqrt(root4);
  const guess = add(
    add(mul(root2, constant(0.585122381)), mul(root4, constant(0.783140355))),
    mul(root8, constant(-0.368262736)),
  );
  let y = keep(mul(add(guess, constant(0.055)), constant(1 / 1.055)));
  const x2 = keep(mul(x, x));
  const x5 = keep(mul(mul(x2, x2), x));
  for (let step = 0; step < 2; step++) {
    const y2 = keep(mul(y, y));
    const y3 = keep(mul(y2, y));
    const y8 = mul(mul(y2, y2), mul(y2, y2));
    const y11 = mul(y8, y3);
    y = keep(add(mul(y, constant(11 / 12)), div(mul(x5, constant(1 / 12)), y11)));
  }
  const curved = add(mul(y, constant(1.055)), constant(-0.055));
  return keep(upTo(x, 0.0031308, mul(x, constant(12.92)), curved));
}

/** Decodes 0…1 to linear light, 0…1. */
function decode<V>({ constant, keep, add, mul, div, sqrt, upTo }: Arithmetic<V>, encoded: V): V {
  const v = keep(encoded);
  const b = keep(mul(add(v, constant(0.055)), constant(1 / 1.055)));
  const b2 = keep(mul(b, b));
  const b4 = keep(mul(b2, b2));
  const b12 = keep(mul(mul(b4, b4), b4));
  const root4 = keep(sqrt(sqrt(b)));
  let y = keep(mul(b2, mul(root4, sqrt(root4))));
  for (let step = 0; step < 3; step++) {
    const y2 = keep(mul(y, y));
    y = keep(add(mul(y, constant(4 / 5)), div(mul(b12, constant(1 / 5)), mul(y2, y2))));
  }
  return keep(upTo(v, 0.04045, mul(v, constant(1 / 12.92)), y));
}

/** Emits the encoding of four lanes of linear light. */
export const emitSrgbEncoding = (code: KernelCode, linear: Expr): Expr =>
  encode(vectors(code), linear);
/** Emits the decoding of four lanes to linear light. */
export const emitSrgbDecoding = (code: KernelCode, encoded: Expr): Expr =>
  decode(vectors(code), encoded);
/** Encodes linear light, 0…1, to 0…1. */
export const encodeSrgb = (linear: number): number => encode(numbers, fround(linear));
/** Decodes 0…1 to linear light. */
export const decodeSrgb = (encoded: number): number => decode(numbers, fround(encoded));
