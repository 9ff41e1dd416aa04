/**
 * A simulated chiplet that runs on: it draws coarse bins and visibility phases one after another,
 * with warm caches, while the output of the bin before leaves. The host adds runs and lets the
 * machine advance in simulated cycles.
 *
 * The passes of frames take address spaces in turn, so the textures and buffers of one are never
 * found in caches by another. Programs, targets and primitive batches have the same place in all.
 *
 * Machines may share their memories: then a line has one address on all of them, and messages carry
 * the requests for lines of other memories.
 *
 * One file because it is one class, most of whose methods pass calls to the engine.
 */
import { type ChipEngine, CompiledChip } from '@tessera/chip';
import { ALL_PRIMITIVES, ARRAY_WORDS, LINE_BYTES, RING, RING_STRIDES } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  type ActivityTracks,
  type Counters,
  type LogSites,
  loadCounters,
  MAX_UNIT_SPANS,
  type MemorySharing,
  type PixelPlace,
  type PlacedTexture,
  type RecordedRun,
  RenderError,
  type RunActivity,
  type RunPlace,
  StopWords,
  type UnitSpan,
} from '@tessera/frame';
import { partitionMemory } from '../memory-manager/address-map.ts';
import { PAGE_BYTES } from '../memory-manager/page-allocator.ts';
import { VertexTraces } from '../run-log/vertex-traces.ts';
import { TraceFormer } from '../run-log/warp-trace.ts';
import { MAX_WORDS } from '../run-log/word-ring.ts';
import { ActivitySampler } from './activity-sampler.ts';
import { AddressSpaces } from './address-spaces.ts';
import { ChipCounters } from './chip-counters.ts';
import { sharedMemoryWords } from './memory-sharing.ts';
import {
  MachinePrograms,
  moveArrays,
  moveBlocks,
  moveCommands,
  moveEntries,
  moveTraces,
  moveTraceWords,
  type RunBases,
} from './relocated-run.ts';
import { RunActivities } from './run-activities.ts';
import { movePlan } from './run-request.ts';
import { moveHomeWords, textureHomeWords } from './texture-homes.ts';
import type { EngineMaker } from './timed-chip.ts';
import { timingSpecWords } from './timing-spec-words.ts';
import { unitSpansOf } from './unit-spans.ts';
import type { WarpPlaces } from './warp-places.ts';

/** Upper bound on the passes whose resources have an address space at the same time. */
export const ADDRESS_SPACES = 16;
/** Lines that arrivals use in turn: 256 MiB, as much as the largest image and its depth. */
const ARRIVAL_LINES = 2 ** 22;

/** Options of a machine. */
export interface ChipletMachineOptions {
  /** Function that creates the engine; the compiled chip by default. */
  readonly makeEngine?: EngineMaker | undefined;
  /** Whether every module is clocked in every cycle: slower, with the same result. */
  readonly isNaive?: boolean;
  /** Words that stop a run. `advance` then throws FRAME_CANCELLED. */
  readonly stopWords?: StopWords;
  /** Number of address spaces, ADDRESS_SPACES by default. */
  readonly addressSpaces?: number;
  /** Memories that the machine shares; none by default. */
  readonly sharing?: MemorySharing | undefined;
  /** Length of the intervals in which activity is sampled; see `begin`. */
  readonly timelineCycles?: number | undefined;
  /** Places of the cycles of warps, which are then counted by draw and lookup; none by default. */
  readonly warpPlaces?: Pick<WarpPlaces, 'words' | 'placesOf'> | undefined;
  /** Called when the machine has finished its work. It may be used again. */
  readonly onFinish?: (machine: ChipletMachine) => void;
}

/** Activity of a machine up to now. */
export interface MachineTiming {
  readonly cycles: number;
  readonly counters: Counters;
  /** Activity by run, in the order of their ends. */
  readonly runs: readonly RunActivity[];
  readonly spans: readonly UnitSpan[];
  /** Use of shared parts; missing unless the timeline was asked for in intervals. */
  readonly tracks?: ActivityTracks | undefined;
}

/** Machine of one chiplet. */
export class ChipletMachine {
  readonly #engine: ChipEngine;
  readonly #counters: ChipCounters;
  readonly #loadCounters: ChipCounters;
  readonly #stopWords: StopWords;
  readonly #spec: ChipletSpec;
  #programs: MachinePrograms;
  readonly #addressSpaces: number;
  readonly #spaceLines: number;
  readonly #former = new TraceFormer();
  readonly #traces = new VertexTraces();
  readonly #onFinish: (machine: ChipletMachine) => void;
  readonly #warpPlaces: ChipletMachineOptions['warpPlaces'];
  /** Sites of the vertex program, and lines that are added to its lookups, by draw. */
  #draws: { readonly sites: LogSites | null; readonly lines: number }[] = [];
  #spaces: AddressSpaces;
  #spacesWithHeads = 0;
  #runCount = 0;
  #arrayWords = 0;
  #sentBytes = 0;
  /** Samples of the activity; null unless they were asked for. */
  #sampler: ActivitySampler | null = null;
  #runs: RunActivities;
  /** Lines of arrivals since the first place was last taken. */
  #arrivalLines = 0;

  constructor(
    spec: ChipletSpec,
    {
      makeEngine = (options) => new CompiledChip(options),
      isNaive = false,
      stopWords = new StopWords(),
      addressSpaces = ADDRESS_SPACES,
      sharing,
      timelineCycles,
      warpPlaces,
      onFinish = () => {},
    }: ChipletMachineOptions = {},
  ) {
    this.#spec = spec;
    this.#onFinish = onFinish;
    this.#warpPlaces = warpPlaces;
    this.#former.marksSites = warpPlaces !== undefined;
    this.#addressSpaces = addressSpaces;
    this.#spaces = new AddressSpaces(addressSpaces);
    this.#stopWords = stopWords;
    this.#engine = makeEngine({
      spec: timingSpecWords(spec),
      maxUnitSpans: MAX_UNIT_SPANS,
      isNaive,
      formVertexTrace: (draw, vertices, count) => this.#formVertexTrace(draw, vertices, count),
      isStopped: () => stopWords.isStopped(),
    });
    this.#counters = new ChipCounters(this.#engine.moduleNames);
    this.#loadCounters = new ChipCounters(this.#engine.moduleNames, loadCounters());
    this.#runs = new RunActivities(this.#engine, this.#loadCounters);
    this.#programs = new MachinePrograms(spec);
    const { baseBytes, sizeBytes } = partitionMemory(spec).batches;
    this.#spaceLines = Math.ceil((baseBytes + sizeBytes) / PAGE_BYTES) * (PAGE_BYTES / LINE_BYTES);
    this.#beginEngine(sharing, timelineCycles);
  }

  #beginEngine(sharing: MemorySharing | undefined, timelineCycles: number | undefined): void {
    this.#engine.begin();
    if (this.#warpPlaces !== undefined) this.#engine.profileWarps(this.#warpPlaces.words);
    this.#sampler =
      timelineCycles === undefined
        ? null
        : new ActivitySampler(this.#engine, this.#counters, timelineCycles);
    if (sharing === undefined) return;
    const spec = this.#spec;
    if (spec.pageStructure === 'list') {
      throw new RenderError(
        'REQUEST_INVALID',
        'placement: chiplets share memory only with pageStructure table, and the specification has lists of pages',
      );
    }
    const words = sharedMemoryWords(spec, sharing, this.#addressSpaces, this.#spaceLines);
    this.#engine.shareMemory(words);
  }

  /**
   * Restarts at cycle 0, with an empty pipeline, cold caches and no runs.
   *
   * @param sharing Memories that the machine shares.
   * @param timelineCycles Length of the intervals in which activity is sampled. By default, there
   *   are 8 to 17 intervals of at least 8,192 cycles, and no tracks.
   */
  begin(sharing?: MemorySharing, timelineCycles?: number): void {
    this.#beginEngine(sharing, timelineCycles);
    this.#programs = new MachinePrograms(this.#spec);
    this.#spaces = new AddressSpaces(this.#addressSpaces);
    this.#former.reset();
    this.#traces.reset();
    this.#draws = [];
    this.#spacesWithHeads = 0;
    this.#runCount = 0;
    this.#arrayWords = 0;
    this.#sentBytes = 0;
    this.#arrivalLines = 0;
    this.#runs = new RunActivities(this.#engine, this.#loadCounters);
  }

  /**
   * Number of runs that keep all units busy: one leaves while others are drawn. With more, a pull
   * queue would be divided less evenly.
   */
  get maxRuns(): number {
    return Math.max(2, this.#spec.binTargets - 1);
  }

  /** Cycles of a message inside its two chiplets, all counted at the receiver. */
  get interfaceCycles(): number {
    return this.#spec.remoteInterfaceCycles;
  }

  /** Bytes of its simulated chip, which the heap of the process does not include. */
  get memoryBytes(): number {
    return this.#engine.memoryBytes;
  }

  /** Current cycle. */
  get cycle(): number {
    return this.#engine.cycle;
  }

  /** Whether the machine has read all runs and takes another one in this cycle. */
  get wantsRun(): boolean {
    return this.#engine.wantsBin;
  }

  /** Number of runs that have left the chiplet. */
  get leftCount(): number {
    return this.#engine.leftCount;
  }

  /** Returns the cycle in which a run had left the chiplet. */
  leftAt(run: number): number {
    return this.#engine.leftAt(run);
  }

  /**
   * Returns the cycle in which the visibility stream of a run with an early bin leaves; 0 while it
   * is not known, and for other runs.
   */
  streamLeftAt(run: number): number {
    return this.#engine.streamLeftAt(run);
  }

  /** Returns the number of segments of a run's streamed visibility that leave in a known cycle. */
  segmentsSent(run: number): number {
    return this.#engine.segmentsSent(run);
  }

  /** Returns the cycle in which a segment that was counted leaves. */
  segmentLeftAt(run: number, segment: number): number {
    return this.#engine.segmentLeftAt(run, segment);
  }

  /**
   * Lets the first primitives of a closed run be read from a cycle on that is not simulated.
   *
   * @param primitives Their number, which ascends; null for all and for the end of the run.
   */
  openRun(run: number, primitives: number | null, cycle: number): void {
    this.#engine.openBin(run, primitives ?? ALL_PRIMITIVES, cycle);
  }

  /** Returns the number of cycles in which a run waited for segments of its visibility. */
  waitedCyclesOf(run: number): number {
    return this.#engine.waitedCyclesOf(run);
  }

  /**
   * Adds a run.
   *
   * @param pass Number of the run's pass. Runs of one pass share textures and buffers.
   * @param place Place of the run if memories are shared.
   * @param isClosed Whether its primitives can be read only when `openRun` lets them.
   * @returns Number of the run on this machine.
   * @throws {RenderError} LIMIT_EXCEEDED if the run has too many records, if runs of too many
   *   passes are on the machine, or if more than ADDRESS_SPACES passes have lists of pages.
   */
  feed(run: RecordedRun, pass: number, place?: RunPlace, isClosed = false): number {
    const engine = this.#engine;
    const number = this.#runCount++;
    const { space, isReused } =
      place === undefined
        ? this.#spaces.take(pass, number, engine.leftCount)
        : { space: place.space, isReused: false };
    const lines = space * this.#spaceLines;
    if (isReused) engine.dropLines(lines, lines + this.#spaceLines);
    const endOf = (ring: number) => engine.reserve(ring, 0).end;
    const bases: RunBases = {
      draws: endOf(RING.draws),
      arrays: this.#arrayWords / ARRAY_WORDS,
      vertices: endOf(RING.vertices),
      blocks: endOf(RING.blocks),
      fragmentTraceWords: this.traceWordCount,
      lines,
    };
    const tableLines = (this.#addressSpaces - 1) * this.#spaceLines;
    engine.addBin(movePlan(run.plan, lines, tableLines, place?.streamLines ?? 0));
    engine.endBin(run.outputBytes, run.streamBytes);
    if (isClosed) engine.closeBin();
    if (place !== undefined && place.pixels !== null) this.#storePixels(place.pixels, lines);
    this.#sendHeads(run.pageHeads, space, isReused);
    this.#sendArrays(moveArrays(run, bases));
    this.#send(RING.waitPlaces, this.#warpPlaces?.placesOf(run) ?? new Int32Array(0));
    this.#send(RING.draws, this.#programs.moveDraws(run, bases));
    this.#send(RING.commands, moveCommands(run, bases));
    this.#send(RING.entries, moveEntries(run, bases));
    this.#send(RING.blocks, moveBlocks(run, bases));
    this.#send(RING.fragmentTraces, moveTraces(run, bases));
    this.#send(RING.fragmentTraceWords, moveTraceWords(run.fragmentTraceWords, lines));
    this.#send(RING.vertices, run.vertices);
    for (const index of run.drawSites) {
      this.#draws.push({ sites: index < 0 ? null : run.vertexSites[index]!, lines });
    }
    for (const log of run.vertexLogs) {
      this.#traces.add({ ...log, first: log.first + bases.vertices });
    }
    this.#sentBytes += run.outputBytes + run.streamBytes;
    return number;
  }

  /** Cycles of warps by place; empty without places. */
  get warpWaits(): Float64Array {
    return this.#engine.warpWaits.slice(0, this.#warpPlaces?.words ?? 0);
  }

  /** Number of words of the traces of fragments of all runs so far. */
  get traceWordCount(): number {
    return this.#engine.reserve(RING.fragmentTraceWords, 0).end;
  }

  #storePixels({ before, total, count, isInterleaved }: PixelPlace, lines: number): void {
    const { baseBytes, sizeBytes } = partitionMemory(this.#spec).textures;
    const first = Math.floor((baseBytes + sizeBytes) / LINE_BYTES) - total;
    if (first * LINE_BYTES < baseBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `placement: targets of ${total * LINE_BYTES} bytes do not fit in texture memory (texturePoolBytes)`,
      );
    }
    this.#engine.storeBin(lines + first + before, count, isInterleaved);
  }

  /**
   * Stores lines that arrive over the link in local memory, from a cycle on that is not simulated.
   * They take places at the end of the region of textures in turn.
   */
  storeArrival(count: number, cycle: number): void {
    const { baseBytes, sizeBytes } = partitionMemory(this.#spec).textures;
    const end = Math.floor((baseBytes + sizeBytes) / LINE_BYTES);
    const room = Math.min(ARRIVAL_LINES, Math.floor(sizeBytes / LINE_BYTES));
    if (this.#arrivalLines + count > room) this.#arrivalLines = 0;
    const line = end - room + this.#arrivalLines;
    this.#arrivalLines += count;
    this.#engine.storeArrival(line, Math.min(count, room), cycle);
  }

  /** Number of arrivals that are stored. */
  get storedCount(): number {
    return this.#engine.storedCount;
  }

  /** Returns the cycle after which an arrival was stored. */
  storedAt(arrival: number): number {
    return this.#engine.storedAt(arrival);
  }

  /** Returns the homes of a pass's textures, the same for all machines. */
  layOutTextures(textures: readonly PlacedTexture[]): Int32Array {
    return textureHomeWords(this.#spec, textures);
  }

  /** Sets the homes of the textures of a space, as `layOutTextures` returns them. */
  placeTextures(space: number, homes: Int32Array): void {
    const words = moveHomeWords(homes, space, this.#spaceLines);
    this.#send(RING.targetHomes, words);
    this.#engine.placeTargets();
  }

  /** Number of address spaces. */
  get spaceCount(): number {
    return this.#addressSpaces;
  }

  /** Removes the lines of an address space from all caches. No request for them is under way. */
  dropSpace(space: number): void {
    const first = space * this.#spaceLines;
    this.#engine.dropLines(first, first + this.#spaceLines);
  }

  /** Whether nothing happens before the machine gets a run or a message. */
  get isIdle(): boolean {
    return this.#engine.isIdle;
  }

  /** Bytes of the header of each message to another machine. */
  get messageHeaderBytes(): number {
    return this.#spec.remoteHeaderBytes;
  }

  /**
   * Returns the messages to other machines since the last call, in the order of their cycles, in
   * words of REMOTE. They are valid until the machine advances.
   */
  takeMessages(): Int32Array {
    return this.#engine.takeMessages();
  }

  /**
   * Delivers requests and replies, each in the order of their cycles, none of which is before the
   * current one. Words are those of REMOTE, whose `chiplet` is the sender.
   */
  deliver(requests: Int32Array, replies: Int32Array): void {
    this.#send(RING.remoteReplies, replies);
    this.#send(RING.remoteRequests, requests);
  }

  /** Names the units that wait for each other. @throws {Error} Always. */
  failAsleep(): void {
    this.#engine.failAsleep();
  }

  /**
   * Simulates up to cycle `until`, not included. Returns earlier when the machine wants a run, in
   * that cycle, and after a cycle in which a run has left, an arrival was stored, or the end of a
   * stream became known. If it gets no run in the cycle in which it wants one, it waits for the
   * next `feed`. Also returns after each interval in which activity is sampled.
   *
   * @throws {RenderError} FRAME_CANCELLED; LIMIT_EXCEEDED for too many spans.
   */
  advance(until: number): void {
    const sampler = this.#sampler;
    this.#engine.runTo(sampler === null ? until : Math.min(until, sampler.nextCycle));
    if (sampler !== null && this.#engine.cycle >= sampler.nextCycle) sampler.sample();
    this.#stopWords.throwIfStopped();
  }

  /** Notes that a run has left the chiplet, or the streams of a visibility phase have. */
  noteEnd(isVisibility: boolean): void {
    this.#runs.end(isVisibility);
  }

  /**
   * Simulates all runs to their end and returns the machine's activity. No run may follow until the
   * machine restarts.
   */
  finish(): MachineTiming {
    const engine = this.#engine;
    engine.finish();
    const counters = this.#counters.sum(engine.counts, engine.stateCycles, engine.waitCycles);
    counters['outputBus.bytesSent'] = this.#sentBytes;
    counters['textureUnit.requestsLogged'] = this.#former.lookups;
    counters['textureUnit.linesLogged'] = this.#former.lines;
    this.#sampler?.sample();
    const spans = this.#sampler?.spans ?? unitSpansOf(engine);
    const timing = {
      cycles: engine.cycle,
      counters,
      runs: this.#runs.list,
      spans,
      tracks: this.#sampler?.tracks,
    };
    this.#onFinish(this);
    return timing;
  }

  /** Sends the objects of a pass in the user area, once. */
  #sendHeads(heads: Int32Array, space: number, isReused: boolean): void {
    if (heads.length === 0) return;
    if (isReused) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `chiplet machine: lists of pages (pageStructure) of more than ${this.#addressSpaces} passes`,
      );
    }
    // New spaces ascend, so the objects stay in order.
    if (space < this.#spacesWithHeads) return;
    this.#spacesWithHeads = space + 1;
    const pages = (space * this.#spaceLines * LINE_BYTES) / PAGE_BYTES;
    this.#send(
      RING.pageHeads,
      heads.map((page) => page + 2 * pages),
    );
  }

  #sendArrays(words: Float64Array): void {
    const from = this.#arrayWords;
    this.#arrayWords += words.length;
    this.#engine.reserveArrays(this.#arrayWords).set(words, from);
  }

  #send(ring: number, words: Int32Array): void {
    if (words.length === 0) return;
    const stride = RING_STRIDES[ring]!;
    const count = words.length / stride;
    if (words.length > MAX_WORDS) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `a coarse bin has ${count} records of ${4 * stride} bytes for one unit; coupling=exact has room for ${4 * MAX_WORDS} bytes`,
      );
    }
    const target = this.#engine.reserve(ring, count);
    for (let at = 0; at < count; ) {
      const to = (target.end + at) & target.mask;
      const piece = Math.min(count - at, target.mask + 1 - to);
      target.words.set(words.subarray(at * stride, (at + piece) * stride), to * stride);
      at += piece;
    }
    this.#engine.publish(ring, target.end + count);
  }

  /** Forms the trace of a warp of vertices that the chip closes. See VertexTraceSource. */
  #formVertexTrace(draw: number, vertices: Int32Array, count: number): number {
    const { sites, lines } = this.#draws[draw]!;
    if (sites === null) throw new Error(`chiplet machine: draw ${draw} logs no vertices`);
    const { ring } = this.#traces;
    const first = this.#traces.close(this.#former, sites, vertices, count);
    const words = new Int32Array(ring.end - first);
    for (let word = 0; word < words.length; word++) {
      words[word] = ring.words[(first + word) & ring.mask]!;
    }
    ring.start = ring.end;
    const { end } = this.#engine.reserve(RING.vertexTraceWords, words.length);
    this.#send(RING.vertexTraceWords, moveTraceWords(words, lines));
    return end;
  }
}
