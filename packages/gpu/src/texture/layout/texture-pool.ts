/**
 * Textures in a chiplet's memory. Each is uploaded once, identified by its content. The least
 * recently used is evicted first.
 */
import { RenderError, type Sha256, type TextureResource } from '@tessera/frame';
import type { LineTable } from './line-table.ts';
import { decodeTexture, levelCountOf, TEXEL_CLASS_BY_FORMAT } from './texel-levels.ts';
import { layOutTexture, type TextureLayout, writeTexture } from './texture-layout.ts';

/** Alignment of placements: one cache line, in bytes. */
const LINE_BYTES = 64;

/** Position of a texture in memory, valid until the next call of `placeFrame`. */
export interface TexturePlacement {
  readonly sha256: Sha256;
  readonly basePtr: number;
  readonly layout: TextureLayout;
}

/** Memory region that holds textures across frames. */
export class TexturePool {
  readonly #memory: WebAssembly.Memory;
  readonly #basePtr: number;
  readonly #sizeBytes: number;
  readonly #lines: LineTable | null;
  /** Placements, the least recently used first. */
  readonly #placements = new Map<Sha256, TexturePlacement>();
  #uploadedBytes = 0;

  /**
   * @param basePtr Start of the region, a multiple of 64.
   * @param sizeBytes Size of the region. Memory outside of it is not touched.
   * @param lines Table of the region's lines, which the pool keeps current.
   */
  constructor(
    memory: WebAssembly.Memory,
    basePtr: number,
    sizeBytes: number,
    lines: LineTable | null = null,
  ) {
    if (basePtr % LINE_BYTES !== 0) {
      throw new Error(`texture pool: base ${basePtr} is not a multiple of ${LINE_BYTES}`);
    }
    this.#memory = memory;
    this.#basePtr = basePtr;
    this.#sizeBytes = sizeBytes;
    this.#lines = lines;
  }

  /** Number of bytes written to the region since its creation, including generated levels. */
  get uploadedBytes(): number {
    return this.#uploadedBytes;
  }

  /** Returns whether the texture is in memory. */
  has(sha256: Sha256): boolean {
    return this.#placements.has(sha256);
  }

  /**
   * Loads all textures of a frame into memory and returns their placements in the same order.
   * Textures of earlier frames are evicted, the least recently used first. Those that stay may
   * move.
   *
   * @param beforeEach Called before each upload. It may throw; then only some of the textures are
   *   in memory.
   * @throws {RenderError} LIMIT_EXCEEDED if the textures of the frame exceed the region.
   */
  placeFrame(
    textures: readonly TextureResource[],
    beforeEach: () => void = () => {},
  ): TexturePlacement[] {
    const layoutBySha256 = new Map(
      textures.map((texture) => [texture.sha256, layOutResource(texture)]),
    );
    let frameBytes = 0;
    for (const layout of layoutBySha256.values()) frameBytes += layout.sizeBytes;
    if (frameBytes > this.#sizeBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `textures: decoded texels of the frame take ${frameBytes} bytes, but a chiplet has room for ${this.#sizeBytes} (texturePoolBytes)`,
      );
    }
    this.#markUsed(layoutBySha256.keys());
    const missingBytes = [...layoutBySha256]
      .filter(([sha256]) => !this.#placements.has(sha256))
      .reduce((sum, [, layout]) => sum + layout.sizeBytes, 0);
    this.#evictUntilFree(missingBytes);

    for (const texture of textures) {
      if (this.#placements.has(texture.sha256)) continue;
      beforeEach();
      const layout = layoutBySha256.get(texture.sha256)!;
      const basePtr = this.#findGap(layout.sizeBytes) ?? this.#compact();
      writeTexture(this.#memory, basePtr, layout, decodeTexture(texture));
      this.#lines?.write(basePtr, texture, layout);
      this.#uploadedBytes += layout.sizeBytes;
      this.#placements.set(texture.sha256, { sha256: texture.sha256, basePtr, layout });
    }
    return textures.map(({ sha256 }) => this.#placements.get(sha256)!);
  }

  #markUsed(names: Iterable<Sha256>): void {
    for (const sha256 of names) {
      const placement = this.#placements.get(sha256);
      if (placement === undefined) continue;
      this.#placements.delete(sha256);
      this.#placements.set(sha256, placement);
    }
  }

  /**
   * Evicts the least recently used textures until the region has `wantedBytes` free bytes. The
   * frame's own textures are the most recently used and fit, so they are never evicted.
   */
  #evictUntilFree(wantedBytes: number): void {
    let freeBytes = this.#sizeBytes;
    for (const { layout } of this.#placements.values()) freeBytes -= layout.sizeBytes;
    for (const [sha256, { layout }] of this.#placements) {
      if (freeBytes >= wantedBytes) return;
      this.#placements.delete(sha256);
      freeBytes += layout.sizeBytes;
    }
  }

  #inAddressOrder(): TexturePlacement[] {
    return [...this.#placements.values()].sort((a, b) => a.basePtr - b.basePtr);
  }

  /** Returns the start of the first gap of `sizeBytes`, or `undefined`. */
  #findGap(sizeBytes: number): number | undefined {
    let start = this.#basePtr;
    for (const { basePtr, layout } of this.#inAddressOrder()) {
      if (basePtr - start >= sizeBytes) return start;
      start = basePtr + layout.sizeBytes;
    }
    return this.#basePtr + this.#sizeBytes - start >= sizeBytes ? start : undefined;
  }

  /** Moves all textures to the front of the region and returns the start of the free remainder. */
  #compact(): number {
    const bytes = new Uint8Array(this.#memory.buffer);
    let start = this.#basePtr;
    for (const placement of this.#inAddressOrder()) {
      const { sha256, basePtr, layout } = placement;
      bytes.copyWithin(start, basePtr, basePtr + layout.sizeBytes);
      this.#lines?.move(basePtr, start, layout.sizeBytes);
      // Setting an existing key keeps its position in the order of use.
      this.#placements.set(sha256, { sha256, basePtr: start, layout });
      start += layout.sizeBytes;
    }
    return start;
  }
}

/** Returns the layout of a texture, including generated levels. */
export function layOutResource(texture: TextureResource): TextureLayout {
  const texelClass = TEXEL_CLASS_BY_FORMAT[texture.format];
  return layOutTexture(texelClass, texture, levelCountOf(texture));
}
