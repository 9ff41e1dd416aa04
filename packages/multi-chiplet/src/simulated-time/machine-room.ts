/**
 * The chiplets of a simulation as machines that run on. A machine takes a run when its command
 * processor has read the run before, so the pipeline stays full.
 *
 * Machines influence each other only through the decisions of the simulation, which are events. A
 * machine that has a run to read cannot be influenced before it wants another one, so it runs ahead
 * to that cycle, except that of chiplet 0. One without may get a run with every event. It runs to
 * the next event, and while others are in the same state, in windows of at most the latency of the
 * link. So does one whose run waits for segments of streamed visibility. What happens is therefore
 * a function of the runs and their places, and not of the order in which the host simulates the
 * machines (conservative simulation: Chandy and Misra, 1979).
 */
import type { ChipletId } from '@tessera/frame';
import type { BinEnds, ChipletWork, VisibilityEnds } from './chiplet-work.ts';
import type { EventQueue } from './event-queue.ts';
import { sentBytesOf } from './frame-measurement.ts';
import { hasWork, MachineRuns } from './machine-runs.ts';
import type { MachineActivity, MachineMaker } from './simulated-machine.ts';
import type { PassState } from './simulation-state.ts';

const FAR = 2 ** 31 - 1;

/** Options of a machine room. */
export interface MachineRoomOptions {
  readonly chipletCount: number;
  readonly makeMachine: MachineMaker;
  readonly events: EventQueue;
  /** Least number of cycles in which a chiplet influences another one. */
  readonly lookaheadCycles: number;
}

/** Machines of all chiplets, each with memory of its own. */
export class MachineRoom implements ChipletWork {
  readonly includesEarlyBin = true;
  readonly traffic = null;
  readonly #runs: MachineRuns;
  readonly #events: EventQueue;
  readonly #lookaheadCycles: number;

  constructor({ chipletCount, makeMachine, events, lookaheadCycles }: MachineRoomOptions) {
    this.#events = events;
    this.#lookaheadCycles = Math.max(1, lookaheadCycles);
    const machines = Array.from({ length: chipletCount }, () => makeMachine());
    const outputBytesOf = ({ measurement }: PassState, binIndex: number) =>
      sentBytesOf(measurement.bins[binIndex]!);
    this.#runs = new MachineRuns({ machines, events, outputBytesOf });
  }

  beginVisibility(pass: PassState, partIndex: number, cycle: number, ends: VisibilityEnds): void {
    this.#runs.beginVisibility(pass, partIndex, cycle, ends);
  }

  beginBin(
    pass: PassState,
    binIndex: number,
    chipletId: ChipletId,
    cycle: number,
    ends: BinEnds,
  ): void {
    this.#runs.beginBin(pass, binIndex, chipletId, cycle, ends);
  }

  store(lineCount: number, cycle: number, onStored: () => void): void {
    this.#runs.store(lineCount, cycle, onStored);
  }

  *findEvents(limitCycle: number): Generator<void, void> {
    // Bins of all chiplets arrive at chiplet 0, so it does not run ahead of the events.
    for (const place of this.#runs.places.slice(1)) {
      const { machine } = place;
      if (place.state === 'reading' && !place.isGated) {
        do {
          machine.advance(FAR);
          this.#runs.addEnds(place);
        } while (!machine.wantsRun);
        this.#runs.ask(place);
      } else if (place.state === 'full') {
        do machine.advance(FAR);
        while (!this.#runs.addEnds(place));
        this.#runs.askWhenLeft(place);
      } else continue;
      yield;
    }
    yield* this.#drain(limitCycle);
  }

  /**
   * Advances machines without a run to read, and that of chiplet 0, to the next event, or to a
   * limit before it.
   */
  *#drain(limitCycle: number): Generator<void, void> {
    for (;;) {
      const next = Math.min(this.#events.nextCycle ?? FAR, limitCycle);
      const draining = this.#runs.places.filter(
        (place, id) =>
          (place.state === 'waiting'
            ? hasWork(place)
            : (id === 0 || place.isGated) && place.state !== 'asking') &&
          place.machine.cycle < next,
      );
      const [first, second] = draining.sort((a, b) => a.machine.cycle - b.machine.cycle);
      if (first === undefined) return;
      const window = second === undefined ? FAR : second.machine.cycle + this.#lookaheadCycles;
      first.machine.advance(Math.min(next, window));
      const hasLeft = this.#runs.addEnds(first);
      if (first.state === 'reading' && first.machine.wantsRun) this.#runs.ask(first);
      else if (first.state === 'full' && hasLeft) this.#runs.askWhenLeft(first);
      yield;
    }
  }

  finish(): readonly MachineActivity[] {
    return this.#runs.finish();
  }
}
