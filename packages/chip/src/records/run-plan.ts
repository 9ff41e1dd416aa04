/** What of a run's traffic is known before it starts. Addresses count in lines. */
import type { i32 } from '../portable/number-types.ts';

/** Words of a plan; the switches are 0 or 1. */
export const PLAN = {
  /** The bin in its target, in pixels; of no size for a visibility phase that renders none. */
  x: 0,
  y: 1,
  width: 2,
  height: 3,
  /** Of a pixel. */
  sampleCount: 4,
  isColorLoaded: 5,
  isDepthLoaded: 6,
  /** Whether depth and stencil leave with the bin. */
  isDepthStored: 7,
  /** First line of the image region. */
  imageLine: 8,
  /** The visibility stream that is read; of no bytes where none is. */
  streamLine: 9,
  streamBytes: 10,
  streamPrimitives: 11,
} as const;
export const PLAN_WORDS = 12;

export class RunPlan {
  x: i32 = 0;
  y: i32 = 0;
  width: i32 = 0;
  height: i32 = 0;
  sampleCount: i32 = 1;
  isColorLoaded: boolean = false;
  isDepthLoaded: boolean = false;
  isDepthStored: boolean = false;
  imageLine: i32 = 0;
  streamLine: i32 = 0;
  streamBytes: i32 = 0;
  streamPrimitives: i32 = 0;

  /** Reads the words of PLAN. */
  load(words: Int32Array): void {
    this.x = words[PLAN.x]!;
    this.y = words[PLAN.y]!;
    this.width = words[PLAN.width]!;
    this.height = words[PLAN.height]!;
    this.sampleCount = words[PLAN.sampleCount]!;
    this.isColorLoaded = words[PLAN.isColorLoaded]! === 1;
    this.isDepthLoaded = words[PLAN.isDepthLoaded]! === 1;
    this.isDepthStored = words[PLAN.isDepthStored]! === 1;
    this.imageLine = words[PLAN.imageLine]!;
    this.streamLine = words[PLAN.streamLine]!;
    this.streamBytes = words[PLAN.streamBytes]!;
    this.streamPrimitives = words[PLAN.streamPrimitives]!;
  }
}
