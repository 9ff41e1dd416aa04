/**
 * Texture unit of one shader core with its first-level cache: takes the lookup of a whole warp, a quad or more
 * per cycle; lines that are not cached come from local memory. Results return in order; other requests are
 * taken meanwhile.
 *
 * Line addresses are a model at quad granularity, not those of the sampling kernel: a texture lies over the
 * target one texel to a pixel in lines of 4×4 texels, and a quad's bilinear footprint is its 3×3 texels. See
 * docs/deviations.md.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import type { MemoryPort } from '../memory/memory-port.ts';
import { REQUEST, REQUEST_WORDS } from '../shading/shader-core-module.ts';
import { WARP, type WarpTable } from '../shading/warp-table.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';
import { LINE_BYTES, LineCache } from './line-cache.ts';

/** Line number: texture, row, column of lines. Targets have at most 2048 lines each way. */
const ROW_SHIFT = 11;
const TEXTURE_SHIFT = 22;

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
  private readonly vertexWarps: WarpTable;
  private readonly fragmentWarps: WarpTable;
  private readonly requests: Int32Array;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly quadsPerCycle: number;
  private readonly latencyCycles: number;
  private busyUntil = 0;

  /** @param requests The core's table of lookups by slot. */
  constructor(
    core: number,
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    memory: MemoryPort,
    vertexWarps: WarpTable,
    fragmentWarps: WarpTable,
    requests: Int32Array,
    input: Queue,
    output: Queue,
  ) {
    this.name = `texture.textureUnit[${core}]`;
    this.id = id;
    this.states = schedule.states;
    this.memory = memory;
    this.vertexWarps = vertexWarps;
    this.fragmentWarps = fragmentWarps;
    this.requests = requests;
    this.input = input;
    this.output = output;
    this.inputs = [input];
    this.outputs = [output];
    this.quadsPerCycle = spec.textureQuadsPerCycle;
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
    const texture = this.requests[slot * REQUEST_WORDS + REQUEST.texture]!;
    const isFragment = (token & 1) === 1;
    const size = isFragment
      ? this.fragmentWarps.words[this.fragmentWarps.at(token >>> 1) + WARP.size]!
      : (this.vertexWarps.words[this.vertexWarps.at(token >>> 1) + WARP.size]! + 3) >> 2;
    this.busyUntil = cycle + Math.ceil(size / this.quadsPerCycle);
    let ready = this.busyUntil;
    for (let quad = 0; quad < size; quad++) {
      const arrived = isFragment
        ? this.readQuad(cycle, texture, this.quadPosition(token, quad))
        : this.readLine(cycle, (texture << TEXTURE_SHIFT) + (token >>> 1) * 8 + quad);
      if (arrived > ready) ready = arrived;
    }
    this.output.push(slot, cycle, ready + this.latencyCycles);
    this.states[this.id] = BUSY;
    return this.busyUntil;
  }

  private quadPosition(token: number, quad: number): number {
    return this.fragmentWarps.words[this.fragmentWarps.at(token >>> 1) + WARP.quads + quad]!;
  }

  /** The lines of the 3×3 texels from the quad's upper left pixel on; returns when all are there. */
  private readQuad(cycle: number, texture: number, position: number): number {
    const x = (position & 4095) << 1;
    const y = (position >>> 12) << 1;
    const left = x >> 2;
    const right = (x + 2) >> 2;
    const top = y >> 2;
    const bottom = (y + 2) >> 2;
    let ready = cycle;
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const line = (texture << TEXTURE_SHIFT) + (row << ROW_SHIFT) + column;
        const arrived = this.readLine(cycle, line);
        if (arrived > ready) ready = arrived;
      }
    }
    return ready;
  }

  private readLine(cycle: number, line: number): number {
    return this.cache.access(line) ? cycle : this.memory.request(cycle, LINE_BYTES);
  }
}
