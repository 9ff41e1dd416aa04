/**
 * PNG decoder (ISO/IEC 15948) to 8-bit RGBA. It is ours since the npm decoders take three to five times
 * the CPU time and inflate without a bound; here the size of the picture bounds the inflated bytes.
 * Checksums are not compared, ancillary chunks other than tRNS are skipped (glTF ignores colour spaces).
 */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { RenderError } from '@tessera/frame';

const inflateAsync = promisify(inflate);

const CHANNELS_BY_COLOR_TYPE: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
const INDEXED = 3;

/** Origin and distance of the pixels of each Adam7 pass. */
const ADAM7_PASSES = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];
const WHOLE_PICTURE = [{ x: 0, y: 0, dx: 1, dy: 1 }];

interface PngChunks {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitDepth: number;
  readonly colorType: number;
  readonly isInterlaced: boolean;
  readonly palette: Uint8Array | null;
  readonly transparency: Uint8Array | null;
  readonly compressed: Uint8Array;
}

/**
 * Texels from the top row, 4 bytes each. 16-bit samples keep their upper byte.
 *
 * @param path Place of the image in the JSON, for messages.
 * @throws {RenderError} MODEL_INVALID if the bytes are no whole PNG.
 */
export async function decodePng(path: string, bytes: Uint8Array): Promise<Uint8Array> {
  const png = readChunks(path, bytes);
  const passes = png.isInterlaced ? ADAM7_PASSES : WHOLE_PICTURE;
  const bitsPerPixel = (CHANNELS_BY_COLOR_TYPE.get(png.colorType) ?? 0) * png.bitDepth;
  const sizes = passes.map(({ x, y, dx, dy }) => {
    const width = Math.ceil((png.widthPx - x) / dx);
    const height = Math.ceil((png.heightPx - y) / dy);
    const rowBytes = Math.ceil((width * bitsPerPixel) / 8);
    return {
      width,
      height,
      rowBytes,
      bytes: width > 0 && height > 0 ? (rowBytes + 1) * height : 0,
    };
  });
  const expectedBytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  let filtered: Uint8Array;
  try {
    filtered = await inflateAsync(png.compressed, { maxOutputLength: expectedBytes + 1 });
  } catch (cause) {
    return fail(path, `its pixels do not inflate to ${expectedBytes} bytes`, cause);
  }
  // A plain array: element access is slower on the Buffer that zlib gives.
  filtered = new Uint8Array(filtered.buffer, filtered.byteOffset, filtered.byteLength);
  if (filtered.length !== expectedBytes) {
    fail(path, `its pixels inflate to ${filtered.length} bytes, not ${expectedBytes}`);
  }
  const rgba = new Uint8Array(png.widthPx * png.heightPx * 4);
  let at = 0;
  passes.forEach((pass, i) => {
    const { width, height, rowBytes, bytes: passBytes } = sizes[i];
    if (passBytes === 0) return;
    const rows = filtered.subarray(at, at + passBytes);
    unfilter(path, rows, height, rowBytes, Math.max(1, bitsPerPixel >> 3));
    for (let row = 0; row < height; row++) {
      const start = row * (rowBytes + 1) + 1;
      const to = ((pass.y + row * pass.dy) * png.widthPx + pass.x) * 4;
      writeRow(path, png, rows.subarray(start, start + rowBytes), width, rgba, to, pass.dx * 4);
    }
    at += passBytes;
  });
  return rgba;
}

function readChunks(path: string, bytes: Uint8Array): PngChunks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let palette: Uint8Array | null = null;
  let transparency: Uint8Array | null = null;
  const parts: Uint8Array[] = [];
  let at = 8;
  for (;;) {
    if (at + 12 > bytes.length) fail(path, 'a chunk passes the end of the file');
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (at + 12 + length > bytes.length) fail(path, `chunk ${type} passes the end of the file`);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if ((at === 8) !== (type === 'IHDR')) fail(path, 'IHDR is not the first chunk');
    if (type === 'IHDR' && length !== 13) fail(path, `IHDR has ${length} bytes`);
    if (type === 'PLTE') palette = content;
    if (type === 'tRNS') transparency = content;
    if (type === 'IDAT') parts.push(content);
    if (type === 'IEND') break;
    at += 12 + length;
  }
  const bitDepth = bytes[24];
  const colorType = bytes[25];
  const depths =
    colorType === 0 ? [1, 2, 4, 8, 16] : colorType === INDEXED ? [1, 2, 4, 8] : [8, 16];
  if (!CHANNELS_BY_COLOR_TYPE.has(colorType) || !depths.includes(bitDepth)) {
    fail(path, `colour type ${colorType} with ${bitDepth} bits does not exist`);
  }
  if (bytes[26] !== 0 || bytes[27] !== 0 || bytes[28] > 1) {
    fail(path, 'unknown compression, filter or interlace method');
  }
  if (colorType === INDEXED && palette === null) fail(path, 'there is no palette');
  return {
    widthPx: view.getUint32(16),
    heightPx: view.getUint32(20),
    bitDepth,
    colorType,
    isInterlaced: bytes[28] === 1,
    palette,
    transparency,
    compressed: parts.length === 1 ? parts[0] : Buffer.concat(parts),
  };
}

/** Undoes the row filters in place (clause 9). */
function unfilter(
  path: string,
  rows: Uint8Array,
  height: number,
  rowBytes: number,
  pixelBytes: number,
): void {
  for (let row = 0; row < height; row++) {
    const start = row * (rowBytes + 1) + 1;
    const end = start + rowBytes;
    const firstEnd = Math.min(start + pixelBytes, end);
    // Row 0 has a row of zeros above: Up adds nothing, Average halves the left, Paeth is Sub.
    const up = row === 0 ? 0 : rowBytes + 1;
    switch (rows[start - 1]) {
      case 0:
        break;
      case 1:
        for (let i = firstEnd; i < end; i++) rows[i] += rows[i - pixelBytes];
        break;
      case 2:
        if (up !== 0) for (let i = start; i < end; i++) rows[i] += rows[i - up];
        break;
      case 3:
        for (let i = start; i < end; i++) {
          const left = i < firstEnd ? 0 : rows[i - pixelBytes];
          rows[i] += (left + (up === 0 ? 0 : rows[i - up])) >> 1;
        }
        break;
      case 4:
        if (up === 0) {
          for (let i = firstEnd; i < end; i++) rows[i] += rows[i - pixelBytes];
        } else {
          for (let i = start; i < firstEnd; i++) rows[i] += rows[i - up];
          unfilterPaeth(rows, firstEnd, end, up, pixelBytes);
        }
        break;
      default:
        fail(path, `row ${row} has filter ${rows[start - 1]}`);
    }
  }
}

/** Channel by channel, so that the left and the corner byte stay in registers. */
function unfilterPaeth(
  rows: Uint8Array,
  from: number,
  end: number,
  up: number,
  pixelBytes: number,
): void {
  for (let channel = from; channel < from + pixelBytes && channel < end; channel++) {
    let left = rows[channel - pixelBytes];
    let corner = rows[channel - up - pixelBytes];
    for (let i = channel; i < end; i += pixelBytes) {
      const above = rows[i - up];
      const leftDistance = Math.abs(above - corner);
      const aboveDistance = Math.abs(left - corner);
      const cornerDistance = Math.abs(left + above - 2 * corner);
      const predicted =
        leftDistance <= aboveDistance && leftDistance <= cornerDistance
          ? left
          : aboveDistance <= cornerDistance
            ? above
            : corner;
      left = (rows[i] + predicted) & 255;
      rows[i] = left;
      corner = above;
    }
  }
}

/** Expands one row of samples to RGBA, `step` bytes from pixel to pixel. */
function writeRow(
  path: string,
  png: PngChunks,
  row: Uint8Array,
  width: number,
  rgba: Uint8Array,
  to: number,
  step: number,
): void {
  const { colorType, bitDepth, palette, transparency } = png;
  const sampleBytes = bitDepth === 16 ? 2 : 1;
  const channels = CHANNELS_BY_COLOR_TYPE.get(colorType) ?? 0;
  const pixelBytes = channels * sampleBytes;
  let at = to;
  if (bitDepth < 8) {
    const mask = (1 << bitDepth) - 1;
    const greyKey = transparency !== null && colorType === 0 ? transparency[1] & mask : -1;
    for (let x = 0; x < width; x++, at += step) {
      const bit = x * bitDepth;
      const sample = (row[bit >> 3] >> (8 - bitDepth - (bit & 7))) & mask;
      if (colorType === INDEXED) {
        writeIndexed(path, palette, transparency, sample, rgba, at);
      } else {
        rgba.fill((sample * 255) / mask, at, at + 3);
        rgba[at + 3] = sample === greyKey ? 0 : 255;
      }
    }
    return;
  }
  if (colorType === 6 && bitDepth === 8 && step === 4) {
    rgba.set(row, at);
    return;
  }
  if (colorType === 2 && bitDepth === 8 && transparency === null) {
    for (let x = 0, from = 0; x < width; x++, from += 3, at += step) {
      rgba[at] = row[from];
      rgba[at + 1] = row[from + 1];
      rgba[at + 2] = row[from + 2];
      rgba[at + 3] = 255;
    }
    return;
  }
  const hasAlpha = colorType === 4 || colorType === 6;
  const isGrey = channels < 3;
  for (let x = 0, from = 0; x < width; x++, from += pixelBytes, at += step) {
    if (colorType === INDEXED) {
      writeIndexed(path, palette, transparency, row[from], rgba, at);
      continue;
    }
    rgba[at] = row[from];
    rgba[at + 1] = isGrey ? row[from] : row[from + sampleBytes];
    rgba[at + 2] = isGrey ? row[from] : row[from + 2 * sampleBytes];
    rgba[at + 3] = hasAlpha ? row[from + (channels - 1) * sampleBytes] : 255;
    if (
      transparency !== null &&
      !hasAlpha &&
      isKeyColor(row, from, channels, sampleBytes, transparency)
    ) {
      rgba[at + 3] = 0;
    }
  }
}

function writeIndexed(
  path: string,
  palette: Uint8Array | null,
  transparency: Uint8Array | null,
  index: number,
  rgba: Uint8Array,
  at: number,
): void {
  if (palette === null || 3 * index + 2 >= palette.length) {
    fail(path, `colour ${index} is not in the palette`);
  }
  rgba[at] = palette[3 * index];
  rgba[at + 1] = palette[3 * index + 1];
  rgba[at + 2] = palette[3 * index + 2];
  rgba[at + 3] = transparency?.[index] ?? 255;
}

/** Whether a pixel has the one colour that tRNS makes transparent; its samples are stored in 2 bytes. */
function isKeyColor(
  row: Uint8Array,
  from: number,
  channels: number,
  sampleBytes: number,
  transparency: Uint8Array,
): boolean {
  for (let c = 0; c < channels; c++) {
    const low = row[from + c * sampleBytes + sampleBytes - 1];
    if (low !== transparency[2 * c + 1]) return false;
    if (sampleBytes === 2 && row[from + 2 * c] !== transparency[2 * c]) return false;
  }
  return true;
}

function fail(path: string, what: string, cause?: unknown): never {
  throw new RenderError('MODEL_INVALID', `${path}: the PNG is damaged: ${what}`, { cause });
}
