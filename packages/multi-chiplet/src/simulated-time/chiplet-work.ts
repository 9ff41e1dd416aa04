/**
 * Work of the simulated chiplets: phases and bins are begun, and events say when their parts end.
 * There are two ways of timing them: by themselves ({@link IsolatedWork}), or on machines that run
 * on from one to the next (machine-room.ts).
 */
import type { ChipletId } from '@tessera/frame';
import type { EventQueue } from './event-queue.ts';
import { visibilityPartsOf } from './frame-measurement.ts';
import type { MachineActivity } from './simulated-machine.ts';
import type { PassState } from './simulation-state.ts';
import type { SimulatedRemote } from './traffic-intervals.ts';

/** Calls in the cycles in which the parts of a bin end. */
export interface BinEnds {
  /** The chiplet can take other work. */
  readonly onFree: () => void;
  /**
   * The bin has left the chiplet.
   *
   * @param startCycle Cycle from which the bin was the oldest work of its chiplet.
   * @param waitedCycles Cycles in which it waited for segments of streamed visibility.
   */
  readonly onLeft: (startCycle: number, waitedCycles: number) => void;
}

/** Calls in the cycles in which the parts of a visibility phase end. */
export interface VisibilityEnds {
  readonly onFree: () => void;
  /** A segment of streamed visibility has left. See {@link BinEnds} for the cycle. */
  readonly onSegment: (segment: number, startCycle: number) => void;
  /** The visibility streams have left the chiplet. See {@link BinEnds} for the cycle. */
  readonly onStream: (startCycle: number) => void;
  /** The bin that was rendered in the phase has left. Called only by machines. */
  readonly onEarlyBin: (startCycle: number) => void;
}

/** Times the work of all chiplets. */
export interface ChipletWork {
  /** Whether the bin that is rendered in a visibility phase is part of the phase. */
  readonly includesEarlyBin: boolean;
  /**
   * Begins a run of a visibility phase on its chiplet.
   *
   * @param partIndex Index of the run in `pass.visibilityParts`.
   */
  beginVisibility(pass: PassState, partIndex: number, cycle: number, ends: VisibilityEnds): void;
  beginBin(
    pass: PassState,
    binIndex: number,
    chipletId: ChipletId,
    cycle: number,
    ends: BinEnds,
  ): void;
  /**
   * Stores lines in the memory of chiplet 0 that have arrived.
   *
   * @param onStored Called in the cycle in which they are stored. It may be called at once.
   */
  store(lineCount: number, cycle: number, onStored: () => void): void;
  /**
   * Adds all events up to the next one of the queue. Yields between parts that take long.
   *
   * @param limitCycle Cycle in which another event may appear.
   */
  findEvents(limitCycle: number): Iterable<void>;
  /** Returns the activity of each chiplet; null if it is known by phase and bin. */
  finish(): readonly MachineActivity[] | null;
  /** Accesses of remote memory; null if memories are not shared. */
  readonly traffic: SimulatedRemote | null;
}

/** Phases and bins that take the cycles that were measured for each by itself. */
export class IsolatedWork implements ChipletWork {
  readonly includesEarlyBin = false;
  readonly traffic = null;
  readonly #events: EventQueue;
  readonly #isTimed: boolean;
  readonly #storeLineCycles: number;
  /** Cycle from which the next arrival can be stored. */
  #storeFree = 0;
  /** Number of lines that were stored. */
  storedLines = 0;

  /**
   * @param isTimed Whether cycles were measured. If not, bins take their estimated cycles.
   * @param storeLineCycles Time for storing a line that has arrived; 0 by default.
   */
  constructor(events: EventQueue, isTimed: boolean, storeLineCycles = 0) {
    this.#events = events;
    this.#isTimed = isTimed;
    this.#storeLineCycles = storeLineCycles;
  }

  beginVisibility(pass: PassState, partIndex: number, cycle: number, ends: VisibilityEnds): void {
    const { part } = pass.visibilityParts[partIndex]!;
    const { cycles, segments = [] } = visibilityPartsOf(pass.measurement)[part]!;
    for (const [segment, { endCycle }] of segments.entries()) {
      this.#events.add(cycle + (endCycle ?? 0), () => ends.onSegment(segment, cycle));
    }
    this.#events.add(cycle + (cycles ?? 0), () => {
      ends.onFree();
      ends.onStream(cycle);
    });
  }

  beginBin(
    { measurement, segments }: PassState,
    binIndex: number,
    chipletId: ChipletId,
    cycle: number,
    ends: BinEnds,
  ): void {
    const { binId, cycles, estimatedCycles } = measurement.bins[binIndex]!;
    const length = this.#isTimed ? cycles! : estimatedCycles;
    const endAt = (end: number) =>
      this.#events.add(end, () => {
        ends.onFree();
        ends.onLeft(cycle, end - cycle - length);
      });
    if (segments === null || segments.isComplete(chipletId)) {
      endAt(cycle + length);
      return;
    }
    segments.follow(chipletId, () => {
      if (segments.isComplete(chipletId)) {
        endAt(segments.estimateEnd(binId, chipletId, cycle, length));
      }
    });
  }

  /** Stores arrivals one after the other. */
  store(lineCount: number, cycle: number, onStored: () => void): void {
    this.storedLines += lineCount;
    const cycles = Math.round(lineCount * this.#storeLineCycles);
    if (cycles === 0) {
      onStored();
      return;
    }
    this.#storeFree = Math.max(this.#storeFree, cycle) + cycles;
    this.#events.add(this.#storeFree, onStored);
  }

  findEvents(): Iterable<void> {
    return [];
  }

  finish(): null {
    return null;
  }
}
