/** From the coefficients of a JPEG to RGBA: dequantise, inverse cosine transform, colour. */
import type { JpegComponent } from './jpeg-scan.ts';

/** One channel as samples of 8 bits, in rows of `strideSamples`. */
interface Plane {
  readonly samples: Uint8ClampedArray;
  readonly strideSamples: number;
}

// Factors of the transform in 1/8192 (Loeffler, Ligtenberg and Moschytz 1989, as in libjpeg's jidctint.c).
const F_0_298 = 2446;
const F_0_390 = 3196;
const F_0_541 = 4433;
const F_0_765 = 6270;
const F_0_899 = 7373;
const F_1_175 = 9633;
const F_1_501 = 12299;
const F_1_847 = 15137;
const F_1_961 = 16069;
const F_2_053 = 16819;
const F_2_562 = 20995;
const F_3_072 = 25172;
const FACTOR_BITS = 13;
/** Bits that the first pass keeps below the point. */
const EXTRA_BITS = 2;

/** Samples of a channel. @param quantization 64 factors, row by row. */
export function makePlane(component: JpegComponent, quantization: Uint16Array): Plane {
  const { blocksDown, blocksAcross, blockStride, coefficients } = component;
  const strideSamples = blocksAcross * 8;
  const samples = new Uint8ClampedArray(strideSamples * blocksDown * 8);
  const block = new Int32Array(64);
  for (let row = 0; row < blocksDown; row++) {
    for (let column = 0; column < blocksAcross; column++) {
      const offset = (row * blockStride + column) * 64;
      let alternating = 0;
      for (let i = 1; i < 64; i++) {
        const value = coefficients[offset + i] * quantization[i];
        alternating |= value;
        block[i] = value;
      }
      block[0] = coefficients[offset] * quantization[0];
      let to = row * 8 * strideSamples + column * 8;
      if (alternating === 0) {
        const level = ((block[0] + 4) >> 3) + 128; // a block of one level, which is common
        for (let y = 0; y < 8; y++, to += strideSamples) {
          for (let x = 0; x < 8; x++) samples[to + x] = level;
        }
        continue;
      }
      for (let i = 0; i < 8; i++) transformEight(block, i, 8, FACTOR_BITS - EXTRA_BITS);
      for (let i = 0; i < 64; i += 8) transformEight(block, i, 1, FACTOR_BITS + EXTRA_BITS + 3);
      for (let y = 0; y < 64; y += 8, to += strideSamples) {
        for (let x = 0; x < 8; x++) samples[to + x] = block[y + x] + 128;
      }
    }
  }
  return { samples, strideSamples };
}

/** Inverse transform of 8 numbers in place; the result is divided by 2^`shift` and rounded. */
function transformEight(block: Int32Array, at: number, step: number, shift: number): void {
  const s0 = block[at];
  const s1 = block[at + step];
  const s2 = block[at + 2 * step];
  const s3 = block[at + 3 * step];
  const s4 = block[at + 4 * step];
  const s5 = block[at + 5 * step];
  const s6 = block[at + 6 * step];
  const s7 = block[at + 7 * step];
  if ((s1 | s2 | s3 | s4 | s5 | s6 | s7) === 0) {
    const level = ((s0 << FACTOR_BITS) + (1 << (shift - 1))) >> shift;
    for (let i = 0; i < 8; i++) block[at + i * step] = level;
    return;
  }

  // Even part.
  const e1 = (s2 + s6) * F_0_541;
  const e2 = e1 - s6 * F_1_847;
  const e3 = e1 + s2 * F_0_765;
  const e0 = (s0 + s4) << FACTOR_BITS;
  const e4 = (s0 - s4) << FACTOR_BITS;
  const a0 = e0 + e3;
  const a3 = e0 - e3;
  const a1 = e4 + e2;
  const a2 = e4 - e2;

  // Odd part.
  const z5 = (s7 + s3 + s5 + s1) * F_1_175;
  const z1 = (s7 + s1) * -F_0_899;
  const z2 = (s5 + s3) * -F_2_562;
  const z3 = (s7 + s3) * -F_1_961 + z5;
  const z4 = (s5 + s1) * -F_0_390 + z5;
  const b0 = s7 * F_0_298 + z1 + z3;
  const b1 = s5 * F_2_053 + z2 + z4;
  const b2 = s3 * F_3_072 + z2 + z3;
  const b3 = s1 * F_1_501 + z1 + z4;

  const half = 1 << (shift - 1);
  block[at] = (a0 + b3 + half) >> shift;
  block[at + 7 * step] = (a0 - b3 + half) >> shift;
  block[at + step] = (a1 + b2 + half) >> shift;
  block[at + 6 * step] = (a1 - b2 + half) >> shift;
  block[at + 2 * step] = (a2 + b1 + half) >> shift;
  block[at + 5 * step] = (a2 - b1 + half) >> shift;
  block[at + 3 * step] = (a3 + b0 + half) >> shift;
  block[at + 4 * step] = (a3 - b0 + half) >> shift;
}

// Factors of JFIF 1.02 in 1/65536: what the colour differences add to red, green and blue.
const COLOR_BITS = 16;
const COLOR_HALF = 1 << (COLOR_BITS - 1);
const RED_OF_RED = 91881; // 1.402
const GREEN_OF_BLUE = 22554; // 0.344136
const GREEN_OF_RED = 46802; // 0.714136
const BLUE_OF_BLUE = 116130; // 1.772

/**
 * Puts channels together. A channel of lower resolution repeats its samples.
 *
 * @param isYcc Whether three channels are luma and two colour differences (JFIF 1.02), not red, green, blue.
 */
export function composeRgba(
  widthPx: number,
  heightPx: number,
  components: readonly JpegComponent[],
  planes: readonly Plane[],
  isYcc: boolean,
): Uint8Array {
  const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
  const maxH = Math.max(...components.map(({ horizontal }) => horizontal));
  const maxV = Math.max(...components.map(({ vertical }) => vertical));
  /** Sample column of each pixel column, by channel. */
  const columns = components.map(({ horizontal }) =>
    Int32Array.from({ length: widthPx }, (_, x) => Math.floor((x * horizontal) / maxH)),
  );
  // A grey picture has one channel, which stands for all three.
  const [first, second, third] = planes.length === 1 ? [0, 0, 0] : [0, 1, 2];
  const rowStart = (channel: number, y: number): number =>
    Math.floor((y * components[channel].vertical) / maxV) * planes[channel].strideSamples;
  const [samples0, samples1, samples2] = [first, second, third].map((c) => planes[c].samples);
  const [columns0, columns1, columns2] = [first, second, third].map((c) => columns[c]);
  const row = new Int32Array(widthPx * 3);
  for (let y = 0; y < heightPx; y++) {
    gatherRow(row, 0, samples0, rowStart(first, y), columns0);
    gatherRow(row, 1, samples1, rowStart(second, y), columns1);
    gatherRow(row, 2, samples2, rowStart(third, y), columns2);
    if (isYcc) convertRow(row);
    const to = y * widthPx * 4;
    for (let x = 0; x < widthPx; x++) {
      rgba[to + 4 * x] = row[3 * x];
      rgba[to + 4 * x + 1] = row[3 * x + 1];
      rgba[to + 4 * x + 2] = row[3 * x + 2];
      rgba[to + 4 * x + 3] = 255;
    }
  }
  return new Uint8Array(rgba.buffer);
}

function gatherRow(
  row: Int32Array,
  channel: number,
  samples: Uint8ClampedArray,
  start: number,
  columns: Int32Array,
): void {
  for (let x = 0; x < columns.length; x++) row[3 * x + channel] = samples[start + columns[x]];
}

/** Luma and colour differences to red, green and blue; the values may leave 0…255. */
function convertRow(row: Int32Array): void {
  for (let i = 0; i < row.length; i += 3) {
    const luma = (row[i] << COLOR_BITS) + COLOR_HALF;
    const blue = row[i + 1] - 128;
    const red = row[i + 2] - 128;
    row[i] = (luma + RED_OF_RED * red) >> COLOR_BITS;
    row[i + 1] = (luma - GREEN_OF_BLUE * blue - GREEN_OF_RED * red) >> COLOR_BITS;
    row[i + 2] = (luma + BLUE_OF_BLUE * blue) >> COLOR_BITS;
  }
}
