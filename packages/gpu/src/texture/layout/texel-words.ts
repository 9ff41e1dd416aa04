/** Texels as 32-bit words of one to four channels. */
import type { TexelArray } from './mipmap.ts';

/**
 * Returns a view of the texels as words, or a copy if they are not aligned. The machine is
 * little-endian, as WebAssembly is.
 */
export function asWords(texels: TexelArray): Uint32Array {
  const aligned = texels.byteOffset % 4 === 0 ? texels : texels.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
