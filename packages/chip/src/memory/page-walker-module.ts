/**
 * Translation of addresses: a buffer of translations (TLB) that all clients of memory share, and
 * walks through the page table for pages that are not in it (Power, Hill, Wood, "Supporting x86-64
 * Address Translation for 100s of GPU Lanes", HPCA 2014; Pichai, Hsu, Bhattacharjee, "Architectural
 * Support for Address Translation on GPUs", ASPLOS 2014).
 *
 * The oldest request of a port asks for a grant only when its page is translated. A walk reads one
 * entry of 8 bytes per level, from the root to the leaf, through the second-level cache. Several
 * walks are in progress at once, and ports that wait for one page share a walk. Addresses are not
 * changed: the table maps each page to itself.
 *
 * With lists of pages (page-lists.ts) instead of the table, a port waits for the walk of a list.
 */

import { divide, divideUp, lesser, log2 } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import type { RecordRing } from '../records/record-ring.ts';
import { PAGE_STRUCTURE } from '../records/spec-choices.generated.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import { BUSY, NEVER, type Schedule, starved } from '../sim/schedule.ts';
import { MAX_PORTS } from './asking-ports.ts';
import type { ClientPort } from './client-port.ts';
import { LineCache } from './line-cache.ts';
import { PageLists } from './page-lists.ts';

/** Binary logarithm of the number of entries of a table that one entry of the next level covers. */
const ENTRIES_LOG2 = 9;
/** Binary logarithm of the number of entries in a line. */
const LINE_ENTRIES_LOG2 = 3;

/** Options of {@link PageWalkerModule}. */
export interface PageWalkerModuleOptions {
  readonly id: i32;
  readonly name: string;
  readonly schedule: Schedule;
  readonly spec: TimingSpec;
  /** Ports of the clients; more may be added later. */
  readonly ports: readonly ClientPort[];
  /** First pages of the objects with lists of pages. */
  readonly heads: RecordRing;
}

/** Module of the page walker. */
export class PageWalkerModule extends Module {
  /** Translations by page; with no entries, addresses are not translated. */
  readonly translations: LineCache;
  readonly isOn: boolean;
  /** Number of walks that ended in the run. */
  walkCount: i32 = 0;
  /** Port of the walks; set before the first run. Its own requests are not translated. */
  port: ClientPort | null = null;
  /** First line of the page table, above all lines that it maps. */
  tableLine: i32 = 0;
  /** Lists of pages; without objects if the table is used. */
  readonly lists: PageLists;
  private readonly hasLists: boolean;
  /** Ring of ports that wait for the walk of a list, in order, and the ends of their walks. */
  private readonly listPorts: Int32Array = new Int32Array(MAX_PORTS);
  private readonly listEnds: Int32Array = new Int32Array(MAX_PORTS);
  private firstList: i32 = 0;
  private listCount: i32 = 0;
  private readonly schedule: Schedule;
  private readonly ports: readonly ClientPort[];
  private readonly pageLinesLog2: i32;
  private readonly levels: i32;
  private readonly walkLimit: i32;
  /** Pages in the order of their misses: those in a walk, then those that wait for one. */
  private readonly pages: i32[] = [];
  /** Level that the walk of a page reads next, and the ticket of its last read. */
  private readonly walkLevels: i32[] = [];
  private readonly tickets: i32[] = [];
  private walking: i32 = 0;

  constructor(options: PageWalkerModuleOptions) {
    super({
      id: options.id,
      name: options.name,
      schedule: options.schedule,
      inputs: [],
      outputs: [],
    });
    const spec = options.spec;
    this.schedule = options.schedule;
    this.ports = options.ports;
    const entries = spec.tlbEntries > 0 ? spec.tlbEntries : spec.tlbWays;
    const hasLists = spec.pageStructure === PAGE_STRUCTURE.list;
    this.hasLists = hasLists;
    this.isOn = spec.tlbEntries > 0 || hasLists;
    this.lists = new PageLists(options.heads, spec.pageListCycles);
    this.translations = new LineCache(entries * LINE_BYTES, spec.tlbWays);
    this.pageLinesLog2 = log2(divide(spec.pageBytes, LINE_BYTES));
    this.levels = spec.pageTableLevels;
    this.walkLimit = lesser(spec.pageWalks, spec.memoryClientLines);
  }

  reset(): void {
    this.translations.reset();
    this.walkCount = 0;
    this.pages.length = 0;
    this.walkLevels.length = 0;
    this.tickets.length = 0;
    this.walking = 0;
    this.lists.reset();
    this.firstList = 0;
    this.listCount = 0;
  }

  /** Removes the translations of the pages of lines `first` to `end` − 1. */
  dropLines(first: i32, end: i32): void {
    const last = (1 << this.pageLinesLog2) - 1;
    this.translations.dropLines(this.pageOf(first + last), this.pageOf(end));
  }

  /** Returns the page of a line. */
  pageOf(line: i32): i32 {
    return line >>> this.pageLinesLog2;
  }

  /**
   * Looks up the page of a line for a port, by its number. Returns false if the port must wait for
   * the end of a walk.
   */
  isTranslated(line: i32, port: i32, cycle: i32): boolean {
    if (this.hasLists) return this.isReached(line, port, cycle);
    const page = this.pageOf(line);
    if (this.translations.touch(page)) return true;
    if (!this.pages.includes(page)) {
      this.pages.push(page);
      this.walkLevels.push(this.levels);
      this.tickets.push(0);
      this.schedule.wake(this.id, cycle);
    }
    return false;
  }

  clock(cycle: i32): i32 {
    if (this.hasLists) return this.endLists(cycle);
    const port = this.port!;
    // 1. Reads that have ended, oldest first, because tickets are closed in order.
    let hasMoved = this.walking > 0;
    while (hasMoved) {
      hasMoved = false;
      const walk = this.oldest();
      const ticket = this.tickets[walk]!;
      if (!port.isDone(ticket, cycle)) break;
      port.close(ticket);
      if (this.walkLevels[walk]! > 0) this.read(walk, cycle);
      else this.endWalk(walk, cycle);
      hasMoved = this.walking > 0;
    }
    // 2. Walks that begin.
    while (this.walking < this.pages.length && this.walking < this.walkLimit) {
      this.read(this.walking++, cycle);
    }
    port.endBurst(cycle);
    this.states[this.id] = this.walking > 0 ? BUSY : starved(WAIT.input);
    if (this.walking === 0) return NEVER;
    const done = port.doneCycle(this.tickets[this.oldest()]!);
    return done > cycle ? done : cycle + 1;
  }

  /** Looks up the page of a line in a list. Returns false if the port must wait. */
  private isReached(line: i32, port: i32, cycle: i32): boolean {
    const end = this.lists.reach(line, cycle);
    if (end === cycle) return true;
    const last = (this.firstList + this.listCount++) & (MAX_PORTS - 1);
    this.listPorts[last] = port;
    this.listEnds[last] = end;
    this.schedule.wake(this.id, cycle);
    return false;
  }

  /** Lets the ports go whose walks have ended. */
  private endLists(cycle: i32): i32 {
    while (this.listCount > 0 && this.listEnds[this.firstList]! <= cycle) {
      this.ports[this.listPorts[this.firstList]!]!.resume(cycle);
      this.firstList = (this.firstList + 1) & (MAX_PORTS - 1);
      this.listCount--;
    }
    this.states[this.id] = this.listCount > 0 ? BUSY : starved(WAIT.input);
    return this.listCount > 0 ? this.listEnds[this.firstList]! : NEVER;
  }

  /** Returns the walk whose read is the oldest. */
  private oldest(): i32 {
    let oldest = 0;
    for (let walk = 1; walk < this.walking; walk++) {
      if (this.tickets[walk]! < this.tickets[oldest]!) oldest = walk;
    }
    return oldest;
  }

  /** Reads the entry of a walk's next level. */
  private read(walk: i32, cycle: i32): void {
    const level = --this.walkLevels[walk]!;
    const port = this.port!;
    this.tickets[walk] = port.open(cycle);
    port.read(this.tickets[walk]!, this.entryLine(this.pages[walk]!, level), cycle);
  }

  /** Returns the line of a page's entry at a level, 0 for the leaf. */
  private entryLine(page: i32, level: i32): i32 {
    let first = this.tableLine;
    let entries = divideUp(this.tableLine, 1 << this.pageLinesLog2);
    for (let below = 0; below < level; below++) {
      first += divideUp(entries, 1 << LINE_ENTRIES_LOG2);
      entries = divideUp(entries, 1 << ENTRIES_LOG2);
    }
    return first + (page >>> (level * ENTRIES_LOG2 + LINE_ENTRIES_LOG2));
  }

  /** Removes a walk that has ended. */
  private remove(walk: i32): void {
    const last = this.pages.length - 1;
    for (let to = walk; to < last; to++) {
      this.pages[to] = this.pages[to + 1]!;
      this.walkLevels[to] = this.walkLevels[to + 1]!;
      this.tickets[to] = this.tickets[to + 1]!;
    }
    this.pages.length = last;
    this.walkLevels.length = last;
    this.tickets.length = last;
    this.walking--;
  }

  /** Loads the translation and lets the ports go that waited for it. */
  private endWalk(walk: i32, cycle: i32): void {
    const page = this.pages[walk]!;
    this.remove(walk);
    this.walkCount++;
    this.translations.load(page);
    for (let i = 0; i < this.ports.length; i++) {
      const port = this.ports[i]!;
      if (port.awaitsTranslation && this.pageOf(port.front() >>> 1) === page) port.resume(cycle);
    }
  }
}
