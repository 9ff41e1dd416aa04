/**
 * The memory-bandwidth study: bandwidth of local memory over the length of bursts and the number of
 * clients, on the preset with the limits of the memory manager paper. Clients do nothing but send
 * requests. drawn-fill.ts measures fill rates.
 */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { type MemoryLoad, measureMemory } from '@tessera/gpu';

/** Figures of the paper. */
export const PAPER = { bytesPerSecond: 2_021_200_000, pixelsPerSecond: 289_980_000 } as const;
/** Lengths of bursts in lines of 64 bytes: 4 to 128 cycles of a 64-bit bus at double data rate. */
export const BURST_LINES = [1, 2, 4, 8, 16, 32] as const;
/** Lines of 64 bytes in a page of memory. */
export const PAGE_LINES = 16;
/** Numbers of clients that are measured. */
export const CLIENT_COUNTS = [1, 2, 4, 8] as const;
/** Lines that each measurement moves, over all clients. */
const TOTAL_LINES = 32_768;
/** Distance between bursts, so that each is in another row. Clients are far apart. */
const STRIDE_LINES = 33 * 32;
const CLIENT_LINES = 2 ** 22;
/**
 * Bytes of a color without alpha and of depth with stencil: our choice, derived from the paper's
 * two figures (6.97 bytes per pixel).
 */
const COLOR_BYTES = 3;
const DEPTH_BYTES = 4;
/** Bytes that the generated traffic writes per pixel. */
export const FILL_PIXEL_BYTES = COLOR_BYTES + DEPTH_BYTES;

/** One measurement. */
export interface BandwidthRow {
  readonly clients: number;
  readonly burstLines: number;
  /** Cycles of the data bus of all channels, if one transfer follows the other. */
  readonly busCycles: number;
  readonly bytesPerSecond: number;
  readonly peakBytesPerSecond: number;
  readonly longestWaitCycles: number;
}

/** Measures each number of clients with each length of bursts. */
export function studyBandwidth(spec: ChipletSpec): BandwidthRow[] {
  return CLIENT_COUNTS.flatMap((clients) =>
    BURST_LINES.map((burstLines) => {
      const loads = Array.from(
        { length: clients },
        (_, client): MemoryLoad => ({
          client: 'texture',
          burstLines,
          bursts: TOTAL_LINES / burstLines / clients,
          isWrite: false,
          firstLine: client * CLIENT_LINES,
          strideLines: STRIDE_LINES,
        }),
      );
      const { bytesPerSecond, peakBytesPerSecond, longestWaitCycles } = measureMemory(spec, loads);
      const busCycles = (64 * burstLines) / spec.dramBytesPerCycle;
      return {
        clients,
        burstLines,
        busCycles,
        bytesPerSecond,
        peakBytesPerSecond,
        longestWaitCycles,
      };
    }),
  );
}

/** Returns the bytes per second of color and depth that are written in bursts of a page. */
export function measureFillTraffic(spec: ChipletSpec): number {
  const bursts = 300;
  const load = { burstLines: PAGE_LINES, isWrite: true, strideLines: STRIDE_LINES } as const;
  const { bytesPerSecond } = measureMemory(spec, [
    { ...load, client: 'color', bursts: COLOR_BYTES * bursts, firstLine: 0 },
    { ...load, client: 'depth', bursts: DEPTH_BYTES * bursts, firstLine: CLIENT_LINES },
  ]);
  return bytesPerSecond;
}
