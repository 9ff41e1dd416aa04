/** Preset `default`: a small GPU of today with the proportions of an integrated one. */
import type { PresetSources } from './sourced-values.ts';

const VAN_GOGH =
  'Van Gogh (Lam, Chips and Cheese, article on the GPU of the Steam Deck): 8 compute units, 1 MiB of second-level cache, 88 GB/s';
const RDNA_2 = 'RDNA 2 (Lam, Chips and Cheese, 2021 and 2023)';
const GDDR6 = 'GDDR6 at 14 Gb/s and 1.35 V (Ramulator 2, gddr6.py), in cycles at 1 GHz';
const PAPER = 'scheduling paper (Deng, Tian, Han 2017)';

/** Table of the preset `default`, which has every parameter. */
export const DEFAULT: PresetSources = {
  name: 'default',
  meaning:
    'a GPU with the proportions of Van Gogh, an integrated GPU of RDNA 2, at 1 GHz: 8 lanes for each byte that memory moves in a cycle; a core is one SIMD of 32 lanes',
  base: null,
  groups: [
    {
      source: `${VAN_GOGH}; two SIMDs of 32 lanes, 16 warps and 128 KiB of registers a compute unit and SIMD, as in ${RDNA_2}`,
      values: {
        smCount: 16,
        warpThreads: 32,
        warpSlotsPerSm: 16,
        registerFileBytes: 131_072,
        instructionCacheBytes: 32_768,
        l2CacheBytes: 1_048_576,
        l2CacheWays: 16,
      },
    },
    {
      source: 'chosen: addresses are not translated, because no figure for this GPU is published',
      values: { pageStructure: 'table', tlbEntries: 0 },
    },
    {
      source: 'chosen: constants arrive with the state of the draw',
      values: { constantCacheBytes: 0 },
    },
    {
      source:
        'chosen; the tables of x86-64 have four levels, and the walker of Power, Hill and Wood (HPCA 2014) has 32 walks in progress',
      values: { tlbWays: 16, pageBytes: 65_536, pageTableLevels: 4, pageWalks: 32 },
    },
    {
      source: 'chosen: more lines than local memory delivers during its latency',
      values: { copyBufferLines: 512 },
    },
    {
      source: 'chosen: on-chip memory delivers an entry per cycle',
      values: { pageListCycles: 1 },
    },
    {
      source: 'chosen: a cycle is a nanosecond',
      values: { clockHz: 1_000_000_000 },
    },
    {
      source: 'two-level binning patent, ¶41: 64×64',
      values: { fineBinPx: 64 },
    },
    {
      source:
        'chosen, because the patent leaves them open (¶31): two buffers let binning and rasterization overlap',
      values: { batchPrimitives: 1024, batchStates: 8, batchBuffers: 2 },
    },
    {
      source:
        'chosen: with 4, 16 small bins take the time of their pixels at the output merger; with 2, they wait for targets that leave',
      values: { binTargets: 4 },
    },
    {
      source:
        'chosen: a batch is too large for a buffer of its own, and its records are read ahead for as long as the second level takes',
      values: { hasBatchMemory: true, batchReadAheadPrimitives: 128 },
    },
    {
      source:
        'chosen: the patent requires "sufficient resources" (fig. 3: 316); as many primitives as 16 batches have, of 128 to 256 bytes each',
      values: { earlyBinPrimitives: 16_384 },
    },
    {
      source: 'chosen: the time in which a list of the stream arrives from the second-level cache',
      values: { drawStateCycles: 32, streamReadAheadLines: 8 },
    },
    {
      source:
        'chosen: the coarse binner lists an entry a cycle, and the command processor takes a primitive a cycle, so neither waits for the coding',
      values: { streamCoderIntervalCycles: 1, streamDecoderIntervalCycles: 1 },
    },
    {
      source:
        'chosen: the three corners of a triangle in a cycle, as set-up takes triangles, and as many triangles as wait for memory',
      values: {
        vertexLookupsPerCycle: 4,
        postTransformCacheVertices: 128,
        primitiveQueueEntries: 512,
      },
    },
    {
      source: 'chosen: a segment then has one to two kilobytes, of which its heads are a tenth',
      values: { streamSegmentEntries: 4096 },
    },
    {
      source: `vendor's peak of ${RDNA_2}: a triangle a cycle and shader engine`,
      values: { setupIntervalCycles: 1 },
    },
    {
      source:
        'ATTILA, configuration of the CHOPIN project (Ren and Lis, HPCA 2021): clipping in 6 cycles, 2 cycles a stage of the rasterizer',
      values: { clipPieceCycles: 6, traversalLevelCycles: 2 },
    },
    {
      source:
        'chosen: 16 pixels a cycle, a write of 4 bytes for each of the 64 bytes that memory moves; one depth test a pixel',
      values: {
        depthQuadsPerCycle: 4,
        outputQuadsPerCycle: 4,
        outputReadCycles: 1,
        outputMergerWarps: 8,
        outputBusBytesPerCycle: 64,
        outputReadAheadLines: 128,
      },
    },
    {
      source: 'bounding-box study of Zhang et al. and the shape of its result',
      values: { hasBoxTest: true, entersAtBoxLevel: true, testsTileCorners: true },
    },
    {
      source:
        'ATTILA, configuration of the CHOPIN project (Ren and Lis, HPCA 2021): hierarchical depth in blocks of 16 quads, access in 5 cycles, update in 4',
      values: {
        hasHierarchicalDepth: true,
        hierarchicalDepthBlocksPerCycle: 4,
        hierarchicalDepthDelayCycles: 9,
      },
    },
    {
      source: `${PAPER}: \`pixel-biased\` is its own policy, and the paper describes the mechanism; the other figures are chosen. [deviations.md](deviations.md) explains how the paper is interpreted`,
      values: {
        slotPolicy: 'pixel-biased',
        warpIdLayout: 'interleaved',
        warpIdFloor: 4,
        warpIdPlenty: 3,
        warpIdLockCycles: 2,
        warpGroupSlots: 4,
        schedulingSeed: 1,
        hasFineGrainedIssue: false,
        hasSerialWarpIdFrees: false,
        fragmentTakesLastId: false,
      },
    },
    {
      source: 'chosen: as many warps between packing and output merger as the cores hold',
      values: { vertexResultWarps: 32, fragmentWarpWindow: 256 },
    },
    {
      source: 'chosen: two varyings of four components for each quad that the cores can start',
      values: { interpolatedComponentsPerCycle: 128 },
    },
    {
      source: `${RDNA_2}: 4 texture units and 16 KiB of first-level cache a compute unit; 68 bytes a cycle measured on a Radeon RX 6900 XT (te42kyfo, gpu-benches, 2024)`,
      values: {
        textureQuadsPerCycle: 1,
        textureLinesPerCycle: 2,
        textureCacheBytes: 16_384,
        textureCacheWays: 16,
        vertexCacheBytes: 16_384,
        vertexCacheWays: 16,
      },
    },
    {
      source:
        'LLVM, SIWholeQuadMode.cpp and wqm.ll: code for GPUs of AMD leaves whole quad mode before lookups that only covered lanes need',
      values: { helperLaneLookups: 'needed' },
    },
    {
      source:
        'chosen: tiles in Z-order, as GPUs of today have; their sizes are those of Apple AGX (Mesa, asahi/layout/layout.c)',
      values: { textureLayout: 'morton' },
    },
    {
      source:
        'chosen: a hit in the first level takes 60 cycles, between 36 (A100) and 73 (Radeon RX 6900 XT; te42kyfo, gpu-benches, 2024)',
      values: { textureLatencyCycles: 42 },
    },
    {
      source:
        'chosen: the second level is 100 cycles behind the first, between 43 (Apple M1; Chips and Cheese) and 132 (Radeon RX 6900 XT; te42kyfo, gpu-benches, 2024)',
      values: { l2LatencyCycles: 100 },
    },
    {
      source:
        'MGPUSim, R9 Nano (timingconfig) has 128 per cache; half of them, chosen, for half the warps',
      values: { textureMissEntries: 64 },
    },
    {
      source: 'chosen: a warp waits for each of its lookups, and other warps hide the latency',
      values: { textureLookupsPerWarp: 1 },
    },
    {
      source:
        'chosen: a slice for each channel, and together near the 451 bytes a cycle measured for a quarter of a Radeon RX 6900 XT (te42kyfo, gpu-benches, 2024)',
      values: { l2Slices: 4, l2LinesPerCycle: 2 },
    },
    {
      source:
        'chosen: a read from memory takes 250 cycles, between 226 ns (Radeon RX 6900 XT) and 317 ns (V100), both measured',
      values: { memoryLatencyCycles: 148 },
    },
    {
      source:
        'chosen: the lines in flight that the bandwidth needs at this latency (latency × bytes per cycle ÷ 64, 250) and a reserve',
      values: { l2MissEntries: 512, memoryClientLines: 256, l2WaitersPerMiss: 8 },
    },
    {
      source: 'chosen: the page of the x86 architecture, in which most systems place memory',
      values: { placementPageBytes: 4096 },
    },
    {
      source:
        'chosen: reads of other memories as misses of local memory, since a round trip over the link takes about as long; requests of others as many as local memory needs at a line per cycle; writes are few',
      values: { remoteReadEntries: 512, remoteServerEntries: 256, remoteWriteEntries: 64 },
    },
    {
      source:
        'chosen: remote lines are kept in the second-level cache; a cache of their own, as the L1.5 of MCM-GPU (Arunkumar et al., ISCA 2017), has half the size of the second-level cache and its latency, as there',
      values: {
        remoteCache: 'l2',
        remoteCacheBytes: 524_288,
        remoteCacheWays: 16,
        remoteCacheLatencyCycles: 100,
      },
    },
    {
      source: 'chosen: an address of 8 bytes, sender, receiver, kind, length and check bits',
      values: { remoteHeaderBytes: 16 },
    },
    {
      source:
        'chosen: with the cycle in which it enters its source queue, 16 cycles between unit and port on each chiplet',
      values: { remoteInterfaceCycles: 31 },
    },
    {
      source: 'chosen: twice the lines that the output merger has in flight',
      values: {
        colorCacheBytes: 32_768,
        colorCacheWays: 4,
        depthCacheBytes: 32_768,
        depthCacheWays: 4,
      },
    },
    {
      source: 'chosen: bursts of the interleave of the channels',
      values: { memoryBurstLines: 4, memoryAgeingCycles: 1000, hasMemoryAgeing: false },
    },
    {
      source: '256 bytes between channels (AMD ROCm documentation, MI100 and MI200)',
      values: { channelInterleaveBytes: 256 },
    },
    {
      source: 'chosen: 64 GB/s in four channels, near the 88 GB/s of Van Gogh at 1.6 GHz',
      values: { dramChannels: 4, dramBytesPerCycle: 16 },
    },
    {
      source: `${GDDR6}: tRCD, tRP, tCL, tRAS, tRC, tRRD, tFAW, tCCD_L, tWR, tWTR_S, tWTR_L, tRTP, tREFI, tRFC; 4 groups of 4 banks, pages of 2 KiB`,
      values: {
        dramActivateCycles: 16,
        dramPrechargeCycles: 16,
        dramColumnCycles: 14,
        dramRowActiveCycles: 31,
        dramRowCycleCycles: 46,
        dramActivateSpacingCycles: 5,
        dramActivateSpacingSameGroupCycles: 5,
        dramFourActivatesCycles: 17,
        dramColumnSpacingSameGroupCycles: 3,
        dramWriteRecoveryCycles: 16,
        dramWriteToReadCycles: 6,
        dramWriteToReadSameGroupCycles: 7,
        dramReadToPrechargeCycles: 3,
        dramRefreshIntervalCycles: 1900,
        dramRefreshCycles: 121,
        dramBanks: 16,
        dramBankGroups: 4,
        dramRowBytes: 2048,
      },
    },
    {
      source:
        'chosen: the mean idle time of the bus of GDDR6 between both directions (tWTR_S + tCL, and 3 ns)',
      values: { dramTurnaroundCycles: 11 },
    },
    {
      source:
        'controllers of simulators: queue of 64 requests (Accel-Sim), all of which may overtake, write watermarks of 0.8 and 0.2 (Ramulator 2)',
      values: {
        dramQueueEntries: 64,
        dramWriteDrainStartPercent: 80,
        dramWriteDrainEndPercent: 20,
        dramMaxOvertakes: 64,
        dramPagePolicy: 'open',
      },
    },
    {
      source:
        'Accel-Sim and measurements on a T4 (Jia et al. 2019): 4 cycles for additions and multiplications, 15 for transcendental functions; a quarter of the rate as on Arm, GCN and Pascal (azhirnov, as-en)',
      values: {
        aluIssueCycles: 1,
        aluLatencyCycles: 4,
        interpolationIssueCycles: 1,
        interpolationLatencyCycles: 4,
        specialIssueCycles: 4,
        specialLatencyCycles: 15,
      },
    },
    {
      source:
        'LLVM, SISchedule.td, GFX10SpeedModel: local memory and scalar loads 20 cycles; half of its 32 for branches',
      values: {
        constantLoadIssueCycles: 1,
        constantLoadLatencyCycles: 20,
        arrayAccessIssueCycles: 1,
        arrayAccessLatencyCycles: 20,
        controlIssueCycles: 1,
        controlLatencyCycles: 16,
      },
    },
    {
      source: 'chosen: sequences of the instructions above; nothing waits for an output',
      values: {
        divisionIssueCycles: 8,
        divisionLatencyCycles: 20,
        integerDivisionIssueCycles: 32,
        integerDivisionLatencyCycles: 80,
        outputIssueCycles: 1,
        outputLatencyCycles: 1,
      },
    },
    {
      source: 'chosen: every client has a first level, and all share a second one',
      values: { hasL2Cache: true, hasExclusiveBursts: false },
    },
    {
      source:
        'ATTILA, configuration of the CHOPIN project (Ren and Lis, HPCA 2021): 256 blocks are cleared in a cycle, without memory',
      values: { hasFastClear: true },
    },
    {
      source: 'chosen: off, so that memory moves each block as a whole line',
      values: { hasDepthCompression: false, hasColorCompression: false },
    },
    {
      source: 'chosen: as many vertex warps as wait for a refresh of memory',
      values: { queueEntries: 32 },
    },
    {
      source: 'chosen: as many objects as user memory has pages, so that memory is the limit',
      values: {
        programBlocks: 16,
        programBlockBytes: 262_144,
        textureIndexBlocks: 1_048_576,
        textureIndexLevels: 14,
        bufferIndexBlocks: 1_048_576,
        displayListIndexBlocks: 1_048_576,
        userMemoryBytes: 2 ** 30,
        texturePoolBytes: 512 * 1024 * 1024,
        maxBinPixels: 4096 * 4096,
      },
    },
    {
      source: 'chosen: limits of the simulator, not of the chip',
      values: {
        quadListQuads: 4096,
        invocationInstructionBudget: 2 ** 20,
        runInstructionBudget: 2 ** 38,
      },
    },
  ],
};
