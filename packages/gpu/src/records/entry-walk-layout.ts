/** Where the kernel of the entry walk keeps what it works with and what it found: bytes from `entryWalkPtr` of the chiplet's memory. */

/** Blocks of 4×4 pixels across a fine bin of 64 pixels. */
export const FINE_BIN_BLOCKS = 16;
const BIN_BLOCKS = FINE_BIN_BLOCKS * FINE_BIN_BLOCKS;
const BIN_QUADS = 4 * BIN_BLOCKS;

const MAX_ENTRIES = 2048;
const BLOCKS_BEFORE_STOP = 8192;
const ENTRY_BYTES = 8;
const BLOCK_BYTES = 12;

// The parts, one after the other.
const DEPTH_MASKS = 64;
const QUAD_NUMBERS = DEPTH_MASKS + 4 * BIN_BLOCKS;
/** The number after the last is written before it is known that there is none. */
const PACKED = QUAD_NUMBERS + 4 * BIN_QUADS;
const QUAD_COPIES = PACKED + 4 * (BIN_QUADS + 4);
const ENTRIES = QUAD_COPIES + 16 * BIN_QUADS;
const BLOCKS = ENTRIES + ENTRY_BYTES * MAX_ENTRIES;

export const ENTRY_WALK = {
  /** Sub-tiles that each level handed on in the call, by level − 1: int32 each. */
  subTiles: 0,
  /** Covered samples of the blocks; the quad to go on with. */
  fragments: 28,
  quad: 32,
  /** Of a failure: x and y of the block, covered samples, those that passed the depth test. */
  failed: 48,
  /** By block of the fine bin: samples of the primitive's quads; zeros between entries. */
  depthMasks: DEPTH_MASKS,
  /** By block and quad: where in the quad list it is. */
  quadNumbers: QUAD_NUMBERS,
  /** Quads of the entry in the order of packing, and copies of their records. */
  packed: PACKED,
  quadCopies: QUAD_COPIES,
  /** Of each entry: cycles of its slowest level, and its blocks. */
  entries: ENTRIES,
  entryBytes: ENTRY_BYTES,
  maxEntries: MAX_ENTRIES,
  /** Blocks as the log of a bin has them. */
  blocks: BLOCKS,
  blockBytes: BLOCK_BYTES,
  /** No entry is begun when there are more blocks. */
  blocksBeforeStop: BLOCKS_BEFORE_STOP,
  bytes: BLOCKS + BLOCK_BYTES * (BLOCKS_BEFORE_STOP + 1 + BIN_BLOCKS),
  failures: { masksDisagree: -1, lostQuads: -2 },
} as const;

/** Numbers of HierarchicalDepthUse for the kernel. */
export const DEPTH_USES = { keep: 0, raise: 1, test: 2, 'test-only': 3 } as const;
