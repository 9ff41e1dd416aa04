/**
 * What a frame takes, whoever does it: cycles of its visibility phases and bins, bytes of all that crosses the
 * link. A chiplet starts each of these cold, so they depend on frame and specification alone; any number of
 * chiplets, policy and link follows from them without rendering again (simulate-frames.ts). Plain data.
 */
import type { CoarseBinGrid, CoarseBinId, Sha256 } from '@tessera/frame';

/** One bin, or a part of one; its place in the pass's list is its `binIndex`. */
export interface BinMeasurement {
  readonly binId: CoarseBinId;
  /** Null when not simulated in time. */
  readonly cycles: number | null;
  /** What the cost model goes by: see bin-cost.ts. */
  readonly costTerms: readonly number[];
  /** What the cost model expects the cycles to be. */
  readonly estimatedCycles: number;
  /** Pixels, and depth and stencil where a later pass loads them. */
  readonly resultBytes: number;
  /** Whether chiplet 0 rendered it in the visibility phase already (patent fig. 3: 316–320). */
  readonly isEarly: boolean;
}

/** A buffer, texture or program of a pass. */
export interface ResourceMeasurement {
  readonly sha256: Sha256;
  readonly bytes: number;
  /** Whether an earlier pass of the frame drew it. */
  readonly isDrawn: boolean;
}

export interface PassMeasurement {
  readonly grid: Pick<CoarseBinGrid, 'columns' | 'rows'>;
  /** What tells the bins of this pass from those of others, in this frame and the next. */
  readonly historyKey: string;
  /** Null when not simulated in time. */
  readonly visibilityCycles: number | null;
  readonly bins: readonly BinMeasurement[];
  readonly commandBytes: number;
  readonly streamBytes: number;
  readonly resources: readonly ResourceMeasurement[];
  /** Earlier passes whose targets the visibility phase reads: its vertex shaders sample them. */
  readonly visibilityNeeds: readonly number[];
  /** Earlier passes whose targets the bins read. */
  readonly binsNeed: readonly number[];
}

export interface FrameMeasurement {
  readonly passes: readonly PassMeasurement[];
}

/** Whether every part of the frame was simulated in time. */
export function isTimed({ passes }: FrameMeasurement): boolean {
  return passes.every(
    ({ visibilityCycles, bins }) =>
      visibilityCycles !== null && bins.every(({ cycles }) => cycles !== null),
  );
}

/** Cycles of the whole frame on one chiplet, and its visibility phases' part of them. @param frame Timed. */
export function serialCycles(frame: FrameMeasurement): {
  readonly cycles: number;
  readonly visibilityCycles: number;
} {
  let visibilityCycles = 0;
  let binCycles = 0;
  for (const pass of frame.passes) {
    visibilityCycles += pass.visibilityCycles ?? 0;
    for (const bin of pass.bins) binCycles += bin.cycles ?? 0;
  }
  return { cycles: visibilityCycles + binCycles, visibilityCycles };
}
