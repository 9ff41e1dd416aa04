/** Answers of the service about pixels and draws, and labels of heat maps. */
import type {
  CounterName,
  HeatMetricName,
  PixelEvent,
  PixelHistory,
  ProbedDraw,
} from '@tessera/frame';

export type { HeatMetricName, PixelEvent, PixelHistory, ProbedDraw };

/** Heat map of a pass. */
export interface HeatMap {
  readonly metric: HeatMetricName;
  readonly pass: number;
  readonly blockPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly columns: number;
  readonly rows: number;
  readonly total: number;
  readonly max: number;
  readonly counter: CounterName | null;
  readonly unit: string;
  readonly meaning: string;
  readonly values: readonly number[];
}

/** Labels of heat maps. */
export const METRIC_LABELS: Readonly<Record<HeatMetricName, string>> = {
  overdraw: 'overdraw (fragments shaded)',
  covered: 'fragments covered',
  earlyKilled: 'killed before shading',
  discarded: 'discarded by the shader',
  lateKilled: 'killed after shading',
  written: 'fragments written',
  helperLanes: 'helper lanes',
  depthTests: 'depth tests',
  instructions: 'fragment instructions',
  textureLines: 'texture lines',
  cyclesAttributed: 'cycles (attributed by instructions)',
};
