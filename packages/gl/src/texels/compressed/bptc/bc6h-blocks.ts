/**
 * Decodes 4×4 blocks of BC6H to RGBA of 16-bit floats (Khronos Data Format Specification, chapter
 * "BPTC Compressed Texture Image Formats", section "BC6H"). Alpha is 1.
 */
import { BlockBits } from '../block/block-bits.ts';
import type { BlockDecoder } from '../block/block-decoder.ts';
import { BC6H_MODES, type Bc6hMode } from './bc6h-modes.ts';
import { interpolate, readWeights, subsetOf } from './bptc-tables.ts';

/** Position of the partition in modes with two subsets. Indices follow it. */
const PARTITION_BIT = 77;
/** Position of the indices in modes with one subset. */
const ONE_SUBSET_INDEX_BIT = 65;
/** Bits of 1 as a 16-bit float. */
const HALF_ONE = 0x3c00;

const bits = new BlockBits();
/** Channels of four endpoints: R, G and B of the first, then of the second. */
const endpoints = new Int32Array(12);
/** Channels of the first endpoint as stored. */
const bases = new Int32Array(3);
const weights = new Uint8Array(16);

/**
 * Returns a BC6H decoder. Blocks of reserved modes are black.
 *
 * @param isSigned Whether channels are signed floats.
 */
export function decodeBc6h(isSigned: boolean): BlockDecoder {
  return (block, texels) => {
    bits.load(block);
    const view = new DataView(texels.buffer, texels.byteOffset, texels.byteLength);
    const isShort = bits.read(1, 1) === 0;
    const mode = BC6H_MODES.get(bits.read(0, isShort ? 2 : 5)) ?? null;
    const partition = mode?.subsetCount === 2 ? bits.read(PARTITION_BIT, 5) : 0;
    if (mode !== null) readMode(mode, isShort ? 2 : 5, partition, isSigned);
    for (let i = 0; i < 16; i++) {
      const from = mode === null ? 0 : subsetOf(mode.subsetCount, partition, i) * 6;
      for (let c = 0; c < 3; c++) {
        const mixed = interpolate(endpoints[from + c]!, endpoints[from + 3 + c]!, weights[i]!);
        view.setUint16(i * 8 + c * 2, mode === null ? 0 : toHalf(mixed, isSigned), true);
      }
      view.setUint16(i * 8 + 6, HALF_ONE, true);
    }
  };
}

/** Reads endpoints and weights of a block. */
function readMode(mode: Bc6hMode, modeBits: number, partition: number, isSigned: boolean): void {
  const { subsetCount, isTransformed, endpointBits, deltaBits, places } = mode;
  endpoints.fill(0);
  places.forEach(({ channel, bit }, i) => {
    endpoints[channel]! |= bits.read(modeBits + i, 1) << bit;
  });
  const isTwo = subsetCount === 2;
  const indexAt = isTwo ? PARTITION_BIT + 5 : ONE_SUBSET_INDEX_BIT;
  readWeights(bits, indexAt, isTwo ? 3 : 4, [subsetCount, partition], weights);
  for (let i = 0; i < subsetCount * 6; i++) {
    let value = endpoints[i]!;
    if (isTransformed && i > 2) {
      // The sum wraps at the size of the first endpoint.
      value = extendSign(value, deltaBits[i % 3]!) + bases[i % 3]!;
      value &= (1 << endpointBits) - 1;
    }
    if (i < 3) bases[i] = value;
    endpoints[i] = isSigned
      ? unquantizeSigned(extendSign(value, endpointBits), endpointBits)
      : unquantize(value, endpointBits);
  }
}

function extendSign(value: number, size: number): number {
  return (value << (32 - size)) >> (32 - size);
}

/** Returns an unsigned channel of `size` bits as one of 16 bits. */
function unquantize(value: number, size: number): number {
  if (size >= 15 || value === 0) return value;
  if (value === (1 << size) - 1) return 0xffff;
  return ((value << 15) + 0x4000) >> (size - 1);
}

/** Returns a signed channel of `size` bits as one of 16 bits. */
function unquantizeSigned(value: number, size: number): number {
  if (size >= 16 || value === 0) return value;
  const magnitude = Math.abs(value);
  const isLargest = magnitude >= (1 << (size - 1)) - 1;
  const result = isLargest ? 0x7fff : ((magnitude << 15) + 0x4000) >> (size - 1);
  return value < 0 ? -result : result;
}

/** Returns the bits of a 16-bit float for an interpolated channel. */
function toHalf(value: number, isSigned: boolean): number {
  if (!isSigned) return (value * 31) >> 6;
  return value < 0 ? ((-value * 31) >> 5) | 0x8000 : (value * 31) >> 5;
}
