import type { TexelBlocks, TextureDimension, TextureFormat } from '@tessera/frame';
import { makeTargetDepths, targetFormatOf } from '../../texels/depth-texels.ts';
import type { BaseFormat } from '../../texels/texel-formats.ts';

/** Level of one cube face, or of all slices of any other texture. */
export interface TextureLevel {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Number of layers or slices. 1 for a face of a cube. */
  readonly depthPx: number;
  readonly base: BaseFormat;
  readonly format: TextureFormat;
  /**
   * Texels, tightly packed, one slice after another. The array must not change after a draw has
   * read it.
   */
  readonly texels: Uint8Array;
  /** Whether the internal format specifies no depth size, as in APIs before OpenGL ES 3.0. */
  readonly isUnsizedDepth?: boolean;
  /** Whether texels of base `depth` also have a stencil value. */
  readonly hasStencil?: boolean;
  /** Blocks in memory, for texels that were expanded from a compressed or narrower format. */
  readonly blocks?: TexelBlocks;
  /** Compressed internal format, if the level has one. */
  readonly compressedFormat?: number | undefined;
}

/**
 * Returns the level in a format that passes can draw into. Returns the level itself if it already
 * has such a format.
 */
export function asTarget(level: TextureLevel): TextureLevel {
  const format = targetFormatOf(level.format);
  return format === level.format
    ? level
    : { ...level, format, texels: makeTargetDepths(level.texels) };
}

/** Number of faces of a cube. */
export const CUBE_FACE_COUNT = 6;

/** Levels of one texture, by level and face. */
export class TextureLevels {
  readonly dimension: TextureDimension;
  /** Levels, keyed by level index × 6 + face. */
  readonly #levels = new Map<number, TextureLevel>();

  constructor(dimension: TextureDimension) {
    this.dimension = dimension;
  }

  /** Number of faces: 6 for cube maps, else 1. */
  get faceCount(): number {
    return this.dimension === 'cube' ? CUBE_FACE_COUNT : 1;
  }

  /**
   * Returns a level, or `null` if it is not defined.
   *
   * @param face Face of a cube map.
   */
  get(index: number, face = 0): TextureLevel | null {
    return this.#levels.get(index * CUBE_FACE_COUNT + face) ?? null;
  }

  set(index: number, face: number, level: TextureLevel): void {
    this.#levels.set(index * CUBE_FACE_COUNT + face, level);
  }

  /**
   * Converts all levels to formats that passes can draw into. Returns whether any level changed.
   */
  becomeTarget(): boolean {
    let isChanged = false;
    for (const [place, level] of this.#levels) {
      const stored = asTarget(level);
      if (stored === level) continue;
      this.#levels.set(place, stored);
      isChanged = true;
    }
    return isChanged;
  }

  /** Total size of all levels in bytes. */
  get sizeBytes(): number {
    let sum = 0;
    for (const level of this.#levels.values()) sum += level.texels.length;
    return sum;
  }

  /** Whether the texture has exactly one image: one level of one face or slice. */
  get isOneImage(): boolean {
    const [level] = this.#levels.values();
    return this.isOne && level!.depthPx === 1;
  }

  /**
   * Whether the texture has exactly one level of one face, so that one upload replaces all
   * contents.
   */
  get isOne(): boolean {
    return this.#levels.size === 1;
  }

  /**
   * Whether all levels from 0 to `level` are defined, consistent and part of the chain of the base
   * level, so that passes can draw into them.
   */
  hasChainTo(level: number): boolean {
    const base = this.get(0);
    if (base === null || level >= this.#chainLength(base)) return false;
    const { faceCount } = this;
    for (let index = 1; index <= level; index++) {
      for (let face = 0; face < faceCount; face++) {
        const found = this.get(index, face);
        const isFitting =
          found !== null &&
          found.widthPx === Math.max(1, base.widthPx >> index) &&
          found.heightPx === Math.max(1, base.heightPx >> index) &&
          found.format === base.format &&
          found.base === base.base;
        if (!isFitting) return false;
      }
    }
    return true;
  }

  /**
   * Returns the texels of a level with zeros for missing faces, or `null` if the first face is
   * missing.
   */
  whole(index: number): Uint8Array | null {
    const first = this.get(index);
    const whole = this.facesOf(index);
    if (first === null || whole !== null) return whole;
    const { length } = first.texels;
    const texels = new Uint8Array(length * CUBE_FACE_COUNT);
    for (let face = 0; face < CUBE_FACE_COUNT; face++) {
      const found = this.get(index, face)?.texels;
      if (found?.length === length) texels.set(found, face * length);
    }
    return texels;
  }

  /**
   * Returns the texels of all faces of a level. Returns `null` if faces are missing or differ in
   * size or format.
   */
  facesOf(index: number): Uint8Array | null {
    const first = this.get(index);
    if (first === null || this.dimension !== 'cube') return first?.texels ?? null;
    const { widthPx, format, base, compressedFormat } = first;
    const { buffer, byteOffset, length } = first.texels;
    let areContiguous = true;
    for (let i = 0; i < CUBE_FACE_COUNT; i++) {
      const face = this.get(index, i);
      if (face?.widthPx !== widthPx || face.heightPx !== widthPx) return null;
      // RGB and RGBA are stored alike.
      if (face.format !== format || face.base !== base) return null;
      if (face.compressedFormat !== compressedFormat) return null;
      const { texels } = face;
      areContiguous &&= texels.buffer === buffer && texels.byteOffset === byteOffset + i * length;
    }
    // Adopted contents have all faces in one array.
    if (areContiguous) return new Uint8Array(buffer, byteOffset, length * CUBE_FACE_COUNT);
    const texels = new Uint8Array(length * CUBE_FACE_COUNT);
    for (let i = 0; i < CUBE_FACE_COUNT; i++) texels.set(this.get(index, i)!.texels, i * length);
    return texels;
  }

  /**
   * Returns the texels of the levels from `first` to `last` that are defined and consistent with
   * the base.
   */
  chainOf(base: TextureLevel, whole: Uint8Array, first: number, last: number): Uint8Array[] {
    const levels = [whole];
    let { widthPx, heightPx, depthPx } = base;
    for (let index = first + 1; index <= last; index++) {
      const isDeep = this.dimension === '3d' && depthPx > 1;
      if (widthPx === 1 && heightPx === 1 && !isDeep) break;
      widthPx = Math.max(1, widthPx >> 1);
      heightPx = Math.max(1, heightPx >> 1);
      if (this.dimension === '3d') depthPx = Math.max(1, depthPx >> 1);
      const level = this.get(index);
      const isFitting =
        level?.widthPx === widthPx &&
        level.heightPx === heightPx &&
        level.depthPx === depthPx &&
        level.format === base.format &&
        level.base === base.base &&
        level.compressedFormat === base.compressedFormat;
      const texels = isFitting ? this.facesOf(index) : null;
      if (texels === null) break;
      levels.push(texels);
    }
    return levels;
  }

  /**
   * Returns the texels of a complete chain from level `first` to `last` or to the level of one
   * texel. Returns `null` if levels are missing.
   */
  completeChain(
    base: TextureLevel,
    whole: Uint8Array,
    first: number,
    last: number,
  ): Uint8Array[] | null {
    const count = Math.min(this.#chainLength(base), last + 1 - first);
    const levels = this.chainOf(base, whole, first, last);
    return levels.length >= count ? levels : null;
  }

  /** Number of levels from a base level down to one texel. */
  #chainLength({ widthPx, heightPx, depthPx }: TextureLevel): number {
    const edgePx = Math.max(widthPx, heightPx, this.dimension === '3d' ? depthPx : 1);
    return 32 - Math.clz32(edgePx);
  }
}
