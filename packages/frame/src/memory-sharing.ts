/** Simulated chiplets that share their memories. */
import type { ChipletId } from './chiplet.ts';
import type { Placement } from './placement.ts';

/** Place of a machine among those that share their memories. */
export interface MemorySharing {
  readonly chipletId: ChipletId;
  readonly chipletCount: number;
  readonly placement: Placement;
}
