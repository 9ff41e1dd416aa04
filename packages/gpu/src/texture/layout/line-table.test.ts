/** Checks the table against the stored address of each texel, or of the first one of a line. */
import {
  BLOCK_BYTES,
  blockBytesOf,
  TEXTURE_DIMENSIONS,
  TEXTURE_FORMATS,
  type TextureFormat,
  type TextureResource,
} from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineTable, layOutStoredResource, wordOfLineZero } from './line-table.ts';
import { type StoredLayoutName, storedBlockOffset } from './stored-texture.ts';
import { TEXEL_BYTES } from './texture-layout.ts';
import { layOutResource, TexturePool } from './texture-pool.ts';

const POOL_PTR = 4096;
const POOL_BYTES = 2 ** 22;
const PLACE = { ptr: POOL_PTR + POOL_BYTES + 64, poolPtr: POOL_PTR };

function makePool(layoutName: StoredLayoutName, poolBytes = POOL_BYTES) {
  const memory = new WebAssembly.Memory({ initial: 80 });
  const table = new LineTable(memory, PLACE, layoutName);
  const words = new Int32Array(memory.buffer);
  return { words, pool: new TexturePool(memory, POOL_PTR, poolBytes, table) };
}

const anyTexture: fc.Arbitrary<TextureResource> = fc
  .record({
    format: fc.constantFrom(...(Object.keys(TEXTURE_FORMATS) as TextureFormat[])),
    dimension: fc.constantFrom(...TEXTURE_DIMENSIONS),
    widthPx: fc.integer({ min: 1, max: 150 }),
    height: fc.integer({ min: 1, max: 90 }),
    slices: fc.integer({ min: 1, max: 3 }),
    levelCount: fc.integer({ min: 1, max: 3 }),
    blockBytes: fc.option(fc.constantFrom(...BLOCK_BYTES)),
  })
  .map(({ format, dimension, widthPx, height, slices, levelCount, blockBytes }) => {
    const heightPx = dimension === 'cube' ? widthPx : height;
    const sliceCount = dimension === '2d' ? 1 : dimension === 'cube' ? 6 : slices;
    const shape = { dimension, widthPx, heightPx, sliceCount };
    const most = Math.floor(Math.log2(Math.max(widthPx, heightPx))) + 1;
    return {
      ...{ sha256: 'any', format, ...shape, levels: [], isMipmapGenerated: false },
      levelCount: Math.min(levelCount, most),
      ...(blockBytes !== null && blockBytes <= blockBytesOf({ format }) ? { blockBytes } : {}),
    };
  });

describe('line table', () => {
  it.each(['linear-block', 'morton'] as const)('names the %s line of each texel', (layoutName) => {
    fc.assert(
      fc.property(anyTexture, (texture) => {
        const { words, pool } = makePool(layoutName);
        const { basePtr, layout } = pool.placeFrame([texture])[0]!;
        const stored = layOutStoredResource(layoutName, texture);
        const { blockBytes } = stored;
        const texelBytes = TEXEL_BYTES[layout.texelClass];
        for (const [number, level] of layout.levels.entries()) {
          const to = stored.levels[number]!;
          for (let texel = 0; texel < level.widthPx * level.heightPx * level.sliceCount; texel++) {
            const x = texel % level.widthPx;
            const y = Math.floor(texel / level.widthPx) % level.heightPx;
            const slice = Math.floor(texel / (level.widthPx * level.heightPx));
            const inBlock = 4 * (y % 4) + (x % 4);
            const [column, row] = [x >> 2, y >> 2];
            const poolAddress =
              basePtr +
              level.offsetBytes +
              slice * level.sliceBytes +
              row * level.blockRowBytes +
              (16 * column + inBlock) * texelBytes;
            const address =
              to.offsetBytes +
              slice * to.sliceBytes +
              storedBlockOffset(to, blockBytes, column, row) +
              (inBlock * blockBytes) / 16;
            const word = wordOfLineZero(PLACE) + (poolAddress >> 6);
            expect(words[word]).toBe(address >> 6);
          }
        }
      }),
      { numRuns: 30, seed: 81 },
    );
  });

  it.each([
    ['wide blocks', 'rgba8unorm', 12, 10],
    ['low blocks', 'rgba8unorm-srgb', 5, 4],
    ['blocks with several pool lines per 4×4 texels', 'rgba32float', 6, 5],
  ] as const)(
    'names the line of the first texel of %s',
    (_, format, blockWidthPx, blockHeightPx) => {
      const size = {
        format,
        widthPx: 75,
        heightPx: 50,
        blockBytes: 16,
        blockWidthPx,
        blockHeightPx,
      };
      const resource = {
        ...size,
        sha256: 'a',
        levels: [],
        levelCount: 2,
        isMipmapGenerated: false,
      };
      const { words, pool } = makePool('linear-block');
      const { basePtr, layout } = pool.placeFrame([resource])[0]!;
      const stored = layOutStoredResource('linear-block', resource);
      const texelBytes = TEXEL_BYTES[layout.texelClass];
      for (const [number, level] of layout.levels.entries()) {
        const to = stored.levels[number]!;
        // Rows of four texels of one pool line.
        const rows = 16 / texelBytes;
        for (let y = 0; y < level.heightPx; y += rows) {
          for (let x = 0; x < level.widthPx; x += 4) {
            const block =
              (y >> 2) * level.blockRowBytes + ((x >> 2) * 16 + (y % 4) * 4) * texelBytes;
            const word = wordOfLineZero(PLACE) + ((basePtr + level.offsetBytes + block) >> 6);
            const [column, row] = [Math.floor(x / blockWidthPx), Math.floor(y / blockHeightPx)];
            const address = to.offsetBytes + storedBlockOffset(to, 16, column, row);
            expect(words[word]).toBe(address >> 6);
          }
        }
      }
    },
  );

  it('is the identity for blocks in rows whose texels have the size of those in the pool', () => {
    const { words, pool } = makePool('linear-block');
    const texture = { format: 'rgba8unorm', widthPx: 130, heightPx: 77 } as const;
    const resource = {
      ...texture,
      sha256: 'a',
      levels: [],
      levelCount: 4,
      isMipmapGenerated: false,
    };
    const { basePtr, layout } = pool.placeFrame([resource])[0]!;
    const first = wordOfLineZero(PLACE) + basePtr / 64;
    const lines = layout.sizeBytes / 64;
    expect([...words.subarray(first, first + lines)]).toEqual(
      Array.from({ length: lines }, (_, i) => i),
    );
  });

  it('has −1 before the first line of the pool', () => {
    const { words } = makePool('morton');
    expect(words[wordOfLineZero(PLACE) + POOL_PTR / 64 - 1]).toBe(-1);
  });

  it('moves with the textures', () => {
    const textureOf = (sha256: string, edgePx: number): TextureResource => ({
      ...{ sha256, format: 'rgba8unorm', widthPx: edgePx, heightPx: edgePx },
      ...{ levels: [], levelCount: 1, isMipmapGenerated: false },
    });
    const [a, b, c] = [textureOf('a', 32), textureOf('b', 16), textureOf('c', 40)];
    const sizes = [a, b, c].map((texture) => layOutResource(texture!).sizeBytes);
    const { words, pool } = makePool('morton', sizes[1]! + sizes[2]!);
    const linesOf = (texture: TextureResource): number[] => {
      const { basePtr, layout } = pool.placeFrame([texture])[0]!;
      const first = wordOfLineZero(PLACE) + basePtr / 64;
      return [...words.subarray(first, first + layout.sizeBytes / 64)];
    };
    linesOf(a!);
    const before = linesOf(b!);
    pool.placeFrame([b!, c!]);
    expect(pool.has('a')).toBe(false);
    expect(linesOf(b!)).toEqual(before);
    expect(before.slice(0, 4)).toEqual([0, 1, 4, 5]);
  });
});
