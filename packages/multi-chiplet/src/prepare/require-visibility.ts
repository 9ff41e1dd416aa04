/** Checks the division of visibility phases among chiplets, and the delivery of visibility. */
import {
  DEFAULT_OPTIONS,
  DEFAULT_PLACEMENT,
  type Placement,
  RenderError,
  type VisibilityDelivery,
} from '@tessera/frame';

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

/** Options on which the delivery of visibility depends. */
export interface DeliveryOptions {
  /** `phase` by default. */
  readonly visibilityDelivery?: VisibilityDelivery | undefined;
  /** Number of times that the costliest bin is halved; 0 by default. */
  readonly splits?: number | undefined;
  readonly placement?: Placement | undefined;
}

/**
 * Returns the delivery of visibility.
 *
 * @throws {RenderError} REQUEST_INVALID if visibility is streamed and bins are split, which needs
 *   the workload of the whole pass, or streams are in shared memory.
 */
export function requireVisibilityDelivery({
  visibilityDelivery = DEFAULT_OPTIONS.visibilityDelivery,
  splits = 0,
  placement = DEFAULT_PLACEMENT,
}: DeliveryOptions): VisibilityDelivery {
  if (visibilityDelivery === 'phase') return visibilityDelivery;
  if (splits > 0) {
    throw new RenderError(
      'REQUEST_INVALID',
      `visibilityDelivery: stream is possible only without split bins, and split is ${splits}`,
    );
  }
  if (placement.streams !== 'replicated') {
    throw new RenderError(
      'REQUEST_INVALID',
      'visibilityDelivery: stream is possible only with placement streams=replicated',
    );
  }
  return visibilityDelivery;
}
