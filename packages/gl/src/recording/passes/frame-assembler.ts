/** Collects the resources of a frame. Equal buffers, textures and programs are stored once. */
import { createHash, hash as hashAtOnce } from 'node:crypto';
import {
  type BufferResource,
  type Frame,
  type Pass,
  type ProgramSource,
  RenderError,
  type TextureResource,
} from '@tessera/frame';
import type { TextureContent } from '../../objects/textures/texture-content.ts';

/** Memory that a recorded draw occupies beside its resources, in bytes: an estimate. */
const DRAW_BYTES = 2048;

/** SHA-256 hashes of immutable contents, cached across frames. */
export class ContentHashes {
  readonly #hashes = new WeakMap<object, string>();

  get<Key extends object>(key: Key, hash: (key: Key) => string): string {
    let sha256 = this.#hashes.get(key);
    if (sha256 === undefined) {
      sha256 = hash(key);
      this.#hashes.set(key, sha256);
    }
    return sha256;
  }
}

/**
 * List of resources without duplicates. Contents are compared by hash, and a repeated object needs
 * no second hash.
 */
class ResourceList<Key extends object, Resource> {
  readonly resources: Resource[] = [];
  readonly #indexByObject = new Map<Key, number>();
  readonly #indexByHash = new Map<string, number>();

  /** Returns the index of an object; `undefined` if it was not added. */
  indexOf(key: Key): number | undefined {
    return this.#indexByObject.get(key);
  }

  add(key: Key, sha256: string, make: (sha256: string) => Resource): number {
    let index = this.#indexByHash.get(sha256);
    if (index === undefined) {
      index = this.resources.push(make(sha256)) - 1;
      this.#indexByHash.set(sha256, index);
    }
    this.#indexByObject.set(key, index);
    return index;
  }

  /** Copies the kept resources of another list. Returns their new indices by old index. */
  takeOver(other: ResourceList<Key, Resource>, kept: Iterable<number>): Map<number, number> {
    const moved = new Map<number, number>();
    for (const index of [...new Set(kept)].sort((a, b) => a - b)) {
      moved.set(index, this.resources.push(other.resources[index]!) - 1);
    }
    for (const [object, index] of other.#indexByObject) {
      if (moved.has(index)) this.#indexByObject.set(object, moved.get(index)!);
    }
    for (const [hash, index] of other.#indexByHash) {
      if (moved.has(index)) this.#indexByHash.set(hash, moved.get(index)!);
    }
    return moved;
  }
}

/** Indices of the resources to keep. */
export interface KeptResources {
  readonly programs: Iterable<number>;
  readonly buffers: Iterable<number>;
  readonly textures: Iterable<number>;
}

/** New indices by old index. */
export interface ResourceIndices {
  readonly programs: ReadonlyMap<number, number>;
  readonly buffers: ReadonlyMap<number, number>;
  readonly textures: ReadonlyMap<number, number>;
}

/** Resources of one frame. */
export class FrameAssembler {
  readonly #buffers = new ResourceList<Uint8Array, BufferResource>();
  readonly #textures = new ResourceList<TextureContent, TextureResource>();
  readonly #maxBytes: number;
  readonly #hashes: ContentHashes;
  #bytes = 0;
  readonly #programs: ProgramSource[] = [];
  readonly #programIndexByHash = new Map<string, number>();
  /** Program indices by source object, which avoids a hash lookup. */
  readonly #programIndexBySource = new Map<ProgramSource, number>();
  /** Number of targets added so far, including dropped ones. It keeps equal targets separate. */
  #targetCount = 0;

  /** @param maxBytes Upper bound on the bytes of buffers, textures and draws in the frame. */
  constructor(maxBytes: number, hashes = new ContentHashes()) {
    this.#maxBytes = maxBytes;
    this.#hashes = hashes;
  }

  /** Returns the index of a buffer with these bytes, which must not change afterwards. */
  addBuffer(bytes: Uint8Array): number {
    const known = this.#buffers.indexOf(bytes);
    if (known !== undefined) return known;
    return this.#buffers.add(bytes, this.#hashes.get(bytes, hashBytes), (sha256) => {
      this.#count(bytes.length);
      return { sha256, bytes };
    });
  }

  /**
   * Counts the memory of draws.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if the frame gets too large.
   */
  countDraws(draws: number): void {
    this.#count(draws * DRAW_BYTES);
  }

  addTexture(content: TextureContent): number {
    const known = this.#textures.indexOf(content);
    if (known !== undefined) return known;
    const name = content.sha256 ?? this.#hashes.get(content, hashTexture);
    return this.#textures.add(content, name, (sha256) => {
      for (const level of content.levels) this.#count(level.length);
      return { ...content, sha256 };
    });
  }

  /**
   * Adds a texture that passes draw into and returns its index.
   *
   * @param isGiven Whether the frame holds the initial contents of its levels.
   */
  addTarget(content: TextureContent, isGiven: boolean): number {
    const index = this.#textures.resources.length;
    const levels = isGiven ? content.levels : [];
    for (const level of levels) this.#count(level.length);
    const { levels: shape, ...rest } = content;
    const target = this.#targetCount++;
    const sliceCount = content.sliceCount ?? 1;
    const isSimple = shape.length <= 1 && sliceCount === 1;
    this.#textures.resources.push({
      ...rest,
      // Rendered contents keep their hash, which identifies the pass that drew them.
      sha256: (isGiven ? content.sha256 : undefined) ?? nameTarget(target, content, levels),
      levels,
      ...(isSimple ? {} : { levelCount: Math.max(1, shape.length) }),
    });
    return index;
  }

  /** Makes the frame generate the mipmaps of a target texture from its level 0. */
  generateMipmaps(textureIndex: number): void {
    const texture = this.#textures.resources[textureIndex]!;
    const levels = texture.levels.slice(0, 1);
    const { levelCount: _all, ...rest } = texture;
    this.#textures.resources[textureIndex] = { ...rest, levels, isMipmapGenerated: true };
  }

  /** Makes a target texture without contents start with zeros, so that passes can load it. */
  holdZeros(textureIndex: number): void {
    const texture = this.#textures.resources[textureIndex]!;
    if (texture.levels.length > 0 || texture.levelCount !== undefined) return;
    this.#textures.resources[textureIndex] = { ...texture, levelCount: 1 };
  }

  addProgram(source: ProgramSource): number {
    const known = this.#programIndexBySource.get(source);
    if (known !== undefined) return known;
    // A hash serves as the key because sources are long.
    const sha256 = this.#hashes.get(source, hashSources);
    let index = this.#programIndexByHash.get(sha256);
    if (index === undefined) {
      index = this.#programs.push(source) - 1;
      this.#programIndexByHash.set(sha256, index);
    }
    this.#programIndexBySource.set(source, index);
    return index;
  }

  /** Returns an assembler with only the kept resources, and their new indices. */
  compact(kept: KeptResources): { compacted: FrameAssembler; indices: ResourceIndices } {
    const compacted = new FrameAssembler(this.#maxBytes, this.#hashes);
    compacted.#targetCount = this.#targetCount;
    const programs = new Map<number, number>();
    for (const index of kept.programs) {
      if (!programs.has(index)) programs.set(index, compacted.addProgram(this.#programs[index]!));
    }
    const buffers = compacted.#buffers.takeOver(this.#buffers, kept.buffers);
    const textures = compacted.#textures.takeOver(this.#textures, kept.textures);
    for (const { bytes } of compacted.#buffers.resources) compacted.#count(bytes.length);
    for (const { levels } of compacted.#textures.resources) {
      for (const level of levels) compacted.#count(level.length);
    }
    return { compacted, indices: { programs, buffers, textures } };
  }

  build(widthPx: number, heightPx: number, passes: readonly Pass[]): Frame {
    return {
      widthPx,
      heightPx,
      buffers: this.#buffers.resources,
      textures: this.#textures.resources,
      programs: this.#programs,
      passes,
    };
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `the frame's buffers, textures and draws pass ${this.#maxBytes} bytes`,
      );
    }
  }
}

/**
 * Returns the hash that identifies a target texture.
 *
 * @param levels Levels that the frame holds.
 */
function nameTarget(
  target: number,
  { levels: shape, ...rest }: TextureContent,
  levels: readonly Uint8Array[],
): string {
  const text = `target ${target} ${JSON.stringify(rest)} ${shape.length}\n`;
  if (levels.length === 0) return hashAtOnce('sha256', text, 'hex');
  const hash = createHash('sha256').update(text);
  for (const level of levels) hash.update(level);
  return hash.digest('hex');
}

function hashBytes(bytes: Uint8Array): string {
  return hashAtOnce('sha256', bytes, 'hex');
}

function hashTexture(content: TextureContent): string {
  const { format, dimension, widthPx, heightPx, sliceCount, levels, isMipmapGenerated } = content;
  const { blockBytes, blockWidthPx = 4, blockHeightPx = 4 } = content;
  const isPlain = blockWidthPx === 4 && blockHeightPx === 4;
  const blocks = isPlain ? `${blockBytes}` : `${blockBytes} ${blockWidthPx}x${blockHeightPx}`;
  const hash = createHash('sha256').update(
    `${format} ${dimension ?? '2d'} ${widthPx}x${heightPx}x${sliceCount ?? 1} ${isMipmapGenerated ? 'generated' : levels.length}${blockBytes === undefined ? '' : ` ${blocks}`}\n`,
  );
  for (const level of levels) hash.update(level);
  return hash.digest('hex');
}

function hashSources({ vertexSource, fragmentSource }: ProgramSource): string {
  return hashAtOnce('sha256', `${vertexSource}\0${fragmentSource}`, 'hex');
}
