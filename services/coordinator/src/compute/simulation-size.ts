/**
 * Bounds the work of simulating frames on many chiplets. Time and memory of `simulateFrames` are
 * proportional to the number of transfers (one per bin, four broadcasts per pass) times the number
 * of chiplets that may forward them.
 */
import { type PreparedFrame, RenderError } from '@tessera/frame';

/** Broadcasts of a pass: commands, resources, stream and targets. */
const BROADCASTS_PER_PASS = 4;
/**
 * Lower bound on the number of chiplets that is counted. A few chiplets forward little, but every
 * bin is an object in memory.
 */
const MIN_COUNTED_CHIPLETS = 32;

/** Size of one simulation. */
export interface SimulationSize {
  readonly frames: number;
  /** Number of passes in all frames. */
  readonly passes: number;
  /** Number of coarse bins in all passes. */
  readonly bins: number;
  /**
   * Number of chiplets of the simulated GPU; the sum of these for several simulations of the same
   * frames.
   */
  readonly chiplets: number;
}

/**
 * Returns the number of steps of a simulation: (bins + 4 × passes) × chiplets, counting at least 32
 * chiplets.
 */
export function countSimulationSteps({ passes, bins, chiplets }: SimulationSize): number {
  return (bins + BROADCASTS_PER_PASS * passes) * Math.max(chiplets, MIN_COUNTED_CHIPLETS);
}

/**
 * Rejects a simulation that is too large.
 *
 * @param place Place of the request that causes it, such as `frames`.
 * @throws {RenderError} LIMIT_EXCEEDED; the message has all factors.
 */
export function refuseLargeSimulation(place: string, size: SimulationSize, maxSteps: number): void {
  const steps = countSimulationSteps(size);
  if (steps <= maxSteps) return;
  const { frames, passes, bins, chiplets } = size;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `${place}: ${frames} frames with ${passes} passes and ${bins} coarse bins on ${chiplets} chiplets: ` +
      `(bins + ${BROADCASTS_PER_PASS} × passes) × chiplets is ${steps}; at most ${maxSteps}`,
  );
}

/**
 * Rejects frames that are too large to simulate, before they are rendered.
 *
 * @param count Number of frames of this size.
 * @throws {RenderError} LIMIT_EXCEEDED.
 */
export function refuseLargeFrames(
  place: string,
  count: number,
  { commands: { passes, grid } }: PreparedFrame,
  chiplets: number,
  maxSteps: number,
): void {
  const passCount = count * passes.length;
  const bins = passCount * grid.columns * grid.rows;
  refuseLargeSimulation(place, { frames: count, passes: passCount, bins, chiplets }, maxSteps);
}
