/**
 * The chiplets of a simulation as machines that share their memories. In contrast to the machines
 * of machine-room.ts, they influence each other at any time, by messages. They advance together in
 * windows of at most the time that a message takes, so every message of a window arrives in a later
 * one (conservative simulation: Chandy and Misra, 1979). What happens depends neither on the length
 * of the windows nor on the order in which the host simulates the machines.
 */
import type { ChipletId, PixelPlace, RunPlace } from '@tessera/frame';
import type { BinEnds, ChipletWork, VisibilityEnds } from './chiplet-work.ts';
import type { EventQueue } from './event-queue.ts';
import { hasWork, type MachinePlace, MachineRuns } from './machine-runs.ts';
import { MessageExchange } from './message-exchange.ts';
import type { NetworkTransfers } from './network-link.ts';
import { SharedSpaces } from './shared-spaces.ts';
import type { HostOrder, TextureReadObserver } from './simulated-frames.ts';
import type { MachineActivity, SimulatedMachine } from './simulated-machine.ts';
import { NEVER, type PassState } from './simulation-state.ts';
import type { TargetHolders } from './target-holders.ts';
import type { SimulatedRemote } from './traffic-intervals.ts';

const FAR = 2 ** 31 - 1;
const LINE_BYTES = 64;
/** Cycles after the last event in which the last requests are answered, or a multiple of them. */
const LAST_CYCLES = 256;

/** Options of a room. */
export interface SharedMemoryRoomOptions {
  /** Machines by chiplet. */
  readonly machines: readonly SimulatedMachine[];
  readonly events: EventQueue;
  /** Transfers whose network carries the messages. */
  readonly transfers: NetworkTransfers;
  /** Least number of cycles in which a decision of the simulation reaches another chiplet. */
  readonly lookaheadCycles: number;
  readonly holders: TargetHolders;
  readonly hostOrder?: HostOrder | undefined;
  readonly onTextureRead?: TextureReadObserver | undefined;
}

/** Address space that a machine has to empty in a cycle. */
interface SpaceDrop {
  readonly cycle: number;
  readonly space: number;
}

/** Machines of all chiplets, with one address space over all memories. */
export class SharedMemoryRoom implements ChipletWork {
  readonly includesEarlyBin = true;
  readonly #runs: MachineRuns;
  readonly #exchange: MessageExchange;
  readonly #transfers: NetworkTransfers;
  readonly #events: EventQueue;
  /** Least number of cycles in which a decision of the simulation reaches another chiplet. */
  readonly #lookaheadCycles: number;
  /** Longest window while messages are on their way, and while nothing is. */
  readonly #windowCycles: number;
  readonly #emptyWindowCycles: number;
  readonly #spaces: SharedSpaces;
  /** Spaces that a machine has to empty, in the order of the cycles, by chiplet. */
  readonly #drops: SpaceDrop[][];
  readonly #streamLines = new WeakMap<PassState, readonly number[]>();
  readonly #pixelLines = new WeakMap<PassState, readonly number[]>();
  readonly #holders: TargetHolders;
  /** Homes of the textures of passes that read targets, and the machines that know them. */
  readonly #textureHomes = new WeakMap<PassState, Int32Array>();
  readonly #informed = new WeakMap<PassState, Set<ChipletId>>();
  /**
   * Order in which machines advance in a window. Chiplet 0 is the last: it may get a run in the
   * cycle of an event of another one, so it must not pass an event that is not known yet.
   */
  readonly #order: readonly ChipletId[];
  /** Cycle of the last event. */
  #lastEvent = 0;

  constructor(options: SharedMemoryRoomOptions) {
    const { machines, events, transfers, lookaheadCycles, hostOrder = {} } = options;
    const { onTextureRead } = options;
    const { maxWindowCycles = FAR, isReversed = false } = hostOrder;
    const others = [...machines.keys()].slice(1);
    this.#order = [...(isReversed ? others.reverse() : others), 0];
    this.#events = events;
    this.#holders = options.holders;
    this.#transfers = transfers;
    // Otherwise a chiplet could get a run in a cycle that it has already simulated.
    if (lookaheadCycles < 1) throw new Error('shared memory: the link needs a latency');
    this.#lookaheadCycles = lookaheadCycles;
    const { interfaceCycles } = machines[0]!;
    const longest = Math.min(maxWindowCycles, lookaheadCycles);
    // Deliveries of the cycles that the network has not simulated are used so much later.
    this.#windowCycles = Math.min(longest, 1 + interfaceCycles);
    this.#emptyWindowCycles = Math.min(longest, transfers.lookaheadCycles);
    this.#exchange = new MessageExchange(machines, transfers, interfaceCycles);
    if (onTextureRead !== undefined) {
      this.#exchange.onTextureRead = (reader, home, origin) =>
        onTextureRead(...this.#runs.traceOf(reader, origin), reader, home);
    }
    this.#spaces = new SharedSpaces(machines[0]!.spaceCount);
    this.#drops = machines.map(() => []);
    this.#runs = new MachineRuns({
      machines,
      events,
      areEventsRanked: true,
      keepsTraces: onTextureRead !== undefined,
      placeRun: (...run) => this.#placeRun(...run),
      outputBytesOf: (pass, bin) => this.#holders.sentBytesOf(pass, bin),
      onLeft: (passNumber) => this.#spaces.release(passNumber),
    });
  }

  get traffic(): SimulatedRemote {
    return this.#exchange.traffic;
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

  *findEvents(): Generator<void, void> {
    for (;;) {
      const next = this.#events.nextCycle;
      if (next !== undefined && this.#runs.places.every((place) => hasPassed(place, next))) {
        // Transfers that arrive in the cycle of the event come before it.
        this.#exchange.exchange(next);
        this.#lastEvent = next;
        return;
      }
      const isDone = !this.#runs.places.some(hasWork);
      if (next === undefined && isDone && this.#transfers.isEmpty) {
        this.#answerLast();
        return;
      }
      const cycle = this.#reached();
      this.#exchange.exchange(cycle);
      this.#advanceAll(this.#windowEnd(cycle, this.#events.nextCycle));
      yield;
    }
  }

  finish(): readonly MachineActivity[] {
    this.#advanceUntil(() => this.#exchange.isQuiet, this.#lookaheadCycles);
    return this.#runs.finish();
  }

  /**
   * Advances machines without work until the requests are answered that their runs have left. All
   * of them end in one cycle, which does not depend on the windows.
   */
  #answerLast(): void {
    const areAnswered = () =>
      this.#exchange.isQuiet && this.#runs.places.every(({ machine }) => machine.isIdle);
    this.#advanceUntil(areAnswered, LAST_CYCLES + this.#lookaheadCycles);
  }

  /**
   * Advances machines from the last event, by a number of cycles at a time, until a condition
   * holds. No machine has passed the first of these cycles before, so its state in it does not
   * depend on the windows.
   */
  #advanceUntil(isOver: () => boolean, stepCycles: number): void {
    let end = this.#lastEvent;
    do {
      end += stepCycles;
      for (let cycle = this.#reached(); cycle < end; cycle = this.#reached()) {
        this.#exchange.exchange(cycle);
        this.#advanceAll(Math.min(end, cycle + this.#windowCycles));
      }
      this.#exchange.exchange(end);
    } while (!isOver());
  }

  /** Returns the cycle that all machines have reached. */
  #reached(): number {
    return this.#runs.places.reduce((least, { machine }) => Math.min(least, machine.cycle), FAR);
  }

  /**
   * Returns the cycle up to which machines advance together.
   *
   * @throws {Error} If machines wait for each other.
   */
  #windowEnd(cycle: number, next: number | undefined): number {
    const limit = this.#transfers.nextArrival;
    const isQuiet = this.#exchange.isQuiet;
    const isIdle =
      isQuiet &&
      this.#runs.places.every(({ state, machine }) => state === 'asking' || machine.isIdle);
    if (!isIdle) {
      const isEmpty = isQuiet && this.#transfers.isEmpty;
      return Math.min(limit, cycle + (isEmpty ? this.#emptyWindowCycles : this.#windowCycles));
    }
    if (next !== undefined) return Math.min(limit, next + 1);
    if (limit < Number.POSITIVE_INFINITY) return limit;
    for (const { pending, machine } of this.#runs.places) {
      if (pending.length > 0) machine.failAsleep();
    }
    throw new Error('shared memory: a run can never leave');
  }

  #advanceAll(until: number): void {
    for (const chipletId of this.#order) {
      this.#advance(this.#runs.places[chipletId]!, this.#drops[chipletId]!, until);
      this.#exchange.collect(chipletId);
    }
  }

  /** Advances a machine to a cycle, the next event, or the one in which it asks for a run. */
  #advance(place: MachinePlace, drops: SpaceDrop[], until: number): void {
    const { machine } = place;
    while (place.state !== 'asking') {
      const end = Math.min(until, cycleAfter(place, this.#events.nextCycle ?? FAR));
      if (drops.length > 0 && drops[0]!.cycle <= machine.cycle) {
        machine.dropSpace(drops.shift()!.space);
        continue;
      }
      if (machine.cycle >= end) return;
      machine.advance(Math.min(end, drops[0]?.cycle ?? FAR));
      const hasLeft = this.#runs.addEnds(place);
      if (place.state === 'reading' && machine.wantsRun) this.#runs.ask(place);
      else if (place.state === 'full' && hasLeft) this.#runs.askWhenLeft(place);
    }
  }

  /** Returns the place of a run. If its pass takes the space of another one, all empty it. */
  #placeRun(
    chipletId: ChipletId,
    pass: PassState,
    passNumber: number,
    binIndex: number | null,
    cycle: number,
  ): RunPlace {
    const { space, isReused } = this.#spaces.take(passNumber);
    if (isReused) {
      // No message about the new pass reaches another chiplet before.
      const drop = { cycle: cycle + this.#lookaheadCycles, space };
      for (const drops of this.#drops) drops.push(drop);
    }
    const own = this.#drops[chipletId]!;
    const due = own.findIndex((drop) => drop.space === space);
    if (due >= 0) {
      this.#runs.places[chipletId]!.machine.dropSpace(space);
      own.splice(due, 1);
    }
    this.#placeTextures(chipletId, pass, space);
    const streamLines = binIndex === null ? 0 : this.#streamLinesOf(pass)[binIndex]!;
    return { space, streamLines, pixels: this.#placePixels(pass, binIndex) };
  }

  /** Returns the place of the pixels of a bin, or of the early bin of a phase. */
  #placePixels(pass: PassState, binIndex: number | null): PixelPlace | null {
    const placement = this.#holders.placementOf(pass);
    if (placement === 'gathered') return null;
    const { bins, visibilityRecords } = pass.measurement;
    const hasEarlyBin = binIndex === null && (visibilityRecords?.streamBytes ?? 0) > 0;
    const index = hasEarlyBin ? bins.findIndex(({ isEarly }) => isEarly) : binIndex;
    if (index === null) return null;
    let ends = this.#pixelLines.get(pass);
    if (ends === undefined) {
      let end = 0;
      ends = bins.map((_, bin) => {
        end += Math.ceil(this.#holders.storedBytesOf(pass, bin) / LINE_BYTES);
        return end;
      });
      this.#pixelLines.set(pass, ends);
    }
    const before = index === 0 ? 0 : ends[index - 1]!;
    const isInterleaved = placement === 'interleaved';
    return { before, total: ends.at(-1)!, count: ends[index]! - before, isInterleaved };
  }

  /** Tells a machine where the textures of a pass are, once all of them are drawn. */
  #placeTextures(chipletId: ChipletId, pass: PassState, space: number): void {
    const { binsNeed, visibilityNeeds } = pass.measurement;
    if (binsNeed.length === 0 || this.#holders.targets === 'gathered') return;
    const areDrawn = binsNeed.every((need) => pass.frame.passes[need]!.endCycle !== NEVER);
    // A phase that reads targets needs only those that are drawn.
    if (!areDrawn && visibilityNeeds.length === 0) return;
    const informed = this.#informed.get(pass) ?? new Set();
    this.#informed.set(pass, informed);
    if (informed.has(chipletId)) return;
    const { machine } = this.#runs.places[chipletId]!;
    const homes =
      this.#textureHomes.get(pass) ?? machine.layOutTextures(this.#holders.placeTextures(pass));
    machine.placeTextures(space, homes);
    if (!areDrawn) return;
    this.#textureHomes.set(pass, homes);
    informed.add(chipletId);
  }

  /** Returns the lines before the stream of each bin. Parts of a bin have the same stream. */
  #streamLinesOf(pass: PassState): readonly number[] {
    const known = this.#streamLines.get(pass);
    if (known !== undefined) return known;
    const { bins } = pass.measurement;
    const bytesById = new Map(bins.map(({ binId, streamBytes }) => [binId, streamBytes]));
    const firstById = new Map<number, number>();
    let lines = 0;
    for (const [binId, bytes] of [...bytesById].sort(([a], [b]) => a - b)) {
      firstById.set(binId, lines);
      lines += Math.ceil(bytes / LINE_BYTES);
    }
    const linesByBin = bins.map(({ binId }) => firstById.get(binId)!);
    this.#streamLines.set(pass, linesByBin);
    return linesByBin;
  }
}

/**
 * Returns the cycle that a machine reaches before the events of cycle `next` are applied. It
 * simulates that cycle unless nothing of it can leave then, so all events of the cycle are known.
 */
function cycleAfter(place: MachinePlace, next: number): number {
  return hasWork(place) ? next + 1 : next;
}

function hasPassed(place: MachinePlace, next: number): boolean {
  const { state, machine } = place;
  return machine.cycle >= (state === 'asking' ? next : cycleAfter(place, next));
}
