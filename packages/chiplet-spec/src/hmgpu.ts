/** Preset `hmgpu`: the chip with the hardware memory manager that the memory system follows. */
import type { PresetSources } from './sourced-values.ts';

const PAPER = 'memory manager paper (HMGPU, 2013)';

/** Table of the preset `hmgpu`. */
export const HMGPU: PresetSources = {
  name: 'hmgpu',
  meaning:
    'limits, clock and memory of the chip in the memory manager paper; its other units are not published and equal those of `loongson`',
  base: 'loongson',
  groups: [
    {
      source: `${PAPER}: 167 MHz, one channel of 64-bit DDR2, no second-level cache, one burst at a time, bursts of a page of 1 KiB`,
      values: {
        clockHz: 167_000_000,
        dramBytesPerCycle: 16,
        hasL2Cache: false,
        hasExclusiveBursts: true,
        memoryBurstLines: 16,
        memoryClientLines: 32,
      },
    },
    {
      source: `${PAPER}: 6 textures of 12 levels, 8 buffers, 256 display lists, lists of their pages in on-chip memory, two blocks per program`,
      values: {
        pageStructure: 'list',
        programBlocks: 2,
        programBlockBytes: 65_536,
        textureIndexBlocks: 6,
        textureIndexLevels: 12,
        bufferIndexBlocks: 8,
        displayListIndexBlocks: 256,
      },
    },
    {
      source: `fitted to the 2,021.2 MB/s of the ${PAPER}; [the study](studies/memory-bandwidth.md) lists the fitted figures`,
      values: { memoryLatencyCycles: 9 },
    },
    {
      source:
        'DDR2-400 with 1 Gbit chips (JEDEC JESD79-2, from memory), in cycles at 167 MHz: 15 ns for a row, tRAS, tRC, tRRD, tWR, tWTR, tRTP, tREFI, tRFC; 4 banks with rows of 2 KiB',
      values: {
        dramBanks: 4,
        dramRowBytes: 2048,
        dramActivateCycles: 3,
        dramPrechargeCycles: 3,
        dramColumnCycles: 3,
        dramRowActiveCycles: 7,
        dramRowCycleCycles: 10,
        dramActivateSpacingCycles: 2,
        dramActivateSpacingSameGroupCycles: 2,
        dramFourActivatesCycles: 0,
        dramWriteRecoveryCycles: 3,
        dramWriteToReadCycles: 2,
        dramWriteToReadSameGroupCycles: 2,
        dramReadToPrechargeCycles: 2,
        dramRefreshIntervalCycles: 1303,
        dramRefreshCycles: 21,
      },
    },
    {
      source: 'chosen: the copy engine holds one burst',
      values: { copyBufferLines: 16 },
    },
    {
      source: 'chosen: a controller that sees two bursts',
      values: { dramTurnaroundCycles: 2, dramQueueEntries: 32 },
    },
  ],
};
