import { RenderError, type TextureResource } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { LINEAR16_BY_SRGB8 } from './srgb.ts';
import { decodeTexture } from './texel-levels.ts';
import { layOutTexture, TEXEL_BYTES } from './texture-layout.ts';
import { type TexturePlacement, TexturePool } from './texture-pool.ts';

const BASE = 4096;

/** Returns a texture of `blocks` lines of memory, filled with `value`. */
function texture(name: string, blocks: number, value = 1): TextureResource {
  return {
    sha256: name,
    format: 'rgba8unorm',
    widthPx: 4 * blocks,
    heightPx: 4,
    levels: [new Uint8Array(64 * blocks).fill(value)],
    isMipmapGenerated: false,
  };
}

function makePool(lines: number) {
  const memory = new WebAssembly.Memory({ initial: 2 });
  return { memory, pool: new TexturePool(memory, BASE, lines * 64) };
}

function contentOf(memory: WebAssembly.Memory, { basePtr, layout }: TexturePlacement) {
  return new Set(new Uint8Array(memory.buffer, basePtr, layout.sizeBytes));
}

describe('texture pool', () => {
  it('uploads a texture once', () => {
    const { pool } = makePool(8);
    const first = pool.placeFrame([texture('a', 2), texture('b', 1), texture('a', 2)]);
    expect(first[0]).toBe(first[2]);
    expect(pool.uploadedBytes).toBe(3 * 64);
    expect(pool.placeFrame([texture('b', 1)])).toStrictEqual([first[1]]);
    expect(pool.uploadedBytes).toBe(3 * 64);
  });

  it('drops the longest unused textures, and only as many as it needs', () => {
    const { pool } = makePool(4);
    pool.placeFrame([texture('a', 1)]);
    pool.placeFrame([texture('b', 1)]);
    pool.placeFrame([texture('c', 1)]);
    pool.placeFrame([texture('a', 1)]);
    pool.placeFrame([texture('d', 2)]);
    expect(['a', 'b', 'c', 'd'].map((name) => pool.has(name))).toStrictEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('moves textures together where the free memory is in pieces', () => {
    const { memory, pool } = makePool(4);
    pool.placeFrame([texture('a', 1, 11), texture('b', 1, 22), texture('c', 1, 33)]);
    const placed = pool.placeFrame([texture('a', 1, 11), texture('c', 1, 33), texture('d', 2, 44)]);
    expect(pool.has('b')).toBe(false);
    expect(placed.map((placement) => contentOf(memory, placement))).toStrictEqual([
      new Set([11]),
      new Set([33]),
      new Set([44]),
    ]);
    const spans = placed.map(({ basePtr, layout }) => [basePtr, basePtr + layout.sizeBytes]);
    expect(spans).toStrictEqual([
      [BASE, BASE + 64],
      [BASE + 64, BASE + 128],
      [BASE + 128, BASE + 256],
    ]);
  });

  it('refuses a frame whose textures do not fit together', () => {
    const { pool } = makePool(4);
    expect(pool.placeFrame([texture('a', 3), texture('b', 1)])).toHaveLength(2);
    expect(() => pool.placeFrame([texture('a', 3), texture('c', 2)])).toThrow(
      new RenderError(
        'LIMIT_EXCEEDED',
        'textures: decoded texels of the frame take 320 bytes, but a chiplet has room for 256 (texturePoolBytes)',
      ),
    );
    expect(pool.has('a')).toBe(true);
  });
});

describe('texture layout', () => {
  it.each(['unorm8', 'linear16'] as const)(
    'puts each %s texel where the formula says',
    (texelClass) => {
      const memory = new WebAssembly.Memory({ initial: 2 });
      const pool = new TexturePool(memory, BASE, 65_536);
      const bytes = Uint8Array.from({ length: 7 * 5 * 4 }, (_, index) => (index * 7) % 251);
      const resource: TextureResource = {
        sha256: texelClass,
        format: texelClass === 'unorm8' ? 'rgba8unorm' : 'rgba8unorm-srgb',
        widthPx: 7,
        heightPx: 5,
        // Starts at an odd address, as in a message.
        levels: [new Uint8Array([0, ...bytes]).subarray(1)],
        isMipmapGenerated: true,
      };
      const { basePtr, layout } = pool.placeFrame([resource])[0]!;
      const { levels } = decodeTexture(resource);
      const texelBytes = TEXEL_BYTES[texelClass];
      expect(levels.map((level) => [level.widthPx, level.heightPx])).toStrictEqual([
        [7, 5],
        [3, 2],
        [1, 1],
      ]);
      for (const [index, level] of levels.entries()) {
        const { offsetBytes, blockRowBytes } = layout.levels[index]!;
        expect(offsetBytes % 64).toBe(0);
        for (let y = 0; y < level.heightPx; y++) {
          for (let x = 0; x < level.widthPx; x++) {
            const block = (y >> 2) * blockRowBytes + (x >> 2) * 16 * texelBytes;
            const at = basePtr + offsetBytes + block + ((y & 3) * 4 + (x & 3)) * texelBytes;
            const Channels = texelClass === 'unorm8' ? Uint8Array : Uint16Array;
            const stored = [...new Channels(memory.buffer, at, 4)];
            const from = (y * level.widthPx + x) * 4;
            expect(stored).toStrictEqual([...level.texels.subarray(from, from + 4)]);
          }
        }
      }
    },
  );

  it('gives levels whole blocks', () => {
    const layout = layOutTexture('unorm8', { widthPx: 9, heightPx: 5 }, 4);
    expect(layout.levels.map((level) => level.offsetBytes)).toStrictEqual([0, 384, 448, 512]);
    expect(layout.sizeBytes).toBe(576);
  });
});

describe('decoding', () => {
  it.each([
    ['r8unorm', [9], [9, 0, 0, 255]],
    ['rg8unorm', [9, 8], [9, 8, 0, 255]],
    ['rgba8unorm', [9, 8, 7, 6], [9, 8, 7, 6]],
    ['rgba8unorm-srgb', [0, 255, 10, 128], [0, 65535, 199, 32896]],
  ] as const)('of %s fills up the channels', (format, bytes, expected) => {
    const { levels } = decodeTexture({
      sha256: '',
      format,
      widthPx: 1,
      heightPx: 1,
      levels: [Uint8Array.from(bytes)],
      isMipmapGenerated: false,
    });
    expect([...levels[0]!.texels]).toStrictEqual(expected);
  });

  it('of sRGB follows the transfer function', () => {
    for (let value = 0; value < 256; value++) {
      const c = value / 255;
      const linear = c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      expect(Math.abs(LINEAR16_BY_SRGB8[value]! - linear * 65535)).toBeLessThan(0.5 + 1e-6);
    }
  });
});
