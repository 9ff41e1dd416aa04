/** The textures in a chiplet's memory: uploaded once each, named by their content, oldest out first. */
import { RenderError, type Sha256, type TextureResource } from '@tessera/frame';
import { decodeTexture, levelCountOf, TEXEL_CLASS_BY_FORMAT } from './texel-levels.ts';
import { layOutTexture, type TextureLayout, writeTexture } from './texture-layout.ts';

/** Placements start at multiples of a cache line. */
const LINE_BYTES = 64;

/** Where a texture lies. Valid until the next call of `placeFrame`. */
export interface TexturePlacement {
  readonly sha256: Sha256;
  readonly basePtr: number;
  readonly layout: TextureLayout;
}

/** A region of memory that holds textures across frames. */
export class TexturePool {
  readonly #memory: WebAssembly.Memory;
  readonly #basePtr: number;
  readonly #sizeBytes: number;
  /** Least recently used first. */
  readonly #placements = new Map<Sha256, TexturePlacement>();
  #uploadedBytes = 0;

  /**
   * @param basePtr Start of the region, a multiple of 64.
   * @param sizeBytes Its size; nothing outside is touched.
   */
  constructor(memory: WebAssembly.Memory, basePtr: number, sizeBytes: number) {
    if (basePtr % LINE_BYTES !== 0) {
      throw new Error(`texture pool: base ${basePtr} is not a multiple of ${LINE_BYTES}`);
    }
    this.#memory = memory;
    this.#basePtr = basePtr;
    this.#sizeBytes = sizeBytes;
  }

  /** Bytes written to the region since the pool was made, generated levels included. */
  get uploadedBytes(): number {
    return this.#uploadedBytes;
  }

  /** Whether the texture is in memory now. */
  has(sha256: Sha256): boolean {
    return this.#placements.has(sha256);
  }

  /**
   * Brings all textures of a frame into memory and returns their placements in the same order. Textures
   * of earlier frames make room, the longest unused first; those that stay may move.
   *
   * @param beforeEach Called before each texture that is brought in; may throw, then some textures are in memory.
   * @throws {RenderError} LIMIT_EXCEEDED if the textures of the frame together are larger than the region.
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
        `textures: the frame needs ${frameBytes} bytes of texture memory, a chiplet has ${this.#sizeBytes}`,
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

  /** The frame's own textures are the most recently used, and they fit: they are never reached. */
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

  /** The first free stretch of `sizeBytes`, or `undefined`. */
  #findGap(sizeBytes: number): number | undefined {
    let start = this.#basePtr;
    for (const { basePtr, layout } of this.#inAddressOrder()) {
      if (basePtr - start >= sizeBytes) return start;
      start = basePtr + layout.sizeBytes;
    }
    return this.#basePtr + this.#sizeBytes - start >= sizeBytes ? start : undefined;
  }

  /** Moves all textures to the front of the region and returns where the free rest starts. */
  #compact(): number {
    const bytes = new Uint8Array(this.#memory.buffer);
    let start = this.#basePtr;
    for (const placement of this.#inAddressOrder()) {
      const { sha256, basePtr, layout } = placement;
      bytes.copyWithin(start, basePtr, basePtr + layout.sizeBytes);
      // Setting a key that is there keeps its place in the order of use.
      this.#placements.set(sha256, { sha256, basePtr: start, layout });
      start += layout.sizeBytes;
    }
    return start;
  }
}

/** The layout of a texture, generated levels included. */
export function layOutResource(texture: TextureResource): TextureLayout {
  const texelClass = TEXEL_CLASS_BY_FORMAT[texture.format];
  return layOutTexture(texelClass, texture, levelCountOf(texture));
}
