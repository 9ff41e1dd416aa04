/** Heat maps: counts of a pass by pixel or by block of 4×4 pixels. */
import type { CounterName } from '@tessera/frame';
import type { PixelCount } from '@tessera/gpu/probe';

/** Meaning of a heat map. */
export interface HeatMetric {
  /** Count that the map has. */
  readonly count: PixelCount;
  /** Counter of the report that equals the sum over all pixels of all passes; `null` for none. */
  readonly counter: CounterName | null;
  readonly unit: string;
  /** Description for people. */
  readonly meaning: string;
}

/** Heat maps by name. */
export const HEAT_METRICS = {
  overdraw: {
    count: 'fragmentsShaded',
    counter: 'shading.fragmentsShaded',
    unit: 'fragments',
    meaning: 'fragments that were shaded',
  },
  covered: {
    count: 'fragmentsCovered',
    counter: 'raster.fragmentsCovered',
    unit: 'fragments',
    meaning: 'fragments of the primitives that cover the pixel',
  },
  earlyKilled: {
    count: 'fragmentsEarlyKilled',
    counter: 'raster.fragmentsEarlyKilled',
    unit: 'fragments',
    meaning: 'fragments that failed the depth test before they were shaded',
  },
  discarded: {
    count: 'fragmentsDiscarded',
    counter: 'shading.fragmentsDiscarded',
    unit: 'fragments',
    meaning: 'fragments that the fragment shader discarded',
  },
  lateKilled: {
    count: 'fragmentsLateKilled',
    counter: 'output.fragmentsLateKilled',
    unit: 'fragments',
    meaning: 'fragments that failed the stencil or depth test after they were shaded',
  },
  written: {
    count: 'fragmentsWritten',
    counter: 'output.fragmentsWritten',
    unit: 'fragments',
    meaning: 'fragments that reached the color target',
  },
  helperLanes: {
    count: 'helperLanes',
    counter: 'shading.helperLanes',
    unit: 'lanes',
    meaning: 'lanes that only computed derivatives for the other pixels of their quad',
  },
  depthTests: {
    count: 'depthTests',
    counter: null,
    unit: 'tests',
    meaning: 'fragments that were tested for depth, before or after they were shaded',
  },
  instructions: {
    count: 'instructions',
    counter: null,
    unit: 'instructions',
    meaning: 'instructions of fragment shaders, with those of helper lanes',
  },
} as const satisfies Readonly<Record<string, HeatMetric>>;
/** Name of a heat map. */
export type HeatMetricName = keyof typeof HEAT_METRICS;

/** Heat map to make. */
export interface HeatMapRequest {
  readonly metric: HeatMetricName;
  /** Index of the pass. */
  readonly pass: number;
  /** Edge of the blocks in pixels: 1 for a value per pixel, 4 for blocks of 4×4; 1 by default. */
  readonly blockPx?: 1 | 4 | undefined;
}

/** Counts of a pass by pixel or block. */
export interface HeatMap {
  readonly metric: HeatMetricName;
  readonly pass: number;
  readonly blockPx: number;
  /** Size of the pass's target. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Number of values in a row. */
  readonly columns: number;
  readonly rows: number;
  /** Sum of all values. */
  readonly total: number;
  /** Greatest value. */
  readonly max: number;
  /** Values, row by row from the top. */
  readonly values: Float64Array;
}

/** Returns the values summed over blocks. */
export function sumBlocks(
  pixels: Float64Array,
  widthPx: number,
  heightPx: number,
  blockPx: number,
): Pick<HeatMap, 'columns' | 'rows' | 'total' | 'max' | 'values'> {
  const columns = Math.ceil(widthPx / blockPx);
  const rows = Math.ceil(heightPx / blockPx);
  const values = blockPx === 1 ? pixels : new Float64Array(columns * rows);
  if (blockPx > 1) {
    for (let y = 0; y < heightPx; y++) {
      const row = Math.floor(y / blockPx) * columns;
      for (let x = 0; x < widthPx; x++) {
        values[row + Math.floor(x / blockPx)]! += pixels[y * widthPx + x]!;
      }
    }
  }
  let total = 0;
  let max = 0;
  for (const value of values) {
    total += value;
    max = Math.max(max, value);
  }
  return { columns, rows, total, max, values };
}
