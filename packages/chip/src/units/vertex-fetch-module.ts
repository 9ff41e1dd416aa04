/**
 * Vertex fetch: looks up the corners of each primitive in the post-transform cache, collects the
 * missing vertices in vertex warps and reads their attributes from memory.
 *
 * Indices and attributes are read line by line through a first-level cache, as soon as a vertex is
 * known. A warp goes to the task scheduler when all its lines have arrived. Warps leave in order.
 *
 * A warp closes when it is full and when the draw or the batch ends. It also closes when there is
 * no room for another primitive and the oldest one waits for this warp. Without the last rule the
 * warp and the primitives would wait for each other.
 */

import type { ClientPort } from '../memory/client-port.ts';
import { LineCache } from '../memory/line-cache.ts';
import { divideUp, unsigned } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { LINE_BYTES } from '../records/memory-line.ts';
import {
  ARRAY,
  ARRAY_WORDS,
  COMMAND,
  DRAW,
  DRAW_WORDS,
  PRIMITIVE,
} from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { vertexWarpToken, WARP, type WarpTable } from '../shading/warp-table.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { VertexTraceSource } from '../sim/vertex-trace-source.ts';

/** Number of vertices whose state in the cache is recorded, larger than that of a segment. */
const KNOWN_VERTICES = 8192;
const NO_TICKET = -1;

/** Module of vertex fetch. */
export class VertexFetchModule extends Module {
  /** Number of vertices put into warps in the run. The next field counts these warps. */
  verticesShaded: i32 = 0;
  warpCount: i32 = 0;
  private readonly records: RunRecords;
  readonly cache: LineCache;
  /** Number of the first vertex that may still be looked up. */
  verticesDone: i32 = 0;
  private readonly port: ClientPort;
  /** Tickets of the closed warps' lines. The numbers of these warps end before `warpCount`. */
  private readonly waitingTickets: Int32Array;
  private waitingCount: i32 = 0;
  private ticket: i32 = NO_TICKET;
  /** Lines that wait for room in the port. */
  private missing: Int32Array = new Int32Array(64);
  private missingCount: i32 = 0;
  private readonly warps: WarpTable;
  private readonly input: Queue;
  private readonly toAssembly: Queue;
  private readonly toScheduler: Queue;
  private readonly traces: VertexTraceSource;
  private readonly lookupsPerCycle: i32;
  private readonly cacheVertices: i32;
  private readonly warpThreads: i32;
  /**
   * Per vertex number: the count of misses when it missed, the vertex that the entry holds, and its
   * warp.
   */
  private readonly missOf: Int32Array = new Int32Array(KNOWN_VERTICES);
  private readonly vertexOf: Int32Array = new Int32Array(KNOWN_VERTICES);
  private readonly warpOf: Int32Array = new Int32Array(KNOWN_VERTICES);
  private readonly warpVertices: Int32Array;
  private warpSize: i32 = 0;
  private warpDraw: i32 = -1;
  private busyUntil: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    port: ClientPort,
    warps: WarpTable,
    input: Queue,
    toAssembly: Queue,
    toScheduler: Queue,
    traces: VertexTraceSource,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [toScheduler, toAssembly] });
    this.traces = traces;
    this.records = records;
    this.port = port;
    this.waitingTickets = new Int32Array(spec.queueEntries);
    this.cache = new LineCache(spec.vertexCacheBytes, spec.vertexCacheWays);
    this.warps = warps;
    this.input = input;
    this.toAssembly = toAssembly;
    this.toScheduler = toScheduler;
    this.lookupsPerCycle = spec.vertexLookupsPerCycle;
    this.cacheVertices = spec.postTransformCacheVertices;
    this.warpThreads = spec.warpThreads;
    this.warpVertices = new Int32Array(spec.warpThreads);
  }

  reset(): void {
    this.verticesShaded = 0;
    this.warpCount = 0;
    this.vertexOf.fill(-1);
    this.warpSize = 0;
    this.warpDraw = -1;
    this.busyUntil = 0;
    this.cache.reset();
    this.verticesDone = 0;
    this.waitingCount = 0;
    this.ticket = NO_TICKET;
    this.missingCount = 0;
  }

  clock(cycle: i32): i32 {
    this.sendWarp(cycle);
    const wake = this.sendMissing(cycle) ? this.fetch(cycle) : NEVER;
    if (this.waitingCount === 0 || !this.toScheduler.canPush()) return wake;
    const done = this.port.doneCycle(this.waitingTickets[0]!);
    const next = done > cycle ? done : cycle + 1;
    return next < wake ? next : wake;
  }

  /** Passes on the oldest warp if its lines have arrived. */
  private sendWarp(cycle: i32): void {
    if (this.waitingCount === 0 || !this.toScheduler.canPush()) return;
    const ticket = this.waitingTickets[0]!;
    if (!this.port.isDone(ticket, cycle)) return;
    this.port.close(ticket);
    this.toScheduler.push(vertexWarpToken(this.warpCount - this.waitingCount), cycle, cycle + 1);
    // There are few entries, so a loop is faster than `copyWithin`.
    this.waitingCount--;
    for (let i = 0; i < this.waitingCount; i++)
      this.waitingTickets[i] = this.waitingTickets[i + 1]!;
  }

  /** Requests the lines for which the port had no room. Returns false while some remain. */
  private sendMissing(cycle: i32): boolean {
    if (this.missingCount === 0) return true;
    let sent = 0;
    while (sent < this.missingCount && this.port.hasRoom(1, cycle)) {
      this.port.read(this.ticket, this.missing[sent++]!, cycle);
    }
    this.missingCount -= sent;
    for (let i = 0; i < this.missingCount; i++) this.missing[i] = this.missing[sent + i]!;
    if (this.missingCount === 0) return true;
    this.states[this.id] = stalled(WAIT.requests);
    return false;
  }

  private fetch(cycle: i32): i32 {
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!this.toAssembly.canPush()) {
      if (this.isAwaited() && this.closeWarp(cycle)) return cycle + 1;
      this.states[this.id] = stalled(WAIT.output);
      return NEVER;
    }
    if (!this.input.canPop(cycle)) {
      this.port.endBurst(cycle);
      this.states[this.id] = starved(WAIT.input);
      return this.input.nextReady();
    }
    const words = this.records.commands.words;
    const at = this.records.commands.at(this.input.front());
    const isPrimitive = words[at + COMMAND.kind] === PRIMITIVE;
    const draw = words[at + COMMAND.draw]!;
    if (this.warpSize > 0 && (!isPrimitive || draw !== this.warpDraw)) {
      if (!this.closeWarp(cycle)) return NEVER;
    }
    if (!isPrimitive) {
      words[at + COMMAND.vertexWarp] = -1;
      this.toAssembly.push(this.input.pop(cycle), cycle, cycle + 1);
      this.states[this.id] = BUSY;
      return cycle + 1;
    }

    // All corners that miss must fit into the open warp, because a primitive waits for one warp:
    // the last one of its corners.
    const corners =
      words[at + COMMAND.vertex + 2]! >= 0 ? 3 : words[at + COMMAND.vertex + 1]! >= 0 ? 2 : 1;
    if (
      this.warpSize + corners > this.warpThreads &&
      this.countMisses(words, at, corners) + this.warpSize > this.warpThreads
    ) {
      if (!this.closeWarp(cycle)) return NEVER;
    }
    this.warpDraw = draw;
    this.readIndices(
      words[at + COMMAND.firstIndexLine]!,
      words[at + COMMAND.lastIndexLine]!,
      cycle,
    );
    let lastWarp = -1;
    for (let corner = 0; corner < corners; corner++) {
      const warp = this.lookUp(words[at + COMMAND.vertex + corner]!, cycle);
      if (warp > lastWarp) lastWarp = warp;
    }
    words[at + COMMAND.vertexWarp] = lastWarp;
    this.toAssembly.push(this.input.pop(cycle), cycle, cycle + 1);
    this.busyUntil = cycle + divideUp(corners, this.lookupsPerCycle);
    this.states[this.id] = BUSY;
    // Lines without room in the port stall the module, which is only seen when it is clocked.
    return this.missingCount > 0 ? cycle + 1 : this.busyUntil;
  }

  /** Returns whether the oldest primitive that waits for a warp waits for the open one. */
  private isAwaited(): boolean {
    if (this.warpSize === 0) return false;
    const commands = this.records.commands;
    const oldest = commands.at(this.toAssembly.front());
    return commands.words[oldest + COMMAND.vertexWarp] === this.warpCount;
  }

  /**
   * Whether a vertex is in the post-transform cache.
   *
   * @param misses Number of vertices that miss before it is looked up.
   */
  private isCached(vertex: i32, misses: i32): boolean {
    const slot = vertex & (KNOWN_VERTICES - 1);
    return (
      this.vertexOf[slot] === vertex &&
      this.verticesShaded + misses - this.missOf[slot]! <= this.cacheVertices
    );
  }

  private countMisses(words: Int32Array, at: i32, corners: i32): i32 {
    let misses = 0;
    for (let corner = 0; corner < corners; corner++) {
      if (!this.isCached(words[at + COMMAND.vertex + corner]!, misses)) misses++;
    }
    return misses;
  }

  /** Returns the warp that shades the vertex. A vertex that misses joins the open warp. */
  private lookUp(vertex: i32, cycle: i32): i32 {
    const slot = vertex & (KNOWN_VERTICES - 1);
    if (this.isCached(vertex, 0)) return this.warpOf[slot]!;
    this.vertexOf[slot] = vertex;
    this.missOf[slot] = this.verticesShaded++;
    this.warpOf[slot] = this.warpCount;
    this.warpVertices[this.warpSize++] = vertex;
    if (vertex - KNOWN_VERTICES > this.verticesDone) this.verticesDone = vertex - KNOWN_VERTICES;
    this.readAttributes(vertex, cycle);
    return this.warpCount;
  }

  private readIndices(first: i32, last: i32, cycle: i32): void {
    if (first < 0) return;
    for (let line = first; line <= last; line++) this.readLine(line, cycle);
  }

  private readAttributes(vertex: i32, cycle: i32): void {
    const vertices = this.records.vertices;
    const draws = this.records.drawWords;
    const arrays = this.records.arrays;
    const draw = this.warpDraw * DRAW_WORDS;
    const first = draws[draw + DRAW.firstArray]!;
    const end = first + draws[draw + DRAW.arrayCount]!;
    const place = vertices.at(vertex);
    const index = unsigned(vertices.words[place]!);
    for (let array = first; array < end; array++) {
      const at = array * ARRAY_WORDS;
      const divisor = arrays[at + ARRAY.divisor]!;
      const element =
        divisor === 0 ? index : Math.floor(unsigned(vertices.words[place + 1]!) / divisor);
      const from = arrays[at + ARRAY.base]! + element * arrays[at + ARRAY.stride]!;
      const to = from + arrays[at + ARRAY.bytes]!;
      // An attribute beyond its buffer reads 0 and accesses no memory.
      if (to > arrays[at + ARRAY.end]!) continue;
      const last = Math.floor((to - 1) / LINE_BYTES) as i32;
      for (let line = Math.floor(from / LINE_BYTES) as i32; line <= last; line++) {
        this.readLine(line, cycle);
      }
    }
  }

  /** Reads a line for the open warp. */
  private readLine(line: i32, cycle: i32): void {
    if (this.ticket === NO_TICKET) this.ticket = this.port.open(cycle);
    if (this.cache.access(line)) return;
    if (this.missingCount === 0 && this.port.hasRoom(1, cycle)) {
      this.port.read(this.ticket, line, cycle);
      return;
    }
    if (this.missingCount === this.missing.length) {
      const larger = new Int32Array(2 * this.missing.length);
      for (let i = 0; i < this.missing.length; i++) larger[i] = this.missing[i]!;
      this.missing = larger;
    }
    this.missing[this.missingCount++] = line;
  }

  /** Closes the open warp. Returns false if there is no room for another warp that waits. */
  private closeWarp(cycle: i32): boolean {
    if (this.waitingCount === this.waitingTickets.length) {
      this.states[this.id] = stalled(this.port.waitToPassOn(this.waitingTickets[0]!, cycle));
      return false;
    }
    const words = this.warps.words;
    const at = this.warps.at(this.warpCount);
    words[at + WARP.draw] = this.warpDraw;
    words[at + WARP.size] = this.warpSize;
    const records = this.records;
    const draw = this.warpDraw * DRAW_WORDS;
    // The warp that had this entry is done, and so are all earlier ones.
    if (this.warpCount >= this.warps.capacity) {
      records.vertexTraceWords.start = words[at + WARP.trace]!;
    }
    words[at + WARP.trace] =
      records.drawWords[draw + DRAW.hasVertexTraces]! === 1
        ? this.traces.form(this.warpDraw, this.warpVertices, this.warpSize)
        : records.addVertexClause(draw);
    this.port.endBurst(cycle);
    // A warp without attributes waits for nothing.
    const ticket = this.ticket === NO_TICKET ? this.port.open(cycle) : this.ticket;
    this.waitingTickets[this.waitingCount++] = ticket;
    this.ticket = NO_TICKET;
    this.warpCount++;
    this.warpSize = 0;
    this.states[this.id] = BUSY;
    return true;
  }
}
