/** Parameters of a chiplet's memory system, which are part of the table in chiplet-spec.ts. */

export const MEMORY_SPEC_FIELDS = {
  vertexCacheBytes: {
    unit: 'bytes',
    min: 1024,
    max: 1_048_576,
    isPowerOfTwo: true,
    meaning: 'first-level cache of vertex fetch, indices and attributes; four lines a set',
  },
  colorCacheBytes: {
    unit: 'bytes',
    min: 1024,
    max: 1_048_576,
    isPowerOfTwo: true,
    meaning: 'colour cache of the output merger, written back; four lines a set',
  },
  depthCacheBytes: {
    unit: 'bytes',
    min: 1024,
    max: 1_048_576,
    isPowerOfTwo: true,
    meaning: 'depth cache of early depth and the output merger, written back; four lines a set',
  },
  l2CacheBytes: {
    unit: 'bytes',
    min: 4096,
    max: 67_108_864,
    isPowerOfTwo: true,
    meaning: 'second-level cache of the chiplet, written back',
  },
  l2CacheWays: {
    unit: 'lines',
    min: 1,
    max: 64,
    isPowerOfTwo: true,
    meaning: 'lines of a set of that cache; a line has 64 bytes',
  },
  l2LatencyCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'from a granted line to its answer when the second-level cache has it',
  },
  l2LinesPerCycle: {
    unit: 'lines per cycle',
    min: 1,
    max: 8,
    meaning: 'lines of a granted burst that the second-level cache takes',
  },
  l2MissEntries: {
    unit: 'lines',
    min: 1,
    max: 256,
    meaning: 'lines that are on their way from local memory; later requests for them join in',
  },
  memoryClientLines: {
    unit: 'lines',
    // A block with four samples per pixel is read and written line by line, as one access.
    min: 8,
    max: 1024,
    meaning: 'requests that the control unit of a client of memory holds',
  },
  memoryBurstLines: {
    unit: 'lines',
    min: 1,
    max: 128,
    meaning: 'longest burst of a client; the arbiter never breaks one',
  },
  memoryAgeingCycles: {
    unit: 'cycles',
    min: 1,
    max: 1_000_000,
    meaning: 'a client that waited so long goes before all that did not, where ageing is on',
  },
  memoryLatencyCycles: {
    unit: 'cycles',
    min: 1,
    max: 10_000,
    meaning: 'from the second-level cache to the memory chips and back, beside their own time',
  },
  dramChannels: {
    unit: 'channels',
    min: 1,
    max: 16,
    isPowerOfTwo: true,
    meaning: 'channels of local memory, each with a data bus of its own; rows go round them',
  },
  dramBytesPerCycle: {
    unit: 'bytes per cycle',
    min: 1,
    max: 64,
    isPowerOfTwo: true,
    meaning: 'peak bandwidth of a channel',
  },
  dramBanks: {
    unit: 'banks',
    min: 1,
    max: 64,
    isPowerOfTwo: true,
    meaning: 'banks of a channel, each with one open row',
  },
  dramRowBytes: {
    unit: 'bytes',
    min: 256,
    max: 16_384,
    isPowerOfTwo: true,
    meaning: 'bytes of a row of a bank, as far as the row buffer holds them',
  },
  dramActivateCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'a row is opened',
  },
  dramPrechargeCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'a row is closed, before another one of its bank is opened',
  },
  dramColumnCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'from a column of an open row to its first byte',
  },
  dramTurnaroundCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'the data bus of a channel rests between reads and writes',
  },
  dramRefreshIntervalCycles: {
    unit: 'cycles',
    min: 100,
    max: 1_000_000,
    meaning: 'between two refreshes of a channel, which close all its rows',
  },
  dramRefreshCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'a refresh takes; 0 for none',
  },
  dramQueueEntries: {
    unit: 'lines',
    min: 2,
    max: 256,
    meaning: 'requests among which a channel chooses: lines of open rows first',
  },
  programBlocks: {
    unit: 'blocks',
    min: 2,
    max: 64,
    meaning: 'blocks for the programs of a shader stage, stored to and loaded from in turn',
  },
  programBlockBytes: {
    unit: 'bytes',
    min: 1024,
    max: 1_048_576,
    isPowerOfTwo: true,
    meaning: 'largest program of a shader stage',
  },
  textureIndexBlocks: {
    unit: 'textures',
    min: 1,
    max: 65_536,
    meaning: 'textures of a frame that the memory manager has index blocks for',
  },
  textureIndexLevels: {
    unit: 'levels',
    min: 1,
    max: 16,
    meaning: 'mip levels that an index block of a texture holds',
  },
  bufferIndexBlocks: {
    unit: 'buffers',
    min: 1,
    max: 65_536,
    meaning: 'buffer objects of a frame that it has index blocks for',
  },
  displayListIndexBlocks: {
    unit: 'draws',
    min: 1,
    max: 1_048_576,
    meaning: 'display lists of a frame that it has index blocks for; each draw is one',
  },
  userMemoryBytes: {
    unit: 'bytes',
    min: 2 ** 20,
    max: 2 ** 30,
    meaning: 'local memory for buffers, display lists and visibility streams, in pages of 1 KB',
  },
} as const;

/** Switches of the memory system. */
export const MEMORY_SPEC_SWITCHES = {
  hasL2Cache: 'there is a second-level cache; without one every line comes from local memory',
  hasExclusiveBursts: 'a burst has local memory for itself: the next is granted when it is over',
  hasMemoryAgeing: 'clients that waited long go first; without it the highest priority always does',
} as const satisfies Record<string, string>;

/**
 * Memory system of the chiplet that every study starts from. A second-level cache and four channels
 * of 16 bytes are typical of a small discrete GPU. Times of the memory chips are those of GDDR6 in
 * nanoseconds at 1 GHz: row, column and precharge 14 each, refresh every 1.9 µs for 0.12 µs per 16
 * Gbit channel.
 */
export const DEFAULT_MEMORY_SPEC = {
  vertexCacheBytes: 16_384,
  colorCacheBytes: 16_384,
  depthCacheBytes: 16_384,
  l2CacheBytes: 524_288,
  l2CacheWays: 16,
  l2LatencyCycles: 24,
  l2LinesPerCycle: 2,
  l2MissEntries: 64,
  memoryClientLines: 64,
  memoryBurstLines: 4,
  memoryAgeingCycles: 1000,
  memoryLatencyCycles: 60,
  dramChannels: 4,
  dramBytesPerCycle: 16,
  dramBanks: 16,
  dramRowBytes: 2048,
  dramActivateCycles: 14,
  dramPrechargeCycles: 14,
  dramColumnCycles: 14,
  dramTurnaroundCycles: 8,
  dramRefreshIntervalCycles: 1900,
  dramRefreshCycles: 120,
  dramQueueEntries: 32,
  programBlocks: 16,
  programBlockBytes: 262_144,
  textureIndexBlocks: 1024,
  textureIndexLevels: 14,
  bufferIndexBlocks: 4096,
  displayListIndexBlocks: 65_536,
  userMemoryBytes: 2 ** 30,
  hasL2Cache: true,
  hasExclusiveBursts: false,
  hasMemoryAgeing: false,
} as const;
