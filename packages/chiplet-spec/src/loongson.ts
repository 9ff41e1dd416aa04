/** Preset `loongson`: the chip in the semi-cycle-accurate simulator of Zhang et al. */
import { ONE_CYCLE_INSTRUCTIONS, type PresetSources } from './sourced-values.ts';

const ZHANG = 'semi-cycle-accurate simulator of Zhang et al.';

/** Table of the preset `loongson`. */
export const LOONGSON: PresetSources = {
  name: 'loongson',
  meaning:
    'the shape of the chip that the simulator of Zhang et al. models, with the narrow memory of an integrated GPU of its time; the paper states no other figure than those named here',
  base: 'default',
  groups: [
    { source: `${ZHANG}: four stream processors SP0 to SP3`, values: { smCount: 4 } },
    {
      source: `${ZHANG}: a stream processor executes a whole instruction in a cycle`,
      values: ONE_CYCLE_INSTRUCTIONS,
    },
    {
      source: 'chosen: an integrated GPU of 2013, whose clock is that of its memory',
      values: { clockHz: 400_000_000, dramChannels: 1 },
    },
    {
      source: 'chosen: a narrow front end that draws a quad a cycle',
      values: {
        batchPrimitives: 256,
        drawStateCycles: 64,
        vertexLookupsPerCycle: 1,
        postTransformCacheVertices: 32,
        primitiveQueueEntries: 64,
        setupIntervalCycles: 4,
        clipPieceCycles: 8,
        depthQuadsPerCycle: 1,
        outputQuadsPerCycle: 1,
        outputBusBytesPerCycle: 16,
        queueEntries: 8,
      },
    },
    {
      source: `${ZHANG}: draws primitives in order, without batches in memory`,
      values: { hasBatchMemory: false },
    },
    {
      source: 'chosen: blocks in rows, because the paper states no order',
      values: { textureLayout: 'linear-block' },
    },
    {
      source: 'chosen: enough warps for the latency of this memory',
      values: {
        warpSlotsPerSm: 4,
        warpThreads: 16,
        fragmentWarpWindow: 16,
        vertexResultWarps: 16,
        interpolatedComponentsPerCycle: 16,
      },
    },
    {
      source: 'chosen: small caches near their units',
      values: {
        textureCacheBytes: 8192,
        textureCacheWays: 4,
        textureLinesPerCycle: 4,
        textureLatencyCycles: 24,
        textureMissEntries: 16,
        vertexCacheBytes: 4096,
        vertexCacheWays: 4,
        colorCacheBytes: 4096,
        depthCacheBytes: 4096,
        l2CacheBytes: 65_536,
        l2CacheWays: 8,
        l2LatencyCycles: 24,
        l2Slices: 1,
        l2LinesPerCycle: 1,
        l2MissEntries: 16,
        l2WaitersPerMiss: 4,
        memoryClientLines: 64,
        memoryLatencyCycles: 30,
      },
    },
    {
      source:
        'DDR3-800 with 1 Gbit chips (JEDEC JESD79-3, from memory), whose clock is that of the chip: 6-6-6, tRAS, tRC, tRRD, tFAW, tWR, tWTR, tRTP, tREFI, tRFC; 8 banks without groups',
      values: {
        dramBanks: 8,
        dramBankGroups: 1,
        dramActivateCycles: 6,
        dramPrechargeCycles: 6,
        dramColumnCycles: 6,
        dramRowActiveCycles: 15,
        dramRowCycleCycles: 21,
        dramActivateSpacingCycles: 4,
        dramActivateSpacingSameGroupCycles: 4,
        dramFourActivatesCycles: 16,
        dramColumnSpacingSameGroupCycles: 0,
        dramWriteRecoveryCycles: 6,
        dramWriteToReadCycles: 4,
        dramWriteToReadSameGroupCycles: 4,
        dramReadToPrechargeCycles: 4,
        dramRefreshIntervalCycles: 3120,
        dramRefreshCycles: 44,
      },
    },
    {
      source: 'chosen: a small controller; the mean idle time of the bus between both directions',
      values: {
        dramTurnaroundCycles: 4,
        dramQueueEntries: 16,
        dramWriteDrainStartPercent: 75,
        dramWriteDrainEndPercent: 25,
      },
    },
  ],
};
