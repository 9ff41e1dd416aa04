/** Answers of the service about pixels and draws, and labels of heat maps. */
import type {
  DescribedHeatMap,
  HeatMetricName,
  PixelEvent,
  PixelHistory,
  ProbedDraw,
} from '@tessera/frame';

export type { DescribedHeatMap, HeatMetricName, PixelEvent, PixelHistory, ProbedDraw };

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
  remoteBytes: 'bytes from other memories',
  cyclesAttributed: 'cycles (attributed by instructions)',
};
