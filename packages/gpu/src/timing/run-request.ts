/** What of a run's traffic is known before it starts, as words for the simulated chip. */

import { packWords, RUN_PLAN_WORDS } from '@tessera/chip/records';
import type { RectPx } from '@tessera/frame';

/** Addresses count in lines. */
export interface RunRequest {
  /** The bin in its target; of no size for a visibility phase that renders none. */
  readonly rect: RectPx;
  /** Of a pixel. */
  readonly sampleCount: number;
  readonly isColorLoaded: boolean;
  readonly isDepthLoaded: boolean;
  /** Whether depth and stencil leave with the bin. */
  readonly isDepthStored: boolean;
  /** First line of the image region. */
  readonly imageLine: number;
  /** The visibility stream that is read; of no bytes where none is. */
  readonly streamLine: number;
  readonly streamBytes: number;
  readonly streamPrimitives: number;
}

/** Of a run without target and stream. */
export const EMPTY_RUN: RunRequest = {
  rect: { x: 0, y: 0, width: 0, height: 0 },
  sampleCount: 1,
  isColorLoaded: false,
  isDepthLoaded: false,
  isDepthStored: false,
  imageLine: 0,
  streamLine: 0,
  streamBytes: 0,
  streamPrimitives: 0,
};

/** Returns the words that `RunPlan.load` reads. */
export function planWords({ rect, ...run }: RunRequest): Int32Array {
  return packWords(RUN_PLAN_WORDS, { ...rect, ...run });
}
