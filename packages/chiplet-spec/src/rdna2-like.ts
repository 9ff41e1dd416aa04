/** Preset `rdna2-like`: one shader engine of a Radeon RX 6900 XT. */
import type { PresetSources } from './sourced-values.ts';

const MEASURED =
  'measured on a Radeon RX 6900 XT (te42kyfo, gpu-benches, gpu-latency and gpu-l2-cache, 2024)';
const CHIPS_AND_CHEESE = 'Lam, Chips and Cheese, articles on RDNA 2 (2021, 2023)';
const GDDR6 = 'GDDR6 at 14 Gb/s and 1.35 V (Ramulator 2, gddr6.py), in cycles at 2 GHz';

/** Table of the preset `rdna2-like`. */
export const RDNA2_LIKE: PresetSources = {
  name: 'rdna2-like',
  meaning:
    'a quarter of a Radeon RX 6900 XT (Navi 21): one shader engine of 20 compute units with a quarter of the second-level cache and of the bus; a core is one SIMD of 32 lanes',
  base: 'default',
  groups: [
    {
      source: 'chosen: near the game clock, at which a 16-bit GDDR6 channel moves 16 bytes a cycle',
      values: { clockHz: 2_000_000_000, dramBytesPerCycle: 16, dramChannels: 4 },
    },
    {
      source: `${CHIPS_AND_CHEESE}: 2 SIMDs of 32 lanes a compute unit, 16 waves and 128 KiB of registers a SIMD, 16 KiB of first-level cache, 32 KiB of instruction cache; a scalar cache of 16 KiB for two compute units`,
      values: {
        smCount: 40,
        warpSlotsPerSm: 16,
        warpThreads: 32,
        registerFileBytes: 131_072,
        textureCacheBytes: 16_384,
        vertexCacheBytes: 16_384,
        instructionCacheBytes: 32_768,
        constantCacheBytes: 16_384,
      },
    },
    {
      source:
        'Guru3D, review of the RX 6900 XT: 4 texture units a compute unit, 128 ROPs on four engines',
      values: { textureQuadsPerCycle: 1, outputQuadsPerCycle: 8 },
    },
    {
      source: `fitted to a pointer chase ${MEASURED}: 73 and 205 cycles`,
      values: { textureLatencyCycles: 53, l2LatencyCycles: 132 },
    },
    {
      source: `${MEASURED}: 68 bytes a cycle and compute unit, 1,806 in all from the second level`,
      values: { textureLinesPerCycle: 2, l2Slices: 4, l2LinesPerCycle: 2 },
    },
    {
      source:
        'fitted to a pointer chase in DRAM behind the last-level cache: 260 to 284 ns (Lam, Chips and Cheese, 2021 and 2023)',
      values: { memoryLatencyCycles: 403 },
    },
    {
      source:
        'a quarter of 4 MiB, 16-way (Chips and Cheese); 256 bytes between channels (AMD ROCm documentation, MI100 and MI200)',
      values: { l2CacheBytes: 1_048_576, l2CacheWays: 16, channelInterleaveBytes: 256 },
    },
    {
      source:
        'chosen: the lines in flight that the bandwidth needs at this latency (latency × bytes per cycle ÷ 64, about 470) and a reserve',
      values: { l2MissEntries: 512, memoryClientLines: 512 },
    },
    {
      source: `${GDDR6}: tRCD, tRP, tCL, tRAS, tRC, tRRD, tFAW, tCCD_L, tWR, tWTR_S, tWTR_L, tRTP, tREFI, tRFC; 4 groups of 4 banks, pages of 2 KiB`,
      values: {
        dramActivateCycles: 31,
        dramPrechargeCycles: 31,
        dramColumnCycles: 28,
        dramRowActiveCycles: 61,
        dramRowCycleCycles: 91,
        dramActivateSpacingCycles: 10,
        dramActivateSpacingSameGroupCycles: 10,
        dramFourActivatesCycles: 34,
        dramColumnSpacingSameGroupCycles: 5,
        dramWriteRecoveryCycles: 31,
        dramWriteToReadCycles: 11,
        dramWriteToReadSameGroupCycles: 13,
        dramReadToPrechargeCycles: 5,
        dramRefreshIntervalCycles: 3800,
        dramRefreshCycles: 241,
        dramBanks: 16,
        dramBankGroups: 4,
        dramRowBytes: 2048,
      },
    },
    {
      source:
        'chosen: the mean idle time of the bus of GDDR6 between both directions (tWTR_S + tCL, and 3 ns)',
      values: { dramTurnaroundCycles: 22 },
    },
    {
      source:
        'controllers of simulators: queue of 64 requests (Accel-Sim), write watermarks of 0.8 and 0.2 (Ramulator 2)',
      values: {
        dramQueueEntries: 64,
        dramWriteDrainStartPercent: 80,
        dramWriteDrainEndPercent: 20,
        dramPagePolicy: 'open',
      },
    },
    {
      source:
        'LLVM, SISchedule.td, GFX10SpeedModel: 5 cycles, transcendental functions 10 at a quarter of the rate, branches 32, local memory and scalar loads 20',
      values: {
        aluLatencyCycles: 5,
        specialIssueCycles: 4,
        specialLatencyCycles: 10,
        interpolationLatencyCycles: 5,
        constantLoadLatencyCycles: 20,
        arrayAccessLatencyCycles: 20,
        controlLatencyCycles: 32,
      },
    },
    {
      source:
        'chosen: sequences of the instructions above, because RDNA has no instruction that divides',
      values: {
        divisionIssueCycles: 8,
        divisionLatencyCycles: 20,
        integerDivisionIssueCycles: 32,
        integerDivisionLatencyCycles: 80,
      },
    },
    {
      source: "vendor's peak of 4 triangles a clock on four engines, clipping of ATTILA (6 cycles)",
      values: { setupIntervalCycles: 1, clipPieceCycles: 6, traversalLevelCycles: 2 },
    },
    {
      source: 'chosen: as many warps between packing and output merger as the cores hold, and more',
      values: { fragmentWarpWindow: 1024, vertexResultWarps: 64 },
    },
    {
      source: 'chosen: as many triangles and vertex warps as wait for memory at a triangle a cycle',
      values: { primitiveQueueEntries: 1024, queueEntries: 128 },
    },
    {
      source: 'chosen: the primitive batches of its binning rasterizer are kept on the chip',
      values: { hasBatchMemory: false },
    },
    {
      source: 'MGPUSim, R9 Nano (timingconfig): 128 entries of a first-level cache',
      values: { textureMissEntries: 128 },
    },
    {
      source:
        'AMD, RDNA 2 Instruction Set Architecture, S_WAITCNT: vmcnt is 0 to 63 (also LLVM, AMDGPU, gfx10 waitcnt)',
      values: { textureLookupsPerWarp: 63 },
    },
    {
      source: 'chosen: four varyings of four components for each quad that the cores can start',
      values: { interpolatedComponentsPerCycle: 256 },
    },
    {
      source:
        'chosen: the share of the 128 KiB first-level cache of the engine that its render back ends use',
      values: { colorCacheBytes: 65_536, depthCacheBytes: 65_536, textureCacheWays: 16 },
    },
    {
      source: 'chosen: half of an Infinity Link of RDNA 3 (883 GB/s, AMD 2022) at this clock',
      values: { outputBusBytesPerCycle: 256 },
    },
  ],
};
