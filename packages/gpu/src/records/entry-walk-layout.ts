/**
 * Memory layout of the entry-walk kernel: inputs, working data and results, as byte offsets from
 * `entryWalkPtr` of the chiplet's memory.
 */

/** Number of 4×4 blocks across a fine bin of 64 pixels. */
export const FINE_BIN_BLOCKS = 16;
const BIN_BLOCKS = FINE_BIN_BLOCKS * FINE_BIN_BLOCKS;
const BIN_QUADS = 4 * BIN_BLOCKS;

const MAX_ENTRIES = 2048;
const BLOCKS_BEFORE_STOP = 8192;
const ENTRY_BYTES = 8;
const BLOCK_BYTES = 16;

// Start offsets of the parts, in order.
const DEPTH_MASKS = 64;
const QUAD_NUMBERS = DEPTH_MASKS + 4 * BIN_BLOCKS;
/**
 * Start of the packed quads. The list has spare room, because the kernel writes past the last quad
 * before it detects the end.
 */
const PACKED = QUAD_NUMBERS + 4 * BIN_QUADS;
const QUAD_COPIES = PACKED + 4 * (BIN_QUADS + 4);
const ENTRIES = QUAD_COPIES + 16 * BIN_QUADS;
const BLOCKS = ENTRIES + ENTRY_BYTES * MAX_ENTRIES;

/** Offsets and sizes of the parts, in bytes. */
export const ENTRY_WALK = {
  /** Number of sub-tiles that each level passed in the call, by level − 1: int32 each. */
  subTiles: 0,
  /** Number of covered samples in the blocks. The next word is the quad to continue with. */
  fragments: 28,
  quad: 32,
  /**
   * Description of a failure: x and y of the block, covered samples, samples that passed the depth
   * test.
   */
  failed: 48,
  /** Samples of the primitive's quads, by block of the fine bin; zeros between entries. */
  depthMasks: DEPTH_MASKS,
  /** Position in the quad list, by block and quad. */
  quadNumbers: QUAD_NUMBERS,
  /** Quads of the entry in packing order, and copies of their records. */
  packed: PACKED,
  quadCopies: QUAD_COPIES,
  /** Cycles of the slowest level and number of blocks, per entry. */
  entries: ENTRIES,
  entryBytes: ENTRY_BYTES,
  maxEntries: MAX_ENTRIES,
  /** Blocks in the form of a bin's log. */
  blocks: BLOCKS,
  blockBytes: BLOCK_BYTES,
  /** Number of blocks beyond which no entry is started. */
  blocksBeforeStop: BLOCKS_BEFORE_STOP,
  bytes: BLOCKS + BLOCK_BYTES * (BLOCKS_BEFORE_STOP + 1 + BIN_BLOCKS),
  failures: { masksDisagree: -1, lostQuads: -2 },
} as const;

/** Codes of HierarchicalDepthUse for the kernel. */
export const DEPTH_USES = { keep: 0, raise: 1, test: 2, 'test-only': 3 } as const;
