/**
 * Textures in linear memory: blocks of 4×4 texels, row by row; block rows, slices and levels are
 * consecutive. A block of 4-byte texels is one cache line of 64 bytes, one of 8-byte texels two
 * lines, one of 16-byte texels four.
 *
 *     byte of texel (x, y) in slice z = z × sliceBytes + (y >> 2) × blockRowBytes
 *                                     + (x >> 2) × blockBytes + ((y & 3) × 4 + (x & 3)) × texelBytes
 */
import { levelSizeOf, type TextureResource } from '@tessera/frame';
import type { TexelLevel } from './mipmap.ts';
import type { TexelClass, TexelLevels } from './texel-levels.ts';
import { asWords } from './texel-words.ts';

/** Size of a texel of each class, in bytes. */
export const TEXEL_BYTES: Readonly<Record<TexelClass, number>> = {
  unorm8: 4,
  linear16: 8,
  float16: 8,
  float32: 16,
  single32: 4,
  int32: 16,
};

/** Position and shape of one level. */
export interface LevelLayout {
  /** Offset from the start of the texture, a multiple of 64. */
  readonly offsetBytes: number;
  readonly blockRowBytes: number;
  readonly sliceBytes: number;
  readonly sliceCount: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Layout of a texture. */
export interface TextureLayout {
  readonly texelClass: TexelClass;
  readonly levels: readonly LevelLayout[];
  readonly sizeBytes: number;
}

/** Returns the layout of a texture of that shape. */
export function layOutTexture(
  texelClass: TexelClass,
  shape: Pick<TextureResource, 'dimension' | 'widthPx' | 'heightPx' | 'sliceCount'>,
  levelCount: number,
): TextureLayout {
  const blockBytes = 16 * TEXEL_BYTES[texelClass];
  const levels: LevelLayout[] = [];
  let offsetBytes = 0;
  for (let level = 0; level < levelCount; level++) {
    const { widthPx, heightPx, sliceCount } = levelSizeOf(shape, level);
    const blockRowBytes = ((widthPx + 3) >> 2) * blockBytes;
    const sliceBytes = ((heightPx + 3) >> 2) * blockRowBytes;
    levels.push({ offsetBytes, blockRowBytes, sliceBytes, sliceCount, widthPx, heightPx });
    offsetBytes += sliceCount * sliceBytes;
  }
  return { texelClass, levels, sizeBytes: offsetBytes };
}

/**
 * Writes the texels to `memory` from byte `basePtr`, a multiple of 8. Padding of blocks is not
 * written.
 */
export function writeTexture(
  memory: WebAssembly.Memory,
  basePtr: number,
  layout: TextureLayout,
  { levels }: TexelLevels,
): void {
  for (const [index, place] of layout.levels.entries()) {
    writeLevel(
      memory.buffer,
      basePtr + place.offsetBytes,
      place,
      layout.texelClass,
      levels[index]!,
    );
  }
}

/** Copies the 32-bit words of texels. */
function writeLevel(
  buffer: ArrayBufferLike,
  basePtr: number,
  place: LevelLayout,
  texelClass: TexelClass,
  { texels }: TexelLevel,
): void {
  const words = new Uint32Array(buffer);
  const source = asWords(texels);
  const wordsPerTexel = TEXEL_BYTES[texelClass] / 4;
  const rowWords = place.widthPx * wordsPerTexel;
  const blockRowTexels = 4 * wordsPerTexel;
  let from = 0;
  for (let slice = 0; slice < place.sliceCount; slice++) {
    const slicePtr = basePtr + slice * place.sliceBytes;
    for (let y = 0; y < place.heightPx; y++) {
      let at = (slicePtr + (y >> 2) * place.blockRowBytes) / 4 + (y & 3) * blockRowTexels;
      const end = from + rowWords;
      while (from < end) {
        const stop = Math.min(end, from + blockRowTexels);
        for (let to = at; from < stop; ) words[to++] = source[from++]!;
        at += 4 * blockRowTexels;
      }
    }
  }
}
