/**
 * Index blocks of textures: by name and mip level, the base address. A texture lies in the texture region in one
 * piece, level after level; inside a level a block of 4×4 texels of four bytes is a line (texture/texture-layout.ts).
 */
import { RenderError } from '@tessera/frame';

/** What the index keeps of a texture. */
export interface TextureExtent {
  readonly sizeBytes: number;
  /** From the texture's base, by level; multiples of 64, ascending. */
  readonly levelOffsets: readonly number[];
}

export class TextureIndex {
  readonly #baseBytes: number;
  readonly #sizeBytes: number;
  readonly #blockCount: number;
  readonly #levelCount: number;
  readonly #blocks: { readonly baseBytes: number; readonly levelOffsets: readonly number[] }[] = [];
  #endBytes: number;

  /** @param blockCount Textures, @param levelCount levels of each, that there are index blocks for. */
  constructor(baseBytes: number, sizeBytes: number, blockCount: number, levelCount: number) {
    this.#baseBytes = baseBytes;
    this.#sizeBytes = sizeBytes;
    this.#blockCount = blockCount;
    this.#levelCount = levelCount;
    this.#endBytes = baseBytes;
  }

  /**
   * Places the next texture behind those that are there and returns its number.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if there is no index block for it or for a level of it; LIMIT_EXCEEDED
   *   if the region is full.
   */
  store({ sizeBytes, levelOffsets }: TextureExtent): number {
    const name = this.#blocks.length;
    if (name === this.#blockCount) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `textures (textureIndexBlocks): ${name + 1} are needed, a chiplet has index blocks for ${name}`,
      );
    }
    if (levelOffsets.length > this.#levelCount) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `textures[${name}] (textureIndexLevels): ${levelOffsets.length} levels, an index block has ${this.#levelCount}`,
      );
    }
    const endBytes = this.#endBytes + Math.ceil(sizeBytes / 64) * 64;
    if (endBytes > this.#baseBytes + this.#sizeBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `textures: the frame needs ${endBytes - this.#baseBytes} bytes of texture memory or more, a chiplet has ${this.#sizeBytes}`,
      );
    }
    this.#blocks.push({ baseBytes: this.#endBytes, levelOffsets });
    this.#endBytes = endBytes;
    return name;
  }

  /** Address of the first byte of a texture's level. */
  levelBase(name: number, level: number): number {
    const block = this.#blocks[name];
    const offset = block?.levelOffsets[level];
    if (block === undefined || offset === undefined) {
      throw new Error(`texture index: there is no level ${level} of texture ${name}`);
    }
    return block.baseBytes + offset;
  }
}
