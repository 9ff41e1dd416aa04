/**
 * Second-level cache of a chiplet, with the arbiter in front of it. Its slices hold lines in turn,
 * and a crossbar connects each client with each of them: a slice takes a number of lines per cycle
 * from the burst that is granted to it, up to the first line of another slice. A client is served
 * in order. The cache is set-associative, uses write-back and evicts the least recently used line.
 * A line in flight is requested once, and later reads of it join that request. Writes are of whole
 * lines, so a write fetches nothing. A line that leaves the chiplet is dropped when it is read.
 * Writes of the copy engine, and bins that stay in memory, go to local memory at once and leave no
 * line behind.
 *
 * Lines of other memories are requested through the remote port. Requests of other chiplets are
 * taken before those of the clients, one per cycle, and take a line of the slice's rate.
 *
 * Without a cache (`hasL2Cache` off), reads and writes go to local memory one by one. Reads of
 * lines in flight still join.
 *
 * Long because lines of local and of other memories share tags, ways and slices.
 */

import { divide, greater } from '../portable/integers.ts';
import type { i32, u8, u16 } from '../portable/number-types.ts';
import { MEMORY_CLIENT } from '../records/client-numbers.generated.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import { REMOTE, REMOTE_HOME, REMOTE_LINE } from '../records/record-layout.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { VisibilityPriority } from '../sim/visibility-priority.ts';
import { Arbiter, NO_GRANT } from './arbiter.ts';
import type { AskingPorts } from './asking-ports.ts';
import { type ClientPort, WRITE } from './client-port.ts';
import type { DramModule } from './dram-module.ts';
import { Interleave } from './interleave.ts';
import type { RemotePort } from './remote-port.ts';
import { ServedRequests } from './served-requests.ts';

/** State of a line in the cache. */
const CLEAN: u8 = 0;
const DIRTY: u8 = 1;
/** State of a line in flight from local memory. PENDING + DIRTY is a line that was also written. */
const PENDING: u8 = 2;
const EMPTY = -1;
/** Last use of a line in flight. It is later than any real use, so the line is never evicted. */
const ON_ITS_WAY = 0x7fff_ffff;
/** Last use of a way that has held no line of the run. It is taken before all others. */
const NEVER_USED = -1;
const NONE = -1;

/** Options of {@link L2CacheModule}. */
export interface L2CacheModuleOptions {
  readonly id: i32;
  readonly name: string;
  readonly schedule: Schedule;
  readonly spec: TimingSpec;
  /** Module of local memory. */
  readonly dram: DramModule;
  /** Queues of lines from local memory, by channel. */
  readonly fills: readonly Queue[];
  /** Ports of the clients; more may be added later. */
  readonly ports: readonly ClientPort[];
  /** Ports that request a burst. */
  readonly asking: AskingPorts;
  readonly priority: VisibilityPriority;
  readonly remote: RemotePort;
}

/** Module of the second-level cache and the arbiter. */
export class L2CacheModule extends Module {
  readonly arbiter: Arbiter;
  readonly remote: RemotePort;
  private readonly priority: VisibilityPriority;
  /** Requests of other chiplets. */
  readonly served: ServedRequests;
  /** Counts of the run, in lines. */
  hits: i32 = 0;
  misses: i32 = 0;
  merged: i32 = 0;
  written: i32 = 0;
  writtenBack: i32 = 0;
  bursts: i32 = 0;
  /**
   * Whether a new line found all ways of its set taken. Otherwise a larger cache would have had the
   * same hits, because its sets are parts of these.
   */
  hasFilledSet: boolean = false;
  private readonly dram: DramModule;
  private readonly fills: readonly Queue[];
  private readonly ports: readonly ClientPort[];
  private readonly asking: AskingPorts;
  private readonly latencyCycles: i32;
  private readonly linesPerCycle: i32;
  private readonly isExclusive: boolean;
  private readonly hasCache: boolean;
  private readonly ways: i32;
  private readonly setMask: i32;
  private readonly tags: Int32Array;
  private readonly lineStates: Uint8Array;
  /** Last use per way; NEVER_USED, or ON_ITS_WAY while its line is in flight. */
  private readonly used: Int32Array;
  /** Position in the list of misses, per way with a line in flight. */
  private readonly entryByWay: Uint16Array;
  private uses: i32 = 0;
  /** Misses in flight: the line, its way, and the head of its list of waiters. */
  private readonly missLines: Int32Array;
  private readonly missWays: Int32Array;
  private readonly missWaiters: Int32Array;
  /** Last use of each line in flight. */
  private readonly missUsed: Int32Array;
  private missCount: i32 = 0;
  private isStalled: boolean = false;
  private readonly waiterNext: Int32Array;
  private readonly waiterPort: Int32Array;
  private readonly waiterTicket: Int32Array;
  private freeWaiter: i32 = 0;
  readonly slices: Interleave;
  /** Port whose burst each slice takes, or NO_GRANT, and number of its lines that remain. */
  private readonly granted: Int32Array;
  private readonly burstLeft: Int32Array;
  /** Slice that took a request of another chiplet in this cycle; NONE if there is none. */
  private servedSlice: i32 = NONE;

  constructor(options: L2CacheModuleOptions) {
    super({
      id: options.id,
      name: options.name,
      schedule: options.schedule,
      inputs: options.fills,
      outputs: [],
    });
    const spec = options.spec;
    this.asking = options.asking;
    this.remote = options.remote;
    this.served = new ServedRequests(spec.remoteServerEntries);
    this.dram = options.dram;
    this.fills = options.fills;
    this.ports = options.ports;
    const sliceCount = spec.l2Slices;
    this.slices = new Interleave(spec.channelInterleaveBytes, sliceCount);
    this.granted = new Int32Array(sliceCount);
    this.burstLeft = new Int32Array(sliceCount);
    this.priority = options.priority;
    this.arbiter = new Arbiter({
      ports: options.ports,
      asking: options.asking,
      priority: options.priority,
      sliceCount,
      ageingCycles: spec.hasMemoryAgeing ? spec.memoryAgeingCycles : NEVER,
    });
    this.latencyCycles = spec.l2LatencyCycles;
    this.linesPerCycle = spec.l2LinesPerCycle;
    this.isExclusive = spec.hasExclusiveBursts;
    this.hasCache = spec.hasL2Cache;
    const ways = spec.l2CacheWays;
    const lines = spec.hasL2Cache ? divide(spec.l2CacheBytes, LINE_BYTES) : ways;
    const sets = divide(lines, ways);
    this.ways = ways;
    this.setMask = divide(sets, sliceCount) - 1;
    this.tags = new Int32Array(lines);
    this.lineStates = new Uint8Array(lines);
    this.used = new Int32Array(lines);
    this.entryByWay = new Uint16Array(lines);
    this.missLines = new Int32Array(spec.l2MissEntries);
    this.missWays = new Int32Array(spec.l2MissEntries);
    this.missWaiters = new Int32Array(spec.l2MissEntries);
    this.missUsed = new Int32Array(spec.l2MissEntries);
    // A full table stalls.
    const waiters = spec.l2WaitersPerMiss * spec.l2MissEntries;
    this.waiterNext = new Int32Array(waiters);
    this.waiterPort = new Int32Array(waiters);
    this.waiterTicket = new Int32Array(waiters);
    this.reset();
  }

  reset(): void {
    this.hits = 0;
    this.misses = 0;
    this.merged = 0;
    this.written = 0;
    this.writtenBack = 0;
    this.bursts = 0;
    this.hasFilledSet = false;
    this.tags.fill(EMPTY);
    this.used.fill(NEVER_USED);
    this.uses = 0;
    this.missCount = 0;
    for (let i = 0; i < this.waiterNext.length; i++) this.waiterNext[i] = i + 1;
    this.waiterNext[this.waiterNext.length - 1] = NONE;
    this.freeWaiter = 0;
    this.granted.fill(NO_GRANT);
    this.arbiter.reset();
    this.remote.reset();
  }

  /** Removes the lines from `first` to before `end` without writing them back. */
  dropLines(first: i32, end: i32): void {
    const tags = this.tags;
    for (let way = 0; way < tags.length; way++) {
      const line = tags[way]!;
      if (line < first || line >= end || this.used[way] === ON_ITS_WAY) continue;
      tags[way] = EMPTY;
      this.lineStates[way] = CLEAN;
      this.used[way] = 0;
    }
  }

  /** Whether no request waits and no line is in flight. */
  get isQuiet(): boolean {
    if (this.missCount > 0 || !this.remote.isQuiet) return false;
    for (let i = 0; i < this.ports.length; i++) if (!this.ports[i]!.isEmpty) return false;
    return true;
  }

  clock(cycle: i32): i32 {
    // 1. Lines that arrived: one per channel.
    let isBusy = false;
    if (this.awaitsFills) {
      const fills = this.fills;
      for (let channel = 0; channel < fills.length; channel++) {
        const fill = fills[channel]!;
        if (!fill.canPop(cycle)) continue;
        this.fill(fill.pop(cycle), cycle);
        isBusy = true;
      }
    }
    // 2. What crosses the link.
    this.servedSlice = NONE;
    if (this.remote.isOn && this.exchange(cycle)) isBusy = true;
    // 3. The burst of each slice, or the next one.
    this.isStalled = false;
    for (let slice = 0; slice < this.granted.length; slice++) {
      if (this.granted[slice] === NO_GRANT && this.asking.counts[slice] === 0) continue;
      if (this.serveSlice(slice, cycle)) isBusy = true;
    }
    this.states[this.id] = isBusy
      ? BUSY
      : this.isStalled
        ? stalled(WAIT.misses)
        : starved(WAIT.input);
    return isBusy ? cycle + 1 : this.nextWake(cycle);
  }

  /** Takes lines of the burst of a slice. Returns whether it took one. */
  private serveSlice(slice: i32, cycle: i32): boolean {
    const granted = this.granted[slice]!;
    if (granted !== NO_GRANT && this.arbiter.interrupts(granted, slice, cycle)) {
      this.granted[slice] = NO_GRANT;
    }
    if (this.granted[slice] === NO_GRANT) {
      if (this.isExclusive && !this.isAlone(cycle)) return false;
      this.granted[slice] = this.arbiter.grant(slice, cycle);
      if (this.granted[slice] === NO_GRANT) return false;
      this.burstLeft[slice] = this.ports[this.granted[slice]!]!.burstLength();
      this.bursts++;
    }
    const port = this.ports[this.granted[slice]!]!;
    const limit = slice === this.servedSlice ? this.linesPerCycle - 1 : this.linesPerCycle;
    for (let taken = 0; taken < limit; taken++) {
      if (!this.take(port, slice, cycle)) {
        this.isStalled = true;
        return taken > 0;
      }
      // The rest of the burst may be of another slice, or of a page that is not translated.
      const isOver = --this.burstLeft[slice]! === 0;
      if (isOver || port.frontSlice !== slice || port.awaitsTranslation) {
        this.granted[slice] = NO_GRANT;
        break; // One grant per cycle.
      }
    }
    return true;
  }

  /** Returns whether local memory and all slices are idle. */
  private isAlone(cycle: i32): boolean {
    if (this.missCount > 0 || !this.remote.isQuiet || this.dram.idleAt() > cycle) return false;
    for (let slice = 0; slice < this.granted.length; slice++) {
      if (this.granted[slice] !== NO_GRANT) return false;
    }
    return true;
  }

  private nextWake(cycle: i32): i32 {
    let wake = this.remote.isOn ? greater(this.remote.nextReply(), cycle + 1) : NEVER;
    if (this.awaitsFills) {
      const fills = this.fills;
      for (let channel = 0; channel < fills.length; channel++) {
        const ready = fills[channel]!.nextReady();
        if (ready < wake) wake = ready > cycle ? ready : cycle + 1;
      }
    }
    if (this.isStalled) return wake;
    if (this.isExclusive && (this.missCount > 0 || !this.remote.isQuiet)) return wake;
    if (this.asking.total === 0) return wake;
    const idle = this.isExclusive ? this.dram.idleAt() : 0;
    const next = idle > cycle ? idle : cycle + 1;
    return next < wake ? next : wake;
  }

  /** Takes the oldest request of the granted port. Returns false if the request must wait. */
  private take(port: ClientPort, slice: i32, cycle: i32): boolean {
    const request = port.front();
    const line = request >>> 1;
    const isDone =
      (request & WRITE) !== 0 ? this.write(port, line, cycle) : this.read(port, line, slice, cycle);
    if (isDone) port.take(cycle);
    return isDone;
  }

  private read(port: ClientPort, line: i32, slice: i32, cycle: i32): boolean {
    const way = this.hasCache ? this.find(line) : NONE;
    if (way !== NONE && this.lineStates[way]! < PENDING) {
      this.hits++;
      if (this.remote.isOn) this.remote.countHit(line);
      this.used[way] = ++this.uses;
      if (port.client === MEMORY_CLIENT.displayStore) this.drop(way);
      port.serve(port.frontTicket(), cycle + this.latencyCycles);
      return true;
    }
    if (this.remote.isOn && this.remote.concerns(line)) {
      return this.readRemote(port, line, slice, cycle);
    }
    // 1. The line is in flight.
    if (this.freeWaiter === NONE) return false;
    const entry = this.hasCache && way === NONE ? NONE : this.entryOf(line, way);
    if (entry !== NONE) {
      this.merged++;
      this.addWaiter(entry, this.granted[slice]!, port.frontTicket());
      return true;
    }
    // 2. The line comes from local memory.
    if (this.isMissListFull || !this.hasRoomFor(port, line)) return false;
    let victim = NONE;
    if (this.hasCache) {
      victim = this.makeRoom(line, cycle);
      if (victim === NONE || !this.dram.hasRoom(line)) return false;
    }
    this.addWaiter(this.addMiss(line, victim, cycle), this.granted[slice]!, port.frontTicket());
    return true;
  }

  /**
   * Whether a read of a port may go to local memory. While a visibility phase has priority, reads
   * for pixels go there only when hardly any request waits.
   */
  private hasRoomFor(port: ClientPort, line: i32): boolean {
    if (!this.priority.isOn || !isForPixels(port.client)) return this.dram.hasRoom(line);
    if (this.dram.isSpare(line)) return true;
    this.priority.await(this.id);
    return false;
  }

  /** Requests a line from local memory for a way, or for none. Returns its position in the list. */
  private addMiss(line: i32, way: i32, cycle: i32): i32 {
    const added = this.missCount++;
    if (way !== NONE) {
      this.keepWay(way, line);
      this.missUsed[added] = ++this.uses;
      this.entryByWay[way] = added as u16;
    }
    this.dram.add(line * 2, cycle);
    this.misses++;
    this.missLines[added] = line;
    this.missWays[added] = way;
    this.missWaiters[added] = NONE;
    return added;
  }

  /** Keeps a way for a line in flight. */
  private keepWay(way: i32, line: i32): void {
    this.tags[way] = line;
    this.lineStates[way] = PENDING;
    this.used[way] = ON_ITS_WAY;
  }

  /** Makes a line that nothing reads again the next to be replaced, without a write to memory. */
  private drop(way: i32): void {
    this.lineStates[way] = CLEAN;
    this.used[way] = 0;
  }

  private write(port: ClientPort, line: i32, cycle: i32): boolean {
    const isDirect = this.isDirect(port, line);
    if (!isDirect && this.remote.isOn && this.remote.concerns(line)) {
      if (!this.remote.write(line, cycle)) return false;
      port.serve(port.frontTicket(), cycle);
      return true;
    }
    if (this.hasCache && !isDirect) {
      let way = this.find(line);
      if (way === NONE) {
        way = this.makeRoom(line, cycle);
        if (way === NONE) return false;
        this.tags[way] = line;
        this.lineStates[way] = CLEAN;
      }
      this.lineStates[way]! |= DIRTY;
      if (this.lineStates[way]! < PENDING) this.used[way] = ++this.uses;
      else this.missUsed[this.entryByWay[way]!] = ++this.uses;
    } else {
      if (!this.dram.hasRoom(line)) return false;
      this.dram.add(line * 2 + WRITE, cycle);
      this.writtenBack++;
      // The write replaces the line in local memory, so the cache does not write it back.
      const way = this.hasCache ? this.find(line) : NONE;
      if (way !== NONE && this.lineStates[way] === DIRTY) this.lineStates[way] = CLEAN;
    }
    this.written++;
    port.serve(port.frontTicket(), cycle);
    return true;
  }

  /** Returns whether a write goes to local memory at once: a copy, or a bin that stays there. */
  private isDirect(port: ClientPort, line: i32): boolean {
    if (port.client === MEMORY_CLIENT.copy) return true;
    if (port.client !== MEMORY_CLIENT.displayStore || !this.remote.isOn) return false;
    return this.remote.homes.isOfTextures(line);
  }

  /** Returns the way of a line that is in the cache or in flight; NONE if there is none. */
  private find(line: i32): i32 {
    const tags = this.tags;
    const first = this.setOf(line) * this.ways;
    const end = first + this.ways;
    for (let way = first; way < end; way++) if (tags[way] === line) return way;
    return NONE;
  }

  /**
   * Returns a way for a new line, after writing back the line that it held; NONE if none is
   * available in this cycle.
   */
  private makeRoom(line: i32, cycle: i32): i32 {
    const used = this.used;
    const first = this.setOf(line) * this.ways;
    const end = first + this.ways;
    let victim = NONE;
    let oldest = ON_ITS_WAY;
    for (let way = first; way < end; way++) {
      const last = used[way]!;
      // Without a branch, which the host would predict wrongly.
      victim = last < oldest ? way : victim;
      oldest = last < oldest ? last : oldest;
    }
    if (oldest === NEVER_USED) {
      this.lineStates[victim] = CLEAN;
      this.used[victim] = 0;
      return victim;
    }
    this.hasFilledSet = true;
    if (victim === NONE) return NONE;
    if (this.lineStates[victim] === DIRTY) {
      const owner = this.tags[victim]!;
      if (!this.dram.hasRoom(owner)) return NONE;
      this.dram.add(owner * 2 + WRITE, cycle);
      this.writtenBack++;
      this.tags[victim] = EMPTY;
      this.lineStates[victim] = CLEAN;
      this.used[victim] = 0;
    }
    return victim;
  }

  private setOf(line: i32): i32 {
    const place = this.slices.placeOf(line);
    const set = (place ^ (place >>> 9) ^ (place >>> 17)) & this.setMask;
    return this.slices.partOf(line) * (this.setMask + 1) + set;
  }

  /**
   * Returns the position of a line in the list of misses; NONE if it is not in flight.
   *
   * @param way Way of the line, or NONE.
   */
  private entryOf(line: i32, way: i32): i32 {
    if (way !== NONE) return this.entryByWay[way]!;
    for (let entry = 0; entry < this.missCount; entry++) {
      if (this.missLines[entry] === line) return entry;
    }
    return NONE;
  }

  private addWaiter(entry: i32, port: i32, ticket: i32): void {
    const waiter = this.freeWaiter;
    this.freeWaiter = this.waiterNext[waiter]!;
    this.waiterPort[waiter] = port;
    this.waiterTicket[waiter] = ticket;
    this.waiterNext[waiter] = this.missWaiters[entry]!;
    this.missWaiters[entry] = waiter;
  }

  /** Stores a line that has arrived and serves all requests that wait for it. */
  private fill(line: i32, cycle: i32): void {
    if (this.remote.localCount > 0 && this.endRemote(this.remote.localEntryOf(line), cycle)) return;
    // A line that another chiplet reads may be in flight for no way.
    const found = this.hasCache ? this.find(line) : NONE;
    const isKept = found !== NONE && this.lineStates[found]! >= PENDING;
    const entry = this.entryOf(line, isKept ? found : NONE);
    if (entry === NONE) throw new Error(`second-level cache: line ${line} was not requested`);
    const way = this.missWays[entry]!;
    if (way !== NONE) {
      this.lineStates[way]! -= PENDING;
      this.used[way] = this.missUsed[entry]!;
    }
    for (let waiter = this.missWaiters[entry]!; waiter !== NONE; ) {
      this.ports[this.waiterPort[waiter]!]!.serveFrom(
        WAIT.dram,
        this.waiterTicket[waiter]!,
        cycle + 1,
      );
      const next = this.waiterNext[waiter]!;
      this.waiterNext[waiter] = this.freeWaiter;
      this.freeWaiter = waiter;
      waiter = next;
    }
    this.missCount--;
    this.missLines[entry] = this.missLines[this.missCount]!;
    this.missWays[entry] = this.missWays[this.missCount]!;
    this.missWaiters[entry] = this.missWaiters[this.missCount]!;
    this.missUsed[entry] = this.missUsed[this.missCount]!;
    if (this.missWays[entry] !== NONE) this.entryByWay[this.missWays[entry]!] = entry as u16;
  }

  /** Whether no other line may be requested from local memory. */
  private get isMissListFull(): boolean {
    return this.missCount + this.remote.readCount >= this.missLines.length;
  }

  /** Whether lines are in flight from local memory, or are to be requested. */
  private get awaitsFills(): boolean {
    return this.missCount > 0 || this.remote.localCount > 0;
  }

  /** Takes replies and requests that crossed the link. Returns whether it took any. */
  private exchange(cycle: i32): boolean {
    const remote = this.remote;
    let isBusy = false;
    while (remote.nextReply() <= cycle) {
      this.takeReply(cycle);
      isBusy = true;
    }
    if (remote.localCount > 0) this.readLocal(cycle);
    return this.serveOther(cycle) || isBusy;
  }

  private takeReply(cycle: i32): void {
    const remote = this.remote;
    const kind = remote.replyWord(REMOTE.kind);
    const line = remote.replyWord(REMOTE.line);
    if (kind === REMOTE_HOME) remote.learn(line, remote.replyWord(REMOTE.home), cycle);
    else if (kind !== REMOTE_LINE) remote.endWrite(cycle);
    else if (!this.endRemote(remote.entryOf(line), cycle)) {
      throw new Error(`second-level cache: remote line ${line} was not requested`);
    }
    remote.removeReply();
  }

  /** Reads a line of another memory. Returns false if the request must wait. */
  private readRemote(port: ClientPort, line: i32, slice: i32, cycle: i32): boolean {
    const remote = this.remote;
    if (remote.isCached(line)) {
      port.serve(port.frontTicket(), cycle + remote.cacheLatencyCycles);
      return true;
    }
    let entry = remote.entryOf(line);
    if (entry === NONE) {
      if (!remote.hasRoom) return false;
      let way = NONE;
      if (this.hasCache && remote.usesL2) {
        way = this.makeRoom(line, cycle);
        if (way === NONE) return false;
        this.keepWay(way, line);
      }
      entry = remote.add(line, way, port.frontOrigin(), cycle);
    } else {
      if (!remote.hasWaiter) return false;
      remote.merged++;
    }
    remote.addWaiter(entry, this.granted[slice]!, port.frontTicket());
    return true;
  }

  /** Ends a read of the remote port. Returns false if there is no entry. */
  private endRemote(entry: i32, cycle: i32): boolean {
    if (entry === NONE) return false;
    const way = this.remote.wayAt(entry);
    if (way !== NONE) {
      this.lineStates[way]! -= PENDING;
      this.used[way] = ++this.uses;
    }
    this.remote.end(entry, this.ports, cycle);
    return true;
  }

  /** Requests lines of pages whose home this chiplet has become. */
  private readLocal(cycle: i32): void {
    const remote = this.remote;
    for (let entry = remote.nextLocal(); entry !== NONE; entry = remote.nextLocal()) {
      const line = remote.lineAt(entry);
      if (this.isMissListFull || !this.dram.hasRoom(line)) return;
      this.dram.add(line * 2, cycle);
      this.misses++;
      remote.beginLocal(entry);
    }
  }

  /** Takes a request of another chiplet. Returns false if there is none or it must wait. */
  private serveOther(cycle: i32): boolean {
    if (!this.served.isWaiting) return false;
    const line = this.served.nextLine;
    const isDone = this.served.isNextWrite
      ? this.writeOther(line, cycle)
      : this.readOther(line, cycle);
    if (!isDone) return false;
    this.served.take();
    this.servedSlice = this.slices.partOf(line);
    return true;
  }

  /** Reads a line for another chiplet. It takes a way only if one is free in this cycle. */
  private readOther(line: i32, cycle: i32): boolean {
    const port = this.ports[this.served.port]!;
    const ticket = this.served.nextTicket;
    const way = this.hasCache ? this.find(line) : NONE;
    if (way !== NONE && this.lineStates[way]! < PENDING) {
      this.hits++;
      this.used[way] = ++this.uses;
      port.serve(ticket, cycle + this.latencyCycles);
      return true;
    }
    const own = this.remote.entryOf(line);
    if (own !== NONE) {
      this.remote.addWaiter(own, this.served.port, ticket);
      return true;
    }
    if (this.freeWaiter === NONE) return false;
    let entry = this.entryOf(line, way);
    if (entry === NONE) {
      if (this.isMissListFull || !this.dram.hasRoom(line)) return false;
      const kept = this.hasCache ? this.makeRoom(line, cycle) : NONE;
      if (!this.dram.hasRoom(line)) return false;
      entry = this.addMiss(line, kept, cycle);
    } else this.merged++;
    this.addWaiter(entry, this.served.port, ticket);
    return true;
  }

  /** Writes a line for another chiplet. */
  private writeOther(line: i32, cycle: i32): boolean {
    let way = this.hasCache ? this.find(line) : NONE;
    if (this.hasCache && way === NONE) {
      way = this.makeRoom(line, cycle);
      if (way !== NONE) {
        this.tags[way] = line;
        this.lineStates[way] = CLEAN;
      }
    }
    if (way !== NONE && this.lineStates[way]! < PENDING) {
      this.lineStates[way] = DIRTY;
      this.used[way] = ++this.uses;
    } else {
      if (!this.dram.hasRoom(line)) return false;
      this.dram.add(line * 2 + WRITE, cycle);
      this.writtenBack++;
    }
    this.written++;
    this.ports[this.served.port]!.serve(this.served.nextTicket, cycle);
    return true;
  }
}

/** Whether a client reads for the pixels of a bin. */
function isForPixels(client: i32): boolean {
  return (
    client === MEMORY_CLIENT.texture ||
    client === MEMORY_CLIENT.depth ||
    client === MEMORY_CLIENT.color
  );
}
