/**
 * WebAssembly code that loads texels from memory into lanes: four texels of any class as four
 * vectors of channels, in units of the class.
 */
import { type Expr, f32x4, i8x16, i32, i32x4, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import type { TexelClass } from '../layout/texel-levels.ts';
import { TEXEL_BYTES } from '../layout/texture-layout.ts';
import { logTexels, type TexelLog } from './texel-log.ts';

/** Red, green, blue and alpha of four lanes. */
export type Rgba = readonly [Expr, Expr, Expr, Expr];

/** Texels of four lanes in their memory format: `TEXEL_BYTES / 4` vectors. */
export type TexelVectors = readonly Expr[];

/** Returns the results of `make` for the four channels. */
export function mapChannels(make: (channel: 0 | 1 | 2 | 3) => Expr): Rgba {
  return [make(0), make(1), make(2), make(3)];
}

/** Source of gathered texels. */
export interface TexelSource {
  readonly texelClass: TexelClass;
  /** Address of 16 bytes that the code may overwrite. */
  readonly scratch: Expr;
  readonly log: TexelLog;
}

/**
 * Returns the texels at four addresses.
 *
 * @param outside Lanes whose texel is ignored.
 */
export function gatherTexels(
  code: KernelCode,
  source: TexelSource,
  addresses: Expr,
  outside: Expr | null = null,
): TexelVectors {
  const { texelClass } = source;
  const address = storeAddresses(code, source, addresses, outside);
  switch (TEXEL_BYTES[texelClass]) {
    case 4: {
      let texels = v128.load32Zero(address(0));
      for (const lane of [1, 2, 3]) texels = v128.load32Lane(address(lane), texels, lane);
      return [code.keep(texels)];
    }
    case 8: {
      const first = v128.load64Lane(address(1), v128.load64Zero(address(0)), 1);
      const second = v128.load64Lane(address(3), v128.load64Zero(address(2)), 1);
      return [code.keep(first), code.keep(second)];
    }
    default:
      return [0, 1, 2, 3].map((lane) => code.keep(v128.load(address(lane))));
  }
}

/**
 * Unpacks texels from memory to channels in units of the class. A class of one channel gives (red,
 * 0, 0, 1).
 */
export function unpackTexels(code: KernelCode, texelClass: TexelClass, texels: TexelVectors): Rgba {
  switch (texelClass) {
    case 'unorm8':
      return unpackTexels8(code, texels[0]!);
    case 'linear16': {
      const halves = splitHalves(code, texels[0]!, texels[1]!);
      return mapChannels((c) => code.keep(f32x4.convertI32x4S(halves[c])));
    }
    case 'float16': {
      const halves = splitHalves(code, texels[0]!, texels[1]!);
      return mapChannels((c) => halfToFloat(code, code.keep(halves[c])));
    }
    case 'single32':
      return [texels[0]!, code.splatF(0), code.splatF(0), code.splatF(1)];
    case 'float32':
    case 'int32':
      return transpose(code, texels);
  }
}

/**
 * Moves lanes to scalars through memory, valid until the next call. One store and four loads make a
 * bilinear read a fifth faster than four lane extractions of three instructions each. All addresses
 * of filtered texels are logged here.
 */
function storeAddresses(
  code: KernelCode,
  { scratch, log }: TexelSource,
  given: Expr,
  outside: Expr | null,
): (lane: number) => Expr {
  const addresses = log === null ? given : code.keep(given);
  logTexels(code, log, outside === null ? addresses : v128.or(addresses, outside));
  code.add(v128.store(scratch, addresses));
  return (lane) => i32.load(scratch, { offset: 4 * lane });
}

/** Unpacks the channels of four texels with 8 bits per channel. */
function unpackTexels8(code: KernelCode, texels: Expr): Rgba {
  const byte = code.splatI(0xff);
  return mapChannels((c) => {
    const shifted = c === 0 ? texels : i32x4.shrU(texels, i32.const(8 * c));
    return code.keep(f32x4.convertI32x4S(c === 3 ? shifted : v128.and(shifted, byte)));
  });
}

/** Splits the 16-bit channels of four texels, two per vector, into integers. */
function splitHalves(code: KernelCode, first: Expr, second: Expr): Rgba {
  const redGreen = code.keep(
    i8x16.shuffle(first, second, [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]),
  );
  const blueAlpha = code.keep(
    i8x16.shuffle(first, second, [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31]),
  );
  return mapChannels((c) => {
    const pair = c < 2 ? redGreen : blueAlpha;
    return c % 2 === 0 ? v128.and(pair, code.splatI(0xffff)) : i32x4.shrU(pair, i32.const(16));
  });
}

/** Converts 16-bit floats in the low halves to floats, exactly, including denormal ones. */
function halfToFloat(code: KernelCode, half: Expr): Expr {
  const magnitude = code.keep(i32x4.shl(v128.and(half, code.splatI(0x7fff)), i32.const(13)));
  const scaled = f32x4.mul(magnitude, code.splatF(2 ** 112));
  // Infinity and NaN have all exponent bits set, also as floats.
  const special = v128.and(i32x4.gtS(magnitude, code.splatI(0x0f7fffff)), code.splatI(0x7f800000));
  const sign = i32x4.shl(v128.and(half, code.splatI(0x8000)), i32.const(16));
  return code.keep(v128.or(v128.or(scaled, special), sign));
}

/** Transposes four texels of four words to four channels of four lanes. */
function transpose(code: KernelCode, [a, b, c, d]: TexelVectors): Rgba {
  const low = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
  const high = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31];
  const firstPair = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
  const secondPair = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];
  const redGreen01 = code.keep(i8x16.shuffle(a!, b!, low));
  const redGreen23 = code.keep(i8x16.shuffle(c!, d!, low));
  const blueAlpha01 = code.keep(i8x16.shuffle(a!, b!, high));
  const blueAlpha23 = code.keep(i8x16.shuffle(c!, d!, high));
  return [
    code.keep(i8x16.shuffle(redGreen01, redGreen23, firstPair)),
    code.keep(i8x16.shuffle(redGreen01, redGreen23, secondPair)),
    code.keep(i8x16.shuffle(blueAlpha01, blueAlpha23, firstPair)),
    code.keep(i8x16.shuffle(blueAlpha01, blueAlpha23, secondPair)),
  ];
}
