/**
 * Pixel maps, and the conversion of color indices and colors by them (OpenGL 2.1, section 3.6.3 and
 * tables 3.3 and 3.4).
 */
import { GL, nameOfEnum } from '../api/constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { UnpackLayout } from '../texels/texel-formats.ts';

/** GL_PIXEL_MAP_I_TO_I; the other maps follow, up to GL_PIXEL_MAP_A_TO_A. */
const FIRST_MAP = 0x0c70;
const MAP_COUNT = 10;
/** GL_PIXEL_MAP_I_TO_R and GL_PIXEL_MAP_R_TO_R; the three other channels follow. */
const INDEX_TO_RED = 0x0c72;
const RED_TO_RED = 0x0c76;
const MAX_ENTRIES = 65_536;
/** GL_BITMAP. */
const BITMAP = 0x1a00;

const READERS: ReadonlyMap<
  number,
  readonly [bytes: number, read: (view: DataView, at: number) => number]
> = new Map<number, readonly [number, (view: DataView, at: number) => number]>([
  [GL.UNSIGNED_BYTE, [1, (view, at) => view.getUint8(at)]],
  [GL.BYTE, [1, (view, at) => view.getInt8(at)]],
  [GL.UNSIGNED_SHORT, [2, (view, at) => view.getUint16(at, true)]],
  [GL.SHORT, [2, (view, at) => view.getInt16(at, true)]],
  [GL.UNSIGNED_INT, [4, (view, at) => view.getUint32(at, true)]],
  [GL.INT, [4, (view, at) => view.getInt32(at, true)]],
  [GL.FLOAT, [4, (view, at) => Math.trunc(view.getFloat32(at, true))]],
]);

/** Pixel maps of one context. */
export class PixelMaps {
  readonly #errors: GlErrors;
  readonly #maps = new Map<number, readonly number[]>();
  /** Whether colors pass through the maps of their channels (`GL_MAP_COLOR`). */
  isColorMapped = false;

  constructor(errors: GlErrors) {
    this.#errors = errors;
  }

  /** Sets a map. Values of colors are 0 to 1. */
  set(map: number, values: readonly number[]): void {
    const isKnown = map >= FIRST_MAP && map < FIRST_MAP + MAP_COUNT;
    if (!isKnown) {
      this.#errors.raise(GL.INVALID_ENUM, `pixelMap: ${nameOfEnum(map)} is not a pixel map`);
    } else if (values.length < 1 || values.length > MAX_ENTRIES) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `pixelMap: ${values.length} entries are not in 1..${MAX_ENTRIES}`,
      );
    } else {
      this.#maps.set(map, values);
    }
  }

  /** Converts RGBA texels of 8 bits per channel in place, if colors are mapped. */
  mapColors(texels: Uint8Array): void {
    if (!this.isColorMapped) return;
    const tables = [0, 1, 2, 3].map((channel) => {
      const map = this.#maps.get(RED_TO_RED + channel) ?? [0];
      return Uint8ClampedArray.from(
        { length: 256 },
        (_, value) => map[Math.round((value / 255) * (map.length - 1))]! * 255,
      );
    });
    for (let at = 0; at < texels.length; at++) texels[at] = tables[at & 3]![texels[at]!]!;
  }

  /** Returns the RGBA texels that color indices select. */
  colorsOf(indices: Float64Array): Uint8Array {
    const maps = [0, 1, 2, 3].map((channel) => this.#maps.get(INDEX_TO_RED + channel) ?? [0]);
    const texels = new Uint8ClampedArray(indices.length * 4);
    indices.forEach((index, pixel) => {
      maps.forEach((map, channel) => {
        // Maps have a power of two of entries, so the mask wraps the index.
        texels[pixel * 4 + channel] = map[index & (map.length - 1)]! * 255;
      });
    });
    return new Uint8Array(texels.buffer);
  }
}

/**
 * Returns indices of a pixel rectangle, the lowest row first; `null` if the type is none of indices
 * or the data ends before the rectangle.
 */
export function readIndices(
  type: number,
  widthPx: number,
  heightPx: number,
  bytes: Uint8Array,
  layout: UnpackLayout & { readonly isLeastBitFirst: boolean },
): Float64Array | null {
  const { alignmentBytes, rowLengthPx, skipRows, skipPx, isLeastBitFirst } = layout;
  const rowPx = rowLengthPx || widthPx;
  const [size, read] = READERS.get(type) ?? [0, () => 0];
  if (size === 0 && type !== BITMAP) return null;
  const tightBytes = type === BITMAP ? Math.ceil(rowPx / 8) : rowPx * size;
  const rowBytes = Math.ceil(tightBytes / alignmentBytes) * alignmentBytes;
  const lastByte = type === BITMAP ? (skipPx + widthPx - 1) >> 3 : (skipPx + widthPx) * size - 1;
  if ((skipRows + heightPx - 1) * rowBytes + lastByte >= bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: widthPx * heightPx }, (_, pixel) => {
    const column = skipPx + (pixel % widthPx);
    const row = (skipRows + Math.floor(pixel / widthPx)) * rowBytes;
    if (type !== BITMAP) return read(view, row + column * size);
    const place = isLeastBitFirst ? column & 7 : 7 - (column & 7);
    return (bytes[row + (column >> 3)]! >> place) & 1;
  });
}
