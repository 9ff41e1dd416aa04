/** Named specifications of chiplets. */

import { ATTILA_R5XX } from './attila-r5xx.ts';
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, defineChipletSpec } from './chiplet-spec.ts';
import { MOBILE_LIKE } from './mobile-like.ts';
import { RDNA2_LIKE } from './rdna2-like.ts';
import { type PresetSources, valuesOf } from './sourced-values.ts';

/** See `loongson` below. */
const LOONGSON = defineChipletSpec({
  name: 'loongson',
  clockHz: 400_000_000,
  batchPrimitives: 256,
  drawStateCycles: 64,
  vertexLookupsPerCycle: 1,
  postTransformCacheVertices: 32,
  primitiveQueueEntries: 64,
  setupIntervalCycles: 4,
  depthQuadsPerCycle: 1,
  smCount: 4,
  warpSlotsPerSm: 4,
  warpThreads: 16,
  fragmentWarpWindow: 16,
  interpolatedComponentsPerCycle: 16,
  textureCacheBytes: 8192,
  vertexCacheBytes: 4096,
  colorCacheBytes: 4096,
  depthCacheBytes: 4096,
  l2CacheBytes: 65_536,
  l2CacheWays: 8,
  l2LinesPerCycle: 1,
  l2MissEntries: 16,
  memoryLatencyCycles: 30,
  dramChannels: 1,
  dramBanks: 8,
  dramActivateCycles: 6,
  dramPrechargeCycles: 6,
  dramColumnCycles: 6,
  dramReadToPrechargeCycles: 10,
  dramTurnaroundCycles: 4,
  dramRefreshIntervalCycles: 3120,
  dramRefreshCycles: 51,
  dramQueueEntries: 16,
  outputQuadsPerCycle: 1,
  outputBusBytesPerCycle: 16,
  queueEntries: 8,
});

/** Presets whose every value has a source. */
export const SOURCED_PRESETS: readonly PresetSources[] = [RDNA2_LIKE, MOBILE_LIKE, ATTILA_R5XX];

/** Presets by name. */
export const CHIPLET_PRESETS = {
  /** See DEFAULT_CHIPLET_SPEC. */
  default: DEFAULT_CHIPLET_SPEC,
  /**
   * Shape of the chip in the semi-cycle-accurate simulator of Zhang et al.: four stream processors,
   * one 4×4 block per cycle, 4-cycle multipliers. The paper states no other figure. The narrow
   * memory, one quad per cycle in depth and output, and the slow clock are our choices. They follow
   * an integrated GPU of that time.
   */
  loongson: LOONGSON,
  /**
   * Limits and clock of the chip with the hardware memory manager that the memory system follows
   * (HMGPU, 2013): one channel of 64-bit DDR2, no second-level cache, one burst at a time, bursts
   * of a page, 6 textures of 12 levels, 8 buffers, 256 display lists, two blocks per program.
   * `memoryLatencyCycles` is fitted to its 2,021.2 MB/s. Rows and refresh are those of DDR2-333.
   * Its other units are not published and equal those of `loongson`.
   */
  hmgpu: defineChipletSpec({
    ...LOONGSON,
    name: 'hmgpu',
    clockHz: 167_000_000,
    l2MissEntries: 16,
    memoryClientLines: 32,
    memoryBurstLines: 16,
    memoryLatencyCycles: 9,
    dramChannels: 1,
    dramBytesPerCycle: 16,
    dramBanks: 4,
    dramRowBytes: 2048,
    dramActivateCycles: 3,
    dramPrechargeCycles: 3,
    dramColumnCycles: 3,
    dramReadToPrechargeCycles: 7,
    dramTurnaroundCycles: 2,
    dramRefreshIntervalCycles: 1303,
    dramRefreshCycles: 21,
    dramQueueEntries: 32,
    programBlocks: 2,
    programBlockBytes: 65_536,
    textureIndexBlocks: 6,
    textureIndexLevels: 12,
    bufferIndexBlocks: 8,
    displayListIndexBlocks: 256,
    hasL2Cache: false,
    hasExclusiveBursts: true,
  }),
  /** See rdna2-like.ts. */
  'rdna2-like': defineChipletSpec(valuesOf(RDNA2_LIKE)),
  /** See mobile-like.ts. */
  'mobile-like': defineChipletSpec(valuesOf(MOBILE_LIKE)),
  /** See attila-r5xx.ts. */
  'attila-r5xx': defineChipletSpec(valuesOf(ATTILA_R5XX)),
} as const satisfies Record<string, ChipletSpec>;

/**
 * Returns a preset by name.
 *
 * @throws {RangeError} If there is no such preset. The message lists the existing ones.
 */
export function chipletPreset(name: string): ChipletSpec {
  const spec = Object.entries(CHIPLET_PRESETS).find(([preset]) => preset === name)?.[1];
  if (spec === undefined) {
    throw new RangeError(
      `spec: '${name}' is not one of ${Object.keys(CHIPLET_PRESETS).join(', ')}`,
    );
  }
  return spec;
}
