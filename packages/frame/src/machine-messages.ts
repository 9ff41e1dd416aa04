/** Messages of simulated chiplets that share their memories. */
import type { ChipletId } from './chiplet.ts';
import type { Placement } from './placement.ts';

/** Place of a machine among those that share their memories. */
export interface MemorySharing {
  readonly chipletId: ChipletId;
  readonly chipletCount: number;
  readonly placement: Placement;
}

/** Message of a machine to another one: a request for a line, or a reply. */
export interface MachineMessage {
  readonly to: ChipletId;
  readonly kind: 'read' | 'write' | 'find-home' | 'line' | 'written' | 'home';
  readonly line: number;
  /** Home of a page, in the reply of its directory. */
  readonly home: number;
  /** Cycle in which the message leaves. */
  readonly cycle: number;
  /** Size with header. */
  readonly bytes: number;
}

/** Message that arrives in a cycle. */
export interface MessageArrival {
  readonly message: MachineMessage;
  readonly from: ChipletId;
  readonly cycle: number;
}
