/** Byte order of pixels in client memory (OpenGL 2.1, section 3.6.1 and table 3.7). */
import { GL } from '../api/constants.ts';

const FLOAT_32_UNSIGNED_INT_24_8_REV = 0x8dad;

/** Bytes of an element of each type whose elements have more than one byte. */
const ELEMENT_BYTES: ReadonlyMap<number, 2 | 4> = new Map<number, 2 | 4>([
  ...[GL.UNSIGNED_SHORT, GL.SHORT, GL.HALF_FLOAT].map((type) => [type, 2] as const),
  // GL_UNSIGNED_SHORT_4_4_4_4 and others of 16 bits.
  ...[0x8033, 0x8034, 0x8363, 0x8364, 0x8365, 0x8366].map((type) => [type, 2] as const),
  ...[GL.UNSIGNED_INT, GL.INT, GL.FLOAT, FLOAT_32_UNSIGNED_INT_24_8_REV].map(
    (type) => [type, 4] as const,
  ),
  // GL_UNSIGNED_INT_8_8_8_8 and others of 32 bits.
  ...[0x8035, 0x8036, 0x8367, 0x8368, 0x84fa, 0x8c3b, 0x8c3e].map((type) => [type, 4] as const),
]);

/** Returns a copy of pixels with the bytes of each element reversed (`GL_UNPACK_SWAP_BYTES`). */
export function swapBytes(bytes: Uint8Array, type: number): Uint8Array {
  const swapped = bytes.slice();
  const size = ELEMENT_BYTES.get(type);
  if (size === undefined) return swapped;
  for (let at = 0; at + size <= swapped.length; at += size) {
    swapped.subarray(at, at + size).reverse();
  }
  return swapped;
}
