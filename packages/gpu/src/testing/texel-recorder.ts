/**
 * Decoded textures that record which of their texels are read, for tests. The reference sampler
 * thus reveals its footprint.
 */
import type { TextureResource } from '@tessera/frame';
import type { TexelArray } from '../texture/layout/mipmap.ts';
import { decodeTexture, levelCountOf, type TexelLevels } from '../texture/layout/texel-levels.ts';
import { layOutTexture, TEXEL_BYTES } from '../texture/layout/texture-layout.ts';

/** Texture that records reads. */
export class TexelRecorder {
  readonly texture: TexelLevels;
  /**
   * Offsets of the texels read since the last {@link take}, in bytes from the start of the texture
   * in memory.
   */
  #offsets = new Set<number>();

  constructor(resource: TextureResource) {
    const decoded = decodeTexture(resource);
    const { texelClass } = decoded;
    const layout = layOutTexture(texelClass, resource, levelCountOf(resource));
    const channels = texelClass === 'single32' ? 1 : 4;
    const levels = decoded.levels.map((level, number) => {
      const { offsetBytes, sliceBytes, blockRowBytes, widthPx, heightPx } = layout.levels[number]!;
      const note = (channel: number): void => {
        const texel = Math.floor(channel / channels);
        const x = texel % widthPx;
        const y = Math.floor(texel / widthPx) % heightPx;
        const slice = Math.floor(texel / (widthPx * heightPx));
        const block =
          Math.floor(y / 4) * blockRowBytes + Math.floor(x / 4) * 16 * TEXEL_BYTES[texelClass];
        const inBlock = (4 * (y % 4) + (x % 4)) * TEXEL_BYTES[texelClass];
        this.#offsets.add(offsetBytes + slice * sliceBytes + block + inBlock);
      };
      return { ...level, texels: watch(level.texels, note) };
    });
    this.texture = { ...decoded, levels };
  }

  /** Returns the offsets read, in order, and clears them. */
  take(): number[] {
    const offsets = [...this.#offsets].sort((a, b) => a - b);
    this.#offsets = new Set();
    return offsets;
  }
}

/** Returns an equal array that calls `onRead` for each element read. */
function watch<Texels extends TexelArray>(texels: Texels, onRead: (index: number) => void): Texels {
  return new Proxy(texels, {
    get(target, key) {
      const index = typeof key === 'string' ? Number(key) : Number.NaN;
      if (Number.isInteger(index) && index >= 0 && index < target.length) onRead(index);
      return Reflect.get(target, key);
    },
  });
}
