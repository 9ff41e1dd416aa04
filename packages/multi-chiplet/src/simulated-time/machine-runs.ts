/**
 * Runs on the machines of all chiplets: phases and bins are fed, and events say when their parts
 * end. The two rooms (machine-room.ts, shared-memory-room.ts) decide how far machines advance.
 */
import type { ChipletId, RecordedRun, RunPlace } from '@tessera/frame';
import type { BinEnds, VisibilityEnds } from './chiplet-work.ts';
import type { EventQueue } from './event-queue.ts';
import { visibilityPartsOf } from './frame-measurement.ts';
import type { MachineActivity, SimulatedMachine } from './simulated-machine.ts';
import type { PassState } from './simulation-state.ts';

/** Run on a machine that has not left. */
interface PendingRun {
  readonly number: number;
  /** Whether the end of the run is that of a visibility phase. */
  readonly endsVisibility: boolean;
  readonly startCycle: number;
  /** Called when the stream of the run has left; `null` if it has none or was called. */
  onStream: ((startCycle: number) => void) | null;
  /** Called when a segment of the run has left, and number of those that have. */
  readonly onSegment: VisibilityEnds['onSegment'] | null;
  segmentCount: number;
  readonly onLeft: BinEnds['onLeft'];
}

/** A machine and its runs. */
export interface MachinePlace {
  /** Rank of the machine's events among those of a cycle. */
  readonly rank: number;
  readonly machine: SimulatedMachine;
  readonly pending: PendingRun[];
  /** Calls when the next arrivals are stored, and number of arrivals before them. */
  readonly storing: (() => void)[];
  storedCount: number;
  /**
   * - `reading`: the machine has a run to read.
   * - `full`: it has none, and as many runs as it may have.
   * - `asking`: the event after which it may get a run is in the queue.
   * - `waiting`: it may get a run in any event.
   */
  state: 'reading' | 'full' | 'asking' | 'waiting';
  /** Whether the run that is read waits for segments of its visibility. */
  isGated: boolean;
  /** Whether the machine asks when the next run has left. */
  isFull: boolean;
  /** Number of runs that have not left, in the time of the events. */
  runCount: number;
  onFree: () => void;
  /** Cycle in which the last run, or its stream, has left. */
  lastEnd: number;
  /** Words of the traces of the runs, in their order on the machine, if they are kept. */
  readonly traces: { readonly start: number; readonly words: Int32Array }[];
}

/** Options of the runs on machines. */
export interface MachineRunsOptions {
  readonly machines: readonly SimulatedMachine[];
  readonly events: EventQueue;
  /**
   * Whether events of one cycle are in the order of the chiplets, after all others. By default they
   * are in the order in which the host finds them.
   */
  readonly areEventsRanked?: boolean;
  /** Whether traces are kept for `traceOf`; false by default. */
  readonly keepsTraces?: boolean;
  /**
   * Called before a run is fed. Returns its place on machines that share their memories.
   *
   * @param binIndex Index of the bin; null for a visibility phase.
   */
  readonly placeRun?: (
    chipletId: ChipletId,
    pass: PassState,
    passNumber: number,
    binIndex: number | null,
    cycle: number,
  ) => RunPlace;
  /** Returns the bytes of a bin that leave over the output bus. */
  readonly outputBytesOf: (pass: PassState, binIndex: number) => number;
  /** Called when a run has left, in the time of the events. */
  readonly onLeft?: (passNumber: number) => void;
}

/** Whether something can leave a machine, or be stored in its memory. */
export function hasWork({ pending, storing }: MachinePlace): boolean {
  return pending.length > 0 || storing.length > 0;
}

/** Runs of all machines. */
export class MachineRuns {
  readonly places: readonly MachinePlace[];
  readonly #events: EventQueue;
  readonly #placeRun: MachineRunsOptions['placeRun'];
  readonly #outputBytesOf: MachineRunsOptions['outputBytesOf'];
  readonly #onLeft: (passNumber: number) => void;
  readonly #keepsTraces: boolean;
  readonly #passNumbers = new Map<PassState, number>();

  constructor(options: MachineRunsOptions) {
    const { machines, events, areEventsRanked = false, placeRun, onLeft = () => {} } = options;
    this.#outputBytesOf = options.outputBytesOf;
    this.#keepsTraces = options.keepsTraces ?? false;
    this.#events = events;
    this.#placeRun = placeRun;
    this.#onLeft = onLeft;
    this.places = machines.map(
      (machine, chipletId): MachinePlace => ({
        rank: areEventsRanked ? chipletId + 1 : 0,
        machine,
        pending: [],
        storing: [],
        storedCount: 0,
        state: 'waiting',
        isGated: false,
        isFull: false,
        runCount: 0,
        onFree: () => {},
        lastEnd: 0,
        traces: [],
      }),
    );
  }

  /** Feeds a part of a visibility phase to its chiplet; see ChipletWork. */
  beginVisibility(pass: PassState, partIndex: number, cycle: number, ends: VisibilityEnds): void {
    const { chipletId, part } = pass.visibilityParts[partIndex]!;
    const { records } = visibilityPartsOf(pass.measurement)[part]!;
    const hasEarlyBin = records!.streamBytes > 0;
    const early = hasEarlyBin ? pass.measurement.bins.findIndex(({ isEarly }) => isEarly) : null;
    const sent = this.#withOutput(records!, pass, early);
    this.#feed(chipletId, pass, null, sent, cycle, {
      onFree: ends.onFree,
      onStream: hasEarlyBin ? ends.onStream : null,
      onSegment: pass.segments === null ? null : ends.onSegment,
      onLeft: hasEarlyBin ? ends.onEarlyBin : ends.onStream,
    });
  }

  /** Feeds a bin; see ChipletWork. */
  beginBin(
    pass: PassState,
    binIndex: number,
    chipletId: ChipletId,
    cycle: number,
    ends: BinEnds,
  ): void {
    const { records } = pass.measurement.bins[binIndex]!;
    if (records === undefined) throw new Error('machines: the bin is part of a phase');
    const sent = this.#withOutput(records, pass, binIndex);
    const calls = { ...ends, onStream: null, onSegment: null };
    this.#feed(chipletId, pass, binIndex, sent, cycle, calls);
  }

  /** Lets a machine read the primitives of its newest run whose segments have arrived. */
  #openRun(place: MachinePlace, run: number, pass: PassState, binIndex: number): void {
    const { binId } = pass.measurement.bins[binIndex]!;
    const { machine } = place;
    const chipletId = this.places.indexOf(place);
    const segments = pass.segments!;
    let opened = 0;
    const open = (cycle: number) => {
      const isComplete = segments.isComplete(chipletId);
      const primitives = segments.readableOf(binId, chipletId);
      if (!isComplete && primitives === opened) return;
      opened = primitives;
      // The machine may have simulated this cycle.
      machine.openRun(run, isComplete ? null : primitives, cycle + 1);
      if (isComplete) place.isGated = false;
    };
    place.isGated = true;
    segments.follow(chipletId, open);
    open(machine.cycle);
  }

  /** Returns the records of a run that ends with a bin, or with none, with the bytes that leave. */
  #withOutput(records: RecordedRun, pass: PassState, binIndex: number | null): RecordedRun {
    if (binIndex === null) return records;
    const outputBytes = this.#outputBytesOf(pass, binIndex);
    return outputBytes === records.outputBytes ? records : { ...records, outputBytes };
  }

  #feed(
    chipletId: ChipletId,
    pass: PassState,
    binIndex: number | null,
    records: RecordedRun,
    cycle: number,
    { onFree, onStream, onSegment, onLeft }: BinEnds & Pick<PendingRun, 'onStream' | 'onSegment'>,
  ): void {
    const place = this.places[chipletId]!;
    const { machine, pending } = place;
    // An idle machine has waited until now.
    while (machine.cycle < cycle) machine.advance(cycle);
    let passNumber = this.#passNumbers.get(pass);
    if (passNumber === undefined) {
      passNumber = this.#passNumbers.size;
      this.#passNumbers.set(pass, passNumber);
    }
    const runPlace = this.#placeRun?.(chipletId, pass, passNumber, binIndex, cycle);
    if (this.#keepsTraces) {
      place.traces.push({ start: machine.traceWordCount, words: records.fragmentTraceWords });
    }
    const { segments } = pass;
    const isClosed = binIndex !== null && segments !== null && !segments.isComplete(chipletId);
    const number = machine.feed(records, passNumber, runPlace, isClosed);
    if (isClosed) this.#openRun(place, number, pass, binIndex);
    pending.push({
      number,
      endsVisibility: binIndex === null && onStream === null,
      startCycle: cycle,
      ...{ onStream, onSegment, segmentCount: 0 },
      onLeft: (startCycle, waitedCycles) => {
        this.#onLeft(passNumber);
        onLeft(startCycle, waitedCycles);
      },
    });
    place.onFree = onFree;
    place.state = 'reading';
    place.runCount++;
  }

  /**
   * Stores lines in the memory of chiplet 0 that have arrived in a cycle. The machine may have
   * simulated that cycle, so it takes them in the next one.
   */
  store(lineCount: number, cycle: number, onStored: () => void): void {
    const { machine, storing } = this.places[0]!;
    machine.storeArrival(lineCount, cycle + 1);
    storing.push(onStored);
  }

  /** Adds the event after which a machine that has read all its runs may get another one. */
  ask(place: MachinePlace): void {
    place.state = 'asking';
    const apply = () => {
      if (place.runCount >= place.machine.maxRuns) place.state = 'full';
      else this.#free(place);
    };
    this.#events.add(place.machine.cycle, apply, place.rank);
  }

  /** Lets a full machine ask when the run has left whose event is in the queue. */
  askWhenLeft(place: MachinePlace): void {
    place.isFull = true;
    place.state = 'asking';
  }

  #free(place: MachinePlace): void {
    place.isFull = false;
    place.state = 'waiting';
    place.onFree();
  }

  /**
   * Returns the words of the traces of a run, and the index of the one that has a number among all
   * words that its machine has got. Traces must be kept.
   */
  traceOf(chipletId: ChipletId, word: number): [words: Int32Array, index: number] {
    const trace = this.places[chipletId]!.traces.findLast(({ start }) => start <= word);
    if (trace === undefined) throw new Error(`machines: chiplet ${chipletId} has no word ${word}`);
    return [trace.words, word - trace.start];
  }

  /** Adds events for what has left a machine. Returns whether a run has. */
  addEnds(place: MachinePlace): boolean {
    const before = place.pending.length;
    const { machine, pending, storing } = place;
    while (place.storedCount < machine.storedCount) {
      this.#events.add(machine.storedAt(place.storedCount++), storing.shift()!, place.rank);
    }
    for (let run = pending[0]; run !== undefined; run = pending[0]) {
      const streamCycle = run.onStream === null ? 0 : machine.streamLeftAt(run.number);
      if (streamCycle > 0) {
        machine.noteEnd(true);
        this.#addEnd(place, run.startCycle, streamCycle, run.onStream!);
        run.onStream = null;
      }
      if (run.onSegment !== null) this.#addSegments(place, run, run.onSegment);
      if (run.number >= machine.leftCount) break;
      const { onLeft } = run;
      machine.noteEnd(run.endsVisibility);
      const waitedCycles = machine.waitedCyclesOf(run.number);
      this.#addEnd(place, run.startCycle, machine.leftAt(run.number), (startCycle) => {
        place.runCount--;
        // It may have waited while the run before left.
        onLeft(startCycle, Math.min(waitedCycles, machine.leftAt(run.number) - startCycle));
        if (place.isFull) this.#free(place);
      });
      pending.shift();
    }
    return pending.length < before;
  }

  #addSegments(place: MachinePlace, run: PendingRun, onSegment: VisibilityEnds['onSegment']): void {
    const { machine, rank } = place;
    while (run.segmentCount < machine.segmentsSent(run.number)) {
      const segment = run.segmentCount++;
      const apply = () => onSegment(segment, Math.max(run.startCycle, place.lastEnd));
      this.#events.add(machine.segmentLeftAt(run.number, segment), apply, rank);
    }
  }

  #addEnd(
    place: MachinePlace,
    startCycle: number,
    cycle: number,
    onEnd: (startCycle: number) => void,
  ): void {
    const apply = () => {
      const start = Math.max(startCycle, place.lastEnd);
      place.lastEnd = cycle;
      onEnd(start);
    };
    this.#events.add(cycle, apply, place.rank);
  }

  finish(): readonly MachineActivity[] {
    return this.places.map(({ machine }) => machine.finish());
  }
}
