/**
 * How much work it is to simulate frames on many chiplets: time and memory of `simulateFrames` grow with the number of
 * transfers (one for each bin, four broadcasts for each pass) times the number of chiplets that may have to forward them.
 */
import { type PreparedFrame, RenderError } from '@tessera/frame';

/** Commands, resources, stream and targets of a pass. */
const BROADCASTS_PER_PASS = 4;
/** Few chiplets forward little, but every bin is an object in memory. */
const MIN_COUNTED_CHIPLETS = 32;

/** What is simulated together. */
export interface SimulationSize {
  readonly frames: number;
  /** Passes of all frames. */
  readonly passes: number;
  /** Coarse bins of all passes. */
  readonly bins: number;
  /** Chiplets of the simulated GPU; for several simulations of the same frames the sum over them. */
  readonly chiplets: number;
}

/** Steps of a simulation: (bins + 4 × passes) × chiplets, of which at least 32 are counted. */
export function countSimulationSteps({ passes, bins, chiplets }: SimulationSize): number {
  return (bins + BROADCASTS_PER_PASS * passes) * Math.max(chiplets, MIN_COUNTED_CHIPLETS);
}

/**
 * Refuses a simulation that is too large.
 *
 * @param place What asks for it, such as `frames`.
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
 * Refuses frames that are too large to be simulated, before they are rendered.
 *
 * @param count Frames like this one.
 * @throws {RenderError} As {@link refuseLargeSimulation}.
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
