/**
 * Index blocks of textures: base address by name and mip level. A texture is contiguous in the
 * texture region, level after level. stored-texture.ts of the texture unit describes a level.
 */
import { RenderError } from '@tessera/frame';

/** Size of a texture and of its levels. */
export interface TextureExtent {
  readonly sizeBytes: number;
  /** Offsets of the levels from the texture's base: ascending multiples of 64. */
  readonly levelOffsets: readonly number[];
}

/** Options of an index: its region of memory and its limits. */
export interface TextureIndexOptions {
  readonly baseBytes: number;
  readonly sizeBytes: number;
  /** Number of textures with index blocks. */
  readonly blockCount: number;
  /** Number of levels per texture. */
  readonly levelCount: number;
}

/** Index of the textures of one frame. */
export class TextureIndex {
  readonly #baseBytes: number;
  readonly #sizeBytes: number;
  readonly #blockCount: number;
  readonly #levelCount: number;
  readonly #blocks: { readonly baseBytes: number; readonly levelOffsets: readonly number[] }[] = [];
  #endBytes: number;

  constructor({ baseBytes, sizeBytes, blockCount, levelCount }: TextureIndexOptions) {
    this.#baseBytes = baseBytes;
    this.#sizeBytes = sizeBytes;
    this.#blockCount = blockCount;
    this.#levelCount = levelCount;
    this.#endBytes = baseBytes;
  }

  /**
   * Places the next texture after the existing ones and returns its number.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if there is no index block for it or for one of its
   *   levels; LIMIT_EXCEEDED if the region is full.
   */
  store({ sizeBytes, levelOffsets }: TextureExtent): number {
    const name = this.#blocks.length;
    if (name === this.#blockCount) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `textures (textureIndexBlocks): ${name + 1} are needed, but a chiplet has index blocks for ${name}`,
      );
    }
    if (levelOffsets.length > this.#levelCount) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `textures[${name}] (textureIndexLevels): ${levelOffsets.length} levels; an index block has room for ${this.#levelCount}`,
      );
    }
    const endBytes = this.#endBytes + Math.ceil(sizeBytes / 64) * 64;
    if (endBytes > this.#baseBytes + this.#sizeBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `textures: the frame needs ${endBytes - this.#baseBytes} bytes of texture memory or more, but a chiplet has ${this.#sizeBytes}`,
      );
    }
    this.#blocks.push({ baseBytes: this.#endBytes, levelOffsets });
    this.#endBytes = endBytes;
    return name;
  }

  /** Returns the address of the first byte of a texture's level. */
  levelBase(name: number, level: number): number {
    const block = this.#blocks[name];
    const offset = block?.levelOffsets[level];
    if (block === undefined || offset === undefined) {
      throw new Error(`texture index: texture ${name} has no level ${level}`);
    }
    return block.baseBytes + offset;
  }
}
