/** Results of a frame probe. All are plain data. */
import type { PipelineState, TextureFormat, Topology } from '@tessera/frame';
import type { DrawCounts, PixelEvent, TargetPixel } from '@tessera/gpu/probe';

/** Fragment of a primitive at a pixel. */
export type ProbedPixelEvent = PixelEvent;

/** History of one sample of a pixel in one pass. */
export interface PixelHistoryOfFrame {
  readonly pass: number;
  readonly x: number;
  readonly y: number;
  readonly sample: number;
  /** Samples per pixel of the target. */
  readonly sampleCount: number;
  /** Coarse bin of the pixel. */
  readonly bin: number;
  /** Formats of the color targets; `null` for a missing one. */
  readonly colorFormats: readonly (TextureFormat | null)[];
  readonly initial: TargetPixel;
  /** Fragments, in order; see MAX_PIXEL_EVENTS. */
  readonly events: readonly ProbedPixelEvent[];
  /** Number of fragments before the first of `events`. */
  readonly omitted: number;
  readonly final: TargetPixel;
}

/** Fragments and instructions of a draw, summed over the bins of its pass. */
export type DrawCost = Readonly<DrawCounts>;

/** Draw of a frame with its state and cost. */
export interface ProbedDraw {
  readonly pass: number;
  /** Index of the draw in its pass. */
  readonly draw: number;
  /** Index of the program in the frame. */
  readonly program: number;
  readonly topology: Topology;
  /** Number of vertices of an instance. */
  readonly vertices: number;
  readonly instances: number;
  /** Number of primitives in all instances. */
  readonly primitives: number;
  readonly isIndexed: boolean;
  /** Texture of the frame by slot of the program; `null` for none. */
  readonly textures: readonly (number | null)[];
  readonly state: PipelineState;
  /** Stage of the depth test: before shading, after it, or none. */
  readonly depthStage: PixelEvent['depthStage'];
  readonly cost: DrawCost;
}
