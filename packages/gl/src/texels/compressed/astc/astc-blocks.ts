/**
 * Decodes blocks of ASTC's profile with a low dynamic range to 8-bit RGBA (Khronos Data Format
 * Specification, chapter "ASTC Compressed Texture Image Formats"). Texels of illegal blocks and of
 * a high dynamic range are magenta.
 */
import { BlockBits } from '../block/block-bits.ts';
import type { BlockDecoder } from '../block/block-decoder.ts';
import { type BlockMode, listBlockModes, MODE_BITS } from './block-mode.ts';
import { decodeEndpoints, type Endpoints, valueCountOf } from './endpoints.ts';
import { COLOR_RANGES, readSequence, sequenceBits } from './integer-sequences.ts';
import { writePartitions } from './partitions.ts';
import { writeTexelWeights } from './texel-weights.ts';

const BLOCK_BITS = 128;
const MAX_TEXELS = 144;
const MAX_COLOR_VALUES = 18;
const ERROR_COLOR: readonly number[] = [255, 0, 255, 255];
/** Low nine bits of a void extent. */
const VOID_EXTENT = 0x1fc;

const bits = new BlockBits();
const reversed = new BlockBits();
const values = new Uint8Array(MAX_COLOR_VALUES);
const endpoints: readonly Endpoints[] = [0, 1, 2, 3].map(() => new Uint8ClampedArray(8));
/** Weights of the grid, with room for the neighbors of the last one, which count 0. */
const gridWeights = new Uint8Array(128);
const texelWeights: readonly Uint8Array[] = [0, 1].map(() => new Uint8Array(MAX_TEXELS));
const partitions = new Uint8Array(MAX_TEXELS);

/** Returns a decoder of blocks of `widthPx` × `heightPx` texels. */
export function decodeAstc(
  [widthPx, heightPx]: readonly [number, number],
  isSrgb: boolean,
): BlockDecoder {
  const texelCount = widthPx * heightPx;
  // Made with the first block, because all formats together take 20 ms when a program starts.
  let modes: readonly (BlockMode | null)[] | null = null;
  return (block, texels) => {
    modes ??= listBlockModes(widthPx, heightPx);
    bits.load(block);
    const mode = modes[bits.read(0, MODE_BITS)]!;
    const isVoidExtent = bits.read(0, 9) === VOID_EXTENT;
    if (isVoidExtent) fillTexels(texels, texelCount, readVoidExtent());
    else if (mode === null) fillTexels(texels, texelCount, ERROR_COLOR);
    else decodeMode(block, texels, mode, [widthPx, heightPx], isSrgb);
  };
}

function fillTexels(texels: Uint8Array, texelCount: number, color: readonly number[]): void {
  for (let i = 0; i < texelCount; i++) texels.set(color, i * 4);
}

/** Returns the color of a void extent: the high bytes of four 16-bit channels. */
function readVoidExtent(): readonly number[] {
  const isHdr = bits.read(9, 1) === 1;
  const [minS, maxS] = [bits.read(12, 13), bits.read(25, 13)];
  const [minT, maxT] = [bits.read(38, 13), bits.read(51, 13)];
  const isBare = (minS & maxS & minT & maxT) === 0x1fff;
  const isExtent = minS < maxS && minT < maxT;
  if (isHdr || bits.read(10, 2) !== 3 || !(isBare || isExtent)) return ERROR_COLOR;
  return [0, 1, 2, 3].map((c) => bits.read(72 + 16 * c, 8));
}

/** Partitions of a block and the fields that follow from them. */
interface Configuration {
  readonly partitionCount: number;
  /** Endpoint mode of each partition. */
  readonly endpointModes: readonly number[];
  /** Position of the color values. */
  readonly colorBit: number;
  /** Position of the first bit after the color values' room. */
  readonly endBit: number;
}

function readConfiguration({ weightBits, planeCount }: BlockMode): Configuration {
  const partitionCount = bits.read(MODE_BITS, 2) + 1;
  const selectorBits = planeCount === 2 ? 2 : 0;
  const weightBit = BLOCK_BITS - weightBits;
  if (partitionCount === 1) {
    const endBit = weightBit - selectorBits;
    return { partitionCount, endpointModes: [bits.read(13, 4)], colorBit: 17, endBit };
  }
  const baseClass = bits.read(23, 2) - 1;
  const isCommon = baseClass < 0;
  const extraBits = isCommon ? 0 : 3 * partitionCount - 4;
  const extraBit = weightBit - extraBits;
  const field = bits.read(25, 4) | (bits.read(extraBit, extraBits) << 4);
  const endpointModes = Array.from({ length: partitionCount }, (_, i) => {
    if (isCommon) return field;
    const modeClass = baseClass + ((field >> i) & 1);
    return modeClass * 4 + ((field >> (partitionCount + 2 * i)) & 3);
  });
  return { partitionCount, endpointModes, colorBit: 29, endBit: extraBit - selectorBits };
}

function decodeMode(
  block: DataView,
  texels: Uint8Array,
  mode: BlockMode,
  size: readonly [widthPx: number, heightPx: number],
  isSrgb: boolean,
): void {
  const [widthPx, heightPx] = size;
  const texelCount = widthPx * heightPx;
  const { partitionCount, endpointModes, colorBit, endBit } = readConfiguration(mode);
  const valueCount = endpointModes.reduce((sum, each) => sum + valueCountOf(each), 0);
  const range = COLOR_RANGES.find((each) => sequenceBits(each, valueCount) <= endBit - colorBit);
  const isIllegal = mode.planeCount === 2 && partitionCount === 4;
  if (isIllegal || valueCount > MAX_COLOR_VALUES || range === undefined) {
    fillTexels(texels, texelCount, ERROR_COLOR);
    return;
  }
  readSequence(bits, colorBit, range, valueCount, values);
  let at = 0;
  const areLdr = endpointModes.map((each, i) => {
    at += valueCountOf(each);
    return decodeEndpoints(each, values, at - valueCountOf(each), endpoints[i]!);
  });
  reversed.loadReversed(block);
  readSequence(reversed, 0, mode.range, mode.weightCount, gridWeights);
  for (let plane = 0; plane < mode.planeCount; plane++) {
    writeTexelWeights(mode, plane, gridWeights, size, texelWeights[plane]!);
  }
  if (partitionCount === 1) partitions.fill(0);
  else writePartitions(partitionCount, bits.read(13, 10), widthPx, heightPx, partitions);
  const ownChannel = mode.planeCount === 2 ? bits.read(endBit, 2) : -1;
  for (let i = 0; i < texelCount; i++) {
    const partition = partitions[i]!;
    const pair = endpoints[partition]!;
    for (let c = 0; c < 4; c++) {
      const weight = texelWeights[c === ownChannel ? 1 : 0]![i]!;
      texels[i * 4 + c] = areLdr[partition]
        ? mixEndpoints(pair[c]!, pair[c + 4]!, weight, isSrgb)
        : ERROR_COLOR[c]!;
    }
  }
}

/** Returns the high byte of the channel between two endpoints, which are expanded to 16 bits. */
function mixEndpoints(first: number, second: number, weight: number, isSrgb: boolean): number {
  const low = isSrgb ? 0x80 : first;
  const high = isSrgb ? 0x80 : second;
  const sum = ((first << 8) | low) * (64 - weight) + ((second << 8) | high) * weight;
  return (sum + 32) >> 14;
}
