/** Activity of a chiplet over time, as finely as a request asks for. */
import { RenderError } from './errors.ts';

/** Range of the cycles of an interval that a request may ask for. */
export const TIMELINE_CYCLES = { min: 1, max: 65_536 } as const;

/**
 * Use of the shared parts of a chiplet in intervals of simulated cycles. All lists have an entry
 * for each interval. Neighbors with the same rates are one interval.
 */
export interface ActivityTracks {
  /** Last cycle of each interval. The first starts at 0. */
  readonly endCycles: readonly number[];
  /** Bytes read from and written to local memory. */
  readonly bytesRead: readonly number[];
  readonly bytesWritten: readonly number[];
  /** Accesses of the second-level cache that found their line, and that did not. */
  readonly l2Hits: readonly number[];
  readonly l2Misses: readonly number[];
  /** Cycles that warp slots held vertex and fragment warps, over all slots. */
  readonly vertexSlotCycles: readonly number[];
  readonly fragmentSlotCycles: readonly number[];
}

/**
 * Activity of a machine from the end of a run to the end of the next one. A run that continues with
 * a bin after its visibility phase has two.
 */
export interface RunActivity {
  /** Whether the activity is that of a visibility phase, and not of a bin. */
  readonly isVisibility: boolean;
  /** Cycles by unit, as `unitLoadsOf` has them. */
  readonly loadCycles: readonly number[];
}

/** Options on which the intervals of a timeline depend. */
export interface TimelineCyclesOptions {
  readonly timing?: string | undefined;
  readonly coupling?: string | undefined;
  readonly timelineCycles?: number | undefined;
}

/**
 * Rejects intervals of a timeline that are out of range, or that nothing samples.
 *
 * @throws {RenderError} REQUEST_INVALID.
 */
export function requireTimelineCycles(options: TimelineCyclesOptions): void {
  const { timing, coupling, timelineCycles: cycles } = options;
  if (cycles === undefined) return;
  const { min, max } = TIMELINE_CYCLES;
  if (!Number.isInteger(cycles) || cycles < min || cycles > max) {
    const range = `an integer from ${min} to ${max}`;
    throw new RenderError('REQUEST_INVALID', `timeline cycles: ${cycles} is not ${range}`);
  }
  if (timing === 'cycle' && (coupling ?? 'exact') === 'exact') return;
  const given = timing === 'cycle' ? `coupling ${coupling}` : `timing ${timing ?? 'functional'}`;
  const message = `timeline cycles: need timing cycle and coupling exact, not ${given}`;
  throw new RenderError('REQUEST_INVALID', message);
}
