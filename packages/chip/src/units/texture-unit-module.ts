/**
 * Texture unit of one shader core with its first-level cache. It takes the lookup of a whole warp.
 * A quad takes one pass for every four texels that one of its lanes reads. Each line of the warp is
 * read once from the cache, a number of lines per cycle. Missing lines come from local memory.
 * Results return in order, while later lookups are accepted. The sampling kernel determines the
 * lines; see run-log/warp-trace.ts of gpu.
 */

import { type ClientPort, NO_ORIGIN } from '../memory/client-port.ts';
import { LineCache } from '../memory/line-cache.ts';
import { divideUp, greater } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { PASSES_MASK, TRACE } from '../records/record-layout.ts';
import type { RecordRing } from '../records/record-ring.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT, WARP_WAIT } from '../records/wait-kinds.generated.ts';
import { REQUEST, REQUEST_WORDS } from '../shading/shader-core-module.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';

const NO_REQUEST = -1;

/** Module of a texture unit. */
export class TextureUnitModule extends Module {
  readonly cache: LineCache;
  /** Number of warp lookups in the run. */
  requestCount: i32 = 0;
  private readonly port: ClientPort;
  private readonly records: RunRecords;
  private readonly requests: Int32Array;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly quadsPerCycle: i32;
  private readonly linesPerCycle: i32;
  private readonly latencyCycles: i32;
  private busyUntil: i32 = 0;
  /** Number of the current lookup in the table. The next fields describe its remaining lines. */
  private request: i32 = NO_REQUEST;
  private ticket: i32 = 0;
  private isFragment: boolean = false;
  private traces: RecordRing;
  private nextLine: i32 = 0;
  private endLine: i32 = 0;
  /** Ring of lookups whose lines are in flight: ticket, number, end of the passes. */
  private readonly waitingTickets: Int32Array;
  private readonly waitingRequests: Int32Array;
  private readonly waitingUntil: Int32Array;
  private readonly waitingLines: Int32Array;
  private readonly missEntries: i32;
  /** Number of lines in flight for waiting lookups, and for the current one. */
  private linesInFlight: i32 = 0;
  private linesAsked: i32 = 0;
  private head: i32 = 0;
  private waitingCount: i32 = 0;
  private lastResult: i32 = -1;
  /** Kind of WARP_WAIT that the last result of a waiting lookup came from. */
  private lastSource: i32 = 0;

  /** @param requests Table of the core's lookups. Queues carry numbers of its entries. */
  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    port: ClientPort,
    requests: Int32Array,
    input: Queue,
    output: Queue,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [output] });
    this.port = port;
    this.traces = records.fragmentTraceWords;
    const lookups = spec.warpSlotsPerSm * spec.textureLookupsPerWarp;
    this.waitingTickets = new Int32Array(lookups);
    this.waitingRequests = new Int32Array(lookups);
    this.waitingUntil = new Int32Array(lookups);
    this.waitingLines = new Int32Array(lookups);
    this.missEntries = spec.textureMissEntries;
    this.records = records;
    this.requests = requests;
    this.input = input;
    this.output = output;
    this.quadsPerCycle = spec.textureQuadsPerCycle;
    this.linesPerCycle = spec.textureLinesPerCycle;
    this.latencyCycles = spec.textureLatencyCycles;
    this.cache = new LineCache(spec.textureCacheBytes, spec.textureCacheWays);
  }

  reset(): void {
    this.requestCount = 0;
    this.busyUntil = 0;
    this.request = NO_REQUEST;
    this.head = 0;
    this.waitingCount = 0;
    this.lastResult = -1;
    this.lastSource = WARP_WAIT.texels;
    this.linesInFlight = 0;
    this.linesAsked = 0;
    this.cache.reset();
  }

  clock(cycle: i32): i32 {
    this.sendResult(cycle);
    const wake = this.takeRequest(cycle);
    if (this.waitingCount === 0) return wake;
    const done = this.port.doneCycle(this.waitingTickets[this.head]!);
    const next = done > cycle ? done : cycle + 1;
    return next < wake ? next : wake;
  }

  /**
   * Returns the result of the oldest lookup when its lines have arrived. The queue has an entry for
   * each lookup that the core may have in flight.
   */
  private sendResult(cycle: i32): void {
    if (this.waitingCount === 0) return;
    const ticket = this.waitingTickets[this.head]!;
    if (!this.port.isDone(ticket, cycle)) return;
    const taken = this.waitingUntil[this.head]!;
    const ready = taken > cycle ? taken : cycle;
    // A lookup that had its lines before the last result has waited for what that one waited for.
    if (this.port.doneCycle(ticket) >= this.lastResult) this.lastSource = this.sourceOf(ticket);
    this.sendFrom(this.lastSource, this.waitingRequests[this.head]!, cycle, ready);
    this.port.close(ticket);
    this.linesInFlight -= this.waitingLines[this.head]!;
    this.head = this.head + 1 === this.waitingTickets.length ? 0 : this.head + 1;
    this.waitingCount--;
    this.lastResult = cycle;
  }

  /** Returns where the lines of the oldest waiting lookup came from, as a kind of WARP_WAIT. */
  private sourceOf(ticket: i32): i32 {
    if (this.waitingLines[this.head] === 0) return WARP_WAIT.texels;
    return WARP_WAIT.texelsL2 - WAIT.l2 + this.port.waitOf(ticket);
  }

  /** Returns a result that is filtered in cycle `ready`. */
  private sendFrom(source: i32, request: i32, cycle: i32, ready: i32): void {
    this.requests[request * REQUEST_WORDS + REQUEST.source] = source;
    this.output.push(request, cycle, ready + this.latencyCycles);
  }

  private takeRequest(cycle: i32): i32 {
    if (this.request !== NO_REQUEST) return this.readLines(cycle);
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = starved(WAIT.input);
      return this.input.nextReady();
    }
    this.request = this.input.pop(cycle);
    this.requestCount++;
    const token = this.requests[this.request * REQUEST_WORDS + REQUEST.warp]!;
    const clause = this.requests[this.request * REQUEST_WORDS + REQUEST.clause]!;
    this.isFragment = (token & 1) === 1;
    this.traces = this.isFragment ? this.records.fragmentTraceWords : this.records.vertexTraceWords;
    const words = this.traces.words;
    const mask = this.traces.mask;
    const passes = words[(clause + TRACE.passes) & mask]! & PASSES_MASK;
    const lineCount = words[(clause + TRACE.lineCount) & mask]!;
    const filtering = divideUp(passes, this.quadsPerCycle);
    const reading = divideUp(lineCount, this.linesPerCycle);
    this.busyUntil = cycle + greater(filtering, reading);
    this.nextLine = clause + TRACE.lines;
    this.endLine = this.nextLine + lineCount;
    this.ticket = this.port.open(cycle);
    this.linesAsked = 0;
    return this.readLines(cycle);
  }

  /**
   * Returns whether another line may be in flight. A lookup of more lines than there are entries
   * waits for all earlier ones.
   */
  private hasEntry(): boolean {
    return this.waitingCount === 0 || this.linesInFlight + this.linesAsked < this.missEntries;
  }

  /**
   * Reads the lines of the current lookup while the port has room for those that miss the cache.
   */
  private readLines(cycle: i32): i32 {
    const words = this.traces.words;
    const mask = this.traces.mask;
    for (; this.nextLine < this.endLine; this.nextLine++) {
      const hasEntry = this.hasEntry();
      if (!hasEntry || !this.port.hasRoom(1, cycle)) {
        this.port.endBurst(cycle);
        this.states[this.id] = stalled(
          hasEntry ? WAIT.requests : this.port.waitOf(this.waitingTickets[this.head]!),
        );
        return NEVER;
      }
      const line = words[this.nextLine & mask]!;
      if (!this.cache.access(line)) {
        this.port.origin = this.isFragment ? this.nextLine : NO_ORIGIN;
        this.port.read(this.ticket, line, cycle);
        this.linesAsked++;
      }
    }
    this.port.endBurst(cycle);
    if (this.busyUntil <= cycle) this.busyUntil = cycle + 1;
    const isThere = this.waitingCount === 0 && this.port.isDone(this.ticket, cycle);
    if (isThere && this.lastResult < cycle) {
      this.port.close(this.ticket);
      this.sendFrom(WARP_WAIT.texels, this.request, cycle, this.busyUntil);
      this.lastResult = cycle;
    } else {
      const tail = (this.head + this.waitingCount++) % this.waitingTickets.length;
      this.waitingTickets[tail] = this.ticket;
      this.waitingRequests[tail] = this.request;
      this.waitingUntil[tail] = this.busyUntil;
      this.waitingLines[tail] = this.linesAsked;
      this.linesInFlight += this.linesAsked;
    }
    this.request = NO_REQUEST;
    this.states[this.id] = BUSY;
    return this.busyUntil;
  }
}
