/**
 * Header of an OpenEXR image ("OpenEXR File Layout", openexr.com): attributes by name, each with a
 * type and a size.
 */
import { RenderError } from '@tessera/frame';

/** Compressions that are read, by their code, with the rows of a chunk. */
const EXR_COMPRESSIONS = [
  { name: 'none', rowsPerChunk: 1 },
  { name: 'rle', rowsPerChunk: 1 },
  { name: 'zips', rowsPerChunk: 1 },
  { name: 'zip', rowsPerChunk: 16 },
] as const;
type ExrCompression = (typeof EXR_COMPRESSIONS)[number];

/** Contents of a header that the reader needs. */
export interface ExrHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Number of the first row. */
  readonly firstRow: number;
  readonly compression: ExrCompression;
  /** Names of the channels, in the order of the file. */
  readonly channels: readonly string[];
  /** Bytes of a value: 2 or 4. */
  readonly valueBytes: 2 | 4;
  /** Offset of the table of chunks. */
  readonly end: number;
}

interface ExrAttribute {
  readonly type: string;
  readonly value: Uint8Array;
}

const MAGIC = 20_000_630;
/** Version 2, with or without long names. */
const PLAIN_FLAGS = [2, 2 | 0x400];
const MAX_NAME_BYTES = 255;
const MAX_ATTRIBUTES = 1000;
const COLORS = ['R', 'G', 'B'];
/** Primaries and white point of sRGB (ITU-R BT.709), x and y of each. */
const SRGB_CHROMATICITIES = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329];
const CHROMATICITY_TOLERANCE = 0.01;

/** Whether a file begins as OpenEXR. */
export function isExr(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && viewOf(bytes).getUint32(0, true) === MAGIC;
}

/** @throws {RenderError} MODEL_INVALID or MODEL_UNSUPPORTED. */
export function readExrHeader(bytes: Uint8Array): ExrHeader {
  if (!isExr(bytes)) failExr('the file does not begin as OpenEXR');
  const version = viewOf(bytes).getUint32(4, true);
  if (!PLAIN_FLAGS.includes(version)) {
    refuse(`version and flags 0x${version.toString(16)}: only one part with rows is supported`);
  }
  const { attributes, end } = readAttributes(bytes);
  const window = boxOf(attributes, 'dataWindow');
  if (attributes.has('displayWindow')) {
    const display = boxOf(attributes, 'displayWindow');
    if (display.some((value, i) => value !== window[i])) {
      refuse('its data window is not the whole image');
    }
  }
  const [left, top, right, bottom] = window;
  const [widthPx, heightPx] = [right - left + 1, bottom - top + 1];
  if (widthPx < 1 || heightPx < 1) failExr('the image has no pixels');
  checkPrimaries(attributes.get('chromaticities'));
  const code = attributeOf(attributes, 'compression', 'compression', 1)[0]!;
  const compression = EXR_COMPRESSIONS[code];
  if (compression === undefined) {
    const names = EXR_COMPRESSIONS.map(({ name }) => name).join(', ');
    return refuse(`compression ${code}; supported are ${names}`);
  }
  const channels = readChannels(attributeOf(attributes, 'channels', 'chlist'));
  return { widthPx, heightPx, firstRow: top, compression, ...channels, end };
}

function readAttributes(bytes: Uint8Array) {
  const attributes = new Map<string, ExrAttribute>();
  const view = viewOf(bytes);
  let at = 8;
  for (;;) {
    const name = readName(bytes, at, 'the header');
    at += name.length + 1;
    if (name === '') return { attributes, end: at };
    const type = readName(bytes, at, name);
    at += type.length + 1;
    const size = at + 4 <= bytes.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    at += 4;
    if (at + size > bytes.length) failExr(`attribute ${name} extends past the end of the file`);
    if (attributes.has(name)) failExr(`attribute ${name} is there twice`);
    if (attributes.size === MAX_ATTRIBUTES)
      failExr(`there are more than ${MAX_ATTRIBUTES} attributes`);
    attributes.set(name, { type, value: bytes.subarray(at, at + size) });
    at += size;
  }
}

/** Reads text that ends with a zero byte. */
function readName(bytes: Uint8Array, at: number, place: string): string {
  const end = bytes.subarray(at, at + MAX_NAME_BYTES + 1).indexOf(0);
  if (end < 0) failExr(`a name of ${place} has no end`);
  return String.fromCharCode(...bytes.subarray(at, at + end));
}

function attributeOf(
  attributes: ReadonlyMap<string, ExrAttribute>,
  name: string,
  type: string,
  sizeBytes?: number,
): Uint8Array {
  const found = attributes.get(name);
  if (found === undefined) return failExr(`attribute ${name} is missing`);
  if (found.type !== type || (sizeBytes !== undefined && found.value.length !== sizeBytes)) {
    failExr(`attribute ${name} is no ${type}`);
  }
  return found.value;
}

/** Returns left, top, right and bottom. */
function boxOf(attributes: ReadonlyMap<string, ExrAttribute>, name: string) {
  const view = viewOf(attributeOf(attributes, name, 'box2i', 16));
  return [0, 4, 8, 12].map((at) => view.getInt32(at, true)) as [number, number, number, number];
}

function checkPrimaries(attribute: ExrAttribute | undefined): void {
  if (attribute === undefined) return;
  const { type, value } = attribute;
  if (type !== 'chromaticities' || value.length !== 32)
    failExr('chromaticities are not eight numbers');
  const view = viewOf(value);
  const isSrgb = SRGB_CHROMATICITIES.every(
    (expected, i) => Math.abs(view.getFloat32(4 * i, true) - expected) < CHROMATICITY_TOLERANCE,
  );
  if (!isSrgb) refuse('its primaries are not those of sRGB');
}

/** Reads the list of channels: name, type, linearity, sampling. */
function readChannels(list: Uint8Array): Pick<ExrHeader, 'channels' | 'valueBytes'> {
  const view = viewOf(list);
  const channels: string[] = [];
  const types = new Set<number>();
  let at = 0;
  for (;;) {
    const name = readName(list, at, 'the channels');
    at += name.length + 1;
    if (name === '') break;
    if (at + 16 > list.length) failExr('the list of channels is cut off');
    if (channels.includes(name)) failExr(`channel ${name} is there twice`);
    channels.push(name);
    types.add(view.getInt32(at, true));
    if (view.getInt32(at + 8, true) !== 1 || view.getInt32(at + 12, true) !== 1) {
      refuse(`channel ${name} has less than a value per pixel`);
    }
    at += 16;
  }
  const hasColors = COLORS.every((name) => channels.includes(name));
  if (!hasColors && !channels.includes('Y')) refuse('there are no channels R, G and B, and none Y');
  const [type, ...others] = [...types];
  if (others.length > 0) refuse('its channels have values of different types');
  if (type !== 1 && type !== 2) refuse('its values are not floats of 16 or 32 bits');
  return { channels, valueBytes: type === 1 ? 2 : 4 };
}

/** Returns a view of the bytes. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function refuse(reason: string): never {
  throw new RenderError('MODEL_UNSUPPORTED', `environment: OpenEXR: ${reason}`);
}

/** @throws {RenderError} MODEL_INVALID. */
export function failExr(reason: string): never {
  throw new RenderError('MODEL_INVALID', `environment: the OpenEXR is damaged: ${reason}`);
}
