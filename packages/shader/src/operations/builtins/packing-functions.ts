/** Packing of two or four floats into a uint and back (GLSL ES 3.00, 8.4; GLSL 4.20, 8.4). */

import type { IrValue } from '../../ir/ir.ts';
import type { IrBuilder } from '../../ir/ir-builder.ts';
import type { BuiltinFunction } from './builtin-function.ts';

/** Returns the function that packs 32 / `width` numbers. The first one is in the lowest bits. */
const packWith =
  (toPart: (builder: IrBuilder, value: IrValue) => IrValue, width = 16): BuiltinFunction =>
  (builder, operands) => {
    const parts = operands[0]!.values.map((value) => toPart(builder, value));
    const mask = builder.int(2 ** width - 1);
    let word = builder.operator('ishl', parts.pop()!, builder.int(32 - width));
    while (parts.length > 0) {
      const masked = builder.operator('iand', parts.pop()!, mask);
      const shift = width * parts.length;
      const placed = shift === 0 ? masked : builder.operator('ishl', masked, builder.int(shift));
      word = builder.operator('ior', word, placed);
    }
    return [word];
  };

const unpackWith =
  (
    extract: 'ishr' | 'ushr',
    fromPart: (builder: IrBuilder, part: IrValue) => IrValue,
    width = 16,
  ): BuiltinFunction =>
  (builder, operands) => {
    const word = operands[0]!.values[0]!;
    const drop = builder.int(32 - width);
    return Array.from({ length: 32 / width }, (_, i) => {
      const above = 32 - width * (i + 1);
      const left = above === 0 ? word : builder.operator('ishl', word, builder.int(above));
      return fromPart(builder, builder.operator(extract, left, drop));
    });
  };

/** Returns round(clamp(x, low, 1) × scale) as an integer. */
const quantize =
  (low: number, scale: number) =>
  (builder: IrBuilder, x: IrValue): IrValue => {
    const clamped = builder.operator(
      'fmin',
      builder.operator('fmax', x, builder.float(low)),
      builder.float(1),
    );
    const scaled = builder.operator('fmul', clamped, builder.float(scale));
    return builder.operator('f2i', builder.operator('fnearest', scaled));
  };

const fromSnorm =
  (scale: number) =>
  (builder: IrBuilder, part: IrValue): IrValue => {
    const ratio = builder.operator('fdiv', builder.operator('i2f', part), builder.float(scale));
    return builder.operator('fmax', ratio, builder.float(-1));
  };

const fromUnorm =
  (scale: number) =>
  (builder: IrBuilder, part: IrValue): IrValue =>
    builder.operator('fdiv', builder.operator('i2f', part), builder.float(scale));

/**
 * Returns the half-precision bits nearest to `x`, ties to even. Halves below 2^-14 are multiples of
 * 2^-24, the last bit of 1/2; adding 1/2 lets the adder round. Other values are rounded by adding
 * to the dropped bits.
 */
const toFloat16 = (builder: IrBuilder, x: IrValue): IrValue => {
  const bits = builder.operator('f32AsI32', x);
  const int = (value: number): IrValue => builder.int(value);
  const sign = builder.operator('iand', builder.operator('ushr', bits, int(16)), int(0x8000));
  const magnitude = builder.operator('iand', bits, int(0x7fffffff));

  const isOdd = builder.operator('iand', builder.operator('ushr', magnitude, int(13)), int(1));
  // 0xfff − (112 << 23) rounds to nearest and changes the exponent's bias from 127 to 15.
  const rounded = builder.operator(
    'iadd',
    builder.operator('iadd', magnitude, int(0xfff - (112 << 23))),
    isOdd,
  );
  const normal = builder.operator('ushr', rounded, int(13));

  const half = builder.float(0.5);
  const shifted = builder.operator('fadd', builder.operator('i32AsF32', magnitude), half);
  const small = builder.operator(
    'isub',
    builder.operator('f32AsI32', shifted),
    builder.operator('f32AsI32', half),
  );

  // 65520 and above round to infinity; NaN stays NaN.
  const isNan = builder.operator('ilt', int(0x7f800000), magnitude);
  const large = builder.select(isNan, int(0x7e00), int(0x7c00));
  const isSmall = builder.operator('ilt', magnitude, int(113 << 23));
  const isLarge = builder.operator('ile', int(0x477ff000), magnitude);
  const finite = builder.select(isSmall, small, normal);
  return builder.operator('ior', sign, builder.select(isLarge, large, finite));
};

/**
 * Returns the exact value of half-precision bits. Scaling by 2^112 also handles halves below 2^-14.
 */
const fromFloat16 = (builder: IrBuilder, half: IrValue): IrValue => {
  const int = (value: number): IrValue => builder.int(value);
  const magnitude = builder.operator('iand', half, int(0x7fff));
  const placed = builder.operator('ishl', magnitude, int(13));
  const scaled = builder.operator(
    'fmul',
    builder.operator('i32AsF32', placed),
    builder.float(2 ** 112),
  );
  const special = builder.operator('ior', placed, int(0x7f800000));
  const isSpecial = builder.operator('ile', int(0x7c00), magnitude);
  const bits = builder.select(isSpecial, special, builder.operator('f32AsI32', scaled));
  const sign = builder.operator('ishl', builder.operator('iand', half, int(0x8000)), int(16));
  return builder.operator('i32AsF32', builder.operator('ior', bits, sign));
};

/** Packing functions by name. */
export const PACKING_FUNCTIONS: Readonly<Record<string, BuiltinFunction>> = {
  packSnorm2x16: packWith(quantize(-1, 32767)),
  unpackSnorm2x16: unpackWith('ishr', fromSnorm(32767)),
  packUnorm2x16: packWith(quantize(0, 65535)),
  unpackUnorm2x16: unpackWith('ushr', fromUnorm(65535)),
  packSnorm4x8: packWith(quantize(-1, 127), 8),
  unpackSnorm4x8: unpackWith('ishr', fromSnorm(127), 8),
  packUnorm4x8: packWith(quantize(0, 255), 8),
  unpackUnorm4x8: unpackWith('ushr', fromUnorm(255), 8),
  packHalf2x16: packWith(toFloat16),
  unpackHalf2x16: unpackWith('ushr', fromFloat16),
};
