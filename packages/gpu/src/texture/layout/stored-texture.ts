/**
 * Layout of a texture in simulated memory. The texture pool (texture-layout.ts) keeps texels as the
 * kernels read them; this layout determines which lines of 64 bytes their reads touch.
 *
 * A level consists of blocks of texels with 8 to 256 bytes. A block has 4×4 texels, or up to 12×12
 * of a compressed format. Inside a block, texels are in rows.
 *
 * - `linear-block`: blocks are in rows from left to right, and rows start on lines.
 * - `morton`: blocks are in Z-order inside tiles of 16 KiB, and tiles are in rows from left to
 *   right. A tile is square, or twice as wide as high. A level that is smaller than a tile in one
 *   direction has square tiles of its smaller side, rounded up to a power of two. Levels are padded
 *   to whole tiles. This is the twiddled layout of Apple's AGX (Mesa, asahi/layout/layout.c).
 *
 * Levels and slices follow each other and start on lines.
 */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { levelSizeOf, type TextureResource } from '@tessera/frame';

/** Names of layouts. */
export type StoredLayoutName = ChipletSpec['textureLayout'];

/** Size of a cache line in bytes. */
const LINE_BYTES = 64;
const TILE_BYTES_LOG2 = 14;

/** Layout of one level. */
export interface StoredLevel {
  /** Offset from the start of the texture, a multiple of 64. */
  readonly offsetBytes: number;
  /** Size of a slice, a multiple of 64. */
  readonly sliceBytes: number;
  readonly sliceCount: number;
  /** Number of blocks in a row and in a column, without padding. */
  readonly columnCount: number;
  readonly rowCount: number;
  /** Size of a row of tiles. Without tiles, each block is a tile. */
  readonly tileRowBytes: number;
  readonly tileColumnsLog2: number;
  readonly tileRowsLog2: number;
}

/** Layout of a texture. */
export interface StoredTexture {
  readonly blockBytes: number;
  /** Width and height of a block in texels. */
  readonly blockWidthPx: number;
  readonly blockHeightPx: number;
  readonly levels: readonly StoredLevel[];
  readonly sizeBytes: number;
}

/** Size of a texture and of its blocks. */
type StoredShape = Pick<
  TextureResource,
  'dimension' | 'widthPx' | 'heightPx' | 'sliceCount' | 'blockWidthPx' | 'blockHeightPx'
>;

/**
 * Returns the layout of a texture.
 *
 * @param blockBytes Size of a block, a power of two from 8 to 256.
 */
export function layOutStoredTexture(
  name: StoredLayoutName,
  shape: StoredShape,
  levelCount: number,
  blockBytes: number,
): StoredTexture {
  const { blockWidthPx = 4, blockHeightPx = 4 } = shape;
  const levels: StoredLevel[] = [];
  let offsetBytes = 0;
  for (let level = 0; level < levelCount; level++) {
    const { widthPx, heightPx, sliceCount } = levelSizeOf(shape, level);
    const columnCount = Math.ceil(widthPx / blockWidthPx);
    const rowCount = Math.ceil(heightPx / blockHeightPx);
    const { tileColumnsLog2, tileRowsLog2 } =
      name === 'morton'
        ? chooseTile(columnCount, rowCount, Math.log2(blockBytes))
        : { tileColumnsLog2: 0, tileRowsLog2: 0 };
    const tileBytes = blockBytes << (tileColumnsLog2 + tileRowsLog2);
    const tileRowBytes = roundUp(tileCount(columnCount, tileColumnsLog2) * tileBytes, LINE_BYTES);
    const sliceBytes = tileCount(rowCount, tileRowsLog2) * tileRowBytes;
    levels.push({
      ...{ offsetBytes, sliceBytes, sliceCount, columnCount, rowCount },
      ...{ tileRowBytes, tileColumnsLog2, tileRowsLog2 },
    });
    offsetBytes += sliceCount * sliceBytes;
  }
  return { blockBytes, blockWidthPx, blockHeightPx, levels, sizeBytes: offsetBytes };
}

function chooseTile(columnCount: number, rowCount: number, blockBytesLog2: number) {
  const blocksLog2 = TILE_BYTES_LOG2 - blockBytesLog2;
  const tileRowsLog2 = blocksLog2 >> 1;
  const tileColumnsLog2 = blocksLog2 - tileRowsLog2;
  if (columnCount >> tileColumnsLog2 > 0 && rowCount >> tileRowsLog2 > 0) {
    return { tileColumnsLog2, tileRowsLog2 };
  }
  const sideLog2 = Math.ceil(Math.log2(Math.min(columnCount, rowCount)));
  return { tileColumnsLog2: sideLog2, tileRowsLog2: sideLog2 };
}

function tileCount(blockCount: number, tileLog2: number): number {
  return (blockCount + (1 << tileLog2) - 1) >> tileLog2;
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

/** Returns the offset of a block from the start of its slice, in bytes. */
export function storedBlockOffset(
  { tileRowBytes, tileColumnsLog2, tileRowsLog2 }: StoredLevel,
  blockBytes: number,
  column: number,
  row: number,
): number {
  const inTile = interleave(
    column & ((1 << tileColumnsLog2) - 1),
    row & ((1 << tileRowsLog2) - 1),
    tileRowsLog2,
  );
  const tile = (column >> tileColumnsLog2) << (tileColumnsLog2 + tileRowsLog2);
  return (row >> tileRowsLog2) * tileRowBytes + (tile + inTile) * blockBytes;
}

/**
 * Interleaves the low `count` bits of x and y, x in the even bits. Higher bits of x follow them.
 */
function interleave(x: number, y: number, count: number): number {
  let result = (x >> count) << (2 * count);
  for (let bit = 0; bit < count; bit++) {
    result |= (((x >> bit) & 1) << (2 * bit)) | (((y >> bit) & 1) << (2 * bit + 1));
  }
  return result;
}
