/**
 * WebAssembly code that reads one level of a texture for four lanes (GL ES 3.0, section 3.8.11).
 *
 * All wrap modes first bring the coordinate into 0…1, NaN to 0. So the left texel of a linear filter is
 * −1…size − 1 and the right one 0…size, and one comparison each wraps or clamps them: no coordinate
 * whatever reaches an address outside the level, and sizes need not be powers of two.
 * `sample-reference.ts` does the same step by step.
 */
import type { FilterMode, WrapMode } from '@tessera/frame';
import { type Expr, f32x4, i8x16, i16x8, i32, i32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../kernel/kernel-code.ts';
import { JUST_BELOW_ONE } from './sampling-state.ts';
import type { TexelClass } from './texel-levels.ts';
import { logTexels, type TexelLog } from './texel-log.ts';
import { LEVEL_FIELD } from './texture-descriptor.ts';
import { TEXEL_BYTES } from './texture-layout.ts';

/** Red, green, blue, alpha of four lanes. */
export type Rgba = readonly [Expr, Expr, Expr, Expr];

/** 1.5 × 2^23: adding it to an integer |x| < 2^22 leaves the integer in the low bits. */
const ROUNDING = 12582912;
const ROUNDING_BITS = 0x4b400000;

/** Bits of the horizontal weights of 8-bit texels: 255 × 2^14 fits a float exactly, 2^14 a 16-bit integer. */
const WEIGHT_ONE = 2 ** 14;

/** Factor of what {@link readLevel} gives: an exact power of two. */
export function filterScale(texelClass: TexelClass, filter: FilterMode): number {
  return texelClass === 'unorm8' && filter === 'linear' ? WEIGHT_ONE : 1;
}

/** How one level is read. */
export interface LevelReader {
  readonly texelClass: TexelClass;
  readonly wrapS: WrapMode;
  readonly wrapT: WrapMode;
  /** Address of 16 bytes that the code may write. */
  readonly scratch: Expr;
  readonly log: TexelLog;
}

/** Texel coordinates of one axis in units of the texture, 0…1; NaN gives 0. */
export function wrapCoordinate(code: KernelCode, mode: WrapMode, coordinate: Expr): Expr {
  const s = code.keep(coordinate);
  switch (mode) {
    case 'repeat':
      return code.keep(f32x4.pmax(code.splatF(0), f32x4.sub(s, f32x4.floor(s))));
    case 'clamp-to-edge':
      return code.keep(f32x4.pmin(code.splatF(1), f32x4.pmax(code.splatF(0), s)));
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
 * Channels of the filtered texels, 0 to the largest value of the texel class; times {@link filterScale}.
 *
 * @param level Address of the level's record.
 * @param s Wrapped coordinates.
 */
export function readLevel(
  code: KernelCode,
  reader: LevelReader,
  filter: FilterMode,
  level: Expr,
  s: Expr,
  t: Expr,
): Rgba {
  const x = locate(code, reader.wrapS, filter, s, level, LEVEL_FIELD.width, LEVEL_FIELD.maxX);
  const y = locate(code, reader.wrapT, filter, t, level, LEVEL_FIELD.height, LEVEL_FIELD.maxY);
  const left = columnBytes(code, reader.texelClass, x.lower);
  const upper = rowAddress(code, reader.texelClass, y.lower, level);
  if (filter === 'nearest') return gather(code, reader, i32x4.add(upper, left));
  const right = columnBytes(code, reader.texelClass, x.upper);
  const lower = rowAddress(code, reader.texelClass, y.upper, level);
  const rows = [upper, lower].map((row) =>
    filterRow(code, reader, i32x4.add(row, left), i32x4.add(row, right), x.fraction),
  );
  return mapChannels((c) => lerp(code, rows[0]![c], rows[1]![c], y.fraction));
}

/** Two neighbours of a row by the fraction, channel by channel. */
function filterRow(
  code: KernelCode,
  reader: LevelReader,
  leftAddresses: Expr,
  rightAddresses: Expr,
  fraction: Expr,
): Rgba {
  if (reader.texelClass === 'unorm8') {
    const left = gatherTexels8(code, reader, leftAddresses);
    const right = gatherTexels8(code, reader, rightAddresses);
    return filterRow8(code, left, right, fraction);
  }
  const left = gather(code, reader, leftAddresses);
  const right = gather(code, reader, rightAddresses);
  return mapChannels((c) => lerp(code, left[c], right[c], fraction));
}

/**
 * Texels of 8 bits by integer weights in units of 2^-14: pairs of neighbours as 16-bit integers,
 * then one multiply-add for both. The sums are exact, and half the conversions of a filter in floats fall away.
 */
function filterRow8(code: KernelCode, left: Expr, right: Expr, fraction: Expr): Rgba {
  const sixteen = i32.const(16);
  // In the low bits the weight of the right texel, a multiple of 2^16 above: the shift drops all but the weight.
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

/** The four channels of `make`. */
export function mapChannels(make: (channel: 0 | 1 | 2 | 3) => Expr): Rgba {
  return [make(0), make(1), make(2), make(3)];
}

/** Lane 0 in all lanes. */
export function splatFirstLane(value: Expr): Expr {
  return i8x16.shuffle(value, value, [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
}

/** a + (b − a) × fraction: exact where a = b or the fraction is 0. */
export function lerp(code: KernelCode, a: Expr, b: Expr, fraction: Expr): Expr {
  const first = code.keep(a);
  return code.keep(f32x4.add(first, f32x4.mul(f32x4.sub(b, first), fraction)));
}

interface AxisTexels {
  readonly lower: Expr;
  readonly upper: Expr;
  readonly fraction: Expr;
}

/** The texels along one axis. For `nearest` only `lower` is of use. */
function locate(
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
  if (filter === 'nearest') {
    const lower = code.keep(i32x4.minS(smallInteger(code, f32x4.floor(scaled)), max));
    return { lower, upper: lower, fraction: code.splatF(0) };
  }
  const position = code.keep(f32x4.sub(scaled, code.splatF(0.5)));
  const base = code.keep(f32x4.floor(position));
  const fraction = code.keep(f32x4.sub(position, base));
  const lower = code.keep(smallInteger(code, base));
  const upper = code.keep(i32x4.add(lower, code.splatI(1)));
  if (wrap === 'repeat') {
    // As an unsigned number −1 is above max: it becomes max.
    return {
      lower: code.keep(i32x4.minU(lower, max)),
      upper: code.keep(v128.andnot(upper, i32x4.gtS(upper, max))),
      fraction,
    };
  }
  return {
    lower: code.keep(i32x4.maxS(lower, code.splatI(0))),
    upper: code.keep(i32x4.minS(upper, max)),
    fraction,
  };
}

/** Integer of an integral float from −2^22 to 2^22. */
export function smallInteger(code: KernelCode, integral: Expr): Expr {
  return i32x4.sub(f32x4.add(integral, code.splatF(ROUNDING)), code.splatI(ROUNDING_BITS));
}

/** (x >> 2) × blockBytes + (x & 3) × texelBytes = 4 texelBytes x − 3 texelBytes (x & 3) */
function columnBytes(code: KernelCode, texelClass: TexelClass, x: Expr): Expr {
  const texelBytes = TEXEL_BYTES[texelClass];
  const stepLog2 = Math.log2(4 * texelBytes);
  const inside = i16x8.mul(v128.and(x, code.splatI(3)), code.splatI(3 * texelBytes));
  return code.keep(i32x4.sub(i32x4.shl(x, i32.const(stepLog2)), inside));
}

/** Address of the first texel of row y: (y >> 2) × blockRowBytes + (y & 3) × 4 texelBytes, from the level's. */
function rowAddress(code: KernelCode, texelClass: TexelClass, y: Expr, level: Expr): Expr {
  const stepLog2 = Math.log2(4 * TEXEL_BYTES[texelClass]);
  const blockRowBytes = v128.load32Splat(level, { offset: LEVEL_FIELD.blockRowBytes });
  const blockRow = i32x4.mul(i32x4.shrU(y, i32.const(2)), blockRowBytes);
  const inside = i32x4.shl(v128.and(y, code.splatI(3)), i32.const(stepLog2));
  const address = v128.load32Splat(level, { offset: LEVEL_FIELD.address });
  return code.keep(i32x4.add(i32x4.add(blockRow, inside), address));
}

/** The texels at four addresses, channel by channel. */
function gather(code: KernelCode, reader: LevelReader, addresses: Expr): Rgba {
  if (reader.texelClass === 'unorm8') {
    return unpackTexels8(code, gatherTexels8(code, reader, addresses));
  }
  const address = storeAddresses(code, reader, addresses);
  const first = code.keep(v128.load64Lane(address(1), v128.load64Zero(address(0)), 1));
  const second = code.keep(v128.load64Lane(address(3), v128.load64Zero(address(2)), 1));
  return unpackTexels16(code, first, second);
}

/** Four texels of 8 bits per channel. */
function gatherTexels8(code: KernelCode, reader: LevelReader, addresses: Expr): Expr {
  const address = storeAddresses(code, reader, addresses);
  let texels = v128.load32Zero(address(0));
  for (const lane of [1, 2, 3]) texels = v128.load32Lane(address(lane), texels, lane);
  return code.keep(texels);
}

/**
 * Lanes as scalars by way of memory, to be used before the next call: one store and four loads are a fifth
 * of a bilinear read faster than four lane extractions, of which each is three instructions. Every address
 * of a filtered texel passes here, so it is logged here.
 */
function storeAddresses(
  code: KernelCode,
  { scratch, log }: LevelReader,
  given: Expr,
): (lane: number) => Expr {
  const addresses = log === null ? given : code.keep(given);
  code.add(v128.store(scratch, addresses));
  logTexels(code, log, addresses);
  return (lane) => i32.load(scratch, { offset: 4 * lane });
}

/** Channels of four texels of 8 bits per channel. */
export function unpackTexels8(code: KernelCode, texels: Expr): Rgba {
  const byte = code.splatI(0xff);
  return mapChannels((c) => {
    const shifted = c === 0 ? texels : i32x4.shrU(texels, i32.const(8 * c));
    return code.keep(f32x4.convertI32x4S(c === 3 ? shifted : v128.and(shifted, byte)));
  });
}

/** Channels of four texels of 16 bits per channel, two in each vector. */
export function unpackTexels16(code: KernelCode, first: Expr, second: Expr): Rgba {
  const redGreen = code.keep(
    i8x16.shuffle(first, second, [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]),
  );
  const blueAlpha = code.keep(
    i8x16.shuffle(first, second, [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]),
  );
  return mapChannels((c) => {
    const pair = c < 2 ? redGreen : blueAlpha;
    const half =
      c % 2 === 0 ? v128.and(pair, code.splatI(0xffff)) : i32x4.shrU(pair, i32.const(16));
    return code.keep(f32x4.convertI32x4S(half));
  });
}
