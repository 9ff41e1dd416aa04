/**
 * Mipmaps by a box filter (GL ES 3.0, section 3.8.10.5), slice by slice or also across slices.
 * Level k + 1 has half the size of level k, rounded down. Each texel is the mean of the area that
 * it covers, rounded to nearest, ties up. An odd size 2n + 1 is covered by n texels of 2 + 1/n
 * each: three taps with integer weights over 2n + 1. Sums of integers stay below 2^53 and are
 * exact. Means of floats are rounded to the texel's precision.
 */
import { asWords } from './texel-words.ts';

/** Channels of texels in the representation of a texel class. */
export type TexelArray = Uint8Array | Uint16Array | Float16Array | Float32Array | Int32Array;

/** Texels of one level, slice after slice, row 0 first. */
export interface TexelLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sliceCount: number;
  /** Four channels per texel; one in textures of single floats. */
  readonly texels: TexelArray;
}

/** Slice of a level. */
interface TexelPlane {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly texels: TexelArray | Float64Array;
}

/**
 * Returns the level after `level`.
 *
 * @param isDepthHalved Whether two slices become one, as in 3D textures.
 */
export function halveLevel(level: TexelLevel, isDepthHalved = false): TexelLevel {
  const widthPx = Math.max(1, level.widthPx >> 1);
  const heightPx = Math.max(1, level.heightPx >> 1);
  const sliceCount = isDepthHalved ? Math.max(1, level.sliceCount >> 1) : level.sliceCount;
  const sliceChannels = level.texels.length / level.sliceCount;
  const channels = sliceChannels / (level.widthPx * level.heightPx);
  const halvedChannels = widthPx * heightPx * channels;
  const texels = makeLike(level.texels, halvedChannels * sliceCount);
  const isDeep = sliceCount < level.sliceCount;
  for (let slice = 0; slice < sliceCount; slice++) {
    const source: TexelPlane = {
      widthPx: level.widthPx,
      heightPx: level.heightPx,
      texels: isDeep
        ? sumSlices(level, tapsAt(slice, level.sliceCount))
        : level.texels.subarray(slice * sliceChannels, (slice + 1) * sliceChannels),
    };
    const target: TexelPlane = {
      widthPx,
      heightPx,
      texels: texels.subarray(slice * halvedChannels, (slice + 1) * halvedChannels),
    };
    const isEven = level.widthPx === 2 * widthPx && level.heightPx === 2 * heightPx;
    if (isDeep) averageAreas(source, target, weightSum(level.sliceCount));
    else if (isEven && source.texels instanceof Uint8Array) averageQuads(source, target);
    else if (isEven && source.texels instanceof Uint16Array) averageQuads(source, target);
    else averageAreas(source, target, 1);
  }
  return { widthPx, heightPx, sliceCount, texels };
}

function makeLike(texels: TexelArray, length: number): TexelArray {
  if (texels instanceof Uint8Array) return new Uint8Array(length);
  if (texels instanceof Uint16Array) return new Uint16Array(length);
  if (texels instanceof Float16Array) return new Float16Array(length);
  if (texels instanceof Float32Array) return new Float32Array(length);
  return new Int32Array(length);
}

/**
 * Returns the weighted sum of the slices under one slice of the next level. Sums of integers are
 * exact.
 */
function sumSlices({ texels, sliceCount }: TexelLevel, { first, weights }: Taps): Float64Array {
  const length = texels.length / sliceCount;
  const sums = new Float64Array(length);
  for (const [tap, weight] of weights.entries()) {
    const from = (first + tap) * length;
    for (let index = 0; index < length; index++) {
      sums[index] = sums[index]! + texels[from + index]! * weight;
    }
  }
  return sums;
}

/**
 * Averages 2×2 texels, if both sizes are even. Each element type has a loop of its own. A loop that
 * handles both types runs five times slower, because V8 cannot specialize it.
 */
function averageQuads(source: TexelPlane, target: TexelPlane): void {
  if (source.texels instanceof Uint8Array) {
    averageQuads8(source, asWords(source.texels), asWords(target.texels as Uint8Array));
  } else {
    averageQuads16(source, source.texels as Uint16Array, target.texels as Uint16Array);
  }
}

/** Averages four 8-bit channels per word, summed in pairs in 16-bit fields. */
function averageQuads8(source: TexelPlane, from: Uint32Array, to: Uint32Array): void {
  const { widthPx, heightPx } = source;
  let at = 0;
  for (let y = 0; y < heightPx; y += 2) {
    let upper = y * widthPx;
    const end = upper + widthPx;
    for (; upper < end; upper += 2) {
      const a = from[upper]!;
      const b = from[upper + 1]!;
      const c = from[upper + widthPx]!;
      const d = from[upper + widthPx + 1]!;
      const even = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff) + 0x20002;
      const odd =
        ((a >>> 8) & 0xff00ff) +
        ((b >>> 8) & 0xff00ff) +
        ((c >>> 8) & 0xff00ff) +
        ((d >>> 8) & 0xff00ff) +
        0x20002;
      to[at++] = ((even >>> 2) & 0xff00ff) | (((odd >>> 2) & 0xff00ff) << 8);
    }
  }
}

function averageQuads16(source: TexelPlane, from: Uint16Array, to: Uint16Array): void {
  const rowLength = source.widthPx * 4;
  let at = 0;
  for (let y = 0; y < source.heightPx; y += 2) {
    let upper = y * rowLength;
    let lower = upper + rowLength;
    const end = lower;
    for (; upper < end; upper += 8, lower += 8, at += 4) {
      to[at] = (from[upper]! + from[upper + 4]! + from[lower]! + from[lower + 4]! + 2) >> 2;
      to[at + 1] =
        (from[upper + 1]! + from[upper + 5]! + from[lower + 1]! + from[lower + 5]! + 2) >> 2;
      to[at + 2] =
        (from[upper + 2]! + from[upper + 6]! + from[lower + 2]! + from[lower + 6]! + 2) >> 2;
      to[at + 3] =
        (from[upper + 3]! + from[upper + 7]! + from[lower + 3]! + from[lower + 7]! + 2) >> 2;
    }
  }
}

interface Taps {
  readonly first: number;
  readonly weights: readonly number[];
}

/**
 * Returns the taps of texel `index` along an axis of `size` texels. Their weights add up to
 * {@link weightSum}.
 */
function tapsAt(index: number, size: number): Taps {
  if (size === 1) return { first: 0, weights: [1] };
  const half = size >> 1;
  if (size % 2 === 0) return { first: 2 * index, weights: [1, 1] };
  return { first: 2 * index, weights: [half - index, half, index + 1] };
}

function weightSum(size: number): number {
  if (size === 1) return 1;
  return size % 2 === 0 ? 2 : size;
}

/**
 * Averages areas of any size: weighted sums of rows, then of columns. Only floats are rounded in
 * between.
 *
 * @param sourceWeight Common factor of the values in `source`.
 */
function averageAreas(source: TexelPlane, target: TexelPlane, sourceWeight: number): void {
  const { texels, widthPx } = source;
  const channels = texels.length / (widthPx * source.heightPx);
  const divisor = weightSum(widthPx) * weightSum(source.heightPx) * sourceWeight;
  const isRounded = target.texels instanceof Uint8Array || target.texels instanceof Uint16Array;
  const columns = Array.from({ length: target.widthPx }, (_, x) => tapsAt(x, widthPx));
  const rowSums = new Float64Array(widthPx * channels);
  let at = 0;
  for (let y = 0; y < target.heightPx; y++) {
    const { first, weights } = tapsAt(y, source.heightPx);
    rowSums.fill(0);
    for (const [tap, weight] of weights.entries()) {
      const row = (first + tap) * rowSums.length;
      for (let index = 0; index < rowSums.length; index++) {
        rowSums[index] = rowSums[index]! + texels[row + index]! * weight;
      }
    }
    for (const column of columns) {
      const [w0, w1 = 0, w2 = 0] = column.weights;
      const from = column.first * channels;
      for (let c = from; c < from + channels; c++) {
        let sum = rowSums[c]! * w0!;
        if (w1 > 0) sum += rowSums[c + channels]! * w1;
        if (w2 > 0) sum += rowSums[c + 2 * channels]! * w2;
        // A quotient that is not an integer is at least 1/(2 divisor) > 2^-42 away from one, so
        // floor is exact.
        target.texels[at++] = isRounded
          ? Math.floor((2 * sum + divisor) / (2 * divisor))
          : sum / divisor;
      }
    }
  }
}
