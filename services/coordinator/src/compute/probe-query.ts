/** Requests to the probe of a posted frame. All are plain data. */
import type { HeatMetricName, SpecSummary } from '@tessera/frame';
import type { PrepareRequest } from '../prepare/prepare-source.ts';

/** Question about a frame. Without a pass it is about the last one that draws to the screen. */
export type ProbeQuery =
  | {
      readonly kind: 'heat-map';
      readonly metric: HeatMetricName;
      readonly pass?: number | undefined;
      readonly blockPx: number;
      readonly format: 'json' | 'png';
    }
  | {
      readonly kind: 'pixel';
      readonly x: number;
      readonly y: number;
      readonly pass?: number | undefined;
      readonly sample?: number | undefined;
    }
  | { readonly kind: 'draws' }
  | { readonly kind: 'shaders' }
  | {
      readonly kind: 'shader-profile';
      readonly program: number;
      readonly pass?: number | undefined;
      /** Index of the draw in its pass; all draws of the program without it. */
      readonly draw?: number | undefined;
    }
  | { readonly kind: 'image-after'; readonly pass?: number | undefined; readonly draw: number };

/** Question about a posted frame. */
export interface ProbeRequest {
  /** Source of the frame. */
  readonly prepare: PrepareRequest;
  readonly spec: SpecSummary;
  readonly isVisibilityChipletRendering: boolean;
  /** Number of times that the costliest bin is halved. */
  readonly splits: number;
  readonly query: ProbeQuery;
  /** JSON of the frame's report, for cycles; null if the question needs none. */
  readonly report: string | null;
}
