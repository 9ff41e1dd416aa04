/** A figure of the cycle model beside one that follows from arithmetic or was published. */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { Counters, Frame } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { type MadeFrame, makeFrame } from './made-frames.ts';

/** One row of the validation. */
export interface ValidationRow {
  /** Name of the row, unique. */
  readonly name: string;
  /** Preset, with settings. */
  readonly spec: string;
  readonly unit: string;
  /** Figure of the cycle model. */
  readonly ours: number;
  /** Figure that is expected. */
  readonly expected: number;
  /** Origin of the expected figure. */
  readonly source: string;
  /** Permitted relative deviation. */
  readonly tolerance: number;
  /** Permitted direction: both, or only values below a bound that are too small. */
  readonly isLowerBound?: boolean | undefined;
  /** Reason why the row is out of its tolerance; empty for a row that is expected to be inside. */
  readonly reason: string;
}

/** Measured frame. */
export interface MeasuredFrame {
  /** Cycles of the frame after its resources were stored. */
  readonly cycles: number;
  /** Cycles of the visibility phase, which comes first. */
  readonly visibilityCycles: number;
  /** Cycles of the bin, which follows the visibility phase. */
  readonly binCycles: number;
  readonly counters: Counters;
}

/** Renders a made frame as one bin on one chiplet. */
export function measureFrame(spec: ChipletSpec, made: MadeFrame): Promise<MeasuredFrame> {
  return measureBin(spec, makeFrame(made), true);
}

/**
 * Renders a frame as one bin on one chiplet.
 *
 * @param isCulled Whether the visibility phase keeps primitives without a sample from the bin.
 */
export async function measureBin(
  spec: ChipletSpec,
  frame: Frame,
  isCulled: boolean,
): Promise<MeasuredFrame> {
  const gpu = new LocalGpu({ chipletCount: 1, spec });
  const { report } = await gpu.render(frame, {
    grid: { kind: 'bins', count: 1 },
    timing: 'cycle',
    coupling: 'none',
    visibilityShader: 'minimal',
    visibilitySwitches: { cullsPrimitives: isCulled, cullsOccluded: false, rendersEarlyBin: false },
  });
  const bin = report.bins.find(({ passIndex }) => passIndex === 0)!;
  // Cycle timing gives cycles.
  return {
    cycles: report.totals.cycles! - report.passes[0]!.uploadCycles!,
    visibilityCycles: report.visibility.cycles!,
    binCycles: bin.endCycle! - bin.startCycle!,
    counters: report.chiplets[0]!.counters,
  };
}

/** Returns the relative deviation of a row, and whether it is inside the tolerance. */
export function judge({ ours, expected, tolerance, isLowerBound = false }: ValidationRow): {
  readonly deviation: number;
  readonly isInside: boolean;
} {
  const deviation = ours / expected - 1;
  const isInside = isLowerBound ? deviation >= -tolerance : Math.abs(deviation) <= tolerance;
  return { deviation, isInside };
}
