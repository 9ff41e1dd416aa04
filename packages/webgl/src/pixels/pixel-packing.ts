/**
 * Conversion between the layout of texels in the program's memory and tightly packed rows:
 * `pixelStorei` layouts, flipped rows, premultiplied colors (WebGL 1.0, section 5.14.8; WebGL 2.0,
 * section 3.7.6).
 */
import { GL } from '../interface/constants.ts';
import type { PixelLayout } from './pixel-storage.ts';

const COMPONENT_COUNTS: ReadonlyMap<number, number> = new Map<number, number>([
  [GL.RED, 1],
  [GL.RED_INTEGER, 1],
  [GL.ALPHA, 1],
  [GL.LUMINANCE, 1],
  [GL.DEPTH_COMPONENT, 1],
  [GL.RG, 2],
  [GL.RG_INTEGER, 2],
  [GL.LUMINANCE_ALPHA, 2],
  [GL.RGB, 3],
  [GL.RGB_INTEGER, 3],
  [GL.SRGB_EXT, 3],
  [GL.RGBA, 4],
  [GL.RGBA_INTEGER, 4],
  [GL.SRGB_ALPHA_EXT, 4],
]);

const COMPONENT_BYTES: ReadonlyMap<number, number> = new Map<number, number>([
  [GL.UNSIGNED_BYTE, 1],
  [GL.BYTE, 1],
  [GL.UNSIGNED_SHORT, 2],
  [GL.SHORT, 2],
  [GL.HALF_FLOAT, 2],
  [GL.HALF_FLOAT_OES, 2],
  [GL.UNSIGNED_INT, 4],
  [GL.INT, 4],
  [GL.FLOAT, 4],
]);

const PACKED_BYTES: ReadonlyMap<number, number> = new Map<number, number>([
  [GL.UNSIGNED_SHORT_5_6_5, 2],
  [GL.UNSIGNED_SHORT_4_4_4_4, 2],
  [GL.UNSIGNED_SHORT_5_5_5_1, 2],
  [GL.UNSIGNED_INT_2_10_10_10_REV, 4],
  [GL.UNSIGNED_INT_10F_11F_11F_REV, 4],
  [GL.UNSIGNED_INT_5_9_9_9_REV, 4],
  [GL.UNSIGNED_INT_24_8, 4],
  [GL.FLOAT_32_UNSIGNED_INT_24_8_REV, 8],
]);

/** Returns the size of a texel in bytes. Format and type must match. */
export function texelBytes(format: number, type: number): number {
  return PACKED_BYTES.get(type) ?? COMPONENT_COUNTS.get(format)! * COMPONENT_BYTES.get(type)!;
}

/** Size of a box of texels. */
export interface PixelBox {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly depthPx: number;
}

/** Layout of a box of texels in memory, in bytes. */
export interface PixelPlaces {
  readonly startBytes: number;
  readonly rowBytes: number;
  readonly sliceBytes: number;
  /** Number of bytes that the memory must have. */
  readonly neededBytes: number;
}

/** Computes the layout of a box of texels in memory. */
export function placePixels(
  layout: PixelLayout,
  { widthPx, heightPx, depthPx }: PixelBox,
  bytesPerTexel: number,
): PixelPlaces {
  const rowPx = layout.rowLength > 0 ? layout.rowLength : widthPx;
  const rowBytes = Math.ceil((rowPx * bytesPerTexel) / layout.alignment) * layout.alignment;
  const sliceRows = layout.imageHeight > 0 ? layout.imageHeight : heightPx;
  const sliceBytes = rowBytes * sliceRows;
  const startBytes =
    layout.skipImages * sliceBytes + layout.skipRows * rowBytes + layout.skipPixels * bytesPerTexel;
  const isEmpty = widthPx === 0 || heightPx === 0 || depthPx === 0;
  const neededBytes = isEmpty
    ? 0
    : startBytes + (depthPx - 1) * sliceBytes + (heightPx - 1) * rowBytes + widthPx * bytesPerTexel;
  return { startBytes, rowBytes, sliceBytes, neededBytes };
}

/**
 * Returns the box tightly packed, or the memory itself if it is tight already.
 *
 * @param isFlipped Whether to reverse the order of the rows.
 */
export function tightenPixels(
  bytes: Uint8Array,
  places: PixelPlaces,
  { widthPx, heightPx, depthPx }: PixelBox,
  bytesPerTexel: number,
  isFlipped: boolean,
): Uint8Array {
  const tightRow = widthPx * bytesPerTexel;
  const total = tightRow * heightPx * depthPx;
  const isTight =
    !isFlipped &&
    (heightPx <= 1 || places.rowBytes === tightRow) &&
    (depthPx <= 1 || places.sliceBytes === tightRow * heightPx);
  if (isTight) return bytes.subarray(places.startBytes, places.startBytes + total);
  const tight = new Uint8Array(total);
  let to = 0;
  for (let z = 0; z < depthPx; z++) {
    for (let y = 0; y < heightPx; y++, to += tightRow) {
      const row = isFlipped ? heightPx - 1 - y : y;
      const from = places.startBytes + z * places.sliceBytes + row * places.rowBytes;
      tight.set(bytes.subarray(from, from + tightRow), to);
    }
  }
  return tight;
}

/**
 * Returns a copy of tightly packed texels with colors multiplied by alpha, or the texels themselves
 * if the format has no alpha.
 */
export function premultiplyPixels(tight: Uint8Array, format: number, type: number): Uint8Array {
  const colors =
    format === GL.RGBA || format === GL.SRGB_ALPHA_EXT ? 3 : format === GL.LUMINANCE_ALPHA ? 1 : 0;
  if (colors === 0) return tight;
  const result = tight.slice();
  const view = new DataView(result.buffer, result.byteOffset, result.byteLength);
  switch (type) {
    case GL.UNSIGNED_BYTE:
      for (let at = 0; at < result.length; at += colors + 1) {
        const alpha = result[at + colors]!;
        for (let c = at; c < at + colors; c++) result[c] = Math.round((result[c]! * alpha) / 255);
      }
      return result;
    case GL.UNSIGNED_SHORT_4_4_4_4:
      for (let at = 0; at < result.length; at += 2) {
        const word = view.getUint16(at, true);
        const alpha = word & 15;
        const scale = (shift: number): number =>
          Math.round((((word >> shift) & 15) * alpha) / 15) << shift;
        view.setUint16(at, scale(12) | scale(8) | scale(4) | alpha, true);
      }
      return result;
    case GL.UNSIGNED_SHORT_5_5_5_1:
      for (let at = 0; at < result.length; at += 2) {
        if ((view.getUint16(at, true) & 1) === 0) view.setUint16(at, 0, true);
      }
      return result;
    case GL.FLOAT:
      for (let at = 0; at < result.length; at += 4 * (colors + 1)) {
        const alpha = view.getFloat32(at + 4 * colors, true);
        for (let c = at; c < at + 4 * colors; c += 4) {
          view.setFloat32(c, view.getFloat32(c, true) * alpha, true);
        }
      }
      return result;
    case GL.HALF_FLOAT:
    case GL.HALF_FLOAT_OES:
      for (let at = 0; at < result.length; at += 2 * (colors + 1)) {
        const alpha = view.getFloat16(at + 2 * colors, true);
        for (let c = at; c < at + 2 * colors; c += 2) {
          view.setFloat16(c, view.getFloat16(c, true) * alpha, true);
        }
      }
      return result;
    default:
      return tight;
  }
}
