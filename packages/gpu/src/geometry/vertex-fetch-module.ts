/**
 * Vertex fetch: looks the corners of each primitive up in the post-transform cache, gathers the vertices that
 * are missing into vertex warps and requests their attributes from memory.
 *
 * A warp is closed when it is full, when the draw or the batch ends, and when the primitives that wait for it
 * leave no room for another: else the two would wait for each other.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import type { MemoryPort } from '../memory/memory-port.ts';
import { vertexWarpToken, WARP, type WarpTable } from '../shading/warp-table.ts';
import { type BinLog, COMMAND, DRAW, DRAW_WORDS, PRIMITIVE } from '../sim/bin-log.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';

/** Vertices whose place in the cache is known: more than a segment has. */
const KNOWN_VERTICES = 8192;

export class VertexFetchModule implements Module {
  readonly name = 'geometry.vertexFetch';
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  /** Vertices put into warps in the run, and the warps. */
  verticesShaded = 0;
  warpCount = 0;
  private readonly states: Int32Array;
  private readonly log: BinLog;
  private readonly memory: MemoryPort;
  private readonly warps: WarpTable;
  private readonly input: Queue;
  private readonly toAssembly: Queue;
  private readonly toScheduler: Queue;
  private readonly lookupsPerCycle: number;
  private readonly cacheVertices: number;
  private readonly warpThreads: number;
  /** By vertex number: when the vertex missed, counted in misses; and for which vertex that was. */
  private readonly missOf = new Int32Array(KNOWN_VERTICES);
  private readonly vertexOf = new Int32Array(KNOWN_VERTICES);
  private readonly warpOf = new Int32Array(KNOWN_VERTICES);
  private readonly warpVertices: Int32Array;
  private warpSize = 0;
  private warpDraw = -1;
  private busyUntil = 0;

  constructor(
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    log: BinLog,
    memory: MemoryPort,
    warps: WarpTable,
    input: Queue,
    toAssembly: Queue,
    toScheduler: Queue,
  ) {
    this.id = id;
    this.states = schedule.states;
    this.log = log;
    this.memory = memory;
    this.warps = warps;
    this.input = input;
    this.toAssembly = toAssembly;
    this.toScheduler = toScheduler;
    this.inputs = [input];
    this.outputs = [toScheduler, toAssembly];
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
  }

  clock(cycle: number): number {
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!this.toAssembly.canPush()) {
      if (this.warpSize > 0) return this.closeWarp(cycle);
      this.states[this.id] = STALLED;
      return NEVER;
    }
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = STARVED;
      return this.input.nextReady(NEVER);
    }
    const { words } = this.log.commands;
    const at = this.log.commands.at(this.input.front());
    const isPrimitive = words[at + COMMAND.kind] === PRIMITIVE;
    const draw = words[at + COMMAND.draw]!;
    if (this.warpSize > 0 && (!isPrimitive || draw !== this.warpDraw)) return this.closeWarp(cycle);
    if (!isPrimitive) {
      words[at + COMMAND.vertexWarp] = -1;
      this.toAssembly.push(this.input.pop(cycle), cycle, cycle + 1);
      this.states[this.id] = BUSY;
      return cycle + 1;
    }

    // All corners that miss must fit the warp: a primitive waits for one warp, the last of its corners'.
    const corners =
      words[at + COMMAND.vertex + 2]! >= 0 ? 3 : words[at + COMMAND.vertex + 1]! >= 0 ? 2 : 1;
    if (
      this.warpSize + corners > this.warpThreads &&
      this.countMisses(words, at, corners) + this.warpSize > this.warpThreads
    ) {
      return this.closeWarp(cycle);
    }
    this.warpDraw = draw;
    let lastWarp = -1;
    for (let corner = 0; corner < corners; corner++) {
      const warp = this.lookUp(words[at + COMMAND.vertex + corner]!);
      if (warp > lastWarp) lastWarp = warp;
    }
    words[at + COMMAND.vertexWarp] = lastWarp;
    this.toAssembly.push(this.input.pop(cycle), cycle, cycle + 1);
    this.busyUntil = cycle + Math.ceil(corners / this.lookupsPerCycle);
    this.states[this.id] = BUSY;
    return this.busyUntil;
  }

  private isCached(vertex: number): boolean {
    const slot = vertex & (KNOWN_VERTICES - 1);
    return (
      this.vertexOf[slot] === vertex &&
      this.verticesShaded - this.missOf[slot]! <= this.cacheVertices
    );
  }

  private countMisses(words: Int32Array, at: number, corners: number): number {
    let misses = 0;
    for (let corner = 0; corner < corners; corner++) {
      if (!this.isCached(words[at + COMMAND.vertex + corner]!)) misses++;
    }
    return misses;
  }

  /** The warp that shades the vertex; the open one when it is not cached. */
  private lookUp(vertex: number): number {
    const slot = vertex & (KNOWN_VERTICES - 1);
    if (this.isCached(vertex)) return this.warpOf[slot]!;
    this.vertexOf[slot] = vertex;
    this.missOf[slot] = this.verticesShaded++;
    this.warpOf[slot] = this.warpCount;
    this.warpVertices[this.warpSize++] = vertex;
    return this.warpCount;
  }

  private closeWarp(cycle: number): number {
    if (!this.toScheduler.canPush()) {
      this.states[this.id] = STALLED;
      return NEVER;
    }
    const { words } = this.warps;
    const at = this.warps.at(this.warpCount);
    words[at + WARP.draw] = this.warpDraw;
    words[at + WARP.size] = this.warpSize;
    const { vertexTraces, vertexStages, draws } = this.log;
    if (this.warpCount >= this.warps.capacity) vertexTraces.ring.start = words[at + WARP.trace]!;
    words[at + WARP.trace] = vertexTraces.close(
      vertexStages[this.warpDraw]!,
      draws[this.warpDraw * DRAW_WORDS + DRAW.vertexInstructions]!,
      this.warpVertices,
      this.warpSize,
    );
    const bytes = this.warpSize * this.log.draws[this.warpDraw * DRAW_WORDS + DRAW.vertexBytes]!;
    const ready = bytes === 0 ? cycle + 1 : this.memory.request(cycle, bytes);
    this.toScheduler.push(vertexWarpToken(this.warpCount), cycle, ready);
    this.warpCount++;
    this.warpSize = 0;
    this.states[this.id] = BUSY;
    return cycle + 1;
  }
}
