/**
 * Tables of the words with which the host configures the chip: the specification once, then the
 * plan of each run. The order of the fields is the order of the words.
 */

import {
  PAGE_POLICIES,
  PAGE_STRUCTURES,
  PLACEMENTS,
  REMOTE_CACHES,
  SLOT_POLICIES,
  WARP_ID_LAYOUTS,
} from './spec-choices.ts';

/** Integer, switch (0 or 1), or the position of a name in a list. */
export type WordKind = 'integer' | 'switch' | readonly string[];

/** Fields of a ChipletSpec that the chip depends on. */
export const TIMING_SPEC_WORDS = {
  programBlocks: 'integer',
  batchBuffers: 'integer',
  binTargets: 'integer',
  batchReadAheadPrimitives: 'integer',
  channelInterleaveBytes: 'integer',
  clipPieceCycles: 'integer',
  colorCacheBytes: 'integer',
  colorCacheWays: 'integer',
  constantCacheBytes: 'integer',
  depthCacheBytes: 'integer',
  depthCacheWays: 'integer',
  depthQuadsPerCycle: 'integer',
  dramActivateCycles: 'integer',
  dramActivateSpacingCycles: 'integer',
  dramActivateSpacingSameGroupCycles: 'integer',
  dramBankGroups: 'integer',
  dramBanks: 'integer',
  dramBytesPerCycle: 'integer',
  dramChannels: 'integer',
  dramColumnCycles: 'integer',
  dramColumnSpacingSameGroupCycles: 'integer',
  dramFourActivatesCycles: 'integer',
  dramMaxOvertakes: 'integer',
  dramPagePolicy: PAGE_POLICIES,
  pageStructure: PAGE_STRUCTURES,
  pageListCycles: 'integer',
  dramPrechargeCycles: 'integer',
  dramQueueEntries: 'integer',
  dramReadToPrechargeCycles: 'integer',
  dramRefreshCycles: 'integer',
  dramRefreshIntervalCycles: 'integer',
  dramRowActiveCycles: 'integer',
  dramRowBytes: 'integer',
  dramRowCycleCycles: 'integer',
  dramTurnaroundCycles: 'integer',
  dramWriteDrainEndPercent: 'integer',
  dramWriteDrainStartPercent: 'integer',
  dramWriteRecoveryCycles: 'integer',
  dramWriteToReadCycles: 'integer',
  dramWriteToReadSameGroupCycles: 'integer',
  drawStateCycles: 'integer',
  fineBinPx: 'integer',
  fragmentTakesLastId: 'switch',
  fragmentWarpWindow: 'integer',
  hasBatchMemory: 'switch',
  hasExclusiveBursts: 'switch',
  hasFastClear: 'switch',
  hasFineGrainedIssue: 'switch',
  hasHierarchicalDepth: 'switch',
  hasL2Cache: 'switch',
  hasMemoryAgeing: 'switch',
  hasSerialWarpIdFrees: 'switch',
  hierarchicalDepthBlocksPerCycle: 'integer',
  hierarchicalDepthDelayCycles: 'integer',
  instructionCacheBytes: 'integer',
  interpolatedComponentsPerCycle: 'integer',
  l2CacheBytes: 'integer',
  l2CacheWays: 'integer',
  l2LatencyCycles: 'integer',
  l2LinesPerCycle: 'integer',
  l2MissEntries: 'integer',
  l2Slices: 'integer',
  l2WaitersPerMiss: 'integer',
  memoryAgeingCycles: 'integer',
  memoryBurstLines: 'integer',
  memoryClientLines: 'integer',
  memoryLatencyCycles: 'integer',
  outputBusBytesPerCycle: 'integer',
  outputMergerWarps: 'integer',
  outputQuadsPerCycle: 'integer',
  outputReadAheadLines: 'integer',
  outputReadCycles: 'integer',
  pageBytes: 'integer',
  pageTableLevels: 'integer',
  pageWalks: 'integer',
  copyBufferLines: 'integer',
  placementPageBytes: 'integer',
  postTransformCacheVertices: 'integer',
  primitiveQueueEntries: 'integer',
  queueEntries: 'integer',
  registerFileBytes: 'integer',
  remoteCache: REMOTE_CACHES,
  remoteCacheBytes: 'integer',
  remoteCacheLatencyCycles: 'integer',
  remoteCacheWays: 'integer',
  remoteReadEntries: 'integer',
  remoteServerEntries: 'integer',
  remoteWriteEntries: 'integer',
  schedulingSeed: 'integer',
  setupIntervalCycles: 'integer',
  slotPolicy: SLOT_POLICIES,
  smCount: 'integer',
  streamReadAheadLines: 'integer',
  streamCoderIntervalCycles: 'integer',
  streamDecoderIntervalCycles: 'integer',
  textureCacheBytes: 'integer',
  textureCacheWays: 'integer',
  textureLatencyCycles: 'integer',
  textureLinesPerCycle: 'integer',
  textureLookupsPerWarp: 'integer',
  textureMissEntries: 'integer',
  textureQuadsPerCycle: 'integer',
  tlbEntries: 'integer',
  tlbWays: 'integer',
  traversalLevelCycles: 'integer',
  vertexCacheBytes: 'integer',
  vertexCacheWays: 'integer',
  vertexLookupsPerCycle: 'integer',
  vertexResultWarps: 'integer',
  warpGroupSlots: 'integer',
  warpIdFloor: 'integer',
  warpIdLayout: WARP_ID_LAYOUTS,
  warpIdLockCycles: 'integer',
  warpIdPlenty: 'integer',
  warpSlotsPerSm: 'integer',
  warpThreads: 'integer',
} as const satisfies Readonly<Record<string, WordKind>>;

/** Traffic of a run that is known before it starts. Addresses are in lines. */
export const RUN_PLAN_WORDS = {
  /**
   * Rectangle of the bin in its target, in pixels; empty for a visibility phase that renders none.
   */
  x: 'integer',
  y: 'integer',
  width: 'integer',
  height: 'integer',
  /** Samples per pixel. */
  sampleCount: 'integer',
  /** Lines of a block's color per sample: one for every 32 bits of all targets of a pixel. */
  colorLines: 'integer',
  isColorLoaded: 'switch',
  isDepthLoaded: 'switch',
  /** Whether depth and stencil leave the chiplet with the bin. */
  isDepthStored: 'switch',
  /** Bound of all depths at the start, in the form of BLOCK.depths. */
  depthBound: 'integer',
  /** First line of the image region and number of its lines, which the targets share. */
  imageLine: 'integer',
  imageLines: 'integer',
  /**
   * First line of the first batch buffer and distance to the next one, 0 if batches are not in
   * memory; and distance from a buffer's records to its lists.
   */
  batchLine: 'integer',
  batchLines: 'integer',
  batchListLines: 'integer',
  /**
   * First line of the primitive records of a bin that is rendered within a visibility phase; 0 for
   * other runs.
   */
  earlyLine: 'integer',
  /** First line of the page table, above all lines that it maps. */
  pageTableLine: 'integer',
  /** Visibility stream that is read; 0 bytes if there is none. */
  streamLine: 'integer',
  streamBytes: 'integer',
  streamPrimitives: 'integer',
  /** First line behind the buffers and snapshots of the pass in the user area. */
  buffersEndLine: 'integer',
  /** First line of the streams of the pass, which take the rest of the user area. */
  streamsLine: 'integer',
} as const satisfies Readonly<Record<string, WordKind>>;

/**
 * Memories that a chiplet shares with others, for all its runs. Lines of a class are those of its
 * range in each address space.
 */
export const SHARED_MEMORY_WORDS = {
  /** Number of this chiplet, and number of chiplets. */
  chiplet: 'integer',
  chipletCount: 'integer',
  /** Number of address spaces, and lines of each. */
  spaceCount: 'integer',
  spaceLines: 'integer',
  /** Lines of the textures, and lines of the user area. */
  texturesLine: 'integer',
  texturesEndLine: 'integer',
  userLine: 'integer',
  userEndLine: 'integer',
  /** Placements of the classes. */
  textures: PLACEMENTS,
  buffers: PLACEMENTS,
  streams: PLACEMENTS,
} as const satisfies Readonly<Record<string, WordKind>>;

/** Values of the fields of a table of words. */
export type WordValues<T extends Readonly<Record<string, WordKind>>> = {
  readonly [K in keyof T]: T[K] extends 'integer'
    ? number
    : T[K] extends 'switch'
      ? boolean
      : T[K] extends readonly string[]
        ? T[K][number]
        : never;
};

/** Returns the words of a table for the given values, which are trusted. */
export function packWords<T extends Readonly<Record<string, WordKind>>>(
  table: T,
  values: WordValues<T>,
): Int32Array {
  return Int32Array.from(Object.entries(table), ([field, kind]) => {
    const value = values[field as keyof T];
    return typeof kind === 'string' ? Number(value) : kind.indexOf(String(value));
  });
}
