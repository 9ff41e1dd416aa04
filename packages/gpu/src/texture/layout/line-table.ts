/**
 * Table from lines of the texture pool to lines of simulated memory, one word per line. An entry
 * counts from the start of its texture. The kernels log lines of the pool, and traces of warps
 * contain lines of simulated memory. A pool line is a block of 4×4 texels or whole rows of one. All
 * its texels are in one stored line if stored blocks have 4×4 texels too, because stored texels are
 * not larger. Otherwise its entry is the stored line of its first texel.
 */

import { blockBytesOf, type TextureResource } from '@tessera/frame';
import {
  layOutStoredTexture,
  type StoredLayoutName,
  type StoredLevel,
  type StoredTexture,
  storedBlockOffset,
} from './stored-texture.ts';
import { levelCountOf } from './texel-levels.ts';
import { TEXEL_BYTES, type TextureLayout } from './texture-layout.ts';

const LINE_BYTES_LOG2 = 6;

/** Location of a table in memory. */
export interface LineTablePlace {
  /** Address of the entry of the pool's first line. The word before it is −1. */
  readonly ptr: number;
  readonly poolPtr: number;
}

/**
 * Returns the index of the word that line 0 of memory would have in the table. The words of lines
 * before the pool do not exist, except for the last one.
 */
export function wordOfLineZero({ ptr, poolPtr }: LineTablePlace): number {
  return ptr / 4 - (poolPtr >> LINE_BYTES_LOG2);
}

/** Returns the layout of a texture in simulated memory. */
export function layOutStoredResource(
  name: StoredLayoutName,
  texture: TextureResource,
): StoredTexture {
  return layOutStoredTexture(name, texture, levelCountOf(texture), blockBytesOf(texture));
}

/** Table of one texture pool. */
export class LineTable {
  readonly #words: Int32Array;
  readonly #lineZero: number;
  readonly #layoutName: StoredLayoutName;

  constructor(memory: WebAssembly.Memory, place: LineTablePlace, layoutName: StoredLayoutName) {
    this.#words = new Int32Array(memory.buffer);
    this.#lineZero = wordOfLineZero(place);
    this.#layoutName = layoutName;
    this.#words[place.ptr / 4 - 1] = -1;
  }

  /** Writes the entries of a texture at `basePtr` of the pool. */
  write(basePtr: number, texture: TextureResource, layout: TextureLayout): void {
    const stored = layOutStoredResource(this.#layoutName, texture);
    const linesPerBlock = (16 * TEXEL_BYTES[layout.texelClass]) >> LINE_BYTES_LOG2;
    let at = this.#lineZero + (basePtr >> LINE_BYTES_LOG2);
    for (const [number, level] of stored.levels.entries()) {
      const size = layout.levels[number]!;
      for (let slice = 0; slice < level.sliceCount; slice++) {
        const sliceBytes = level.offsetBytes + slice * level.sliceBytes;
        at = this.#writeSlice(at, size, linesPerBlock, stored, level, sliceBytes);
      }
    }
  }

  /** Writes the entries of a slice from word `at`, and returns the word after them. */
  #writeSlice(
    at: number,
    { widthPx, heightPx }: TextureLayout['levels'][number],
    linesPerBlock: number,
    { blockBytes, blockWidthPx, blockHeightPx }: StoredTexture,
    level: StoredLevel,
    sliceBytes: number,
  ): number {
    const words = this.#words;
    const blockTexels = blockWidthPx * blockHeightPx;
    const rowsPerLine = 4 / linesPerBlock;
    let word = at;
    for (let blockY = 0; blockY < heightPx; blockY += 4) {
      for (let x = 0; x < widthPx; x += 4) {
        const column = Math.floor(x / blockWidthPx);
        const inRow = x - column * blockWidthPx;
        for (let y = blockY; y < blockY + 4; y += rowsPerLine) {
          // Rows below the level are in its last blocks.
          const row = Math.min(Math.floor(y / blockHeightPx), level.rowCount - 1);
          const texel = ((y - row * blockHeightPx) * blockWidthPx + inRow) % blockTexels;
          const inBlock = Math.floor((texel * blockBytes) / blockTexels);
          const block = sliceBytes + storedBlockOffset(level, blockBytes, column, row);
          words[word++] = (block + inBlock) >> LINE_BYTES_LOG2;
        }
      }
    }
    return word;
  }

  /** Moves the entries of a texture that moves in the pool. */
  move(fromPtr: number, toPtr: number, sizeBytes: number): void {
    const from = this.#lineZero + (fromPtr >> LINE_BYTES_LOG2);
    const to = this.#lineZero + (toPtr >> LINE_BYTES_LOG2);
    this.#words.copyWithin(to, from, from + (sizeBytes >> LINE_BYTES_LOG2));
  }
}
