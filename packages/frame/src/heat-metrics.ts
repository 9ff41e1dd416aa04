/** Heat maps: counts of a pass by pixel, and the counters that they add up to. */
import type { CounterName } from './counters.ts';

/** Counts by pixel. */
export const PIXEL_COUNTS = [
  'fragmentsCovered',
  'fragmentsEarlyKilled',
  'fragmentsShaded',
  'helperLanes',
  'fragmentsDiscarded',
  'fragmentsLateKilled',
  'fragmentsWritten',
  'depthTests',
  'instructions',
] as const;
/** Name of a count by pixel. */
export type PixelCount = (typeof PIXEL_COUNTS)[number];

/** Meaning of a heat map. */
export interface HeatMetric {
  /** Count that the map has; `null` for lines of textures, which warps read. */
  readonly count: PixelCount | null;
  /**
   * Counter or field of the report that equals the sum over all pixels of all passes; `null` for
   * none.
   */
  readonly counter: CounterName | 'link.remote.textureBytes' | null;
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
  textureLines: {
    count: null,
    counter: 'textureUnit.linesLogged',
    unit: 'lines',
    meaning:
      'cache lines that the texture lookups of fragment warps read, at the quad that reads a line first',
  },
  remoteBytes: {
    count: null,
    counter: 'link.remote.textureBytes',
    unit: 'bytes',
    meaning:
      'bytes of texture lines from the memories of other chiplets, at the pixel whose lookup fetched the line',
  },
  cyclesAttributed: {
    count: 'instructions',
    counter: null,
    unit: 'cycles',
    meaning:
      'cycles of the coarse bins, divided among their pixels by fragment instructions; an attribution, not a measurement',
  },
} as const satisfies Readonly<Record<string, HeatMetric>>;
/** Name of a heat map. */
export type HeatMetricName = keyof typeof HEAT_METRICS;

/**
 * Counts of a pass by pixel or block.
 *
 * @typeParam Values List of the values.
 */
export interface HeatMap<Values = Float64Array> {
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
  readonly values: Values;
}

/** Heat map as the service answers it (JSON), with the meaning of its metric. */
export interface DescribedHeatMap
  extends HeatMap<readonly number[]>,
    Pick<HeatMetric, 'counter' | 'unit' | 'meaning'> {}
