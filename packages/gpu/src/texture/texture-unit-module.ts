/**
 * Texture unit of one shader core with its first-level cache: takes the lookup of a whole warp. A quad takes a
 * pass for every four texels that a lane of it reads, and the lines of the warp, each once, are read from the
 * cache so many per cycle; those that are not there come from local memory. Results return in order; other
 * requests are taken meanwhile. Lines are those that the sampling kernel read, see shading/warp-trace.ts.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import type { MemoryPort } from '../memory/memory-port.ts';
import { REQUEST, REQUEST_WORDS } from '../shading/shader-core-module.ts';
import { TRACE } from '../shading/warp-trace.ts';
import type { BinLog } from '../sim/bin-log.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';
import { LINE_BYTES, LineCache } from './line-cache.ts';

export class TextureUnitModule implements Module {
  readonly name: string;
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  readonly cache: LineCache;
  /** Lookups of warps in the run. */
  requestCount = 0;
  private readonly states: Int32Array;
  private readonly memory: MemoryPort;
  private readonly log: BinLog;
  private readonly requests: Int32Array;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly quadsPerCycle: number;
  private readonly linesPerCycle: number;
  private readonly latencyCycles: number;
  private busyUntil = 0;

  /** @param requests The core's table of lookups by slot. */
  constructor(
    core: number,
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    log: BinLog,
    memory: MemoryPort,
    requests: Int32Array,
    input: Queue,
    output: Queue,
  ) {
    this.name = `texture.textureUnit[${core}]`;
    this.id = id;
    this.states = schedule.states;
    this.memory = memory;
    this.log = log;
    this.requests = requests;
    this.input = input;
    this.output = output;
    this.inputs = [input];
    this.outputs = [output];
    this.quadsPerCycle = spec.textureQuadsPerCycle;
    this.linesPerCycle = spec.textureLinesPerCycle;
    this.latencyCycles = spec.textureLatencyCycles;
    this.cache = new LineCache(spec.textureCacheBytes, spec.textureCacheWays);
  }

  reset(): void {
    this.requestCount = 0;
    this.busyUntil = 0;
    this.cache.reset();
  }

  clock(cycle: number): number {
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = STARVED;
      return this.input.nextReady(NEVER);
    }
    if (!this.output.canPush()) {
      this.states[this.id] = STALLED;
      return NEVER;
    }
    const slot = this.input.pop(cycle);
    this.requestCount++;
    const token = this.requests[slot * REQUEST_WORDS + REQUEST.warp]!;
    const clause = this.requests[slot * REQUEST_WORDS + REQUEST.clause]!;
    const { fragmentTraceWords, vertexTraces } = this.log;
    const { words, mask } = (token & 1) === 1 ? fragmentTraceWords : vertexTraces.ring;
    const passes = words[(clause + TRACE.passes) & mask]!;
    const lineCount = words[(clause + TRACE.lineCount) & mask]!;
    const cycles = Math.max(passes / this.quadsPerCycle, lineCount / this.linesPerCycle);
    this.busyUntil = cycle + Math.ceil(cycles);
    let ready = this.busyUntil;
    const first = clause + TRACE.lines;
    for (let number = first; number < first + lineCount; number++) {
      const arrived = this.readLine(cycle, words[number & mask]!);
      if (arrived > ready) ready = arrived;
    }
    this.output.push(slot, cycle, ready + this.latencyCycles);
    this.states[this.id] = BUSY;
    return this.busyUntil;
  }

  private readLine(cycle: number, line: number): number {
    return this.cache.access(line) ? cycle : this.memory.request(cycle, LINE_BYTES);
  }
}
