/**
 * The memory-bandwidth study: what local memory gives over the length of bursts and the number of clients, on the
 * preset with the memory manager paper's limits, and the fill rate that follows. Clients do nothing but ask.
 */
import { chipletPreset, type MemoryLoad, measureMemory } from '@tessera/gpu';

/** The paper's figures. */
export const PAPER = { bytesPerSecond: 2_021_200_000, pixelsPerSecond: 289_980_000 } as const;
/** Lines of 64 bytes: 4 to 128 cycles of a 64-bit bus at double data rate. */
export const BURST_LINES = [1, 2, 4, 8, 16, 32] as const;
export const PAGE_LINES = 16;
export const CLIENT_COUNTS = [1, 2, 4, 8] as const;
/** Bytes that each measurement moves, over all clients. */
const TOTAL_LINES = 32_768;
/** Each burst is in another row; clients lie far apart. */
const STRIDE_LINES = 33 * 32;
const CLIENT_LINES = 2 ** 22;
/** Colour without alpha, depth with stencil: ours, after the paper's two figures (6.97 bytes a pixel). */
const COLOR_BYTES = 3;
const DEPTH_BYTES = 4;
export const PIXEL_BYTES = COLOR_BYTES + DEPTH_BYTES;

export interface BandwidthRow {
  readonly clients: number;
  readonly burstLines: number;
  /** Of the data bus of all channels, if one transfer followed the other. */
  readonly busCycles: number;
  readonly bytesPerSecond: number;
  readonly peakBytesPerSecond: number;
  readonly longestWaitCycles: number;
}

/** Measures each number of clients with each length of bursts. */
export function studyBandwidth(specName: string): BandwidthRow[] {
  const spec = chipletPreset(specName);
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

/** Pixels per second when colour and depth are written in bursts of a page. */
export function studyFillRate(specName: string): number {
  const bursts = 300;
  const load = { burstLines: PAGE_LINES, isWrite: true, strideLines: STRIDE_LINES } as const;
  const { bytesPerSecond } = measureMemory(chipletPreset(specName), [
    { ...load, client: 'color', bursts: COLOR_BYTES * bursts, firstLine: 0 },
    { ...load, client: 'depth', bursts: DEPTH_BYTES * bursts, firstLine: CLIENT_LINES },
  ]);
  return bytesPerSecond / (COLOR_BYTES + DEPTH_BYTES);
}
