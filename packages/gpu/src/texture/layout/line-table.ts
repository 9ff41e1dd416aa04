/**
 * Table from lines of the texture pool to lines of simulated memory, one word per line. An entry
 * counts from the start of its texture. The kernels log lines of the pool, and traces of warps
 * contain lines of simulated memory. All texels of a pool line are in one stored line, because a
 * pool line is a block of 4×4 texels or whole rows of one, and stored texels are not larger.
 */

import { blockBytesOf, type TextureResource } from '@tessera/frame';
import {
  layOutStoredTexture,
  type StoredLayoutName,
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
    const words = this.#words;
    const poolBlockBytes = 16 * TEXEL_BYTES[layout.texelClass];
    const linesPerBlock = poolBlockBytes >> LINE_BYTES_LOG2;
    let at = this.#lineZero + (basePtr >> LINE_BYTES_LOG2);
    for (const level of stored.levels) {
      for (let slice = 0; slice < level.sliceCount; slice++) {
        const sliceBytes = level.offsetBytes + slice * level.sliceBytes;
        for (let row = 0; row < level.rowCount; row++) {
          for (let column = 0; column < level.columnCount; column++) {
            const block = sliceBytes + storedBlockOffset(level, stored.blockBytes, column, row);
            for (let line = 0; line < linesPerBlock; line++) {
              const inBlock = (line * stored.blockBytes) / linesPerBlock;
              words[at++] = (block + inBlock) >> LINE_BYTES_LOG2;
            }
          }
        }
      }
    }
  }

  /** Moves the entries of a texture that moves in the pool. */
  move(fromPtr: number, toPtr: number, sizeBytes: number): void {
    const from = this.#lineZero + (fromPtr >> LINE_BYTES_LOG2);
    const to = this.#lineZero + (toPtr >> LINE_BYTES_LOG2);
    this.#words.copyWithin(to, from, from + (sizeBytes >> LINE_BYTES_LOG2));
  }
}
