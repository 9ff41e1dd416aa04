/**
 * Partitions of ASTC blocks (Khronos Data Format Specification, chapter "ASTC Compressed Texture
 * Image Formats", section "Partition Pattern Generation").
 */

/** Number of texels from which on positions are not doubled. */
const LARGE_BLOCK_TEXELS = 31;

/**
 * Writes the partition of each texel, row by row.
 *
 * @param partitionCount Number of partitions, 2 to 4.
 * @param pattern Partition index of the block, 10 bits.
 */
export function writePartitions(
  partitionCount: number,
  pattern: number,
  widthPx: number,
  heightPx: number,
  partitions: Uint8Array,
): void {
  const seed = pattern + (partitionCount - 1) * 1024;
  const hash = hashSeed(seed);
  const scale = widthPx * heightPx < LARGE_BLOCK_TEXELS ? 2 : 1;
  const third = partitionCount === 3 ? 6 : 5;
  const second = (seed & 2) === 0 ? 5 : 4;
  const [xShift, yShift] = (seed & 1) === 0 ? [third, second] : [second, third];
  const slope = (bit: number, shift: number): number => (((hash >>> bit) & 15) ** 2) >> shift;
  const planes = [14, 10, 6, 2].slice(0, partitionCount).map((offset, i) => ({
    x: slope(8 * i, xShift) * scale,
    y: slope(8 * i + 4, yShift) * scale,
    offset: hash >>> offset,
  }));
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      let [best, highest] = [0, -1];
      for (const [i, plane] of planes.entries()) {
        const height = (plane.x * x + plane.y * y + plane.offset) & 63;
        if (height > highest) [best, highest] = [i, height];
      }
      partitions[y * widthPx + x] = best;
    }
  }
}

function hashSeed(seed: number): number {
  let hash = seed;
  hash ^= hash >>> 15;
  hash -= hash << 17;
  hash += hash << 7;
  hash += hash << 4;
  hash ^= hash >>> 5;
  hash += hash << 16;
  hash ^= hash >>> 7;
  hash ^= hash >>> 3;
  hash ^= hash << 6;
  hash ^= hash >>> 17;
  return hash >>> 0;
}
