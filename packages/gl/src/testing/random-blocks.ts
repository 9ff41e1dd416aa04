/**
 * Pseudo-random blocks of compressed formats. scripts/conformance/compressed-blocks/mesa-texels.py
 * makes the same blocks.
 *
 * All blocks of BC7 and every second one of ASTC have modes that random bits seldom have: in ASTC,
 * void extents and small grids of weights, which fit most footprints. Void extents have their
 * reserved bits set, because Mesa does not reject others.
 */

/** Number of columns and rows of blocks per format. */
export const RANDOM_BLOCK_EDGE = 64;

/** Returns the blocks of an internal format, row by row. */
export function makeRandomBlocks(internalFormat: number, blockBytes: 8 | 16): Uint8Array {
  const count = RANDOM_BLOCK_EDGE ** 2;
  const words = new Uint32Array((count * blockBytes) / 4);
  let state = internalFormat;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  const isBc7 = internalFormat === 0x8e8c || internalFormat === 0x8e8d;
  const isAstc = internalFormat >> 8 === 0x93;
  for (let block = 0; block < count; block++) {
    const at = (block * blockBytes) / 4;
    if (isBc7) words[at] = craftBc7(words[at]!, block);
    if (isAstc && block % 2 === 1) craftAstc(words.subarray(at, at + 4), block >> 1);
    if (isAstc && (words[at]! & 0x1ff) === 0x1fc) words[at]! |= 0xc00;
  }
  return new Uint8Array(words.buffer);
}

/** Sets the mode: each of the eight in turn, then the reserved one, whose low byte is 0. */
function craftBc7(word: number, block: number): number {
  const mode = 1 << (block % 9);
  return (word & -mode) | mode;
}

/** Bits to clear and then to set in the first word of an ASTC block. */
const ASTC_CHANGES: readonly (readonly [clear: number, set: number])[] = [
  // A grid of 2 or 3 by 2 to 5 weights, in one plane and in two.
  [0x1c00, 0x10c],
  [0x1800, 0x50c],
  // Two partitions.
  [0x1c00, 0x90c],
  // Three partitions with endpoints of one mode.
  [0x1801c00, 0x110c],
  // Four partitions with endpoints of the lowest two classes.
  [0x1800400, 0x80190c],
  // A grid of 4 to 7 by 2 to 5 weights.
  [0x180c, 0],
  // A grid of 2 to 5 by 6 or 7 weights with low precision.
  [0x1b00, 0xc],
];

function craftAstc(words: Uint32Array, turn: number): void {
  const [clear, set] = ASTC_CHANGES[turn % 8] ?? [0x3ff, 0xdfc];
  words[0] = (words[0]! & ~clear) | set;
  // The other blocks are void extents. Half of them have no coordinates.
  if (turn % 16 === 15) {
    words[0]! |= 0xfffff000;
    words[1] = 0xffffffff;
  }
}
