/** Parameters of a chiplet's memory system, which are part of the table in chiplet-spec.ts. */

export const MEMORY_SPEC_FIELDS = {
  vertexCacheBytes: {
    unit: 'bytes',
    min: 1024,
    max: 1_048_576,
    isPowerOfTwo: true,
    meaning: 'size of the first-level cache of vertex fetch, for indices and attributes',
  },
  vertexCacheWays: {
    unit: 'lines',
    min: 1,
    max: 16,
    isPowerOfTwo: true,
    meaning: 'associativity of that cache; a line has 64 bytes',
  },
  colorCacheBytes: {
    unit: 'bytes',
    min: 1024,
    max: 1_048_576,
    isPowerOfTwo: true,
    meaning: "size of the output merger's color cache, write-back",
  },
  colorCacheWays: {
    unit: 'lines',
    min: 1,
    max: 16,
    isPowerOfTwo: true,
    meaning: 'associativity of that cache; a line has 64 bytes',
  },
  depthCacheBytes: {
    unit: 'bytes',
    min: 1024,
    max: 1_048_576,
    isPowerOfTwo: true,
    meaning: 'size of the depth cache of early depth and the output merger, write-back',
  },
  depthCacheWays: {
    unit: 'lines',
    min: 1,
    max: 16,
    isPowerOfTwo: true,
    meaning: 'associativity of that cache; a line has 64 bytes',
  },
  l2CacheBytes: {
    unit: 'bytes',
    min: 4096,
    max: 67_108_864,
    isPowerOfTwo: true,
    meaning: "size of the chiplet's second-level cache, write-back",
  },
  l2CacheWays: {
    unit: 'lines',
    min: 1,
    max: 64,
    isPowerOfTwo: true,
    meaning: 'associativity of that cache; a line has 64 bytes',
  },
  tlbEntries: {
    unit: 'pages',
    min: 0,
    max: 65_536,
    isPowerOfTwo: true,
    meaning: 'number of translations of addresses that a chiplet holds; 0 for no translation',
  },
  tlbWays: {
    unit: 'pages',
    min: 1,
    max: 64,
    isPowerOfTwo: true,
    meaning: 'associativity of these translations',
  },
  pageBytes: {
    unit: 'bytes',
    min: 4096,
    max: 2_097_152,
    isPowerOfTwo: true,
    meaning: 'size of a translated page',
  },
  pageTableLevels: {
    unit: 'levels',
    min: 1,
    max: 5,
    meaning: 'number of entries of the page table that a walk reads one after another',
  },
  pageWalks: {
    unit: 'walks',
    min: 1,
    max: 64,
    meaning: 'maximum number of page walks in progress',
  },
  pageListCycles: {
    unit: 'cycles',
    min: 1,
    max: 64,
    meaning: 'time to read an entry of a list of pages (pageStructure list)',
  },
  copyBufferLines: {
    unit: 'lines',
    min: 1,
    max: 4096,
    meaning:
      'number of lines that the copy engine has requested or holds; it serves uploads, generated mipmap levels, copies and resolves',
  },
  l2Slices: {
    unit: 'slices',
    min: 1,
    max: 16,
    isPowerOfTwo: true,
    meaning:
      'number of slices of the second-level cache, each with grants of its own; lines are interleaved over them as over the channels',
  },
  l2LatencyCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'latency from the grant of a line to its answer on a second-level hit',
  },
  l2LinesPerCycle: {
    unit: 'lines per cycle',
    min: 1,
    max: 8,
    meaning: 'rate at which a slice of the second-level cache accepts the lines of a granted burst',
  },
  l2MissEntries: {
    unit: 'lines',
    min: 1,
    max: 4096,
    meaning:
      'maximum number of lines in flight from local memory; later requests for one of them wait for it',
  },
  l2WaitersPerMiss: {
    unit: 'requests',
    min: 1,
    max: 64,
    meaning:
      'number of waiting requests per line in flight, on average; the table of all of them is shared',
  },
  memoryClientLines: {
    unit: 'lines',
    // A block with eight samples per pixel is read and written line by line, as one access.
    min: 16,
    max: 1024,
    meaning: "capacity of a memory client's control unit in requests",
  },
  memoryBurstLines: {
    unit: 'lines',
    min: 1,
    max: 128,
    meaning: 'longest burst of a client; the arbiter never interrupts one',
  },
  memoryAgeingCycles: {
    unit: 'cycles',
    min: 1,
    max: 1_000_000,
    meaning: 'waiting time after which a client precedes all others, if aging is on',
  },
  memoryLatencyCycles: {
    unit: 'cycles',
    min: 1,
    max: 10_000,
    meaning:
      'round trip from the second-level cache to the memory chips, in addition to their own time',
  },
  dramChannels: {
    unit: 'channels',
    min: 1,
    max: 16,
    isPowerOfTwo: true,
    meaning:
      'number of channels of local memory, each with its own data bus; rows are interleaved over them',
  },
  channelInterleaveBytes: {
    unit: 'bytes',
    min: 64,
    max: 4096,
    isPowerOfTwo: true,
    meaning: 'size of a piece of consecutive memory in one channel',
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
    meaning: 'number of banks per channel, each with one open row',
  },
  dramBankGroups: {
    unit: 'groups',
    min: 1,
    max: 8,
    isPowerOfTwo: true,
    meaning: 'number of groups that share circuits; commands to the same group need longer spacing',
  },
  dramRowBytes: {
    unit: 'bytes',
    min: 256,
    max: 16_384,
    isPowerOfTwo: true,
    meaning: "size of a bank's row buffer",
  },
  dramActivateCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'time to open a row',
  },
  dramPrechargeCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'time to close a row before another one of its bank is opened',
  },
  dramColumnCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'latency from a column access in an open row to its first byte',
  },
  dramRowActiveCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'shortest time from opening a row to closing it (tRAS)',
  },
  dramRowCycleCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'shortest time between two rows opened in one bank (tRC)',
  },
  dramActivateSpacingCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'shortest time between two rows opened in different bank groups (tRRD_S)',
  },
  dramActivateSpacingSameGroupCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'the same in one bank group (tRRD_L)',
  },
  dramFourActivatesCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'time in which at most four rows are opened (tFAW)',
  },
  dramColumnSpacingSameGroupCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning:
      'shortest time between column accesses in one bank group (tCCD_L); in different groups the data bus limits them',
  },
  dramReadToPrechargeCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'shortest time from a read to closing its row (tRTP)',
  },
  dramWriteRecoveryCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'shortest time from the last byte written to closing its row (tWR)',
  },
  dramWriteToReadCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'shortest time from the last byte written to a read in another bank group (tWTR_S)',
  },
  dramWriteToReadSameGroupCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'the same in one bank group (tWTR_L)',
  },
  dramTurnaroundCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: "idle time of a channel's data bus between reads and writes",
  },
  dramRefreshIntervalCycles: {
    unit: 'cycles',
    min: 100,
    max: 1_000_000,
    meaning: 'interval between two refreshes of a channel, which close all its rows',
  },
  dramRefreshCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'duration of a refresh; 0 for none',
  },
  dramQueueEntries: {
    unit: 'lines',
    min: 2,
    max: 256,
    meaning: 'number of requests that a channel chooses from: lines of open rows first',
  },
  dramMaxOvertakes: {
    unit: 'requests',
    min: 0,
    max: 1024,
    meaning:
      'number of requests that may overtake the oldest one of their kind; 0 serves them in order',
  },
  dramWriteDrainStartPercent: {
    unit: 'percent',
    min: 1,
    max: 100,
    meaning: 'share of the queue above which writes go before reads',
  },
  dramWriteDrainEndPercent: {
    unit: 'percent',
    min: 0,
    max: 99,
    meaning: 'share of the queue at which reads go first again',
  },
  programBlocks: {
    unit: 'blocks',
    min: 2,
    max: 64,
    meaning: 'number of blocks for the programs of a shader stage, stored and loaded in turn',
  },
  programBlockBytes: {
    unit: 'bytes',
    min: 1024,
    max: 1_048_576,
    isPowerOfTwo: true,
    meaning: 'size of the largest program of a shader stage',
  },
  textureIndexBlocks: {
    unit: 'textures',
    min: 1,
    max: 1_048_576,
    meaning: 'number of textures per frame with index blocks in the memory manager',
  },
  textureIndexLevels: {
    unit: 'levels',
    min: 1,
    max: 16,
    meaning: "number of mip levels in a texture's index block",
  },
  bufferIndexBlocks: {
    unit: 'buffers',
    min: 1,
    max: 1_048_576,
    meaning: 'number of buffer objects per frame with index blocks',
  },
  displayListIndexBlocks: {
    unit: 'draws',
    min: 1,
    max: 1_048_576,
    meaning: 'number of display lists per frame with index blocks; each draw is one',
  },
  userMemoryBytes: {
    unit: 'bytes',
    min: 2 ** 20,
    max: 2 ** 30,
    meaning:
      'size of local memory for buffers, display lists and visibility streams, in pages of 1 KiB',
  },
} as const;

/** Switches of the memory system. */
export const MEMORY_SPEC_SWITCHES = {
  hasL2Cache: 'a second-level cache exists; without one every line comes from local memory',
  hasBatchMemory:
    'records and fine-bin lists of primitive batches are in local memory, behind the second-level cache; without it the chiplet has buffers for them',
  hasFastClear:
    'a cleared target is not written to memory: blocks that were never drawn are known to be clear',
  hasDepthCompression:
    'blocks of depth and stencil that compress to a quarter of a line share lines of memory with their neighbors',
  hasColorCompression:
    'blocks of color that compress to a quarter of a line share lines of memory with their neighbors',
  hasExclusiveBursts: 'a burst has local memory to itself: the next is granted when it ends',
  hasMemoryAgeing:
    'clients that waited long are served first; without it the highest priority always is',
} as const satisfies Record<string, string>;
