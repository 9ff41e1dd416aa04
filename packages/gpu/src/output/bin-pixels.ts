/** From the quad-tiled colour target of a bin to rows of pixels. */

/**
 * Copies RGBA8 pixels to `pixels`, row 0 on top, tightly packed.
 *
 * @param colorPtr Byte address of the target, a multiple of 4.
 * @param quadsPerRow Quads that a row of the target holds, at least half the width.
 * @param widthPx Of the bin; an odd size leaves the right or lower half of its last quads out.
 * @param pixels widthPx × heightPx × 4 bytes, from a multiple of 4 in its buffer.
 */
export function readBinPixels(
  memory: WebAssembly.Memory,
  colorPtr: number,
  quadsPerRow: number,
  widthPx: number,
  heightPx: number,
  pixels: Uint8Array,
): void {
  if (pixels.length !== widthPx * heightPx * 4) {
    throw new Error(
      `bin pixels: ${pixels.length} bytes for ${widthPx}×${heightPx} pixels, wanted ${widthPx * heightPx * 4}`,
    );
  }
  const target = new Int32Array(memory.buffer, colorPtr);
  const words = new Int32Array(pixels.buffer, pixels.byteOffset, widthPx * heightPx);
  const evenWidth = widthPx & ~1;
  let to = 0;
  for (let y = 0; y < heightPx; y++) {
    // Lanes 0 and 1 of a quad are its upper row, 2 and 3 the lower one.
    let from = (y >> 1) * quadsPerRow * 4 + (y & 1) * 2;
    for (let x = 0; x < evenWidth; x += 2, from += 4, to += 2) {
      words[to] = target[from]!;
      words[to + 1] = target[from + 1]!;
    }
    if (evenWidth < widthPx) words[to++] = target[from]!;
  }
}
