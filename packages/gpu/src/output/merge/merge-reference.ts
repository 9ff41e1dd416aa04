/**
 * Output merger for single fragments, straight from GL ES 3.0, section 4.1. It defines the results
 * that the WebAssembly kernel must match bit by bit.
 */

import type {
  BlendChannelState,
  BlendFactor,
  CompareFunction,
  StencilFaceState,
  StencilOperation,
} from '@tessera/frame';
import { toDepth24 } from '../../records/depth-24.ts';
import { roundChannel } from '../target/float-rounding.ts';
import { decodeSrgb, encodeSrgb } from '../target/srgb-transfer.ts';
import { type ColorRange, clampNumber, colorRangeOf } from '../target/target-layout.ts';
import type { ColorMerge, ColorOutputs, MergeKey } from './merge-key.ts';

const { fround } = Math;

type RgbaValue = readonly [number, number, number, number];

interface BlendedColors {
  readonly source: RgbaValue;
  readonly second: RgbaValue;
  readonly destination: RgbaValue;
}

/** Contents of the targets at one pixel. */
export interface MergedPixel {
  /** RGBA8 as int32, red in the low byte. */
  color: number;
  /** Depth as a 24-bit unsigned normalized integer. */
  depth: number;
  /** Stencil value, 0 to 255. */
  stencil: number;
}

/** Fragment that arrives at the output merger. */
export interface MergedFragment {
  /** Values of the program's outputs in the order of its output slots. */
  readonly outputs: ArrayLike<number>;
  /** Depth from the rasterizer, as {@link MergedPixel.depth}. */
  readonly depth: number;
  readonly isFrontFacing: boolean;
}

/** Merges one fragment into `pixel`. Returns whether it passes all tests. */
export function mergeFragment(
  key: MergeKey,
  fragment: MergedFragment,
  pixel: MergedPixel,
): boolean {
  const depth =
    key.depthOutput === null
      ? fragment.depth
      : writtenDepth(fragment.outputs[key.depthOutput]!, key);
  const isDepthPassed =
    key.depthCompare === null || compareValues(key.depthCompare, depth, pixel.depth);
  if (key.stencil !== null) {
    const face = fragment.isFrontFacing ? key.stencil.front : key.stencil.back;
    const { readMask, writeMask } = face;
    const stored = pixel.stencil;
    const isPassed = compareValues(face.compare, face.reference & readMask, stored & readMask);
    const operation = stencilOperation(face, isPassed, isDepthPassed);
    const updated = operate(operation, stored, face.reference);
    pixel.stencil = (stored & ~writeMask) | (updated & writeMask);
    if (!isPassed) return false;
  }
  if (!isDepthPassed) return false;
  if (key.isDepthWritten) pixel.depth = depth;
  pixel.color = writeColor(key, fragment, pixel.color);
  return true;
}

/** Returns whether an incoming value passes against the stored one. */
export function compareValues(fn: CompareFunction, incoming: number, stored: number): boolean {
  switch (fn) {
    case 'never':
      return false;
    case 'less':
      return incoming < stored;
    case 'equal':
      return incoming === stored;
    case 'less-equal':
      return incoming <= stored;
    case 'greater':
      return incoming > stored;
    case 'not-equal':
      return incoming !== stored;
    case 'greater-equal':
      return incoming >= stored;
    case 'always':
      return true;
  }
}

function stencilOperation(
  face: StencilFaceState,
  isStencilPassed: boolean,
  isDepthPassed: boolean,
): StencilOperation {
  if (!isStencilPassed) return face.onStencilFail;
  return isDepthPassed ? face.onPass : face.onDepthFail;
}

function operate(operation: StencilOperation, stored: number, reference: number): number {
  switch (operation) {
    case 'keep':
      return stored;
    case 'zero':
      return 0;
    case 'replace':
      return reference;
    case 'increment-clamp':
      return Math.min(stored + 1, 255);
    case 'increment-wrap':
      return (stored + 1) % 256;
    case 'decrement-clamp':
      return Math.max(stored - 1, 0);
    case 'decrement-wrap':
      return (stored + 255) % 256;
    case 'invert':
      return 255 - stored;
  }
}

/** Returns the stored depth of one that the program wrote; that of NaN is the least. */
function writtenDepth(value: number, { depthBounds: [least, most] }: MergeKey): number {
  return toDepth24(value > fround(least) ? Math.min(value, fround(most)) : fround(least));
}

/** Clamps to 0…1; NaN becomes 0. */
function clampToUnit(value: number): number {
  if (value > 0) return Math.min(value, 1);
  return 0;
}

/** Rounds 0 ≤ x < 2^52 to the nearest integer, ties to even. */
function roundToEven(value: number): number {
  const below = Math.floor(value);
  const fraction = value - below;
  if (fraction !== 0.5) return fraction < 0.5 ? below : below + 1;
  return below + (below % 2);
}

/**
 * Combines two values by a logical operation.
 *
 * @param operation Logical operation of the pipeline state; `null` returns the source.
 */
function combineBits(operation: number | null, source: number, stored: number): number {
  if (operation === null) return source;
  let result = 0;
  for (let bit = 0; bit < 8; bit++) {
    const isSource = (source >> bit) & 1;
    const isStored = (stored >> bit) & 1;
    result |= ((operation >> (3 - 2 * isSource - isStored)) & 1) << bit;
  }
  return result;
}

function writeColor(key: MergeKey, { outputs }: MergedFragment, stored: number): number {
  const merge = key.colors[0]!;
  const sources = readSources(merge, outputs, clampToUnit);
  const storedBytes = mapChannels((c) => (stored >>> (8 * c)) & 0xff);
  const destination = mapChannels((c) => fround(storedBytes[c]! * fround(1 / 255)));
  let color = 0;
  for (let c = 0; c < 4; c++) {
    const result = blendChannel(merge, sourceOf(merge, c), { ...sources, destination });
    const computed = combineBits(
      key.logicOperation,
      roundToEven(fround(result * 255)),
      storedBytes[c]!,
    );
    const byte = merge.colorMask[c] ? computed : storedBytes[c]!;
    color |= byte << (8 * c);
  }
  return color;
}

/**
 * Returns the content of a target after a fragment passes: bytes of an 8-bit target, floats or
 * integers of others.
 *
 * @param stored Content before the fragment.
 */
export function mergeColor(
  key: MergeKey,
  targetIndex: number,
  outputs: ArrayLike<number>,
  stored: RgbaValue,
): RgbaValue {
  const target = key.targets.targets[targetIndex]!;
  const { storage, format, channels } = target;
  const merge = key.colors[targetIndex]!;
  if (storage === 'integer') {
    const { source: given } = readSources(merge, outputs, (value) => value);
    return mapChannels((c) =>
      merge.colorMask[c] && c < channels ? given[sourceOf(merge, c)]! : stored[c]!,
    );
  }
  const isPacked = storage !== 'float';
  const range = colorRangeOf(target);
  const isCurved = (c: number) => storage === 'srgb8' && c < 3;
  const destination = mapChannels((c) => {
    const value = isPacked ? fround(stored[c]! * fround(1 / 255)) : stored[c]!;
    return isCurved(c) ? decodeSrgb(value) : value;
  });
  const sourceRange = merge.isSourceClamped ? 'unit' : range;
  const sources = readSources(merge, outputs, (value) => clampNumber(value, sourceRange));
  const colors = { ...sources, destination };
  return mapChannels((c) => {
    if (!merge.colorMask[c]) return stored[c]!;
    const blended = blendChannel(merge, sourceOf(merge, c), colors, range);
    const encoded = isCurved(sourceOf(merge, c)) ? encodeSrgb(blended) : blended;
    const kept = c < channels ? encoded : c === 3 ? 1 : 0;
    return isPacked ? roundToEven(fround(kept * 255)) : roundChannel(format, c, kept);
  });
}

/** Returns the colors of the program. Missing channels are 0, missing alpha is 1. */
function readSources(
  merge: ColorMerge,
  outputs: ArrayLike<number>,
  clamp: (value: number) => number,
): Omit<BlendedColors, 'destination'> {
  const read = (places: ColorOutputs): RgbaValue =>
    mapChannels((c) => {
      const output = places[c]!;
      return clamp(output === null ? (c === 3 ? 1 : 0) : outputs[output]!);
    });
  return { source: read(merge.outputs), second: read(merge.secondOutputs ?? merge.outputs) };
}

function mapChannels(make: (channel: number) => number): RgbaValue {
  return [make(0), make(1), make(2), make(3)];
}

/** Returns the channel whose result is stored in channel `c`. */
function sourceOf({ redSpread }: ColorMerge, c: number): number {
  const isRed = redSpread === 'rgba' || (redSpread === 'rgb' && c < 3);
  return isRed ? 0 : c;
}

function blendChannel(
  { blend }: ColorMerge,
  c: number,
  colors: BlendedColors,
  range: ColorRange = 'unit',
): number {
  const { source, destination } = colors;
  const confine = (value: number): number => clampNumber(value, range);
  const [s, d] = [source[c]!, destination[c]!];
  if (blend === null) return s;
  const state: BlendChannelState = c === 3 ? blend.alpha : blend.color;
  const constant = mapChannels((k) => fround(confine(blend.constant[k]!)));
  const weigh = (value: number, factor: BlendFactor): number =>
    fround(value * blendFactor(factor, c, colors, constant));
  const weightedSource = weigh(s, state.source);
  const weightedDestination = weigh(d, state.destination);
  switch (state.equation) {
    case 'add':
      return confine(fround(weightedSource + weightedDestination));
    case 'subtract':
      return confine(fround(weightedSource - weightedDestination));
    case 'reverse-subtract':
      return confine(fround(weightedDestination - weightedSource));
    case 'min':
      return Math.min(s, d);
    case 'max':
      return Math.max(s, d);
  }
}

function blendFactor(
  factor: BlendFactor,
  c: number,
  { source, second, destination }: BlendedColors,
  constant: RgbaValue,
): number {
  switch (factor) {
    case 'zero':
      return 0;
    case 'one':
      return 1;
    case 'src-color':
      return source[c]!;
    case 'one-minus-src-color':
      return fround(1 - source[c]!);
    case 'dst-color':
      return destination[c]!;
    case 'one-minus-dst-color':
      return fround(1 - destination[c]!);
    case 'src-alpha':
      return source[3];
    case 'one-minus-src-alpha':
      return fround(1 - source[3]);
    case 'dst-alpha':
      return destination[3];
    case 'one-minus-dst-alpha':
      return fround(1 - destination[3]);
    case 'constant-color':
      return constant[c]!;
    case 'one-minus-constant-color':
      return fround(1 - constant[c]!);
    case 'constant-alpha':
      return constant[3];
    case 'one-minus-constant-alpha':
      return fround(1 - constant[3]);
    case 'src1-color':
      return second[c]!;
    case 'one-minus-src1-color':
      return fround(1 - second[c]!);
    case 'src1-alpha':
      return second[3];
    case 'one-minus-src1-alpha':
      return fround(1 - second[3]);
    case 'src-alpha-saturate':
      return c === 3 ? 1 : Math.min(source[3], fround(1 - destination[3]));
  }
}
