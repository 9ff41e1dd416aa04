/**
 * Integer sequences of ASTC and the values that their integers stand for (Khronos Data Format
 * Specification, chapter "ASTC Compressed Texture Image Formats", sections "Integer Sequence
 * Encoding", "Endpoint Unquantization" and "Weight Unquantization").
 */
import type { BlockBits } from '../block/block-bits.ts';

/** Range of the integers of a sequence: each has bits, and possibly a digit of base 3 or 5. */
export interface IntegerRange {
  /** Base of the digit above the bits. 1 for none. */
  readonly base: 1 | 3 | 5;
  readonly bits: number;
  /** Value of each integer: 0 to 255 for colors, 0 to 64 for weights. */
  readonly values: Uint8Array;
}

/** Factors of digits in colors, by number of bits. */
const COLOR_FACTORS = { 1: [], 3: [0, 204, 93, 44, 22, 11, 5], 5: [0, 113, 54, 26, 13, 6] };
/** Factors of digits in weights, by number of bits. */
const WEIGHT_FACTORS = { 1: [], 3: [0, 50, 23, 11], 5: [0, 28, 13] };
/** Weights of ranges without bits, before the expansion to 0..64. */
const DIGIT_WEIGHTS = { 1: [], 3: [0, 32, 63], 5: [0, 16, 32, 47, 63] };

type Shape = readonly [base: 1 | 3 | 5, bits: number];

/** Shapes of the ranges of colors, the largest first. */
const COLOR_SHAPES: readonly Shape[] = [
  [1, 8],
  [3, 6],
  [5, 5],
  [1, 7],
  [3, 5],
  [5, 4],
  [1, 6],
  [3, 4],
  [5, 3],
  [1, 5],
  [3, 3],
  [5, 2],
  [1, 4],
  [3, 2],
  [5, 1],
  [1, 3],
  [3, 1],
];
/** Shapes of the ranges of weights, the smallest first. */
const WEIGHT_SHAPES: readonly Shape[] = [
  [1, 1],
  [3, 0],
  [1, 2],
  [5, 0],
  [3, 1],
  [1, 3],
  [5, 1],
  [3, 2],
  [1, 4],
  [5, 2],
  [3, 3],
  [1, 5],
];

/** Ranges of colors, the largest first. */
export const COLOR_RANGES: readonly IntegerRange[] = COLOR_SHAPES.map(([base, bits]) => ({
  ...{ base, bits },
  values: Uint8Array.from({ length: base << bits }, (_, i) => unquantizeColor(i, base, bits)),
}));

/** Ranges of weights, the smallest first. */
export const WEIGHT_RANGES: readonly IntegerRange[] = WEIGHT_SHAPES.map(([base, bits]) => ({
  ...{ base, bits },
  values: Uint8Array.from({ length: base << bits }, (_, i) => {
    const value = unquantizeWeight(i, base, bits);
    return value > 32 ? value + 1 : value;
  }),
}));

function unquantizeColor(integer: number, base: 1 | 3 | 5, bits: number): number {
  if (base === 1) return repeatBits(integer, bits, 8);
  const low = integer & ((1 << bits) - 1);
  const upper = spreadColorBits(low >> 1, base, bits);
  const flip = (low & 1) === 0 ? 0 : 0x1ff;
  const mixed = ((integer >> bits) * COLOR_FACTORS[base][bits]! + upper) ^ flip;
  return (flip & 0x80) | (mixed >> 2);
}

/** Returns the pattern of 9 bits which the bits above the lowest form. */
function spreadColorBits(upper: number, base: 3 | 5, bits: number): number {
  if (bits === 1) return 0;
  if (base === 3) {
    if (bits === 2) return upper * 0b100010110;
    if (bits === 3) return (upper << 7) | (upper << 2) | upper;
    return (upper << (10 - bits)) | (upper >> ((bits - 4) * 2));
  }
  if (bits === 2) return upper * 0b100001100;
  if (bits === 3) return (upper << 7) | (upper << 1) | (upper >> 1);
  return (upper << (10 - bits)) | (upper >> (bits === 4 ? 1 : 3));
}

function unquantizeWeight(integer: number, base: 1 | 3 | 5, bits: number): number {
  if (base === 1) return repeatBits(integer, bits, 6);
  if (bits === 0) return DIGIT_WEIGHTS[base][integer]!;
  const low = integer & ((1 << bits) - 1);
  const [upper, flip] = [low >> 1, (low & 1) === 0 ? 0 : 0x7f];
  const pattern = base === 5 ? 0b1000010 : bits === 2 ? 0b1000101 : 0b100001;
  const mixed = ((integer >> bits) * WEIGHT_FACTORS[base][bits]! + upper * pattern) ^ flip;
  return (flip & 0x20) | (mixed >> 2);
}

/** Returns a value of `from` bits as one of `to` bits, by repeating its bits. */
function repeatBits(value: number, from: number, to: number): number {
  let result = 0;
  for (let shift = to - from; shift > -from; shift -= from) {
    result |= shift >= 0 ? value << shift : value >> -shift;
  }
  return result;
}

/** Returns the size of a sequence in bits. */
export function sequenceBits({ base, bits }: IntegerRange, count: number): number {
  const digitBits = base === 3 ? Math.ceil((count * 8) / 5) : Math.ceil((count * 7) / 3);
  return count * bits + (base === 1 ? 0 : digitBits);
}

/** Sizes in bits of the parts of a packed group of digits, by number of the digit in the group. */
const GROUP_PARTS = { 1: [0], 3: [2, 2, 1, 2, 1], 5: [3, 2, 2] };
/** Digits of each packed group. */
const GROUP_DIGITS = {
  1: [[0]],
  3: Array.from({ length: 256 }, (_, packed) => unpackTrits(packed)),
  5: Array.from({ length: 128 }, (_, packed) => unpackQuints(packed)),
};

/**
 * Reads a sequence and writes the values of its integers. Bits after the end of the sequence count
 * as 0.
 */
export function readSequence(
  bits: BlockBits,
  start: number,
  range: IntegerRange,
  count: number,
  values: Uint8Array,
): void {
  const end = start + sequenceBits(range, count);
  const parts = GROUP_PARTS[range.base];
  const lows = [0, 0, 0, 0, 0];
  let at = start;
  const next = (size: number): number => {
    const from = at;
    at += size;
    return from >= end ? 0 : bits.read(from, Math.min(size, end - from));
  };
  for (let first = 0; first < count; first += parts.length) {
    let [packed, packedBits] = [0, 0];
    for (const [i, size] of parts.entries()) {
      lows[i] = next(range.bits);
      packed |= next(size) << packedBits;
      packedBits += size;
    }
    const digits = GROUP_DIGITS[range.base][packed]!;
    for (let i = 0; i < Math.min(parts.length, count - first); i++) {
      values[first + i] = range.values[(digits[i]! << range.bits) | lows[i]!]!;
    }
  }
}

function unpackTrits(packed: number): readonly number[] {
  const bit = (i: number): number => (packed >> i) & 1;
  const field = (i: number): number => (packed >> i) & 3;
  let [rest, fourth, fifth] = [packed & 31, field(5), bit(7)];
  if (((packed >> 2) & 7) === 7) {
    [rest, fourth, fifth] = [((packed >> 5) << 2) | field(0), 2, 2];
  } else if (field(5) === 3) [fourth, fifth] = [bit(7), 2];
  const low = rest & 3;
  const middle = (rest >> 2) & 3;
  const high = rest >> 4;
  if (low === 3) return [unpackTrit(middle), high, 2, fourth, fifth];
  if (middle === 3) return [low, 2, 2, fourth, fifth];
  return [unpackTrit(low), middle, high, fourth, fifth];
}

/** Returns a trit of two bits. The high bit excludes the low one. */
function unpackTrit(field: number): number {
  return field >= 2 ? 2 : field;
}

function unpackQuints(packed: number): readonly number[] {
  const low = packed & 1;
  const middle = (packed >> 3) & 3;
  const high = (packed >> 5) & 3;
  const isMarked = ((packed >> 1) & 3) === 3;
  if (isMarked && high === 0) return [4, 4, low === 1 ? 4 : middle];
  const rest = isMarked ? (middle << 3) | ((~high & 3) << 1) | low : packed & 31;
  const third = isMarked ? 4 : high;
  return (rest & 7) === 5 ? [rest >> 3, 4, third] : [rest & 7, rest >> 3, third];
}
