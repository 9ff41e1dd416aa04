/**
 * Lines that a chiplet reads from and writes to the memories of others: a table of reads in flight
 * behind the second-level cache, and a count of posted writes. Both are apart from the misses of
 * local memory, so requests for remote lines never hold up what serves other chiplets.
 *
 * A read of a page whose home is not known waits in the table until the page's directory has
 * answered. If this chiplet is the home, the line then comes from local memory.
 */
import type { f64, i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import { REMOTE, REMOTE_FIND_HOME, REMOTE_READ, REMOTE_WRITE } from '../records/record-layout.ts';
import type { RecordRing } from '../records/record-ring.ts';
import { REMOTE_CACHE } from '../records/spec-choices.generated.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { NEVER } from '../sim/schedule.ts';
import type { ClientPort } from './client-port.ts';
import { LineCache } from './line-cache.ts';
import { LineHomes } from './line-homes.ts';
import { UNKNOWN_HOME } from './page-homes.ts';

const NONE = -1;

/** Entries of the tables of hints and counts: several for each line in flight of most chiplets. */
const HINTS = 1024;

/** States of a read: home asked for, to be read from local memory, being read from there, sent. */
const AWAITS_HOME = 0;
const AWAITS_MEMORY = 1;
const IN_MEMORY = 2;
const SENT = 3;

/** Requests of one chiplet for lines of others. */
export class RemotePort {
  /** Whether the chiplet shares its memory. Otherwise nothing else of the port is used. */
  isOn: boolean = false;
  readonly homes: LineHomes;
  /** Cache of remote lines alone. */
  readonly cache: LineCache;
  readonly cacheLatencyCycles: i32;
  /** Whether remote lines are kept in the second-level cache. */
  readonly usesL2: boolean;
  /** Counts of the run: lines, pages, and cycles from requests to their replies. */
  hits: i32 = 0;
  readsSent: i32 = 0;
  writesSent: i32 = 0;
  merged: i32 = 0;
  pagesAsked: i32 = 0;
  readCycles: f64 = 0;
  writeCycles: f64 = 0;
  /** Number of reads in the table that local memory answers, requested or not. */
  localCount: i32 = 0;
  /** Number of those that were requested. They take room in the list of misses. */
  readCount: i32 = 0;
  /** Number of writes that are not acknowledged. */
  writeCount: i32 = 0;
  private readonly usesCache: boolean;
  private readonly outbox: RecordRing;
  private readonly replies: RecordRing;
  private readonly writeLimit: i32;
  private count: i32 = 0;
  private readonly lines: Int32Array;
  /** Entry in which a line was last found, and number of lines in flight, by their lowest bits. */
  private readonly hints: Int32Array = new Int32Array(HINTS);
  private readonly present: Int32Array = new Int32Array(HINTS);
  /** Way in the second-level cache that is kept for the line; NONE if there is none. */
  private readonly ways: Int32Array;
  private readonly states: Int32Array;
  private readonly sentAt: Int32Array;
  /** Origin of the request that a read is for; see ClientPort. */
  private readonly origins: Int32Array;
  private readonly waiters: Int32Array;
  private readonly waiterNext: Int32Array;
  private readonly waiterPort: Int32Array;
  private readonly waiterTicket: Int32Array;
  private freeWaiter: i32 = 0;
  private freeWaiters: i32 = 0;
  /** Waiters that only the server of other chiplets may take, one for each of its requests. */
  private readonly serverWaiters: i32;

  constructor(spec: TimingSpec, outbox: RecordRing, replies: RecordRing) {
    this.outbox = outbox;
    this.replies = replies;
    this.writeLimit = spec.remoteWriteEntries;
    const entries = spec.remoteReadEntries;
    this.lines = new Int32Array(entries);
    this.ways = new Int32Array(entries);
    this.states = new Int32Array(entries);
    this.sentAt = new Int32Array(entries);
    this.origins = new Int32Array(entries);
    this.waiters = new Int32Array(entries);
    const serverWaiters = spec.remoteServerEntries;
    this.serverWaiters = serverWaiters;
    const waiters = spec.l2WaitersPerMiss * entries + serverWaiters;
    this.waiterNext = new Int32Array(waiters);
    this.waiterPort = new Int32Array(waiters);
    this.waiterTicket = new Int32Array(waiters);
    const usesCache = spec.remoteCache === REMOTE_CACHE.own;
    const bytes = usesCache ? spec.remoteCacheBytes : spec.remoteCacheWays * LINE_BYTES;
    this.homes = new LineHomes(spec.placementPageBytes);
    this.usesL2 = spec.remoteCache === REMOTE_CACHE.l2;
    this.usesCache = usesCache;
    this.cache = new LineCache(bytes, spec.remoteCacheWays);
    this.cacheLatencyCycles = spec.remoteCacheLatencyCycles;
    this.reset();
  }

  /** Empties the table for a new run. */
  reset(): void {
    this.hits = 0;
    this.readsSent = 0;
    this.writesSent = 0;
    this.merged = 0;
    this.pagesAsked = 0;
    this.readCycles = 0;
    this.writeCycles = 0;
    this.localCount = 0;
    this.readCount = 0;
    this.writeCount = 0;
    this.count = 0;
    this.present.fill(0);
    this.cache.reset();
    const waiters = this.waiterNext.length;
    for (let i = 0; i < waiters; i++) this.waiterNext[i] = i + 1;
    this.waiterNext[waiters - 1] = NONE;
    this.freeWaiter = 0;
    this.freeWaiters = waiters;
  }

  /** Whether nothing is in flight. */
  get isQuiet(): boolean {
    return this.count === 0 && this.writeCount === 0;
  }

  /** Whether a line is in another memory, its home is not known, or a read of it is in flight. */
  concerns(line: i32): boolean {
    if (this.homes.homeOf(line) !== this.homes.shared.chiplet) return true;
    return this.count > 0 && this.entryOf(line) !== NONE;
  }

  /** Looks a line up in the cache of remote lines. */
  isCached(line: i32): boolean {
    const isHit = this.usesCache && this.cache.touch(line);
    if (isHit) this.hits++;
    return isHit;
  }

  /** Counts a line that was found in the second-level cache, if its home is another memory. */
  countHit(line: i32): void {
    if (this.usesL2 && this.homes.homeOf(line) !== this.homes.shared.chiplet) this.hits++;
  }

  /** Returns the entry of a line in flight; NONE if there is none. */
  entryOf(line: i32): i32 {
    const hint = line & (HINTS - 1);
    if (this.present[hint] === 0) return NONE;
    const likely = this.hints[hint]!;
    if (likely < this.count && this.lines[likely] === line) return likely;
    for (let entry = 0; entry < this.count; entry++) {
      if (this.lines[entry] !== line) continue;
      this.hints[hint] = entry;
      return entry;
    }
    return NONE;
  }

  /** Whether a client may wait for an entry. */
  get hasWaiter(): boolean {
    return this.freeWaiters > this.serverWaiters;
  }

  /** Whether there is room for another read. */
  get hasRoom(): boolean {
    return this.count < this.lines.length && this.hasWaiter;
  }

  /** Lets a request wait for an entry. */
  addWaiter(entry: i32, port: i32, ticket: i32): void {
    const waiter = this.freeWaiter;
    this.freeWaiter = this.waiterNext[waiter]!;
    this.freeWaiters--;
    this.waiterPort[waiter] = port;
    this.waiterTicket[waiter] = ticket;
    this.waiterNext[waiter] = this.waiters[entry]!;
    this.waiters[entry] = waiter;
  }

  /**
   * Adds a read and returns its entry. There must be room.
   *
   * @param way Way in the second-level cache that is kept for the line, or NONE.
   * @param origin See ClientPort.
   */
  add(line: i32, way: i32, origin: i32, cycle: i32): i32 {
    const entry = this.count++;
    this.origins[entry] = origin;
    this.lines[entry] = line;
    this.hints[line & (HINTS - 1)] = entry;
    this.present[line & (HINTS - 1)]!++;
    this.ways[entry] = way;
    this.waiters[entry] = NONE;
    this.states[entry] = AWAITS_HOME;
    const home = this.homes.homeOf(line);
    if (home >= 0) this.sendRead(entry, home, cycle);
    else if (home === UNKNOWN_HOME) this.askForHome(line, cycle);
    return entry;
  }

  /**
   * Posts a write of a whole line to another memory. Returns false if it must wait. The caches keep
   * the line: a write replaces what they hold.
   */
  write(line: i32, cycle: i32): boolean {
    const home = this.homes.homeOf(line);
    if (home === UNKNOWN_HOME) this.askForHome(line, cycle);
    if (home < 0 || home === this.homes.shared.chiplet) return false;
    return this.writeTo(line, home, cycle);
  }

  /** Posts a write of a whole line to its home. Returns false if it must wait. */
  writeTo(line: i32, home: i32, cycle: i32): boolean {
    if (this.writeCount === this.writeLimit) return false;
    this.writeCount++;
    this.writesSent++;
    this.writeCycles -= cycle;
    this.send(REMOTE_WRITE, home, line, 0, cycle);
    return true;
  }

  /** Receives the acknowledgment of a write. */
  endWrite(cycle: i32): void {
    this.writeCount--;
    this.writeCycles += cycle;
  }

  /** Receives the home of the page of a line. */
  learn(line: i32, home: i32, cycle: i32): void {
    const page = this.homes.pageOf(line);
    this.homes.pages.set(page, home);
    for (let entry = 0; entry < this.count; entry++) {
      if (this.states[entry] !== AWAITS_HOME) continue;
      if (this.homes.pageOf(this.lines[entry]!) !== page) continue;
      if (home !== this.homes.shared.chiplet) this.sendRead(entry, home, cycle);
      else {
        this.states[entry] = AWAITS_MEMORY;
        this.localCount++;
      }
    }
  }

  /** Returns an entry whose line is to be read from local memory; NONE if there is none. */
  nextLocal(): i32 {
    for (let entry = 0; entry < this.count; entry++) {
      if (this.states[entry] === AWAITS_MEMORY) return entry;
    }
    return NONE;
  }

  /** Records that the line of an entry was requested from local memory. */
  beginLocal(entry: i32): void {
    this.states[entry] = IN_MEMORY;
    this.readCount++;
  }

  lineAt(entry: i32): i32 {
    return this.lines[entry]!;
  }

  wayAt(entry: i32): i32 {
    return this.ways[entry]!;
  }

  /** Returns the entry of a line that comes from local memory; NONE if there is none. */
  localEntryOf(line: i32): i32 {
    const entry = this.entryOf(line);
    return entry !== NONE && this.states[entry] === IN_MEMORY ? entry : NONE;
  }

  /** Serves all requests that wait for an entry and removes it. */
  end(entry: i32, ports: readonly ClientPort[], cycle: i32): void {
    const isLocal = this.states[entry] === IN_MEMORY;
    const source = isLocal ? WAIT.dram : WAIT.remote;
    if (isLocal) {
      this.localCount--;
      this.readCount--;
    } else {
      this.readCycles += cycle - this.sentAt[entry]!;
      if (this.usesCache) this.cache.load(this.lines[entry]!);
    }
    for (let waiter = this.waiters[entry]!; waiter !== NONE; ) {
      ports[this.waiterPort[waiter]!]!.serveFrom(source, this.waiterTicket[waiter]!, cycle + 1);
      const next = this.waiterNext[waiter]!;
      this.waiterNext[waiter] = this.freeWaiter;
      this.freeWaiter = waiter;
      this.freeWaiters++;
      waiter = next;
    }
    this.present[this.lines[entry]! & (HINTS - 1)]!--;
    const last = --this.count;
    this.lines[entry] = this.lines[last]!;
    this.ways[entry] = this.ways[last]!;
    this.states[entry] = this.states[last]!;
    this.sentAt[entry] = this.sentAt[last]!;
    this.origins[entry] = this.origins[last]!;
    this.waiters[entry] = this.waiters[last]!;
  }

  /** Cycle in which the next reply arrives; NEVER if none is known. */
  nextReply(): i32 {
    const inbox = this.replies;
    return inbox.start === inbox.end ? NEVER : this.replyWord(REMOTE.cycle);
  }

  /** Returns a word of the next reply. */
  replyWord(word: i32): i32 {
    return this.replies.words[this.replies.at(this.replies.start) + word]!;
  }

  removeReply(): void {
    this.replies.start++;
  }

  /**
   * Sends a message. The host takes it out of the outbox.
   *
   * @param home Home of a page, or origin of a read; see REMOTE.
   */
  send(kind: i32, chiplet: i32, line: i32, home: i32, cycle: i32): void {
    const at = this.outbox.append();
    const words = this.outbox.words;
    words[at + REMOTE.kind] = kind;
    words[at + REMOTE.chiplet] = chiplet;
    words[at + REMOTE.line] = line;
    words[at + REMOTE.home] = home;
    words[at + REMOTE.cycle] = cycle;
  }

  /** Removes what is kept of lines from `first` to before `end`. No request for them is open. */
  dropLines(first: i32, end: i32): void {
    this.cache.dropLines(first, end);
    this.homes.dropLines(first, end);
  }

  private sendRead(entry: i32, home: i32, cycle: i32): void {
    this.states[entry] = SENT;
    this.sentAt[entry] = cycle;
    this.readsSent++;
    this.send(REMOTE_READ, home, this.lines[entry]!, this.origins[entry]!, cycle);
  }

  private askForHome(line: i32, cycle: i32): void {
    const page = this.homes.pageOf(line);
    this.homes.await(page);
    this.pagesAsked++;
    this.send(REMOTE_FIND_HOME, this.homes.directoryOf(page), line, 0, cycle);
  }
}
