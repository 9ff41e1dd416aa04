/**
 * Storage of internal formats in a frame (OpenGL ES 3.0, table 3.13; OpenGL 2.1, tables 3.15 and
 * 3.16), and uploads to formats other than 8-bit unsigned channels. Formats of three components get
 * an alpha of 1.
 */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import { desktopStorageOf } from './desktop-formats.ts';
import { type ChannelBits, narrowBitsOf } from './quantize-channels.ts';
import { type BaseFormat, baseFormatOf, PACKED_TYPES, readPacked } from './texel-formats.ts';

/** Storage of a level. */
export interface TexelStorage {
  readonly base: BaseFormat;
  readonly format: TextureFormat;
  /** Bits per channel that uploads are rounded to. Default: those of the format. */
  readonly bits?: ChannelBits | undefined;
  /** Whether texels of base `depth` also have a stencil value. */
  readonly hasStencil?: boolean;
}

type Row = readonly [internalFormat: number, base: BaseFormat, format: TextureFormat];

/** Internal formats other than those of 8-bit unsigned channels. */
const WIDE_ROWS: readonly Row[] = [
  [0x8f94, 'red', 'r8snorm'],
  [0x8f95, 'rg', 'rg8snorm'],
  [0x8f96, 'rgb', 'rgba8snorm'],
  [0x8f97, 'rgba', 'rgba8snorm'],
  // Signed fractions of OpenGL 3.1 and EXT_texture_snorm. Frames hold 8 bits of 16.
  [0x8f90, 'red', 'r8snorm'],
  [0x8f91, 'rg', 'rg8snorm'],
  [0x8f92, 'rgb', 'rgba8snorm'],
  [0x8f93, 'rgba', 'rgba8snorm'],
  [0x8f98, 'red', 'r8snorm'],
  [0x8f99, 'rg', 'rg8snorm'],
  [0x8f9a, 'rgb', 'rgba8snorm'],
  [0x8f9b, 'rgba', 'rgba8snorm'],
  [0x9010, 'alpha', 'rgba8snorm'],
  [0x9011, 'luminance', 'rgba8snorm'],
  [0x9012, 'luminance-alpha', 'rgba8snorm'],
  [0x9013, 'intensity', 'rgba8snorm'],
  [0x9014, 'alpha', 'rgba8snorm'],
  [0x9015, 'luminance', 'rgba8snorm'],
  [0x9016, 'luminance-alpha', 'rgba8snorm'],
  [0x9017, 'intensity', 'rgba8snorm'],
  [0x9018, 'alpha', 'rgba8snorm'],
  [0x9019, 'luminance', 'rgba8snorm'],
  [0x901a, 'luminance-alpha', 'rgba8snorm'],
  [0x901b, 'intensity', 'rgba8snorm'],
  [0x822d, 'red', 'r16float'],
  [0x822f, 'rg', 'rg16float'],
  [0x881b, 'rgb', 'rgba16float'],
  [0x881a, 'rgba', 'rgba16float'],
  [0x822e, 'red', 'r32float'],
  [0x8230, 'rg', 'rg32float'],
  [0x8815, 'rgb', 'rgba32float'],
  [0x8814, 'rgba', 'rgba32float'],
  [0x8816, 'alpha', 'rgba32float'],
  [0x8817, 'intensity', 'rgba32float'],
  [0x8818, 'luminance', 'rgba32float'],
  [0x8819, 'luminance-alpha', 'rgba32float'],
  [0x881c, 'alpha', 'rgba16float'],
  [0x881d, 'intensity', 'rgba16float'],
  [0x881e, 'luminance', 'rgba16float'],
  [0x881f, 'luminance-alpha', 'rgba16float'],
  [0x8c3a, 'rgb', 'rg11b10ufloat'],
  [0x8c3d, 'rgb', 'rgb9e5ufloat'],
  [0x8059, 'rgba', 'rgb10a2unorm'],
  [0x906f, 'rgba', 'rgb10a2uint'],
  [0x8232, 'red', 'r8uint'],
  [0x8238, 'rg', 'rg8uint'],
  [0x8d7d, 'rgb', 'rgba8uint'],
  [0x8d7c, 'rgba', 'rgba8uint'],
  [0x8231, 'red', 'r8sint'],
  [0x8237, 'rg', 'rg8sint'],
  [0x8d8f, 'rgb', 'rgba8sint'],
  [0x8d8e, 'rgba', 'rgba8sint'],
  [0x8234, 'red', 'r16uint'],
  [0x823a, 'rg', 'rg16uint'],
  [0x8d77, 'rgb', 'rgba16uint'],
  [0x8d76, 'rgba', 'rgba16uint'],
  [0x8233, 'red', 'r16sint'],
  [0x8239, 'rg', 'rg16sint'],
  [0x8d89, 'rgb', 'rgba16sint'],
  [0x8d88, 'rgba', 'rgba16sint'],
  [0x8236, 'red', 'r32uint'],
  [0x823c, 'rg', 'rg32uint'],
  [0x8d71, 'rgb', 'rgba32uint'],
  [0x8d70, 'rgba', 'rgba32uint'],
  [0x8235, 'red', 'r32sint'],
  [0x823b, 'rg', 'rg32sint'],
  [0x8d83, 'rgb', 'rgba32sint'],
  [0x8d82, 'rgba', 'rgba32sint'],
  [0x8cac, 'depth', 'depth32float'],
  [0x8cad, 'depth', 'depth24unorm-stencil8'],
];

const WIDE_STORAGE: ReadonlyMap<number, TexelStorage> = new Map(
  WIDE_ROWS.map(([internalFormat, base, format]) => [
    internalFormat,
    { base, format, ...stencilOf(internalFormat) },
  ]),
);

function stencilOf(internalFormat: number): Pick<TexelStorage, 'hasStencil'> {
  const hasStencil = [GL.DEPTH_STENCIL, GL.DEPTH24_STENCIL8, 0x8cad].includes(internalFormat);
  return hasStencil ? { hasStencil } : {};
}

/** OpenGL ES 2.0 formats whose texels are floats if the upload's are (OES_texture_float). */
const FLOAT_TYPES: ReadonlyMap<number, 'rgba16float' | 'rgba32float'> = new Map([
  [GL.FLOAT, 'rgba32float'],
  [GL.HALF_FLOAT, 'rgba16float'],
  [GL.HALF_FLOAT_OES, 'rgba16float'],
]);

/**
 * Returns the storage of an internal format, or `null` if it is unknown.
 *
 * @param type Type of the upload, which decides for formats without sizes if `isEs`.
 */
export function storageOf(
  internalFormat: number,
  type: number,
  isEs: boolean,
): TexelStorage | null {
  const wide = WIDE_STORAGE.get(internalFormat);
  if (wide !== undefined) return wide;
  const desktop = isEs ? null : desktopStorageOf(internalFormat);
  if (desktop !== null) return desktop;
  const base = baseFormatOf(internalFormat);
  if (base === null) return null;
  if (base === 'depth') {
    return { base, format: 'depth24unorm-stencil8', ...stencilOf(internalFormat) };
  }
  const float = isEs && UNSIZED.includes(internalFormat) ? FLOAT_TYPES.get(type) : undefined;
  if (float !== undefined) return { base, format: float };
  if (base === 'red') return { base, format: 'r8unorm' };
  if (base === 'rg') return { base, format: 'rg8unorm' };
  const isSrgb = base === 'srgb' || base === 'srgb-alpha';
  const bits = isEs ? undefined : narrowBitsOf(internalFormat);
  return {
    base,
    format: isSrgb ? 'rgba8unorm-srgb' : 'rgba8unorm',
    ...(bits === undefined ? {} : { bits }),
  };
}

const UNSIZED: readonly number[] = [GL.RGBA, GL.RGB, GL.ALPHA, GL.LUMINANCE, GL.LUMINANCE_ALPHA];

/** Returns whether OpenGL ES accepts the internal format with any matching upload format. */
export function isSizedFormat(internalFormat: number): boolean {
  return WIDE_STORAGE.has(internalFormat) || SIZED_BYTES.includes(internalFormat);
}

const SIZED_BYTES: readonly number[] = [
  ...[GL.R8, GL.RG8, GL.RGB8, GL.RGBA8, GL.RGB565, GL.RGBA4, GL.RGB5_A1, GL.SRGB8],
  ...[GL.SRGB8_ALPHA8, GL.DEPTH_COMPONENT16, GL.DEPTH_COMPONENT24, GL.DEPTH24_STENCIL8],
];

/** Returns whether the format has 8-bit unsigned normalized channels. */
export function hasByteChannels(format: TextureFormat): boolean {
  return format.includes('8unorm') && !format.startsWith('depth');
}

/** Upload format and type that match all storage formats of a kind. */
export const UPLOAD_BY_KIND = {
  float: { format: GL.RGBA, type: GL.UNSIGNED_BYTE },
  sint: { format: 0x8d99, type: GL.INT },
  uint: { format: 0x8d99, type: GL.UNSIGNED_INT },
  depth: { format: GL.DEPTH_COMPONENT, type: GL.UNSIGNED_INT },
} as const;

/**
 * Destination channel of each component of an upload; 4 stands for red, green and blue together, 5
 * for stencil.
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
  // RED_INTEGER to ALPHA_INTEGER, then those of several channels.
  [0x8d94, [0]],
  [0x8d95, [1]],
  [0x8d96, [2]],
  [0x8d97, [3]],
  [0x8228, [0, 1]],
  [0x8d98, [0, 1, 2]],
  [0x8d99, [0, 1, 2, 3]],
  // BGR_INTEGER, BGRA_INTEGER, LUMINANCE_INTEGER and LUMINANCE_ALPHA_INTEGER.
  [0x8d9a, [2, 1, 0]],
  [0x8d9b, [2, 1, 0, 3]],
  [0x8d9c, [4]],
  [0x8d9d, [4, 3]],
  [GL.DEPTH_COMPONENT, [0]],
  [GL.DEPTH_STENCIL, [0, 5]],
]);
const INTEGER_FORMATS: readonly number[] = [
  ...[0x8d94, 0x8d95, 0x8d96, 0x8d97, 0x8228, 0x8d98, 0x8d99],
  ...[0x8d9a, 0x8d9b, 0x8d9c, 0x8d9d],
];

interface Component {
  readonly bytes: 1 | 2 | 4;
  readonly read: (view: DataView, at: number) => number;
  /** Value that represents 1 in normalized formats; 0 for floats. */
  readonly max: number;
}

const COMPONENTS: ReadonlyMap<number, Component> = new Map<number, Component>([
  [GL.UNSIGNED_BYTE, { bytes: 1, max: 255, read: (view, at) => view.getUint8(at) }],
  [GL.BYTE, { bytes: 1, max: 127, read: (view, at) => view.getInt8(at) }],
  [GL.UNSIGNED_SHORT, { bytes: 2, max: 65535, read: (view, at) => view.getUint16(at, true) }],
  [GL.SHORT, { bytes: 2, max: 32767, read: (view, at) => view.getInt16(at, true) }],
  [GL.UNSIGNED_INT, { bytes: 4, max: 2 ** 32 - 1, read: (view, at) => view.getUint32(at, true) }],
  [GL.INT, { bytes: 4, max: 2 ** 31 - 1, read: (view, at) => view.getInt32(at, true) }],
  [GL.FLOAT, { bytes: 4, max: 0, read: (view, at) => view.getFloat32(at, true) }],
  [GL.HALF_FLOAT, { bytes: 2, max: 0, read: (view, at) => view.getFloat16(at, true) }],
  [GL.HALF_FLOAT_OES, { bytes: 2, max: 0, read: (view, at) => view.getFloat16(at, true) }],
]);

/** Depth in the upper 24 bits, stencil in the lower 8. */
const UNSIGNED_INT_24_8 = 0x84fa;

/** Types whose texels are those of one storage format. */
const VERBATIM: ReadonlyMap<number, TextureFormat> = new Map<number, TextureFormat>([
  [0x8c3b, 'rg11b10ufloat'],
  [0x8c3e, 'rgb9e5ufloat'],
]);

/** Reader of an upload's texels as channels: red, green, blue, alpha, (unused), stencil. */
export interface WideSource {
  readonly bytesPerTexel: number;
  readonly read: (view: DataView, at: number, channels: Float64Array) => void;
  /** Storage format with equal texels, which are copied; `null` if there is none. */
  readonly verbatim: TextureFormat | null;
}

/** Returns the reader of an upload, or `null` if format and type do not match. */
export function findWideSource(format: number, type: number): WideSource | null {
  const verbatim = VERBATIM.get(type);
  if (verbatim !== undefined) {
    return format === GL.RGB ? { bytesPerTexel: 4, read: () => undefined, verbatim } : null;
  }
  const targets = CHANNELS.get(format);
  if (targets === undefined) return null;
  const isInteger = INTEGER_FORMATS.includes(format);
  const put = (channels: Float64Array, target: number, value: number): void => {
    if (target === 4) channels.fill(value, 0, 3);
    else channels[target] = value;
  };
  if (type === 0x8dad) {
    if (format !== GL.DEPTH_STENCIL) return null;
    const read: WideSource['read'] = (view, at, channels) => {
      channels[0] = view.getFloat32(at, true);
      channels[5] = view.getUint8(at + 4);
    };
    return { bytesPerTexel: 8, verbatim: null, read };
  }
  const packed = findPacked(type);
  if (packed !== undefined) {
    const { bytes: packedBytes, fields } = packed;
    if (fields.length !== targets.length) return null;
    if ((type === UNSIGNED_INT_24_8) !== (format === GL.DEPTH_STENCIL)) return null;
    const read: WideSource['read'] = (view, at, channels) => {
      const word = readPacked(view, at, packedBytes);
      fields.forEach(([lowest, width], i) => {
        const raw = (word >>> lowest) & (2 ** width - 1);
        const isWhole = isInteger || targets[i] === 5;
        put(channels, targets[i]!, isWhole ? raw : raw / (2 ** width - 1));
      });
    };
    return { bytesPerTexel: packedBytes, verbatim: null, read };
  }
  const component = COMPONENTS.get(type);
  if (component === undefined || format === GL.DEPTH_STENCIL) return null;
  const { bytes, max } = component;
  const read: WideSource['read'] = (view, at, channels) => {
    for (let i = 0; i < targets.length; i++) {
      const raw = component.read(view, at + i * bytes);
      put(channels, targets[i]!, isInteger || max === 0 ? raw : Math.max(-1, raw / max));
    }
  };
  return { bytesPerTexel: bytes * targets.length, verbatim: null, read };
}

function findPacked(type: number) {
  const depthStencil = {
    bytes: 4,
    fields: [
      [8, 24],
      [0, 8],
    ],
  } as const;
  return type === UNSIGNED_INT_24_8 ? depthStencil : PACKED_TYPES.get(type);
}

/** Converts an upload to tightly packed texels of a frame format, slice after slice. */
export function convertWideTexels(
  { base, format }: TexelStorage,
  source: WideSource,
  size: { readonly widthPx: number; readonly heightPx: number; readonly depthPx: number },
  bytes: Uint8Array,
  places: { readonly startBytes: number; readonly rowBytes: number; readonly sliceBytes: number },
): Uint8Array<ArrayBuffer> {
  const { bytesPerTexel } = TEXTURE_FORMATS[format];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const output = new Uint8Array(size.widthPx * size.heightPx * size.depthPx * bytesPerTexel);
  const target = new DataView(output.buffer);
  const channels = new Float64Array(6);
  let to = 0;
  for (let z = 0; z < size.depthPx; z++) {
    for (let y = 0; y < size.heightPx; y++) {
      let from = places.startBytes + z * places.sliceBytes + y * places.rowBytes;
      for (let x = 0; x < size.widthPx; x++, from += source.bytesPerTexel, to += bytesPerTexel) {
        if (source.verbatim === format) {
          target.setUint32(to, view.getUint32(from, true), true);
          continue;
        }
        channels.fill(0);
        channels[3] = 1;
        source.read(view, from, channels);
        keepChannels(base, channels);
        encodeTexel(format, channels, target, to);
      }
    }
  }
  return output;
}

/** Returns a level of zeros, with alpha 1 if the base has no alpha. */
export function blankWideTexels({ base, format }: TexelStorage, texelCount: number): Uint8Array {
  const { bytesPerTexel, channels } = TEXTURE_FORMATS[format];
  const output = new Uint8Array(texelCount * bytesPerTexel);
  if (channels < 4 || base === 'rgba' || base === 'alpha' || base === 'luminance-alpha') {
    return output;
  }
  const texel = new Float64Array(6);
  keepChannels(base, texel);
  const view = new DataView(output.buffer);
  for (let at = 0; at < output.length; at += bytesPerTexel) encodeTexel(format, texel, view, at);
  return output;
}

function keepChannels(base: BaseFormat, channels: Float64Array): void {
  switch (base) {
    case 'rgb':
    case 'srgb':
      channels[3] = 1;
      break;
    case 'alpha':
      channels.fill(0, 0, 3);
      break;
    case 'luminance':
      channels.fill(channels[0]!, 0, 3);
      channels[3] = 1;
      break;
    case 'luminance-alpha':
      channels.fill(channels[0]!, 0, 3);
      break;
    case 'intensity':
      channels.fill(channels[0]!, 0, 4);
      break;
    default:
      break;
  }
}

/** Writes channels as a texel of any format except 8-bit normalized ones. */
export function encodeTexel(
  format: TextureFormat,
  channels: Float64Array,
  view: DataView,
  at: number,
): void {
  const { channels: count, bytesPerTexel, kind } = TEXTURE_FORMATS[format];
  const clamp = (value: number, least: number): number => Math.min(1, Math.max(least, value));
  switch (format) {
    case 'depth32float':
      view.setFloat32(at, clamp(channels[0]!, 0), true);
      return;
    case 'depth24unorm-stencil8': {
      const depth = Math.round(clamp(channels[0]!, 0) * 0xffffff);
      view.setUint32(at, depth + channels[5]! * 2 ** 24, true);
      return;
    }
    case 'rgb10a2unorm':
    case 'rgb10a2uint': {
      const isUnorm = format === 'rgb10a2unorm';
      const bits = (c: number, most: number): number =>
        isUnorm ? Math.round(clamp(channels[c]!, 0) * most) : channels[c]!;
      const low = bits(0, 1023) + bits(1, 1023) * 2 ** 10;
      view.setUint32(at, low + bits(2, 1023) * 2 ** 20 + bits(3, 3) * 2 ** 30, true);
      return;
    }
    case 'rg11b10ufloat': {
      const [red, green, blue] = [
        truncated(channels[0]!, 6),
        truncated(channels[1]!, 6),
        truncated(channels[2]!, 5),
      ];
      view.setUint32(at, red + green * 2 ** 11 + blue * 2 ** 22, true);
      return;
    }
    case 'rgb9e5ufloat': {
      view.setUint32(at, shareExponent(channels), true);
      return;
    }
    default:
      break;
  }
  const channelBytes = bytesPerTexel / count;
  for (let c = 0; c < count; c++) {
    const place = at + c * channelBytes;
    const value = channels[c]!;
    if (kind !== 'float') {
      if (channelBytes === 1) view.setUint8(place, value);
      else if (channelBytes === 2) view.setUint16(place, value, true);
      else view.setUint32(place, value, true);
    } else if (channelBytes === 1) view.setInt8(place, Math.round(clamp(value, -1) * 127));
    else if (channelBytes === 2) view.setFloat16(place, value, true);
    else view.setFloat32(place, value, true);
  }
}

const FLOAT_BITS = new DataView(new ArrayBuffer(4));
/** Smallest normal number of halves and of unsigned floats of 11 and 10 bits. */
const SMALLEST_NORMAL = 2 ** -14;

/**
 * Returns the bits of an unsigned float with five bits of exponent. It is truncated, as in Mesa and
 * Direct3D 11; EXT_packed_float allows either direction. Negative numbers become 0, and large ones
 * the largest finite number.
 */
function truncated(value: number, mantissaBits: 5 | 6): number {
  const most = 0x1f << mantissaBits;
  if (Number.isNaN(value)) return most + 1;
  if (value === Number.POSITIVE_INFINITY) return most;
  if (value < SMALLEST_NORMAL) return Math.floor(Math.max(value, 0) * 2 ** (14 + mantissaBits));
  FLOAT_BITS.setFloat32(0, value);
  const bits = (FLOAT_BITS.getUint32(0) >>> (23 - mantissaBits)) - ((127 - 15) << mantissaBits);
  return Math.min(bits, most - 1);
}

/** Reciprocal of the mantissa's unit, by exponent. */
const SCALE_BY_EXPONENT = Float64Array.from({ length: 32 }, (_, exponent) => 2 ** (24 - exponent));
const LARGEST_SHARED = 511 * 2 ** 7;

/** Encodes a shared exponent (OpenGL ES 3.0, section 3.8.3.2). */
function shareExponent(channels: Float64Array): number {
  const red = Math.min(Math.max(channels[0]!, 0) || 0, LARGEST_SHARED);
  const green = Math.min(Math.max(channels[1]!, 0) || 0, LARGEST_SHARED);
  const blue = Math.min(Math.max(channels[2]!, 0) || 0, LARGEST_SHARED);
  const greatest = Math.max(red, green, blue);
  let exponent = 0;
  while (exponent < 31 && Math.round(greatest * SCALE_BY_EXPONENT[exponent]!) > 511) exponent++;
  const scale = SCALE_BY_EXPONENT[exponent]!;
  const mantissas =
    Math.round(red * scale) +
    Math.round(green * scale) * 2 ** 9 +
    Math.round(blue * scale) * 2 ** 18;
  return mantissas + exponent * 2 ** 27;
}
