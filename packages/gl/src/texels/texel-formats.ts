/**
 * Conversion of uploaded texels (OpenGL ES 2.0, tables 3.2 to 3.4; OpenGL 2.1, tables 3.5 to 3.17)
 * to frame formats with 8 bits per channel. Luminance is copied to red, green and blue.
 */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { GL } from '../api/constants.ts';

/** Channels that a texture stores. Depth can be stored but not uploaded. */
export type BaseFormat =
  | 'red'
  | 'rg'
  | 'rgb'
  | 'rgba'
  | 'alpha'
  | 'luminance'
  | 'luminance-alpha'
  | 'intensity'
  | 'srgb'
  | 'srgb-alpha'
  | 'sluminance'
  | 'sluminance-alpha'
  | 'depth';

/** Layout of an upload in memory (`pixelStorei`). */
export interface UnpackLayout {
  readonly alignmentBytes: number;
  /** Texels from row to row; 0 means the width. */
  readonly rowLengthPx: number;
  readonly skipRows: number;
  readonly skipPx: number;
  /** Rows from slice to slice; 0 means the height. */
  readonly imageHeightPx: number;
  readonly skipImages: number;
}

/** Function that decodes the texel at a byte offset to red, green, blue and alpha, 0 to 255. */
type TexelReader = (view: DataView, at: number, texel: Uint8ClampedArray) => void;

/** Reader of an upload's texels. */
export interface SourceFormat {
  readonly bytesPerTexel: number;
  readonly read: TexelReader;
}

const BASE_FORMATS: readonly (readonly [BaseFormat, readonly number[]])[] = [
  ['red', [GL.RED, GL.R8]],
  ['rg', [GL.RG, GL.RG8]],
  [
    'rgb',
    [3, GL.RGB, GL.R3_G3_B2, GL.RGB4, GL.RGB5, GL.RGB8, GL.RGB10, GL.RGB12, GL.RGB16, GL.RGB565],
  ],
  [
    'rgba',
    [
      ...[4, GL.RGBA, GL.BGRA, GL.RGBA2, GL.RGBA4, GL.RGB5_A1],
      ...[GL.RGBA8, GL.RGB10_A2, GL.RGBA12, GL.RGBA16],
    ],
  ],
  ['alpha', [GL.ALPHA, GL.ALPHA4, GL.ALPHA8, GL.ALPHA12, GL.ALPHA16]],
  ['luminance', [1, GL.LUMINANCE, GL.LUMINANCE4, GL.LUMINANCE8, GL.LUMINANCE12, GL.LUMINANCE16]],
  [
    'luminance-alpha',
    [
      ...[2, GL.LUMINANCE_ALPHA, GL.LUMINANCE4_ALPHA4, GL.LUMINANCE6_ALPHA2],
      ...[GL.LUMINANCE8_ALPHA8, GL.LUMINANCE12_ALPHA4],
      ...[GL.LUMINANCE12_ALPHA12, GL.LUMINANCE16_ALPHA16],
    ],
  ],
  ['intensity', [GL.INTENSITY, GL.INTENSITY4, GL.INTENSITY8, GL.INTENSITY12, GL.INTENSITY16]],
  ['srgb', [GL.SRGB, GL.SRGB8]],
  ['srgb-alpha', [GL.SRGB_ALPHA, GL.SRGB8_ALPHA8]],
  [
    'depth',
    [
      ...[GL.DEPTH_COMPONENT, GL.DEPTH_COMPONENT16, GL.DEPTH_COMPONENT24, GL.DEPTH_COMPONENT32],
      ...[GL.DEPTH_STENCIL, GL.DEPTH24_STENCIL8],
    ],
  ],
];

const BASE_BY_INTERNAL_FORMAT: ReadonlyMap<number, BaseFormat> = new Map(
  BASE_FORMATS.flatMap(([base, formats]) => formats.map((format) => [format, base] as const)),
);

/** Returns the channels that an internal format stores, or `null` if it is unknown. */
export function baseFormatOf(internalFormat: number): BaseFormat | null {
  return BASE_BY_INTERNAL_FORMAT.get(internalFormat) ?? null;
}

/** Returns the frame format of a texture with these channels; `null` for depth. */
export function textureFormatOf(base: BaseFormat): TextureFormat | null {
  if (base === 'depth') return null;
  if (base === 'red') return 'r8unorm';
  if (base === 'rg') return 'rg8unorm';
  return base.startsWith('s') ? 'rgba8unorm-srgb' : 'rgba8unorm';
}

/** Returns the size of a stored texel in bytes. Depth is not stored. */
export function texelBytesOf(base: BaseFormat): number {
  const format = textureFormatOf(base);
  return format === null ? 0 : TEXTURE_FORMATS[format].bytesPerTexel;
}

/**
 * Destination channel of each component of an upload; 4 stands for red, green and blue together.
 */
const CHANNELS: ReadonlyMap<number, readonly number[]> = new Map<number, readonly number[]>([
  [GL.RED, [0]],
  [GL.GREEN, [1]],
  [GL.BLUE, [2]],
  [GL.RG, [0, 1]],
  [GL.RGB, [0, 1, 2]],
  [GL.BGR, [2, 1, 0]],
  [GL.RGBA, [0, 1, 2, 3]],
  [GL.BGRA, [2, 1, 0, 3]],
  [GL.ABGR_EXT, [3, 2, 1, 0]],
  [GL.ALPHA, [3]],
  [GL.LUMINANCE, [4]],
  [GL.LUMINANCE_ALPHA, [4, 3]],
  [GL.SRGB, [0, 1, 2]],
  [GL.SRGB_ALPHA, [0, 1, 2, 3]],
]);

/** Component types: size, and conversion of a value to 0…255. */
const COMPONENTS: ReadonlyMap<number, { bytes: number; read(view: DataView, at: number): number }> =
  new Map([
    [GL.UNSIGNED_BYTE, { bytes: 1, read: (view, at) => view.getUint8(at) }],
    [GL.BYTE, { bytes: 1, read: (view, at) => (view.getInt8(at) * 255) / 127 }],
    [GL.UNSIGNED_SHORT, { bytes: 2, read: (view, at) => view.getUint16(at, true) / 257 }],
    [GL.SHORT, { bytes: 2, read: (view, at) => (view.getInt16(at, true) * 255) / 32767 }],
    [GL.UNSIGNED_INT, { bytes: 4, read: (view, at) => view.getUint32(at, true) / 16843009 }],
    [GL.INT, { bytes: 4, read: (view, at) => (view.getInt32(at, true) * 255) / 2147483647 }],
    [GL.FLOAT, { bytes: 4, read: (view, at) => view.getFloat32(at, true) * 255 }],
    [GL.HALF_FLOAT, { bytes: 2, read: (view, at) => view.getFloat16(at, true) * 255 }],
    [GL.HALF_FLOAT_OES, { bytes: 2, read: (view, at) => view.getFloat16(at, true) * 255 }],
  ]);

/** Packed type: size; lowest bit and width of each component, the first one first. */
interface PackedType {
  readonly bytes: 1 | 2 | 4;
  readonly fields: readonly (readonly [number, number])[];
}

/** Packed types of normalized or integer components. */
export const PACKED_TYPES: ReadonlyMap<number, PackedType> = new Map([
  [GL.UNSIGNED_BYTE_3_3_2, packed(1, [5, 3], [2, 3], [0, 2])],
  [GL.UNSIGNED_BYTE_2_3_3_REV, packed(1, [0, 3], [3, 3], [6, 2])],
  [GL.UNSIGNED_SHORT_5_6_5, packed(2, [11, 5], [5, 6], [0, 5])],
  [GL.UNSIGNED_SHORT_5_6_5_REV, packed(2, [0, 5], [5, 6], [11, 5])],
  [GL.UNSIGNED_SHORT_4_4_4_4, packed(2, [12, 4], [8, 4], [4, 4], [0, 4])],
  [GL.UNSIGNED_SHORT_4_4_4_4_REV, packed(2, [0, 4], [4, 4], [8, 4], [12, 4])],
  [GL.UNSIGNED_SHORT_5_5_5_1, packed(2, [11, 5], [6, 5], [1, 5], [0, 1])],
  [GL.UNSIGNED_SHORT_1_5_5_5_REV, packed(2, [0, 5], [5, 5], [10, 5], [15, 1])],
  [GL.UNSIGNED_INT_8_8_8_8, packed(4, [24, 8], [16, 8], [8, 8], [0, 8])],
  [GL.UNSIGNED_INT_10_10_10_2, packed(4, [22, 10], [12, 10], [2, 10], [0, 2])],
  [GL.UNSIGNED_INT_2_10_10_10_REV, packed(4, [0, 10], [10, 10], [20, 10], [30, 2])],
  [GL.UNSIGNED_INT_8_8_8_8_REV, packed(4, [0, 8], [8, 8], [16, 8], [24, 8])],
]);

function packed(
  bytes: PackedType['bytes'],
  ...fields: readonly (readonly [number, number])[]
): PackedType {
  return { bytes, fields };
}

/** Reads the word of a packed type. */
export function readPacked(view: DataView, at: number, bytes: PackedType['bytes']): number {
  if (bytes === 1) return view.getUint8(at);
  return bytes === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
}

/** Returns the reader of an upload's texels, or `null` if format and type do not match. */
export function findSourceFormat(format: number, type: number): SourceFormat | null {
  const channels = CHANNELS.get(format);
  if (channels === undefined) return null;
  const component = COMPONENTS.get(type);
  if (component !== undefined) {
    const { bytes, read } = component;
    return {
      bytesPerTexel: bytes * channels.length,
      read: (view, at, texel) => {
        for (let i = 0; i < channels.length; i++) {
          store(texel, channels[i]!, read(view, at + i * bytes));
        }
      },
    };
  }
  const layout = PACKED_TYPES.get(type);
  if (layout === undefined || layout.fields.length !== channels.length) return null;
  const { bytes, fields } = layout;
  return {
    bytesPerTexel: bytes,
    read: (view, at, texel) => {
      const word = readPacked(view, at, bytes);
      for (let i = 0; i < channels.length; i++) {
        const [lowestBit, width] = fields[i]!;
        const largest = (1 << width) - 1;
        store(texel, channels[i]!, (((word >>> lowestBit) & largest) * 255) / largest);
      }
    },
  };
}

/** Stores a value rounded to nearest, ties to even, as clamped arrays do. */
function store(texel: Uint8ClampedArray, channel: number, value: number): void {
  if (channel < 4) texel[channel] = value;
  else texel[0] = texel[1] = texel[2] = value;
}

/** Returns the distance between rows and the total size of an upload, in bytes. */
export function measureUpload(
  source: Pick<SourceFormat, 'bytesPerTexel'>,
  widthPx: number,
  heightPx: number,
  layout: UnpackLayout,
): { rowBytes: number; startBytes: number; sizeBytes: number } {
  const rowPx = layout.rowLengthPx > 0 ? layout.rowLengthPx : widthPx;
  const { alignmentBytes } = layout;
  const rowBytes = Math.ceil((rowPx * source.bytesPerTexel) / alignmentBytes) * alignmentBytes;
  const startBytes = layout.skipRows * rowBytes + layout.skipPx * source.bytesPerTexel;
  const sizeBytes =
    widthPx === 0 || heightPx === 0
      ? 0
      : startBytes + (heightPx - 1) * rowBytes + widthPx * source.bytesPerTexel;
  return { rowBytes, startBytes, sizeBytes };
}

/**
 * Converts an upload to tightly packed texels of `base`'s frame format. `bytes` must have the size
 * that `measureUpload` returns.
 */
export function convertTexels(
  base: BaseFormat,
  source: SourceFormat,
  widthPx: number,
  heightPx: number,
  bytes: Uint8Array,
  layout: UnpackLayout,
): Uint8Array<ArrayBuffer> {
  const { rowBytes, startBytes } = measureUpload(source, widthPx, heightPx, layout);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const channelCount = texelBytesOf(base);
  const output = new Uint8Array(widthPx * heightPx * channelCount);
  const texel = new Uint8ClampedArray(4);
  let to = 0;
  for (let y = 0; y < heightPx; y++) {
    let from = startBytes + y * rowBytes;
    for (let x = 0; x < widthPx; x++) {
      texel[0] = texel[1] = texel[2] = 0;
      texel[3] = 255;
      source.read(view, from, texel);
      keepChannels(base, texel);
      for (let channel = 0; channel < channelCount; channel++) output[to++] = texel[channel]!;
      from += source.bytesPerTexel;
    }
  }
  return output;
}

/**
 * Reduces a texel to the channels that sampling returns for each base format (OpenGL 2.1, tables
 * 3.16 and 3.22).
 */
function keepChannels(base: BaseFormat, texel: Uint8ClampedArray): void {
  switch (base) {
    case 'rgb':
    case 'srgb':
      texel[3] = 255;
      break;
    case 'alpha':
      texel[0] = texel[1] = texel[2] = 0;
      break;
    case 'luminance':
    case 'sluminance':
      texel[1] = texel[2] = texel[0]!;
      texel[3] = 255;
      break;
    case 'luminance-alpha':
    case 'sluminance-alpha':
      texel[1] = texel[2] = texel[0]!;
      break;
    case 'intensity':
      texel[1] = texel[2] = texel[3] = texel[0]!;
      break;
    default:
      break;
  }
}

/** Returns the texels of a level without data: zero, with alpha one if the format has no alpha. */
export function blankTexels(
  base: BaseFormat,
  widthPx: number,
  heightPx: number,
): Uint8Array<ArrayBuffer> {
  const channelCount = texelBytesOf(base);
  const texels = new Uint8Array(widthPx * heightPx * channelCount);
  if (['rgb', 'srgb', 'luminance', 'sluminance'].includes(base)) {
    for (let at = 3; at < texels.length; at += 4) texels[at] = 255;
  }
  return texels;
}
