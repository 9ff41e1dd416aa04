/** Memories that a machine shares with those of other chiplets. */
import { LINE_BYTES, packWords, SHARED_MEMORY_WORDS } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { MemorySharing } from '@tessera/frame';
import { partitionMemory } from '../memory-manager/address-map.ts';

/** Returns the words of a machine's memory for the chip. */
export function sharedMemoryWords(
  spec: ChipletSpec,
  { chipletId, chipletCount, placement }: MemorySharing,
  spaceCount: number,
  spaceLines: number,
): Int32Array {
  const { textures, user } = partitionMemory(spec);
  return packWords(SHARED_MEMORY_WORDS, {
    chiplet: chipletId,
    chipletCount,
    spaceCount,
    spaceLines,
    texturesLine: textures.baseBytes / LINE_BYTES,
    texturesEndLine: Math.ceil((textures.baseBytes + textures.sizeBytes) / LINE_BYTES),
    userLine: user.baseBytes / LINE_BYTES,
    userEndLine: (user.baseBytes + user.sizeBytes) / LINE_BYTES,
    ...placement,
  });
}
