/**
 * Mipmaps by a box filter (GL ES 3.0, section 3.8.10.5): level k + 1 has half the size of level k, rounded
 * down, and each texel is the mean of the area that it covers, rounded to nearest, ties up. An odd size
 * 2n + 1 is covered by n texels of 2 + 1/n each: three taps whose weights are integers over 2n + 1.
 * All sums are integers below 2^53, so the result is exact.
 */

/** RGBA texels of one level, row 0 first: 8 bits per channel, or 16 bits of linear light. */
export interface TexelLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly texels: Uint8Array | Uint16Array;
}

/** Number of levels down to 1×1. */
export function fullLevelCount(widthPx: number, heightPx: number): number {
  return 32 - Math.clz32(Math.max(widthPx, heightPx));
}

/** The level after `level`. */
export function halveLevel(level: TexelLevel): TexelLevel {
  const widthPx = Math.max(1, level.widthPx >> 1);
  const heightPx = Math.max(1, level.heightPx >> 1);
  const count = widthPx * heightPx * 4;
  const texels =
    level.texels instanceof Uint8Array ? new Uint8Array(count) : new Uint16Array(count);
  const halved = { widthPx, heightPx, texels };
  if (level.widthPx === 2 * widthPx && level.heightPx === 2 * heightPx) averageQuads(level, halved);
  else averageAreas(level, halved);
  return halved;
}

/** Both sizes even: the mean of 2×2 texels. */
function averageQuads(source: TexelLevel, target: TexelLevel): void {
  const from = source.texels;
  const rowLength = source.widthPx * 4;
  let at = 0;
  for (let y = 0; y < target.heightPx; y++) {
    let upper = 2 * y * rowLength;
    for (let x = 0; x < target.widthPx; x++, upper += 8) {
      const lower = upper + rowLength;
      for (let c = 0; c < 4; c++) {
        const sum =
          from[upper + c]! + from[upper + c + 4]! + from[lower + c]! + from[lower + c + 4]!;
        target.texels[at++] = (sum + 2) >> 2;
      }
    }
  }
}

interface Taps {
  readonly first: number;
  readonly weights: readonly number[];
}

/** Taps of texel `index` along an axis of `size` texels; the weights sum up to {@link weightSum}. */
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

/** Any size: rows are summed up by their weights first, then columns. Nothing is rounded in between. */
function averageAreas(source: TexelLevel, target: TexelLevel): void {
  const { texels, widthPx } = source;
  const divisor = weightSum(widthPx) * weightSum(source.heightPx);
  const columns = Array.from({ length: target.widthPx }, (_, x) => tapsAt(x, widthPx));
  const rowSums = new Float64Array(widthPx * 4);
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
      const from = column.first * 4;
      for (let c = from; c < from + 4; c++) {
        let sum = rowSums[c]! * w0!;
        if (w1 > 0) sum += rowSums[c + 4]! * w1;
        if (w2 > 0) sum += rowSums[c + 8]! * w2;
        // A quotient that is no integer is at least 1/(2 divisor) > 2^-28 away from one: floor is exact.
        target.texels[at++] = Math.floor((2 * sum + divisor) / (2 * divisor));
      }
    }
  }
}
