/**
 * Decodes 4×4 blocks of BC7 to 8-bit RGBA (Khronos Data Format Specification, chapter "BPTC
 * Compressed Texture Image Formats", section "BC7").
 */
import { BlockBits } from '../block/block-bits.ts';
import type { BlockDecoder } from '../block/block-decoder.ts';
import { interpolate, readWeights, subsetOf } from './bptc-tables.ts';

/** Sizes of a mode's fields in bits. */
interface Mode {
  readonly subsetCount: 1 | 2 | 3;
  readonly partitionBits: number;
  readonly rotationBits: number;
  /** 1 if a bit selects which of the two indices is that of the color. */
  readonly selectionBits: number;
  readonly colorBits: number;
  /** Size of alpha, or 0 for opaque blocks. */
  readonly alphaBits: number;
  /** Number of endpoints that share a lowest bit. 0 without such bits. */
  readonly endpointsPerLowBit: 0 | 1 | 2;
  readonly indexBits: number;
  /** Size of the second index, or 0. */
  readonly secondIndexBits: number;
}

type Row = readonly [1 | 2 | 3, number, number, number, number, number, 0 | 1 | 2, number, number];

const MODES: readonly Mode[] = (
  [
    [3, 4, 0, 0, 4, 0, 1, 3, 0],
    [2, 6, 0, 0, 6, 0, 2, 3, 0],
    [3, 6, 0, 0, 5, 0, 0, 2, 0],
    [2, 6, 0, 0, 7, 0, 1, 2, 0],
    [1, 0, 2, 1, 5, 6, 0, 2, 3],
    [1, 0, 2, 0, 7, 8, 0, 2, 2],
    [1, 0, 0, 0, 7, 7, 1, 4, 0],
    [2, 6, 0, 0, 5, 5, 1, 2, 0],
  ] satisfies Row[]
).map((row) => ({
  ...{ subsetCount: row[0], partitionBits: row[1], rotationBits: row[2], selectionBits: row[3] },
  ...{ colorBits: row[4], alphaBits: row[5], endpointsPerLowBit: row[6] },
  ...{ indexBits: row[7], secondIndexBits: row[8] },
}));

const bits = new BlockBits();
/** Channels of up to six endpoints: R, G, B and A of the first, then of the second. */
const endpoints = new Uint8Array(24);
const firstWeights = new Uint8Array(16);
const secondWeights = new Uint8Array(16);

/** Decodes a BC7 block. A block of the reserved mode is transparent black. */
export const decodeBc7: BlockDecoder = (block, texels) => {
  bits.load(block);
  const lowByte = bits.read(0, 8);
  if (lowByte === 0) {
    texels.fill(0, 0, 64);
    return;
  }
  const modeIndex = 31 - Math.clz32(lowByte & -lowByte);
  const mode = MODES[modeIndex]!;
  let at = modeIndex + 1;
  const next = (count: number): number => {
    at += count;
    return bits.read(at - count, count);
  };
  const partition = next(mode.partitionBits);
  const rotation = next(mode.rotationBits);
  const isSwapped = next(mode.selectionBits) === 1;
  readEndpoints(mode, next);
  const { subsetCount, indexBits, secondIndexBits } = mode;
  at = readWeights(bits, at, indexBits, [subsetCount, partition], firstWeights);
  if (secondIndexBits > 0) readWeights(bits, at, secondIndexBits, [1, 0], secondWeights);
  const others = secondIndexBits > 0 ? secondWeights : firstWeights;
  const [colorWeights, alphaWeights] = isSwapped ? [others, firstWeights] : [firstWeights, others];
  for (let i = 0; i < 16; i++) {
    const from = subsetOf(subsetCount, partition, i) * 8;
    for (let c = 0; c < 4; c++) {
      const weight = (c === 3 ? alphaWeights : colorWeights)[i]!;
      texels[i * 4 + c] = interpolate(endpoints[from + c]!, endpoints[from + 4 + c]!, weight);
    }
    if (rotation > 0) swap(texels, i * 4 + 3, i * 4 + rotation - 1);
  }
};

/** Reads all endpoints and expands their channels to 8 bits. */
function readEndpoints(mode: Mode, next: (count: number) => number): void {
  const { subsetCount, colorBits, alphaBits, endpointsPerLowBit } = mode;
  const endpointCount = subsetCount * 2;
  const channelCount = alphaBits === 0 ? 3 : 4;
  for (let c = 0; c < channelCount; c++) {
    for (let e = 0; e < endpointCount; e++) {
      endpoints[e * 4 + c] = next(c === 3 ? alphaBits : colorBits);
    }
  }
  let lowBit = 0;
  for (let e = 0; e < endpointCount; e++) {
    if (endpointsPerLowBit > 0 && e % endpointsPerLowBit === 0) lowBit = next(1);
    for (let c = 0; c < channelCount; c++) {
      const size = c === 3 ? alphaBits : colorBits;
      const value = endpoints[e * 4 + c]!;
      endpoints[e * 4 + c] =
        endpointsPerLowBit > 0 ? expand((value << 1) | lowBit, size + 1) : expand(value, size);
    }
    if (alphaBits === 0) endpoints[e * 4 + 3] = 255;
  }
}

/** Returns a value of 4 to 8 bits as one of 8 bits, by repeating its highest bits. */
function expand(value: number, size: number): number {
  return (value << (8 - size)) | (value >> (2 * size - 8));
}

function swap(texels: Uint8Array, a: number, b: number): void {
  const before = texels[a]!;
  texels[a] = texels[b]!;
  texels[b] = before;
}
