/**
 * Internal formats of buffer textures, with the format and type of the texels in the buffer
 * (ARB_texture_buffer_object, table 3.15; ARB_texture_buffer_object_rgb32).
 */
import { GL } from '../../api/constants.ts';
import { storageOf, type TexelStorage } from '../../texels/texel-storage.ts';

/** Texels of a buffer: format and type of an equal upload, and their storage in a level. */
export interface BufferLayout {
  readonly format: number;
  readonly type: number;
  readonly storage: TexelStorage;
}

/** Component types of the columns below: normalized, float, signed and unsigned integers. */
const COLUMNS: readonly number[] = [
  ...[GL.UNSIGNED_BYTE, GL.UNSIGNED_SHORT, GL.HALF_FLOAT, GL.FLOAT],
  ...[GL.BYTE, GL.SHORT, GL.INT, GL.UNSIGNED_BYTE, GL.UNSIGNED_SHORT, GL.UNSIGNED_INT],
];
/** Index of the first column of integers. */
const FIRST_INTEGER = 4;

/** Format of floats, format of integers, internal formats by column; 0 is none. */
const ROWS: readonly (readonly [number, number, readonly number[]])[] = [
  [
    GL.RED,
    0x8d94,
    [0x8229, 0x822a, 0x822d, 0x822e, 0x8231, 0x8233, 0x8235, 0x8232, 0x8234, 0x8236],
  ],
  [GL.RG, 0x8228, [0x822b, 0x822c, 0x822f, 0x8230, 0x8237, 0x8239, 0x823b, 0x8238, 0x823a, 0x823c]],
  [GL.RGB, 0x8d98, [0, 0, 0, 0x8815, 0, 0, 0x8d83, 0, 0, 0x8d71]],
  [
    GL.RGBA,
    0x8d99,
    [0x8058, 0x805b, 0x881a, 0x8814, 0x8d8e, 0x8d88, 0x8d82, 0x8d7c, 0x8d76, 0x8d70],
  ],
  [
    GL.ALPHA,
    0x8d97,
    [0x803c, 0x803e, 0x881c, 0x8816, 0x8d90, 0x8d8a, 0x8d84, 0x8d7e, 0x8d78, 0x8d72],
  ],
  [
    GL.LUMINANCE,
    0x8d9c,
    [0x8040, 0x8042, 0x881e, 0x8818, 0x8d92, 0x8d8c, 0x8d86, 0x8d80, 0x8d7a, 0x8d74],
  ],
  [
    GL.LUMINANCE_ALPHA,
    0x8d9d,
    [0x8045, 0x8048, 0x881f, 0x8819, 0x8d93, 0x8d8d, 0x8d87, 0x8d81, 0x8d7b, 0x8d75],
  ],
  // Intensities are read from the red component of an upload.
  [
    GL.RED,
    0x8d94,
    [0x804b, 0x804d, 0x881d, 0x8817, 0x8d91, 0x8d8b, 0x8d85, 0x8d7f, 0x8d79, 0x8d73],
  ],
];

const LAYOUTS: ReadonlyMap<number, Omit<BufferLayout, 'storage'>> = new Map(
  ROWS.flatMap(([format, integerFormat, internalFormats]) =>
    internalFormats.map((internalFormat, i) => {
      const layout = { format: i < FIRST_INTEGER ? format : integerFormat, type: COLUMNS[i]! };
      return [internalFormat, layout] as const;
    }),
  ),
);

/** Returns the texels of an internal format; `null` for a format that buffer textures lack. */
export function bufferLayoutOf(internalFormat: number): BufferLayout | null {
  const layout = internalFormat === 0 ? undefined : LAYOUTS.get(internalFormat);
  if (layout === undefined) return null;
  const storage = storageOf(internalFormat, layout.type, false);
  return storage === null ? null : { ...layout, storage };
}
