/** Preset `attila-r5xx`: the shape of the GPU that the simulator ATTILA models. */
import { ONE_CYCLE_INSTRUCTIONS, type PresetSources } from './sourced-values.ts';

const ATTILA =
  'ATTILA, configuration of the CHOPIN project (Ren and Lis, HPCA 2021; compstruct, Scalable-Multi-GPU-Rendering, bGPU_MultiGPUs.ini)';

/** Table of the preset `attila-r5xx`. */
export const ATTILA_R5XX: PresetSources = {
  name: 'attila-r5xx',
  meaning:
    'a GPU of the time of OpenGL 2.0 as the simulator ATTILA models it: four shader cores, four ROPs of a quad, GDDR3',
  base: 'default',
  groups: [
    {
      source: `${ATTILA}: 2 triangles a cycle at assembly, clipping in 6 cycles, set-up in 10, 4 quads a cycle from the rasterizer`,
      values: {
        vertexLookupsPerCycle: 2,
        clipPieceCycles: 6,
        setupIntervalCycles: 1,
        traversalLevelCycles: 2,
      },
    },
    {
      source: `${ATTILA}: one depth test a cycle and ROP, caches for depth and color of 32 lines of 16 quads, 4-way`,
      values: {
        depthQuadsPerCycle: 4,
        outputQuadsPerCycle: 4,
        outputReadCycles: 1,
        colorCacheBytes: 16_384,
        depthCacheBytes: 16_384,
        colorCacheWays: 4,
        depthCacheWays: 4,
      },
    },
    {
      source: `${ATTILA}: four interpolators, texture address 6 cycles, filter 4`,
      values: {
        interpolatedComponentsPerCycle: 16,
        textureQuadsPerCycle: 1,
        textureLatencyCycles: 10,
      },
    },
    {
      source: `${ATTILA}: GDDR3 with tRRD 9, tRCD 13, tWTR 5, tWR 10, tRP 14 and CAS 10 cycles; 8 banks, rows of 2 KiB, no other limits`,
      values: {
        dramActivateCycles: 13,
        dramPrechargeCycles: 14,
        dramColumnCycles: 10,
        dramActivateSpacingCycles: 9,
        dramActivateSpacingSameGroupCycles: 9,
        dramWriteRecoveryCycles: 10,
        dramWriteToReadCycles: 5,
        dramWriteToReadSameGroupCycles: 5,
        dramRowActiveCycles: 0,
        dramRowCycleCycles: 0,
        dramFourActivatesCycles: 0,
        dramColumnSpacingSameGroupCycles: 0,
        dramBanks: 8,
        dramBankGroups: 1,
        dramRowBytes: 2048,
      },
    },
    {
      source: 'chosen: ATTILA draws primitives in order, without batches in memory',
      values: { hasBatchMemory: false },
    },
    {
      source: 'chosen: ATTILA has no second-level cache; its clients share the memory controller',
      values: {
        hasL2Cache: false,
        memoryLatencyCycles: 40,
        l2MissEntries: 64,
        l2Slices: 1,
        l2LinesPerCycle: 2,
      },
    },
    {
      source: 'chosen: the clock and four channels of a Radeon X1800 XT, in whole powers of two',
      values: { clockHz: 625_000_000, dramChannels: 4, dramBytesPerCycle: 16 },
    },
    {
      source: 'chosen: tRTP, refresh and turnaround of GDDR3 as of DDR2 with the same rows',
      values: {
        dramTurnaroundCycles: 4,
        dramReadToPrechargeCycles: 5,
        dramRefreshIntervalCycles: 4875,
        dramRefreshCycles: 66,
      },
    },
    {
      source: 'chosen: a smaller controller than those of today',
      values: {
        memoryClientLines: 64,
        l2WaitersPerMiss: 4,
        dramQueueEntries: 32,
        dramWriteDrainStartPercent: 75,
        dramWriteDrainEndPercent: 25,
      },
    },
    {
      source: 'chosen: an instruction a cycle, because the threads of ATTILA hide its latencies',
      values: ONE_CYCLE_INSTRUCTIONS,
    },
    {
      source: 'chosen: enough room for the warps of the cores, and first levels of 4 ways',
      values: {
        fragmentWarpWindow: 64,
        vertexResultWarps: 16,
        textureLinesPerCycle: 4,
        textureCacheWays: 4,
        textureMissEntries: 16,
        vertexCacheWays: 4,
      },
    },
    {
      source: 'chosen: 128 threads a core as in ATTILA, as 4 warps of 32 lanes',
      values: { smCount: 4, warpSlotsPerSm: 4, warpThreads: 32, warpGroupSlots: 4, warpIdFloor: 2 },
    },
  ],
};
