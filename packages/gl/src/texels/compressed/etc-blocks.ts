/** Decodes 4×4 blocks of ETC1, ETC2 and EAC (OpenGL ES 3.0, appendix C) to 8-bit RGBA. */
import type { BlockDecoder } from './block/block-decoder.ts';

/**
 * Color modifiers of pixel indices 0 and 1 (appendix C, table C.7). Indices 2 and 3 use the
 * negative values.
 */
const COLOR_MODIFIERS: readonly (readonly [number, number])[] = [
  [2, 8],
  [5, 17],
  [9, 29],
  [13, 42],
  [18, 60],
  [24, 80],
  [33, 106],
  [47, 183],
];
/** Distances of the paint colors in modes T and H (table C.9). */
const DISTANCES: readonly number[] = [3, 6, 11, 16, 23, 32, 41, 64];
/** Alpha modifiers by codeword (table C.11). */
const ALPHA_MODIFIERS: readonly (readonly number[])[] = [
  [-3, -6, -9, -15, 2, 5, 8, 14],
  [-3, -7, -10, -13, 2, 6, 9, 12],
  [-2, -5, -8, -13, 1, 4, 7, 12],
  [-2, -4, -6, -13, 1, 3, 5, 12],
  [-3, -6, -8, -12, 2, 5, 7, 11],
  [-3, -7, -9, -11, 2, 6, 8, 10],
  [-4, -7, -8, -11, 3, 6, 7, 10],
  [-3, -5, -8, -11, 2, 4, 7, 10],
  [-2, -6, -8, -10, 1, 5, 7, 9],
  [-2, -5, -8, -10, 1, 4, 7, 9],
  [-2, -4, -8, -10, 1, 3, 7, 9],
  [-2, -5, -7, -10, 1, 4, 6, 9],
  [-3, -4, -7, -10, 2, 3, 6, 9],
  [-1, -2, -3, -10, 0, 1, 2, 9],
  [-4, -6, -8, -9, 3, 5, 7, 8],
  [-3, -5, -7, -9, 2, 4, 6, 8],
];

type Rgb = readonly [number, number, number];

/**
 * Returns a decoder of ETC2 color blocks.
 *
 * @param isPunchThrough Whether the difference bit marks an opaque block, as in punch-through alpha
 *   formats.
 */
export function decodeEtc2(isPunchThrough: boolean): BlockDecoder {
  return (block, texels) => decodeColors(block, 0, texels, isPunchThrough);
}

/** Decodes an ETC2 RGBA8 block: an EAC alpha block followed by a color block. */
export const decodeEtc2Eac: BlockDecoder = (block, texels) => {
  decodeColors(block, 8, texels, false);
  const base = block.getUint8(0);
  const multiplier = block.getUint8(1) >> 4;
  const modifiers = ALPHA_MODIFIERS[block.getUint8(1) & 15]!;
  for (let i = 0; i < 16; i++) {
    const value = base + multiplier * modifiers[pickEac(block, 0, i)]!;
    texels[texelOf(i) * 4 + 3] = clampByte(value);
  }
};

/**
 * Returns the 11-bit EAC value of pixel `i`, counted down the columns. Signed values are −1023 to
 * 1023.
 */
export function readEac11(block: DataView, at: number, i: number, isSigned: boolean): number {
  const multiplier = block.getUint8(at + 1) >> 4;
  const modifier = ALPHA_MODIFIERS[block.getUint8(at + 1) & 15]![pickEac(block, at, i)]!;
  const scaled = modifier * (multiplier === 0 ? 1 : multiplier * 8);
  if (!isSigned) return Math.min(2047, Math.max(0, block.getUint8(at) * 8 + 4 + scaled));
  return Math.min(1023, Math.max(-1023, Math.max(-127, block.getInt8(at)) * 8 + scaled));
}

/** Returns the row-major index of the texel with column-major index `i`. */
export function texelOf(i: number): number {
  return (i & 3) * 4 + (i >> 2);
}

/**
 * Returns the 3-bit EAC index of pixel `i`. Pixel 0 has the highest three of the 48 bits from byte
 * 2.
 */
function pickEac(block: DataView, at: number, i: number): number {
  const bit = 45 - 3 * i;
  const high = block.getUint16(at + 2) * 2 ** 32 + block.getUint32(at + 4);
  return Math.floor(high / 2 ** bit) % 8;
}

function decodeColors(
  block: DataView,
  at: number,
  texels: Uint8Array,
  isPunchThrough: boolean,
): void {
  const byte = (i: number): number => block.getUint8(at + i);
  const isDifferential = (byte(3) & 2) !== 0;
  const isOpaque = !isPunchThrough || isDifferential;
  if (!isDifferential && !isPunchThrough) {
    const [first, second] = [0, 4].map((shift): Rgb => {
      const nibble = (i: number) => ((byte(i) >> (4 - shift)) & 15) * 17;
      return [nibble(0), nibble(1), nibble(2)];
    });
    decodeHalves(block, at, texels, first!, second!, true);
    return;
  }
  const bases = [0, 1, 2].map((i) => byte(i) >> 3);
  const sums = [0, 1, 2].map((i) => bases[i]! + (((byte(i) & 7) << 29) >> 29));
  const outside = sums.findIndex((sum) => sum < 0 || sum > 31);
  if (outside === -1) {
    const spread = (values: readonly number[]) =>
      values.map((value) => (value << 3) | (value >> 2)) as unknown as Rgb;
    decodeHalves(block, at, texels, spread(bases), spread(sums), isOpaque);
  } else if (outside === 2) decodePlane(block, at, texels);
  else decodePaints(block, at, texels, outside === 0 ? listT(byte) : listH(byte), isOpaque);
}

/**
 * Returns the 2-bit index of pixel `i`: low bit in the last two bytes, high bit in the two bytes
 * before.
 */
function pickIndex(block: DataView, at: number, i: number): number {
  return ((block.getUint16(at + 6) >> i) & 1) | (((block.getUint16(at + 4) >> i) & 1) << 1);
}

function decodeHalves(
  block: DataView,
  at: number,
  texels: Uint8Array,
  first: Rgb,
  second: Rgb,
  isOpaque: boolean,
): void {
  const control = block.getUint8(at + 3);
  const isFlipped = (control & 1) !== 0;
  const tables = [COLOR_MODIFIERS[control >> 5]!, COLOR_MODIFIERS[(control >> 2) & 7]!];
  for (let i = 0; i < 16; i++) {
    const isSecond = isFlipped ? (i & 3) > 1 : i > 7;
    const index = pickIndex(block, at, i);
    const table = tables[isSecond ? 1 : 0]!;
    const isTransparent = !isOpaque && index === 2;
    // Without the opaque bit, the two small modifiers are 0.
    const small = isOpaque ? table[0] : 0;
    const size = (index & 1) === 0 ? small : table[1];
    const modifier = (index & 2) === 0 ? size : -size;
    const base = isSecond ? second : first;
    writeTexel(texels, i, isTransparent ? null : base, modifier);
  }
}

/**
 * Writes one RGBA texel.
 *
 * @param color Color before the modifier. `null` writes transparent black.
 */
function writeTexel(texels: Uint8Array, i: number, color: Rgb | null, modifier: number): void {
  const to = texelOf(i) * 4;
  for (let c = 0; c < 3; c++) texels[to + c] = color === null ? 0 : clampByte(color[c]! + modifier);
  texels[to + 3] = color === null ? 0 : 255;
}

type ByteReader = (i: number) => number;

/** Returns the four paint colors of mode T. */
function listT(byte: ByteReader): readonly Rgb[] {
  const red = (((byte(0) >> 3) & 3) << 2) | (byte(0) & 3);
  const first: Rgb = [red * 17, (byte(1) >> 4) * 17, (byte(1) & 15) * 17];
  const second: Rgb = [(byte(2) >> 4) * 17, (byte(2) & 15) * 17, (byte(3) >> 4) * 17];
  const distance = DISTANCES[(((byte(3) >> 2) & 3) << 1) | (byte(3) & 1)]!;
  return [first, shifted(second, distance), second, shifted(second, -distance)];
}

/** Returns the four paint colors of mode H. */
function listH(byte: ByteReader): readonly Rgb[] {
  const red = (byte(0) >> 3) & 15;
  const green = ((byte(0) & 7) << 1) | ((byte(1) >> 4) & 1);
  const blue = (byte(1) & 8) | ((byte(1) & 3) << 1) | (byte(2) >> 7);
  const red2 = (byte(2) >> 3) & 15;
  const green2 = ((byte(2) & 7) << 1) | (byte(3) >> 7);
  const blue2 = (byte(3) >> 3) & 15;
  const isOrdered = red * 256 + green * 16 + blue >= red2 * 256 + green2 * 16 + blue2;
  const distance = DISTANCES[(byte(3) & 4) | ((byte(3) & 1) << 1) | (isOrdered ? 1 : 0)]!;
  const first: Rgb = [red * 17, green * 17, blue * 17];
  const second: Rgb = [red2 * 17, green2 * 17, blue2 * 17];
  return [
    ...[shifted(first, distance), shifted(first, -distance)],
    ...[shifted(second, distance), shifted(second, -distance)],
  ];
}

function shifted(color: Rgb, by: number): Rgb {
  return [clampByte(color[0] + by), clampByte(color[1] + by), clampByte(color[2] + by)];
}

function decodePaints(
  block: DataView,
  at: number,
  texels: Uint8Array,
  paints: readonly Rgb[],
  isOpaque: boolean,
): void {
  for (let i = 0; i < 16; i++) {
    const index = pickIndex(block, at, i);
    writeTexel(texels, i, !isOpaque && index === 2 ? null : paints[index]!, 0);
  }
}

/** Decodes planar mode: colors at three corners define a plane. */
function decodePlane(block: DataView, at: number, texels: Uint8Array): void {
  const byte = (i: number): number => block.getUint8(at + i);
  const six = (value: number) => (value << 2) | (value >> 4);
  const seven = (value: number) => (value << 1) | (value >> 6);
  const origin: Rgb = [
    six((byte(0) >> 1) & 63),
    seven(((byte(0) & 1) << 6) | ((byte(1) >> 1) & 63)),
    six(((byte(1) & 1) << 5) | (((byte(2) >> 3) & 3) << 3) | ((byte(2) & 3) << 1) | (byte(3) >> 7)),
  ];
  const across: Rgb = [
    six((((byte(3) >> 2) & 31) << 1) | (byte(3) & 1)),
    seven(byte(4) >> 1),
    six(((byte(4) & 1) << 5) | (byte(5) >> 3)),
  ];
  const down: Rgb = [
    six(((byte(5) & 7) << 3) | (byte(6) >> 5)),
    seven(((byte(6) & 31) << 2) | (byte(7) >> 6)),
    six(byte(7) & 63),
  ];
  for (let i = 0; i < 16; i++) {
    const [x, y] = [i >> 2, i & 3];
    const channelAt = (c: number): number => {
      const sum = x * (across[c]! - origin[c]!) + y * (down[c]! - origin[c]!) + 4 * origin[c]! + 2;
      return clampByte(sum >> 2);
    };
    writeTexel(texels, i, [channelAt(0), channelAt(1), channelAt(2)], 0);
  }
}

function clampByte(value: number): number {
  return Math.min(255, Math.max(0, value));
}
