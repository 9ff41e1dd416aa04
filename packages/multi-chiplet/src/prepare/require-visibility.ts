/** Checks the division of visibility phases among chiplets. */
import { DEFAULT_PLACEMENT, type Placement, RenderError } from '@tessera/frame';

/** Options on which the division depends. */
export interface VisibilityOptions {
  /** Number of chiplets that share each visibility phase; 1 by default. */
  readonly visibilityChiplets?: number | undefined;
  readonly placement?: Placement | undefined;
}

/**
 * Returns the number of chiplets that share each visibility phase.
 *
 * @param chipletCount Number of chiplets of the GPU.
 * @throws {RenderError} REQUEST_INVALID if there are fewer chiplets, or if streams are in shared
 *   memory: a chiplet sends those of its part to all others.
 */
export function requireVisibilityChiplets(
  { visibilityChiplets = 1, placement = DEFAULT_PLACEMENT }: VisibilityOptions,
  chipletCount: number,
): number {
  if (!(visibilityChiplets >= 1 && visibilityChiplets <= chipletCount)) {
    throw new RenderError(
      'REQUEST_INVALID',
      `visibilityChiplets: ${visibilityChiplets} is not 1 to ${chipletCount}, the number of chiplets`,
    );
  }
  if (visibilityChiplets > 1 && placement.streams !== 'replicated') {
    throw new RenderError(
      'REQUEST_INVALID',
      `visibilityChiplets: ${visibilityChiplets} is possible only with placement streams=replicated`,
    );
  }
  return visibilityChiplets;
}
