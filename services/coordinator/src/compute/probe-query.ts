/** Requests to the probe of a posted frame. All are plain data. */
import type { ChipletId, HeatMetricName, SpecSummary } from '@tessera/frame';
import type { SimulatedGpuOptions } from '@tessera/multi-chiplet/rendering';
import type { PrepareRequest } from '../prepare/prepare-source.ts';

/** Question about a frame. Without a pass it is about the last one that draws to the screen. */
export type ProbeQuery =
  | {
      readonly kind: 'heat-map';
      readonly metric: HeatMetricName;
      readonly pass?: number | undefined;
      readonly blockPx: number;
      readonly home?: ChipletId | undefined;
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
  | { readonly kind: 'shaders'; readonly waits?: boolean | undefined }
  | {
      readonly kind: 'shader-profile';
      readonly program: number;
      readonly pass?: number | undefined;
      /** Index of the draw in its pass; all draws of the program without it. */
      readonly draw?: number | undefined;
      /** Whether costs have the waits of warps. */
      readonly waits?: boolean | undefined;
    }
  | { readonly kind: 'image-after'; readonly pass?: number | undefined; readonly draw: number };

/** Question about a posted frame. */
export interface ProbeRequest {
  /** Source of the frame. */
  readonly prepare: PrepareRequest;
  readonly spec: SpecSummary;
  /** GPU of the frame. The report has the number of its chiplets. */
  readonly gpu: Omit<SimulatedGpuOptions, 'chipletCount' | 'spec' | 'makeMachine'>;
  readonly query: ProbeQuery;
  /** JSON of the frame's report. */
  readonly report: string;
}
