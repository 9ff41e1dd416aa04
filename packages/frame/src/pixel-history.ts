/** History of a pixel: the fragments that reached it, with their tests and results. */
import type { TextureFormat } from './texture-formats.ts';

/** Contents of all targets at one sample of a pixel. */
export interface TargetPixel {
  /**
   * Red, green, blue and alpha by color target, as the target holds them: 0 to 255 for channels of
   * 8 bits, integers or floats for others; `null` for a missing target.
   */
  readonly colors: readonly (readonly number[] | null)[];
  /** Depth, 0 to 2^24 − 1. */
  readonly depth: number;
  /** Stencil value, 0 to 255. */
  readonly stencil: number;
}

/** Depth test of a sample. */
export interface DepthTest {
  /** Depth of the fragment, 0 to 2^24 − 1. */
  readonly depth: number;
  /** Depth that the target holds before the test. */
  readonly stored: number;
  readonly compare: string;
  readonly isPassed: boolean;
}

/** Stencil test of a sample. */
export interface StencilTest {
  readonly reference: number;
  /** Value that the target holds before the test. */
  readonly stored: number;
  readonly readMask: number;
  readonly compare: string;
  readonly isPassed: boolean;
}

/** Upper bound on the fragments of a history; the first ones are omitted. */
export const MAX_PIXEL_EVENTS = 1000;

/**
 * Outcome of a fragment. `sample-cut` means that the multisample state removed the sample from the
 * coverage.
 */
export const FRAGMENT_OUTCOMES = [
  'early-depth-failed',
  'discarded',
  'sample-cut',
  'stencil-failed',
  'depth-failed',
  'written',
] as const;
/** Outcome of a fragment. */
export type FragmentOutcome = (typeof FRAGMENT_OUTCOMES)[number];

/** Fragment of a primitive at the sample. */
export interface PixelEvent {
  /** Index of the draw in its pass. */
  readonly draw: number;
  /** Index of the primitive in its draw, over all instances. */
  readonly primitive: number;
  readonly outcome: FragmentOutcome;
  /** Stage of the depth test: before shading, after it, or none. */
  readonly depthStage: 'early' | 'late' | 'none';
  /** Depth test; `null` if it did not take place. */
  readonly depthTest: DepthTest | null;
  /** Stencil test; `null` if it did not take place. */
  readonly stencilTest: StencilTest | null;
  /**
   * Outputs of the fragment shader; `null` if the fragment was not shaded. Component c of color
   * target t has slot `4t + c`, the depth slot 32, the mask of samples slot 33, the second
   * color slots 34 to 37.
   */
  readonly outputs: readonly { readonly slot: number; readonly value: number }[] | null;
  readonly before: TargetPixel;
  readonly after: TargetPixel;
}

/** History of one sample of a pixel in its bin. */
export interface SampleHistory {
  /** Contents of the targets at the start of the pass. */
  readonly initial: TargetPixel;
  /** Last fragments, in order. */
  readonly events: readonly PixelEvent[];
  /** Number of fragments before the first of `events`. */
  readonly omitted: number;
  /** Contents of the targets at the end of the pass. */
  readonly final: TargetPixel;
}

/** History of one sample of a pixel in one pass of a frame. */
export interface PixelHistory extends SampleHistory {
  readonly pass: number;
  /** Column, from the left. */
  readonly x: number;
  /** Row, from the top. */
  readonly y: number;
  readonly sample: number;
  /** Samples per pixel of the target. */
  readonly sampleCount: number;
  /** Coarse bin of the pixel. */
  readonly bin: number;
  /** Formats of the color targets; `null` for a missing one. */
  readonly colorFormats: readonly (TextureFormat | null)[];
}
