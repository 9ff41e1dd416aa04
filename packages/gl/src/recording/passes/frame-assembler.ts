/** Collects passes, draws and the resources they name; equal buffers, textures and programs are kept once. */
import { createHash, hash as hashAtOnce } from 'node:crypto';
import {
  type BufferResource,
  type Frame,
  type Pass,
  type ProgramSource,
  RenderError,
  type TextureResource,
} from '@tessera/frame';
import type { TextureContent } from '../../objects/textures/texture-object.ts';

/** Hashes of contents that do not change, kept from frame to frame. */
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

/** Keeps resources once by content; asking again for the same object costs no hash. */
class ResourceList<Key extends object, Resource> {
  readonly resources: Resource[] = [];
  readonly #indexByObject = new Map<Key, number>();
  readonly #indexByHash = new Map<string, number>();

  /** `undefined` for an object that was not asked for yet. */
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

  /** Takes over some resources of another list; gives their indices here by those there. */
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

/** Indices of resources that are kept. */
export interface KeptResources {
  readonly programs: Iterable<number>;
  readonly buffers: Iterable<number>;
  readonly textures: Iterable<number>;
}

/** By index before. */
export interface ResourceIndices {
  readonly programs: ReadonlyMap<number, number>;
  readonly buffers: ReadonlyMap<number, number>;
  readonly textures: ReadonlyMap<number, number>;
}

export class FrameAssembler {
  readonly #buffers = new ResourceList<Uint8Array, BufferResource>();
  readonly #textures = new ResourceList<TextureContent, TextureResource>();
  readonly #maxBytes: number;
  readonly #hashes: ContentHashes;
  #bytes = 0;
  readonly #programs: ProgramSource[] = [];
  readonly #programIndexByHash = new Map<string, number>();
  /** The same by object. */
  readonly #programIndexBySource = new Map<ProgramSource, number>();
  /** Targets so far, those that were given up among them: equal ones stay apart. */
  #targetCount = 0;

  /** @param maxBytes Most bytes of buffers and textures in the frame. */
  constructor(maxBytes: number, hashes = new ContentHashes()) {
    this.#maxBytes = maxBytes;
    this.#hashes = hashes;
  }

  /** Index of a buffer with these bytes, which must not change any more. */
  addBuffer(bytes: Uint8Array): number {
    const known = this.#buffers.indexOf(bytes);
    if (known !== undefined) return known;
    return this.#buffers.add(bytes, this.#hashes.get(bytes, hashBytes), (sha256) => {
      this.#count(bytes.length);
      return { sha256, bytes };
    });
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

  /** Index of a texture that passes draw into. @param isGiven Whether it is to hold its levels before that. */
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
      // What was put back keeps its name, by which it is known who drew it.
      sha256: (isGiven ? content.sha256 : undefined) ?? nameTarget(target, content, levels),
      levels,
      ...(isSimple ? {} : { levelCount: Math.max(1, shape.length) }),
    });
    return index;
  }

  /** Notes that the levels of a texture of `addTarget` are made from level 0. */
  generateMipmaps(textureIndex: number): void {
    const texture = this.#textures.resources[textureIndex]!;
    const levels = texture.levels.slice(0, 1);
    const { levelCount: _all, ...rest } = texture;
    this.#textures.resources[textureIndex] = { ...rest, levels, isMipmapGenerated: true };
  }

  /** Notes that a texture of `addTarget` has zeros, if nothing else is known of it: passes may load it then. */
  holdZeros(textureIndex: number): void {
    const texture = this.#textures.resources[textureIndex]!;
    if (texture.levels.length > 0 || texture.levelCount !== undefined) return;
    this.#textures.resources[textureIndex] = { ...texture, levelCount: 1 };
  }

  addProgram(source: ProgramSource): number {
    const known = this.#programIndexBySource.get(source);
    if (known !== undefined) return known;
    // A hash, which is kept from frame to frame, in place of sources that are long keys.
    const sha256 = this.#hashes.get(source, hashSources);
    let index = this.#programIndexByHash.get(sha256);
    if (index === undefined) {
      index = this.#programs.push(source) - 1;
      this.#programIndexByHash.set(sha256, index);
    }
    this.#programIndexBySource.set(source, index);
    return index;
  }

  /** Another one with some of the resources. */
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
        `the frame's buffers and textures pass ${this.#maxBytes} bytes`,
      );
    }
  }
}

/** @param levels That are given. */
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
  const hash = createHash('sha256').update(
    `${format} ${dimension ?? '2d'} ${widthPx}x${heightPx}x${sliceCount ?? 1} ${isMipmapGenerated ? 'generated' : levels.length}\n`,
  );
  for (const level of levels) hash.update(level);
  return hash.digest('hex');
}

function hashSources({ vertexSource, fragmentSource }: ProgramSource): string {
  return hashAtOnce('sha256', `${vertexSource}\0${fragmentSource}`, 'hex');
}
