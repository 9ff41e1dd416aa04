/** Texels as 32-bit words: a word holds one to four channels. */
import type { TexelArray } from './mipmap.ts';

/** The words of the host, which is little-endian as WebAssembly is; of a copy where not aligned. */
export function asWords(texels: TexelArray): Uint32Array {
  const aligned = texels.byteOffset % 4 === 0 ? texels : texels.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
