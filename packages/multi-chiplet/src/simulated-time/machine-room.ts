/**
 * The chiplets of a simulation as machines that run on. A machine takes a run when its command
 * processor has read the run before, so the pipeline stays full.
 *
 * Machines influence each other only through the decisions of the simulation, which are events. A
 * machine that has a run to read cannot be influenced before it wants another one, so it runs ahead
 * to that cycle. One without may get a run with every event. It runs to the next event, and while
 * others are in the same state, in windows of at most the latency of the link. What happens is
 * therefore a function of the runs and their places, and not of the order in which the host
 * simulates the machines (conservative simulation: Chandy and Misra, 1979).
 */
import type { ChipletId, RecordedRun } from '@tessera/frame';
import type { BinEnds, ChipletWork, VisibilityEnds } from './chiplet-work.ts';
import type { EventQueue } from './event-queue.ts';
import type { MachineActivity, MachineMaker, SimulatedMachine } from './simulated-machine.ts';
import type { PassState } from './simulation-state.ts';

const FAR = 2 ** 31 - 1;

/** Run on a machine that has not left. */
interface PendingRun {
  readonly number: number;
  readonly startCycle: number;
  /** Called when the stream of the run has left; `null` if it has none or was called. */
  onStream: ((startCycle: number) => void) | null;
  readonly onLeft: (startCycle: number) => void;
}

/** A machine and its runs. */
interface Place {
  readonly machine: SimulatedMachine;
  readonly pending: PendingRun[];
  /**
   * - `reading`: the machine has a run to read.
   * - `full`: it has none, and as many runs as it may have.
   * - `asking`: the event after which it may get a run is in the queue.
   * - `waiting`: it may get a run in any event.
   */
  state: 'reading' | 'full' | 'asking' | 'waiting';
  /** Whether the machine asks when the next run has left. */
  isFull: boolean;
  /** Number of runs that have not left, in the time of the events. */
  runCount: number;
  onFree: () => void;
  /** Cycle in which the last run, or its stream, has left. */
  lastEnd: number;
}

/** Options of a machine room. */
export interface MachineRoomOptions {
  readonly chipletCount: number;
  readonly makeMachine: MachineMaker;
  readonly events: EventQueue;
  /** Least number of cycles in which a chiplet influences another one. */
  readonly lookaheadCycles: number;
}

/** Machines of all chiplets. */
export class MachineRoom implements ChipletWork {
  readonly includesEarlyBin = true;
  readonly #places: readonly Place[];
  readonly #events: EventQueue;
  readonly #lookaheadCycles: number;
  readonly #passNumbers = new Map<PassState, number>();

  constructor({ chipletCount, makeMachine, events, lookaheadCycles }: MachineRoomOptions) {
    this.#events = events;
    this.#lookaheadCycles = Math.max(1, lookaheadCycles);
    this.#places = Array.from(
      { length: chipletCount },
      (): Place => ({
        machine: makeMachine(),
        pending: [],
        state: 'waiting',
        isFull: false,
        runCount: 0,
        onFree: () => {},
        lastEnd: 0,
      }),
    );
  }

  beginVisibility(pass: PassState, cycle: number, ends: VisibilityEnds): void {
    const { visibilityRecords } = pass.measurement;
    const hasEarlyBin = visibilityRecords!.streamBytes > 0;
    this.#feed(0, pass, visibilityRecords!, cycle, {
      onFree: ends.onFree,
      onStream: hasEarlyBin ? ends.onStream : null,
      onLeft: hasEarlyBin ? ends.onEarlyBin : ends.onStream,
    });
  }

  beginBin(
    pass: PassState,
    binIndex: number,
    chipletId: ChipletId,
    cycle: number,
    ends: BinEnds,
  ): void {
    const { records } = pass.measurement.bins[binIndex]!;
    if (records === undefined) throw new Error('machine room: the bin is part of a phase');
    this.#feed(chipletId, pass, records, cycle, { ...ends, onStream: null });
  }

  #feed(
    chipletId: ChipletId,
    pass: PassState,
    records: RecordedRun,
    cycle: number,
    { onFree, onStream, onLeft }: BinEnds & Pick<PendingRun, 'onStream'>,
  ): void {
    const place = this.#places[chipletId]!;
    const { machine, pending } = place;
    // An idle machine has waited until now.
    while (machine.cycle < cycle) machine.advance(cycle);
    let passNumber = this.#passNumbers.get(pass);
    if (passNumber === undefined) {
      passNumber = this.#passNumbers.size;
      this.#passNumbers.set(pass, passNumber);
    }
    const number = machine.feed(records, passNumber);
    pending.push({ number, startCycle: cycle, onStream, onLeft });
    place.onFree = onFree;
    place.state = 'reading';
    place.runCount++;
  }

  *findEvents(limitCycle: number): Generator<void, void> {
    for (const place of this.#places) {
      const { machine } = place;
      if (place.state === 'reading') {
        do {
          machine.advance(FAR);
          this.#addEnds(place);
        } while (!machine.wantsRun);
        this.#events.add(machine.cycle, () => {
          if (place.runCount >= machine.maxRuns) place.state = 'full';
          else this.#free(place);
        });
      } else if (place.state === 'full') {
        do machine.advance(FAR);
        while (!this.#addEnds(place));
        place.isFull = true;
      } else continue;
      place.state = 'asking';
      yield;
    }
    yield* this.#drain(limitCycle);
  }

  #free(place: Place): void {
    place.isFull = false;
    place.state = 'waiting';
    place.onFree();
  }

  /** Advances machines without a run to read to the next event, or to a limit before it. */
  *#drain(limitCycle: number): Generator<void, void> {
    for (;;) {
      const next = Math.min(this.#events.nextCycle ?? FAR, limitCycle);
      const draining = this.#places.filter(
        ({ state, pending, machine }) =>
          state === 'waiting' && pending.length > 0 && machine.cycle < next,
      );
      const [first, second] = draining.sort((a, b) => a.machine.cycle - b.machine.cycle);
      if (first === undefined) return;
      const window = second === undefined ? FAR : second.machine.cycle + this.#lookaheadCycles;
      first.machine.advance(Math.min(next, window));
      this.#addEnds(first);
      yield;
    }
  }

  /** Adds events for what has left a machine. Returns whether a run has. */
  #addEnds(place: Place): boolean {
    const before = place.pending.length;
    const { machine, pending } = place;
    for (let run = pending[0]; run !== undefined; run = pending[0]) {
      const streamCycle = machine.streamLeftAt(run.number);
      if (run.onStream !== null && streamCycle > 0) {
        this.#addEnd(place, run.startCycle, streamCycle, run.onStream);
        run.onStream = null;
      }
      if (run.number >= machine.leftCount) break;
      const { onLeft } = run;
      this.#addEnd(place, run.startCycle, machine.leftAt(run.number), (startCycle) => {
        place.runCount--;
        onLeft(startCycle);
        if (place.isFull) this.#free(place);
      });
      pending.shift();
    }
    return pending.length < before;
  }

  #addEnd(
    place: Place,
    startCycle: number,
    cycle: number,
    onEnd: (startCycle: number) => void,
  ): void {
    this.#events.add(cycle, () => {
      const start = Math.max(startCycle, place.lastEnd);
      place.lastEnd = cycle;
      onEnd(start);
    });
  }

  finish(): readonly MachineActivity[] {
    return this.#places.map(({ machine }) => machine.finish());
  }
}
