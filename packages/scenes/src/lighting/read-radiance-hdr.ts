/**
 * Reader of Radiance HDR images (.hdr, .pic): a text header, a resolution line and rows of pixels
 * with a shared exponent (G. Ward, "Real Pixels", Graphics Gems II, 1991; the file format is that
 * of the Radiance reference manual).
 */
import { RenderError } from '@tessera/frame';
import type { RadianceImage } from './radiance-image.ts';

/** Limits on an image of radiance. */
export interface RadianceLimits {
  /** Maximum number of pixels. */
  readonly maxPixels: number;
}

const SIGNATURE = /^#\?(RADIANCE|RGBE)/;
/** Maximum length of the header in bytes. */
const MAX_HEADER_BYTES = 65_536;
/** Narrowest and widest rows that may be run-length encoded by component. */
const RUN_WIDTHS = { least: 8, most: 32_767 };

/**
 * Reads an image.
 *
 * @throws {RenderError} MODEL_INVALID, naming the row at fault; MODEL_UNSUPPORTED for colors in XYZ
 *   and for other orientations; LIMIT_EXCEEDED.
 */
export function readRadianceHdr(bytes: Uint8Array, limits: RadianceLimits): RadianceImage {
  const { widthPx, heightPx, exposure, start } = readHeader(bytes);
  if (widthPx * heightPx > limits.maxPixels) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `environment: ${widthPx}×${heightPx} pixels; at most ${limits.maxPixels}`,
    );
  }
  const rgb = new Float32Array(widthPx * heightPx * 3);
  const row = new Uint8Array(widthPx * 4);
  let at = start;
  for (let y = 0; y < heightPx; y++) {
    at = readRow(bytes, at, row, y);
    for (let x = 0; x < widthPx; x++) {
      const exponent = row[4 * x + 3]!;
      // The exponent has a bias of 128, and mantissas are 8-bit integers.
      const scale = exponent === 0 ? 0 : 2 ** (exponent - 136) / exposure;
      for (let c = 0; c < 3; c++) rgb[(y * widthPx + x) * 3 + c] = row[4 * x + c]! * scale;
    }
  }
  return { widthPx, heightPx, rgb };
}

interface Header {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Product of the exposures that were applied to the pixels. */
  readonly exposure: number;
  /** Offset of the first row. */
  readonly start: number;
}

function readHeader(bytes: Uint8Array): Header {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_HEADER_BYTES));
  if (!SIGNATURE.test(text)) fail('the file does not begin with #?RADIANCE');
  const end = text.indexOf('\n\n');
  if (end < 0) fail('the header has no end');
  const variables = text.slice(0, end).split('\n');
  let exposure = 1;
  for (const line of variables) {
    const [, name, value] = /^\s*([A-Z]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === 'FORMAT' && value !== '32-bit_rle_rgbe') {
      throw new RenderError('MODEL_UNSUPPORTED', `environment: FORMAT=${value} is not supported`);
    }
    if (name === 'EXPOSURE') exposure *= Number(value);
  }
  if (!(exposure > 0 && Number.isFinite(exposure))) fail('EXPOSURE is not a positive number');
  const lineEnd = text.indexOf('\n', end + 2);
  const resolution = lineEnd < 0 ? '' : text.slice(end + 2, lineEnd);
  const size = /^-Y (\d{1,6}) \+X (\d{1,6})$/.exec(resolution.trim());
  if (size === null) {
    throw new RenderError(
      'MODEL_UNSUPPORTED',
      `environment: resolution "${resolution.slice(0, 40)}"; only "-Y height +X width" is supported`,
    );
  }
  const [heightPx, widthPx] = [Number(size[1]), Number(size[2])];
  if (widthPx === 0 || heightPx === 0) fail('the image has no pixels');
  return { widthPx, heightPx, exposure, start: lineEnd + 1 };
}

/** Reads the components of a row, 4 bytes a pixel. Returns the offset after it. */
function readRow(bytes: Uint8Array, start: number, row: Uint8Array, y: number): number {
  const widthPx = row.length / 4;
  const isEncoded =
    widthPx >= RUN_WIDTHS.least &&
    widthPx <= RUN_WIDTHS.most &&
    bytes[start] === 2 &&
    bytes[start + 1] === 2 &&
    (bytes[start + 2]! << 8) + bytes[start + 3]! === widthPx;
  return isEncoded
    ? readComponentRuns(bytes, start + 4, row, y)
    : readPixelRuns(bytes, start, row, y);
}

/** Reads a row whose components are encoded one after another. */
function readComponentRuns(bytes: Uint8Array, start: number, row: Uint8Array, y: number): number {
  const widthPx = row.length / 4;
  let at = start;
  for (let c = 0; c < 4; c++) {
    let x = 0;
    while (x < widthPx) {
      const code = bytes[at++];
      if (code === undefined) failRow(y, 'the file ends');
      const isRun = code > 128;
      const length = isRun ? code - 128 : code;
      if (length === 0 || x + length > widthPx) failRow(y, 'a run is longer than the row');
      if (at + (isRun ? 1 : length) > bytes.length) failRow(y, 'the file ends');
      for (let i = 0; i < length; i++) row[(x + i) * 4 + c] = bytes[isRun ? at : at + i]!;
      at += isRun ? 1 : length;
      x += length;
    }
  }
  return at;
}

/** Reads a row of pixels, where the mantissas 1, 1, 1 repeat the pixel before. */
function readPixelRuns(bytes: Uint8Array, start: number, row: Uint8Array, y: number): number {
  const widthPx = row.length / 4;
  let at = start;
  let x = 0;
  let shift = 0;
  while (x < widthPx) {
    if (at + 4 > bytes.length) failRow(y, 'the file ends');
    const pixel = bytes.subarray(at, at + 4);
    at += 4;
    if (pixel[0] !== 1 || pixel[1] !== 1 || pixel[2] !== 1) {
      row.set(pixel, x++ * 4);
      shift = 0;
      continue;
    }
    const length = pixel[3]! * 2 ** shift;
    if (x === 0 || x + length > widthPx) failRow(y, 'a run does not fit the row');
    for (let i = 0; i < length; i++, x++) row.copyWithin(x * 4, x * 4 - 4, x * 4);
    shift += 8;
  }
  return at;
}

function failRow(y: number, reason: string): never {
  return fail(`row ${y}: ${reason}`);
}

function fail(reason: string): never {
  throw new RenderError('MODEL_INVALID', `environment: ${reason}`);
}
