/**
 * Fill rates: color and depth as generated traffic, and full-screen triangles that are really drawn
 * on the chip, beside the peak of the memory manager paper.
 */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { CounterName } from '@tessera/frame';
import { measureFrame } from '../validation/validation-rows.ts';
import { FILL_PIXEL_BYTES, measureFillTraffic } from './memory-bandwidth.ts';

/** One fill rate. */
export interface FillRow {
  /** Name of the traffic or the frame. */
  readonly load: string;
  readonly pixelsPerSecond: number;
  /** Bytes of local memory per second and per pixel. */
  readonly bytesPerSecond: number;
  readonly bytesReadPerPixel: number;
  readonly bytesWrittenPerPixel: number;
}

/** Edge of the target: one bin of many fine bins, all larger than the caches. */
const EDGE_PX = 512;
const FRAMES = {
  'color, drawn': undefined,
  'color and depth, drawn': {
    depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
  },
} as const;

/** Measures the fill rate of generated traffic and of each frame. */
export async function studyFill(spec: ChipletSpec): Promise<FillRow[]> {
  const bytesPerSecond = measureFillTraffic(spec);
  const rows: FillRow[] = [
    {
      load: 'color and depth, generated traffic',
      pixelsPerSecond: bytesPerSecond / FILL_PIXEL_BYTES,
      bytesPerSecond,
      bytesReadPerPixel: 0,
      bytesWrittenPerPixel: FILL_PIXEL_BYTES,
    },
  ];
  for (const [load, state] of Object.entries(FRAMES)) {
    const size = { widthPx: EDGE_PX, heightPx: EDGE_PX };
    const frame = { ...size, fragment: 'color = vec4(0.5);', state };
    const { binCycles, counters } = await measureFrame(spec, frame);
    const pixels = EDGE_PX ** 2;
    const seconds = binCycles / spec.clockHz;
    const of = (name: CounterName) => counters[name] ?? 0;
    const read = of('memory.bytesRead');
    const written = of('memory.bytesWritten') - of('memory.copyBytesWritten');
    rows.push({
      load,
      pixelsPerSecond: pixels / seconds,
      bytesPerSecond: (read + written) / seconds,
      bytesReadPerPixel: read / pixels,
      bytesWrittenPerPixel: written / pixels,
    });
  }
  return rows;
}
