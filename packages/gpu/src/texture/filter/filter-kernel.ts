/**
 * WebAssembly code that reads one level of a texture for four lanes (GL ES 3.0, section 3.8.11).
 *
 * All wrap modes first map the coordinate to a small range, NaN to 0. The left texel of a linear
 * filter is then −1…size − 1 and the right one 0…size, and one comparison each wraps or clamps
 * them. No coordinate can thus address memory outside the level, and sizes need not be powers of
 * two. With a border, texels outside are replaced after the read. `sample-reference.ts` performs
 * the same steps.
 */
import { type CompareFunction, type FilterMode, unmirrored, type WrapMode } from '@tessera/frame';
import { type Expr, f32x4, i8x16, i16x8, i32, i32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import type { TexelClass } from '../layout/texel-levels.ts';
import { LEVEL_FIELD } from '../layout/texture-descriptor.ts';
import { TEXEL_BYTES } from '../layout/texture-layout.ts';
import { JUST_BELOW_ONE } from './sampling-state.ts';
import {
  gatherTexels,
  mapChannels,
  type Rgba,
  type TexelSource,
  type TexelVectors,
  unpackTexels,
} from './texel-gather.ts';

/** Addend 1.5 × 2^23, which moves an integer |x| < 2^22 to the low bits. */
const ROUNDING = 12582912;
const ROUNDING_BITS = 0x4b400000;

/**
 * Scale of the horizontal weights of 8-bit texels. 255 × 2^14 is an exact float, and 2^14 fits a
 * 16-bit integer.
 */
const WEIGHT_ONE = 2 ** 14;

/** Returns the scale of a filtered result, an exact power of two. */
export function filterScale(texelClass: TexelClass, filter: FilterMode): number {
  return texelClass === 'unorm8' && filter === 'linear' ? WEIGHT_ONE : 1;
}

/** Parameters of reading one level. */
export interface LevelReader extends TexelSource {
  readonly wrapS: WrapMode;
  readonly wrapT: WrapMode;
  readonly wrapR: WrapMode;
  /** Comparison of each texel before filtering, which makes red 0 or 1; `null` for none. */
  readonly compare: { readonly compare: CompareFunction; readonly reference: Expr } | null;
  /** Border color in units of the class. */
  readonly border: readonly number[];
}

/**
 * Wraps the texel coordinate of one axis, in units of the texture: to 0…1, or −1…2 with a border.
 * NaN becomes 0.
 */
export function wrapCoordinate(code: KernelCode, mode: WrapMode, coordinate: Expr): Expr {
  const plain = unmirrored(mode);
  const s = code.keep(plain === mode ? coordinate : f32x4.abs(coordinate));
  switch (plain) {
    case 'repeat':
      return code.keep(f32x4.pmax(code.splatF(0), f32x4.sub(s, f32x4.floor(s))));
    case 'clamp-to-edge':
    case 'clamp':
      return code.keep(f32x4.pmin(code.splatF(1), f32x4.pmax(code.splatF(0), s)));
    case 'clamp-to-border': {
      const isNumber = f32x4.eq(s, s);
      const clamped = f32x4.pmin(code.splatF(2), f32x4.pmax(code.splatF(-1), s));
      return code.keep(v128.and(clamped, isNumber));
    }
    case 'mirrored-repeat': {
      const turns = f32x4.floor(f32x4.mul(s, code.splatF(0.5)));
      const phase = code.keep(f32x4.sub(s, f32x4.mul(code.splatF(2), turns)));
      const falling = f32x4.mul(f32x4.sub(code.splatF(2), phase), code.splatF(JUST_BELOW_ONE));
      const triangle = f32x4.pmin(phase, falling);
      return code.keep(f32x4.pmax(code.splatF(0), triangle));
    }
  }
}

/**
 * Returns the channels of the filtered texels of one slice, 0 to the largest value of the texel
 * class, times {@link filterScale}.
 *
 * @param level Address of the level's record.
 * @param s Wrapped coordinate; likewise t.
 * @param slice Index of an existing slice, or `null` for the first.
 * @param sliceOutside Lanes whose slice is in the border.
 */
export function readLevel(
  code: KernelCode,
  reader: LevelReader,
  filter: FilterMode,
  level: Expr,
  s: Expr,
  t: Expr,
  slice: Expr | null = null,
  sliceOutside: Expr | null = null,
): Rgba {
  const x = locateAlong(code, reader.wrapS, filter, s, level, LEVEL_FIELD.width, LEVEL_FIELD.maxX);
  const y = locateAlong(code, reader.wrapT, filter, t, level, LEVEL_FIELD.height, LEVEL_FIELD.maxY);
  const sliceBytes = slice === null ? null : sliceOffset(code, slice, level);
  const left = columnBytes(code, reader.texelClass, x.lower);
  const upper = rowAddress(code, reader.texelClass, y.lower, level, sliceBytes);
  const outside = (column: Expr | null, row: Expr | null): Expr | null =>
    either(code, either(code, column, row), sliceOutside);
  if (filter === 'nearest') {
    const texels = gatherInside(
      code,
      reader,
      i32x4.add(upper, left),
      outside(x.lowerOutside, y.lowerOutside),
    );
    return colorOf(code, reader, texels);
  }
  const right = columnBytes(code, reader.texelClass, x.upper);
  const lower = rowAddress(code, reader.texelClass, y.upper, level, sliceBytes);
  const rows = (
    [
      [upper, y.lowerOutside],
      [lower, y.upperOutside],
    ] as const
  ).map(([row, rowOutside]) =>
    filterRow(
      code,
      reader,
      gatherInside(code, reader, i32x4.add(row, left), outside(x.lowerOutside, rowOutside)),
      gatherInside(code, reader, i32x4.add(row, right), outside(x.upperOutside, rowOutside)),
      x.fraction,
    ),
  );
  return lerpColors(code, reader, rows[0]!, rows[1]!, y.fraction);
}

/**
 * Reads a 3D texture as {@link readLevel} reads one slice.
 *
 * @param r Wrapped third coordinate.
 */
export function readVolumeLevel(
  code: KernelCode,
  reader: LevelReader,
  filter: FilterMode,
  level: Expr,
  s: Expr,
  t: Expr,
  r: Expr,
): Rgba {
  const maxSlice = code.keep(v128.load32Splat(level, { offset: LEVEL_FIELD.maxSlice }));
  const depth = f32x4.convertI32x4S(i32x4.add(maxSlice, code.splatI(1)));
  const z = locate(code, reader.wrapR, filter, f32x4.mul(r, depth), maxSlice);
  const read = (slice: Expr, outside: Expr | null) =>
    readLevel(code, reader, filter, level, s, t, slice, outside);
  const front = read(z.lower, z.lowerOutside);
  if (filter === 'nearest') return front;
  return lerpColors(code, reader, front, read(z.upper, z.upperOutside), z.fraction);
}

/** Returns the texels at four addresses, with the border's in lanes outside. */
export function gatherInside(
  code: KernelCode,
  reader: LevelReader,
  addresses: Expr,
  outside: Expr | null,
): TexelVectors {
  const { texelClass, border } = reader;
  const texels = gatherTexels(code, reader, addresses, outside);
  if (outside === null) return texels;
  if (texelClass === 'unorm8' || texelClass === 'single32') {
    const word = texelClass === 'unorm8' ? packBytes(border) : null;
    const color = word === null ? code.splatF(border[0]!) : code.splatI(word);
    return [code.keep(v128.bitselect(color, texels[0]!, outside))];
  }
  // The texels are unpacked at this point, so the border need not be in the memory format.
  return [...unpackTexels(code, texelClass, texels), outside];
}

function packBytes(channels: readonly number[]): number {
  return channels.reduce((word, value, c) => word | (value << (8 * c)), 0);
}

/** Returns the channels of gathered texels, compared if the reader compares. */
export function colorOf(code: KernelCode, reader: LevelReader, texels: TexelVectors): Rgba {
  const { texelClass, compare, border } = reader;
  const outside = texels[4];
  const channels =
    outside === undefined
      ? unpackTexels(code, texelClass, texels)
      : mapChannels((c) => {
          const value = texelClass === 'int32' ? code.splatI(border[c]!) : code.splatF(border[c]!);
          return code.keep(v128.bitselect(value, texels[c]!, outside));
        });
  if (compare === null) return channels;
  const passes = compareFloats(compare.compare, compare.reference, channels[0]);
  const result = code.keep(v128.and(passes, code.splatF(1)));
  return [result, code.splatF(0), code.splatF(0), code.splatF(1)];
}

function compareFloats(compare: CompareFunction, left: Expr, right: Expr): Expr {
  switch (compare) {
    case 'never':
      return i32x4.const([0, 0, 0, 0]);
    case 'always':
      return i32x4.const([-1, -1, -1, -1]);
    case 'less':
      return f32x4.lt(left, right);
    case 'less-equal':
      return f32x4.le(left, right);
    case 'greater':
      return f32x4.gt(left, right);
    case 'greater-equal':
      return f32x4.ge(left, right);
    case 'equal':
      return f32x4.eq(left, right);
    case 'not-equal':
      return f32x4.ne(left, right);
  }
}

/** Interpolates two neighbors of a row by the fraction, channel by channel. */
export function filterRow(
  code: KernelCode,
  reader: LevelReader,
  left: TexelVectors,
  right: TexelVectors,
  fraction: Expr,
): Rgba {
  if (reader.texelClass === 'unorm8' && reader.compare === null) {
    return filterRow8(code, left[0]!, right[0]!, fraction);
  }
  return lerpColors(
    code,
    reader,
    colorOf(code, reader, left),
    colorOf(code, reader, right),
    fraction,
  );
}

/**
 * Interpolates 8-bit texels with integer weights in units of 2^-14. Pairs of neighbors are 16-bit
 * integers, and one multiply-add processes both. The sums are exact, and half the conversions of a
 * float filter are unnecessary.
 */
function filterRow8(code: KernelCode, left: Expr, right: Expr, fraction: Expr): Rgba {
  const sixteen = i32.const(16);
  // The low 16 bits hold the weight of the right texel. The shift removes the bits above them.
  const scaled = f32x4.mul(fraction, code.splatF(WEIGHT_ONE));
  const bits = code.keep(f32x4.add(scaled, code.splatF(ROUNDING)));
  const weights = code.keep(
    i32x4.add(i32x4.shl(bits, sixteen), i32x4.sub(code.splatI(ROUNDING_BITS + WEIGHT_ONE), bits)),
  );
  const lowHalves = [0, 1, 18, 19, 4, 5, 22, 23, 8, 9, 26, 27, 12, 13, 30, 31];
  const redGreen = code.keep(i8x16.shuffle(left, i32x4.shl(right, sixteen), lowHalves));
  const blueAlpha = code.keep(i8x16.shuffle(i32x4.shrU(left, sixteen), right, lowHalves));
  return mapChannels((c) => {
    const pairs = c < 2 ? redGreen : blueAlpha;
    const channel =
      c % 2 === 0 ? v128.and(pairs, code.splatI(0x00ff00ff)) : i16x8.shrU(pairs, i32.const(8));
    return code.keep(f32x4.convertI32x4S(i32x4.dotI16x8S(channel, weights)));
  });
}

/** Copies lane 0 to all lanes. */
export function splatFirstLane(value: Expr): Expr {
  return i8x16.shuffle(value, value, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
}

/** Returns a + (b − a) × fraction, which is exact if a = b or the fraction is 0. */
export function lerp(code: KernelCode, a: Expr, b: Expr, fraction: Expr): Expr {
  const first = code.keep(a);
  return code.keep(f32x4.add(first, f32x4.mul(f32x4.sub(b, first), fraction)));
}

/** Returns whether only red varies and the other channels are 0, 0 and 1. */
export function isRedAlone({ texelClass, compare }: LevelReader): boolean {
  return texelClass === 'single32' || compare !== null;
}

/** Interpolates two colors by the fraction, channel by channel. */
export function lerpColors(
  code: KernelCode,
  reader: LevelReader,
  first: Rgba,
  second: Rgba,
  fraction: Expr,
): Rgba {
  const red = lerp(code, first[0], second[0], fraction);
  if (isRedAlone(reader)) return [red, code.splatF(0), code.splatF(0), code.splatF(1)];
  return mapChannels((c) => (c === 0 ? red : lerp(code, first[c], second[c], fraction)));
}

/** Texels of a linear filter along one axis. */
export interface AxisTexels {
  readonly lower: Expr;
  readonly upper: Expr;
  readonly fraction: Expr;
  /** Lanes that are in the border; `null` without a border. */
  readonly lowerOutside: Expr | null;
  readonly upperOutside: Expr | null;
}

function locateAlong(
  code: KernelCode,
  wrap: WrapMode,
  filter: FilterMode,
  wrapped: Expr,
  level: Expr,
  sizeOffset: number,
  maxOffset: number,
): AxisTexels {
  const scaled = f32x4.mul(wrapped, v128.load32Splat(level, { offset: sizeOffset }));
  const max = code.keep(v128.load32Splat(level, { offset: maxOffset }));
  return locate(code, wrap, filter, scaled, max);
}

/**
 * Returns the texels along one axis for a wrapped coordinate in texels. For `nearest`, only `lower`
 * is meaningful.
 */
function locate(
  code: KernelCode,
  mode: WrapMode,
  filter: FilterMode,
  scaled: Expr,
  max: Expr,
): AxisTexels {
  const wrap = unmirrored(mode);
  const inside = { lowerOutside: null, upperOutside: null };
  if (filter === 'nearest') {
    const texel = smallInteger(code, f32x4.floor(scaled));
    if (wrap === 'clamp-to-border') {
      return { ...confine(code, code.keep(texel), max), upperOutside: null };
    }
    const lower = code.keep(i32x4.minS(texel, max));
    return { lower, upper: lower, fraction: code.splatF(0), ...inside };
  }
  const { lower, fraction } = splitPosition(code, scaled);
  const upper = code.keep(i32x4.add(lower, code.splatI(1)));
  if (wrap === 'repeat') {
    // As an unsigned number, −1 exceeds max and becomes max.
    return {
      lower: code.keep(i32x4.minU(lower, max)),
      upper: code.keep(v128.andnot(upper, i32x4.gtS(upper, max))),
      fraction,
      ...inside,
    };
  }
  if (wrap === 'clamp-to-border' || wrap === 'clamp') {
    const first = confine(code, lower, max);
    const second = confine(code, upper, max);
    const upperOutside = second.lowerOutside;
    return { ...first, upper: second.lower, fraction, upperOutside };
  }
  return {
    lower: code.keep(i32x4.maxS(lower, code.splatI(0))),
    upper: code.keep(i32x4.minS(upper, max)),
    fraction,
    ...inside,
  };
}

/**
 * Returns the texel left of a position in texels, and the distance from its center to the right.
 */
export function splitPosition(code: KernelCode, scaled: Expr): { lower: Expr; fraction: Expr } {
  const position = code.keep(f32x4.sub(scaled, code.splatF(0.5)));
  const base = code.keep(f32x4.floor(position));
  const fraction = code.keep(f32x4.sub(position, base));
  return { fraction, lower: code.keep(smallInteger(code, base)) };
}

/** Clamps a texel that may be in the border of some lanes to an address inside. */
function confine(code: KernelCode, texel: Expr, max: Expr) {
  const lower = code.keep(i32x4.minS(i32x4.maxS(texel, code.splatI(0)), max));
  const lowerOutside = code.keep(i32x4.gtU(texel, max));
  return { lower, upper: lower, fraction: code.splatF(0), lowerOutside };
}

function either(code: KernelCode, a: Expr | null, b: Expr | null): Expr | null {
  if (a === null) return b;
  return b === null ? a : code.keep(v128.or(a, b));
}

/** Converts an integral float from −2^22 to 2^22 to an integer. */
export function smallInteger(code: KernelCode, integral: Expr): Expr {
  return i32x4.sub(f32x4.add(integral, code.splatF(ROUNDING)), code.splatI(ROUNDING_BITS));
}

/**
 * Returns (x >> 2) × blockBytes + (x & 3) × texelBytes, as 4 texelBytes x − 3 texelBytes (x & 3).
 */
export function columnBytes(code: KernelCode, texelClass: TexelClass, x: Expr): Expr {
  const texelBytes = TEXEL_BYTES[texelClass];
  const stepLog2 = Math.log2(4 * texelBytes);
  const inside = i16x8.mul(v128.and(x, code.splatI(3)), code.splatI(3 * texelBytes));
  return code.keep(i32x4.sub(i32x4.shl(x, i32.const(stepLog2)), inside));
}

/**
 * Returns the address of the first texel of row y: (y >> 2) × blockRowBytes + (y & 3) × 4
 * texelBytes, from the slice's start.
 *
 * @param sliceBytes Offset of the slice from the level's start, or `null` for the first slice.
 */
export function rowAddress(
  code: KernelCode,
  texelClass: TexelClass,
  y: Expr,
  level: Expr,
  sliceBytes: Expr | null,
): Expr {
  const stepLog2 = Math.log2(4 * TEXEL_BYTES[texelClass]);
  const blockRowBytes = v128.load32Splat(level, { offset: LEVEL_FIELD.blockRowBytes });
  const blockRow = i32x4.mul(i32x4.shrU(y, i32.const(2)), blockRowBytes);
  const inside = i32x4.shl(v128.and(y, code.splatI(3)), i32.const(stepLog2));
  const address = v128.load32Splat(level, { offset: LEVEL_FIELD.address });
  const first = i32x4.add(i32x4.add(blockRow, inside), address);
  return code.keep(sliceBytes === null ? first : i32x4.add(first, sliceBytes));
}

/** Returns the offset of a slice from the level's start, in bytes. */
export function sliceOffset(code: KernelCode, slice: Expr, level: Expr): Expr {
  return code.keep(i32x4.mul(slice, v128.load32Splat(level, { offset: LEVEL_FIELD.sliceBytes })));
}
