/**
 * Homes of the lines of textures that earlier passes drew, as words for the simulated chip. A line
 * is a block of 4×4 texels or a part of one, or several small blocks, of which the first decides.
 * Generated levels are where the pixels are that they are generated from.
 */
import { LINE_BYTES } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { PlacedImage, PlacedTexture, TextureResource } from '@tessera/frame';
import { partitionMemory } from '../memory-manager/address-map.ts';
import { TextureIndex } from '../memory-manager/texture-index.ts';
import { layOutStoredResource } from '../texture/layout/line-table.ts';
import { type StoredTexture, storedBlockOffset } from '../texture/layout/stored-texture.ts';

/** Home of lines whose pages are in the memories in turn; INTERLEAVED_HOME of the chip. */
const INTERLEAVED = -2;
const RANGE_WORDS = 3;
/** Home of images that no pass drew. */
const FIRST_CHIPLET = 0;

/**
 * Returns the words of the homes of a pass's textures in address space 0: the number of ranges,
 * then the words that TargetHomes of the chip describes.
 *
 * @param textures All textures of the pass, in the order of their places in memory.
 */
export function textureHomeWords(
  spec: ChipletSpec,
  textures: readonly PlacedTexture[],
): Int32Array {
  const { textures: region } = partitionMemory(spec);
  const index = new TextureIndex({
    ...region,
    blockCount: spec.textureIndexBlocks,
    levelCount: spec.textureIndexLevels,
  });
  const ranges: {
    readonly first: number;
    readonly count: number;
    readonly homes: Int32Array | null;
  }[] = [];
  for (const { texture, homes } of textures) {
    const stored = layOutStoredResource(spec.textureLayout, texture);
    const levelOffsets = stored.levels.map(({ offsetBytes }) => offsetBytes);
    const name = index.store({ sizeBytes: stored.sizeBytes, levelOffsets });
    if (homes === null) continue;
    const first = index.levelBase(name, 0) / LINE_BYTES;
    const count = Math.ceil(stored.sizeBytes / LINE_BYTES);
    const lines = homes === 'interleaved' ? null : homesOfLines(texture, stored, count, homes);
    ranges.push({ first, count, homes: lines });
  }
  const homeCount = ranges.reduce((sum, { homes }) => sum + (homes?.length ?? 0), 0);
  const words = new Int32Array(1 + RANGE_WORDS * ranges.length + homeCount);
  words[0] = ranges.length;
  let at = RANGE_WORDS * ranges.length;
  for (const [range, { first, count, homes }] of ranges.entries()) {
    words.set([first, first + count, homes === null ? INTERLEAVED : at], 1 + RANGE_WORDS * range);
    if (homes === null) continue;
    words.set(homes, 1 + at);
    at += homes.length;
  }
  return words;
}

/** Returns the words of {@link textureHomeWords} for the chip, in another address space. */
export function moveHomeWords(words: Int32Array, space: number, spaceLines: number): Int32Array {
  const moved = new Int32Array(words.length + 2);
  moved.set([space, words[0]!, words.length - 1]);
  moved.set(words.subarray(1), 3);
  for (let range = 0; range < words[0]!; range++) {
    moved[3 + RANGE_WORDS * range]! += space * spaceLines;
    moved[4 + RANGE_WORDS * range]! += space * spaceLines;
  }
  return moved;
}

function homesOfLines(
  { isMipmapGenerated }: TextureResource,
  { levels, blockBytes }: StoredTexture,
  lineCount: number,
  images: readonly PlacedImage[],
): Int32Array {
  const homes = new Int32Array(lineCount).fill(FIRST_CHIPLET);
  for (const [number, level] of levels.entries()) {
    for (let slice = 0; slice < level.sliceCount; slice++) {
      const isGenerated = isMipmapGenerated && number > 0;
      const source = isGenerated ? 0 : number;
      const image = images.find((each) => each.level === source && each.slice === slice);
      if (image === undefined) continue;
      const scale = isGenerated ? 2 ** number : 1;
      const rows = image.homes.length / image.columns;
      const start = level.offsetBytes + slice * level.sliceBytes;
      for (let row = 0; row < level.rowCount; row++) {
        const from = Math.min(rows - 1, row * scale) * image.columns;
        for (let column = 0; column < level.columnCount; column++) {
          const home = image.homes[from + Math.min(image.columns - 1, column * scale)]!;
          const offset = start + storedBlockOffset(level, blockBytes, column, row);
          for (let byte = 0; byte < blockBytes; byte += LINE_BYTES) {
            const at = offset + byte;
            if (at % LINE_BYTES === 0) homes[at / LINE_BYTES] = home;
          }
        }
      }
    }
  }
  return homes;
}
