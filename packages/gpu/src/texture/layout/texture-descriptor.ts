/**
 * Texture descriptors, which describe the texture of each slot to a sample kernel. The program has
 * one of {@link DESCRIPTOR_BYTES} per slot, at `texturesPtr + slot × DESCRIPTOR_BYTES`.
 * `texturesPtr` is a multiple of 16.
 *
 *     word 0      number of levels (0: no texture)
 *     word 1      level of the slot's last read; written by sample kernels, changes no result
 *     words 4 … 7 scratch of the sample kernels: the four texel addresses of a lookup
 *     words 8 …   a record of 8 words per level:
 *                 0 address   1 size of a row of blocks    2 width (f32)   3 height (f32)
 *                 4 width − 1 5 height − 1                 6 size of a slice   7 slices − 1
 */
import { MAX_TEXTURE_LEVELS, type SamplerState } from '@tessera/frame';
import type { TexturePlacement } from './texture-pool.ts';

/** Offset of the level records in a descriptor, in bytes. */
export const LEVEL_RECORDS_OFFSET = 32;
/** Size of a level record, in bytes. */
export const LEVEL_RECORD_BYTES = 32;
/** Offset of the last level read, in bytes. */
export const PREVIOUS_LEVEL_OFFSET = 4;
/** Offset of the scratch area, in bytes. */
export const SCRATCH_OFFSET = 16;
/** Distance between slots, a multiple of 16. */
export const DESCRIPTOR_BYTES = LEVEL_RECORDS_OFFSET + MAX_TEXTURE_LEVELS * LEVEL_RECORD_BYTES;

/** Byte offsets inside a level record. */
export const LEVEL_FIELD = {
  address: 0,
  blockRowBytes: 4,
  width: 8,
  height: 12,
  maxX: 16,
  maxY: 20,
  sliceBytes: 24,
  maxSlice: 28,
} as const;

/** Returns a placement with only the levels that lookups of a sampler may read. */
export function selectLevels(
  placement: TexturePlacement,
  { baseLevel, maxLevel }: Pick<SamplerState, 'baseLevel' | 'maxLevel'>,
): TexturePlacement {
  if (baseLevel === undefined && maxLevel === undefined) return placement;
  const { layout } = placement;
  const levels = layout.levels.slice(baseLevel, maxLevel === undefined ? undefined : maxLevel + 1);
  return { ...placement, layout: { ...layout, levels } };
}

/** Writes the descriptors of all slots of a draw. `null` is a slot without texture. */
export function writeTextureDescriptors(
  memory: WebAssembly.Memory,
  texturesPtr: number,
  placements: readonly (TexturePlacement | null)[],
): void {
  const ints = new Int32Array(memory.buffer);
  const floats = new Float32Array(memory.buffer);
  for (const [slot, placement] of placements.entries()) {
    const descriptor = (texturesPtr + slot * DESCRIPTOR_BYTES) / 4;
    const levels = placement?.layout.levels ?? [];
    ints[descriptor] = levels.length;
    ints[descriptor + PREVIOUS_LEVEL_OFFSET / 4] = 0;
    for (const [index, level] of levels.entries()) {
      const record = descriptor + (LEVEL_RECORDS_OFFSET + index * LEVEL_RECORD_BYTES) / 4;
      ints[record] = placement!.basePtr + level.offsetBytes;
      ints[record + 1] = level.blockRowBytes;
      floats[record + 2] = level.widthPx;
      floats[record + 3] = level.heightPx;
      ints[record + 4] = level.widthPx - 1;
      ints[record + 5] = level.heightPx - 1;
      ints[record + 6] = level.sliceBytes;
      ints[record + 7] = level.sliceCount - 1;
    }
  }
}
