/** Preset `mobile-like`: four cores of a Mali-G78 with LPDDR5. */
import type { PresetSources } from './sourced-values.ts';

const VALHALL =
  "Arm Mali-G78, from Vulkan properties and Arm's guides (azhirnov, cpu-gpu-arch, page on Valhall)";
const LPDDR5 = 'LPDDR5-6400 (Ramulator 2, lpddr5.py), in cycles at 800 MHz, which is its clock';

/** Table of the preset `mobile-like`. */
export const MOBILE_LIKE: PresetSources = {
  name: 'mobile-like',
  meaning:
    'four cores of the kind of an Arm Mali-G78 with 64 bits of LPDDR5-6400; a core is one engine of 16 lanes, of which a Mali core has two',
  base: 'default',
  groups: [
    {
      source:
        'chosen: near the clocks of Mali-G52 (800 MHz), Adreno 730 (900 MHz) and Mali-G57 (950 MHz), and equal to the clock of the memory',
      values: { clockHz: 800_000_000, dramBytesPerCycle: 16, dramChannels: 4 },
    },
    {
      source: `${VALHALL}: 32 fused multiply-adds, 2 pixels and 4 texels a core and cycle; 64 registers, 32 at full occupancy; 16 threads a warp; varying unit of 32 bits a thread`,
      values: {
        smCount: 8,
        warpThreads: 16,
        warpSlotsPerSm: 16,
        registerFileBytes: 32_768,
        outputQuadsPerCycle: 2,
        textureQuadsPerCycle: 1,
        interpolatedComponentsPerCycle: 16,
      },
    },
    {
      source:
        'Mali Bifrost: 16×16 tiles with 256 bits a pixel (Lam, Chips and Cheese, article on Bifrost)',
      values: {
        fineBinPx: 16,
        colorCacheBytes: 16_384,
        depthCacheBytes: 16_384,
        vertexCacheBytes: 16_384,
      },
    },
    {
      source:
        'measured on a Mali-G57 (azhirnov, as-en, page on the Mali-G57): 512 KiB of second-level cache at about 50 bytes a cycle, 32 KiB of texture cache',
      values: {
        l2CacheBytes: 524_288,
        l2Slices: 2,
        l2LinesPerCycle: 1,
        textureCacheBytes: 32_768,
        textureLinesPerCycle: 1,
      },
    },
    {
      source:
        'measured on an Apple M1 (Chips and Cheese, retold by azhirnov, cpu-gpu-arch): 43, 76 and 311 ns for the first and second level and memory',
      values: { textureLatencyCycles: 50, l2LatencyCycles: 43, memoryLatencyCycles: 120 },
    },
    {
      source:
        'chosen: the lines in flight that the bandwidth needs at this latency (156 to 200), and a reserve',
      values: { l2MissEntries: 256, memoryClientLines: 256 },
    },
    {
      source: `${LPDDR5}: tRCD, tRP, tCL, tRAS, tRC, tRRD, tFAW, tCCD_L, tWR, tWTR_S, tWTR_L, tRTP, tREFI, tRFC of 16 Gb; 4 groups of 4 banks, pages of 2 KiB`,
      values: {
        dramActivateCycles: 15,
        dramPrechargeCycles: 15,
        dramColumnCycles: 17,
        dramRowActiveCycles: 34,
        dramRowCycleCycles: 49,
        dramActivateSpacingCycles: 4,
        dramActivateSpacingSameGroupCycles: 4,
        dramFourActivatesCycles: 16,
        dramColumnSpacingSameGroupCycles: 4,
        dramWriteRecoveryCycles: 28,
        dramWriteToReadCycles: 5,
        dramWriteToReadSameGroupCycles: 10,
        dramReadToPrechargeCycles: 8,
        dramRefreshIntervalCycles: 3125,
        dramRefreshCycles: 224,
        dramBanks: 16,
        dramBankGroups: 4,
        dramRowBytes: 2048,
      },
    },
    {
      source:
        'Mali-G57 with the driver of Arm (azhirnov, as-en): helper invocations run for lookups with an implicit level, not for others',
      values: { helperLaneLookups: 'implicit' },
    },
    {
      source: 'chosen: the mean idle time of the bus of LPDDR5 between both directions',
      values: { dramTurnaroundCycles: 12 },
    },
    {
      source:
        'gem5, MemCtrl.py: writes from 85 % down to 50 %, page policy close_adaptive for LPDDR5; DRAMsim3: 32 transactions',
      values: {
        dramQueueEntries: 32,
        dramWriteDrainStartPercent: 85,
        dramWriteDrainEndPercent: 50,
        dramPagePolicy: 'close-adaptive',
      },
    },
    {
      source:
        'Apple and NVIDIA in place of Arm, which publishes no latencies: additions 4 cycles (Turing), transcendental functions a quarter of the rate and 6 cycles (Turner, metal-benchmarks)',
      values: {
        aluLatencyCycles: 4,
        specialIssueCycles: 4,
        specialLatencyCycles: 6,
        interpolationLatencyCycles: 4,
      },
    },
    {
      source: 'chosen: between the classes that were measured',
      values: {
        divisionIssueCycles: 8,
        divisionLatencyCycles: 16,
        integerDivisionIssueCycles: 32,
        integerDivisionLatencyCycles: 64,
        constantLoadLatencyCycles: 16,
        arrayAccessLatencyCycles: 20,
        controlLatencyCycles: 8,
        instructionCacheBytes: 8192,
      },
    },
    {
      source: 'chosen: a narrow front end; no figure is published',
      values: {
        vertexLookupsPerCycle: 2,
        postTransformCacheVertices: 32,
        primitiveQueueEntries: 64,
        setupIntervalCycles: 2,
        clipPieceCycles: 8,
        depthQuadsPerCycle: 2,
        vertexResultWarps: 16,
        fragmentWarpWindow: 128,
        l2CacheWays: 16,
        textureCacheWays: 4,
        outputBusBytesPerCycle: 16,
        textureMissEntries: 32,
      },
    },
  ],
};
