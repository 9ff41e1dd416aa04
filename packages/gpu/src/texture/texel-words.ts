/** Texels as 32-bit words: one of 8-bit channels, two of 16-bit channels. */

/** The words of the host, which is little-endian as WebAssembly is; of a copy where not aligned. */
export function asWords(texels: Uint8Array | Uint16Array): Uint32Array {
  const aligned = texels.byteOffset % 4 === 0 ? texels : texels.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
