/** Checks layouts against addresses of single blocks, computed bit by bit as text. */
import { levelSizeOf, type TextureResource } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutStoredTexture, type StoredTexture, storedBlockOffset } from './stored-texture.ts';

type Shape = Pick<TextureResource, 'dimension' | 'widthPx' | 'heightPx' | 'sliceCount'>;

const TILE_BYTES = 16_384;

const anyShape: fc.Arbitrary<Shape> = fc
  .record({
    dimension: fc.constantFrom('2d' as const, '3d' as const, '2d-array' as const),
    widthPx: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 600 })),
    heightPx: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 600 })),
    sliceCount: fc.integer({ min: 1, max: 3 }),
  })
  .map((shape) => (shape.dimension === '2d' ? { ...shape, sliceCount: 1 } : shape));
const anyBlockBytes = fc.constantFrom(8, 16, 32, 64, 128, 256);
const anyLayout = fc.constantFrom('linear-block' as const, 'morton' as const);

function bits(value: number, count: number): string {
  return count === 0 ? '' : value.toString(2).padStart(count, '0').slice(-count);
}

/** Returns the smallest n with 2^n ≥ value. */
function ceilLog2(value: number): number {
  let log2 = 0;
  while (2 ** log2 < value) log2++;
  return log2;
}

/** Returns the number of a block in Z-order: the bits of row and column in turn, column last. */
function zOrder(column: number, row: number, columnBits: number, rowBits: number): number {
  const [x, y] = [bits(column, columnBits), bits(row, rowBits)];
  let text = x.slice(0, columnBits - rowBits);
  for (let i = 0; i < rowBits; i++) text += y[i]! + x[columnBits - rowBits + i]!;
  return text === '' ? 0 : Number.parseInt(text, 2);
}

/** Returns the offset of a block in a slice of `columns` × `rows` blocks in tiles. */
function mortonOffset(
  [columns, rows]: readonly [number, number],
  blockBytes: number,
  column: number,
  row: number,
): number {
  const blocks = TILE_BYTES / blockBytes;
  const [height, width] =
    { 64: [8, 8], 128: [8, 16], 256: [16, 16], 512: [16, 32] }[blocks] ??
    { 1024: [32, 32], 2048: [32, 64] }[blocks]!;
  let [columnBits, rowBits] = [Math.log2(width!), Math.log2(height!)];
  if (columns < width! || rows < height!) {
    columnBits = ceilLog2(Math.min(columns, rows));
    rowBits = columnBits;
  }
  const tileX = Math.floor(column / 2 ** columnBits);
  const tileY = Math.floor(row / 2 ** rowBits);
  const tilesPerRow = Math.ceil(columns / 2 ** columnBits);
  const tileBytes = 2 ** (columnBits + rowBits) * blockBytes;
  const inTile = zOrder(column % 2 ** columnBits, row % 2 ** rowBits, columnBits, rowBits);
  const tileRowBytes = Math.ceil((tilesPerRow * tileBytes) / 64) * 64;
  return tileY * tileRowBytes + tileX * tileBytes + inTile * blockBytes;
}

/** Returns all blocks of a texture with their first and last byte. */
function* blocksOf({ levels, blockBytes }: StoredTexture) {
  for (const level of levels) {
    for (let slice = 0; slice < level.sliceCount; slice++) {
      for (let row = 0; row < level.rowCount; row++) {
        for (let column = 0; column < level.columnCount; column++) {
          const inSlice = storedBlockOffset(level, blockBytes, column, row);
          yield level.offsetBytes + slice * level.sliceBytes + inSlice;
        }
      }
    }
  }
}

describe('stored textures', () => {
  it('have each block in bytes of its own, inside the texture', () => {
    fc.assert(
      fc.property(
        anyLayout,
        anyShape,
        anyBlockBytes,
        fc.integer({ min: 1, max: 4 }),
        (name, shape, blockBytes, levelCount) => {
          const stored = layOutStoredTexture(name, shape, levelCount, blockBytes);
          const offsets = [...blocksOf(stored)];
          expect(new Set(offsets).size).toBe(offsets.length);
          expect(offsets.every((offset) => offset % blockBytes === 0)).toBe(true);
          expect(Math.max(...offsets) + blockBytes).toBeLessThanOrEqual(stored.sizeBytes);
          for (const { offsetBytes, sliceBytes } of stored.levels) {
            expect([offsetBytes % 64, sliceBytes % 64]).toEqual([0, 0]);
          }
        },
      ),
      { numRuns: 100, seed: 71 },
    );
  });

  it('have rows of blocks that start on lines', () => {
    fc.assert(
      fc.property(anyShape, anyBlockBytes, (shape, blockBytes) => {
        const { levels } = layOutStoredTexture('linear-block', shape, 1, blockBytes);
        const { widthPx } = levelSizeOf(shape, 0);
        const rowBytes = Math.ceil((Math.ceil(widthPx / 4) * blockBytes) / 64) * 64;
        const [level] = levels;
        for (let row = 0; row < level!.rowCount; row++) {
          for (let column = 0; column < level!.columnCount; column++) {
            const expected = row * rowBytes + column * blockBytes;
            expect(storedBlockOffset(level!, blockBytes, column, row)).toBe(expected);
          }
        }
      }),
      { numRuns: 60, seed: 72 },
    );
  });

  it('have blocks in Z-order in tiles, and tiles in rows', () => {
    fc.assert(
      fc.property(anyShape, anyBlockBytes, (shape, blockBytes) => {
        const { levels } = layOutStoredTexture('morton', shape, 3, blockBytes);
        for (const [number, level] of levels.entries()) {
          const { widthPx, heightPx } = levelSizeOf(shape, number);
          const blocks = [Math.ceil(widthPx / 4), Math.ceil(heightPx / 4)] as const;
          for (let row = 0; row < level.rowCount; row++) {
            for (let column = 0; column < level.columnCount; column++) {
              const expected = mortonOffset(blocks, blockBytes, column, row);
              expect(storedBlockOffset(level, blockBytes, column, row)).toBe(expected);
            }
          }
        }
      }),
      { numRuns: 60, seed: 73 },
    );
  });

  it('have blocks of other sizes than 4×4 texels', () => {
    const size = { widthPx: 64, heightPx: 64, blockWidthPx: 8, blockHeightPx: 8 };
    const stored = layOutStoredTexture('linear-block', size, 1, 16);
    expect(stored.levels[0]).toMatchObject({ columnCount: 8, rowCount: 8 });
    expect(stored.sizeBytes).toBe(64 * 16);
    const uneven = { widthPx: 21, heightPx: 5, blockWidthPx: 10, blockHeightPx: 5 };
    const [level] = layOutStoredTexture('morton', uneven, 1, 16).levels;
    expect(level).toMatchObject({ columnCount: 3, rowCount: 1 });
  });

  it.each([
    ['64×64 texels of 4 bytes are one tile', 64, 64, 64, 16_384],
    ['a column more is a tile more', 65, 64, 64, 32_768],
    ['a lower level has square tiles', 256, 8, 64, 8192],
    ['3×3 blocks take 4×4', 12, 12, 64, 1024],
    ['blocks of 8 bytes have tiles of 64×32', 256, 128, 8, 16_384],
    ['one block takes a line', 4, 4, 8, 64],
  ])('in Morton order: %s', (_, widthPx, heightPx, blockBytes, sizeBytes) => {
    const stored = layOutStoredTexture('morton', { widthPx, heightPx }, 1, blockBytes);
    expect(stored.sizeBytes).toBe(sizeBytes);
  });
});
