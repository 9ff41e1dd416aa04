/**
 * One shader core (stream multiprocessor): holds warps in slots and issues one whole warp instruction per
 * cycle. A warp keeps the issue port for a clause: until its next texture lookup or its end. Among the warps
 * that are ready the oldest goes first.
 *
 * Instruction counts are those of the execution: straight-line code and both sides of a condition are issued
 * under the mask of the active lanes; loops add what the kernel counted for the warp.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import { type BinLog, CLAUSE, CLAUSE_WORDS, DRAW, DRAW_WORDS, NO_TEXTURE } from '../sim/bin-log.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';
import { WARP, type WarpTable } from './warp-table.ts';

const FREE = 0;
const READY = 1;
/** Running, or waiting for texels. */
const TAKEN = 2;

/** What a texture unit needs to know of a slot's lookup; words of {@link ShaderCoreModule.requests}. */
export const REQUEST = { warp: 0, texture: 1 } as const;
export const REQUEST_WORDS = 2;

export class ShaderCoreModule implements Module {
  readonly name: string;
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  /** By slot: the lookup that it waits for. */
  readonly requests: Int32Array;
  /** Warp instructions of the run. */
  instructions = 0;
  private readonly states: Int32Array;
  private readonly log: BinLog;
  private readonly vertexWarps: WarpTable;
  private readonly fragmentWarps: WarpTable;
  private readonly input: Queue;
  private readonly texels: Queue;
  private readonly toTexture: Queue;
  private readonly doneVertices: Queue;
  private readonly doneFragments: Queue;
  private readonly slotCount: number;
  private readonly slotState: Uint8Array;
  private readonly slotWarp: Int32Array;
  private readonly slotClause: Int32Array;
  private readonly slotLastClause: Int32Array;
  /** Order of arrival. */
  private readonly slotAge: Int32Array;
  private arrivals = 0;
  private freeSlots: number;
  private running = -1;
  private runUntil = 0;

  constructor(
    core: number,
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    log: BinLog,
    vertexWarps: WarpTable,
    fragmentWarps: WarpTable,
    input: Queue,
    texels: Queue,
    toTexture: Queue,
    doneVertices: Queue,
    doneFragments: Queue,
  ) {
    this.name = `shading.shaderCore[${core}]`;
    this.id = id;
    this.states = schedule.states;
    this.log = log;
    this.vertexWarps = vertexWarps;
    this.fragmentWarps = fragmentWarps;
    this.input = input;
    this.texels = texels;
    this.toTexture = toTexture;
    this.doneVertices = doneVertices;
    this.doneFragments = doneFragments;
    this.inputs = [input, texels];
    this.outputs = [toTexture, doneVertices, doneFragments];
    this.slotCount = spec.warpSlotsPerSm;
    this.freeSlots = this.slotCount;
    this.requests = new Int32Array(this.slotCount * REQUEST_WORDS);
    this.slotState = new Uint8Array(this.slotCount);
    this.slotWarp = new Int32Array(this.slotCount);
    this.slotClause = new Int32Array(this.slotCount);
    this.slotLastClause = new Int32Array(this.slotCount);
    this.slotAge = new Int32Array(this.slotCount);
  }

  reset(): void {
    this.instructions = 0;
    this.slotState.fill(FREE);
    this.freeSlots = this.slotCount;
    this.arrivals = 0;
    this.running = -1;
  }

  clock(cycle: number): number {
    // 1. Texels and warps that have arrived.
    if (this.texels.canPop(cycle)) this.slotState[this.texels.pop(cycle)] = READY;
    if (this.freeSlots > 0 && this.input.canPop(cycle)) this.admit(this.input.pop(cycle));

    // 2. The clause that runs, or its end.
    if (this.running >= 0) {
      if (cycle < this.runUntil) {
        this.states[this.id] = BUSY;
        return this.nextWake(cycle, this.runUntil);
      }
      if (!this.endClause(cycle)) {
        this.states[this.id] = STALLED;
        return this.nextWake(cycle, NEVER);
      }
    }

    // 3. The next clause: of the oldest warp that is ready.
    const slot = this.oldestReady();
    if (slot < 0) {
      this.states[this.id] = STARVED;
      return this.nextWake(cycle, NEVER);
    }
    const clauseAt = this.slotClause[slot]! * CLAUSE_WORDS;
    let cycles = this.log.clauses[clauseAt + CLAUSE.instructions]!;
    if (this.slotClause[slot] === this.slotLastClause[slot]) cycles += this.loopInstructions(slot);
    this.instructions += cycles;
    this.slotState[slot] = TAKEN;
    this.running = slot;
    this.runUntil = cycle + cycles;
    this.states[this.id] = BUSY;
    return this.nextWake(cycle, this.runUntil);
  }

  /** `until`, or earlier when texels or a warp are to be taken. */
  private nextWake(cycle: number, until: number): number {
    const texels = this.texels.nextReady(NEVER);
    const warp = this.freeSlots > 0 ? this.input.nextReady(NEVER) : NEVER;
    const next = Math.min(texels, warp, until);
    return next > cycle ? next : cycle + 1;
  }

  private admit(token: number): void {
    let slot = 0;
    while (this.slotState[slot] !== FREE) slot++;
    this.freeSlots--;
    this.slotState[slot] = READY;
    this.slotWarp[slot] = token;
    this.slotAge[slot] = this.arrivals++;
    const isFragment = (token & 1) === 1;
    const table = isFragment ? this.fragmentWarps : this.vertexWarps;
    const draw = table.words[table.at(token >>> 1) + WARP.draw]! * DRAW_WORDS;
    const first = isFragment ? DRAW.fragmentClause : DRAW.vertexClause;
    const count = isFragment ? DRAW.fragmentClauseCount : DRAW.vertexClauseCount;
    const clause = this.log.draws[draw + first]!;
    this.slotClause[slot] = clause;
    this.slotLastClause[slot] = clause + this.log.draws[draw + count]! - 1;
  }

  private loopInstructions(slot: number): number {
    const token = this.slotWarp[slot]!;
    const table = (token & 1) === 1 ? this.fragmentWarps : this.vertexWarps;
    return table.words[table.at(token >>> 1) + WARP.loopInstructions]!;
  }

  private oldestReady(): number {
    let oldest = -1;
    let age = NEVER;
    for (let slot = 0; slot < this.slotCount; slot++) {
      if (this.slotState[slot] === READY && this.slotAge[slot]! < age) {
        oldest = slot;
        age = this.slotAge[slot]!;
      }
    }
    return oldest;
  }

  /** Sends the running warp to the texture unit or on to the next stage; false if there is no room. */
  private endClause(cycle: number): boolean {
    const slot = this.running;
    const token = this.slotWarp[slot]!;
    const clause = this.slotClause[slot]!;
    const texture = this.log.clauses[clause * CLAUSE_WORDS + CLAUSE.texture]!;
    if (texture === NO_TEXTURE) {
      const done = (token & 1) === 1 ? this.doneFragments : this.doneVertices;
      if (!done.canPush()) return false;
      done.push(token >>> 1, cycle, cycle + 1);
      this.slotState[slot] = FREE;
      this.freeSlots++;
      // A warp that waited for a slot takes it in the same cycle.
      if (this.freeSlots === 1 && this.input.canPop(cycle)) this.admit(this.input.pop(cycle));
    } else {
      if (!this.toTexture.canPush()) return false;
      this.requests[slot * REQUEST_WORDS + REQUEST.warp] = token;
      this.requests[slot * REQUEST_WORDS + REQUEST.texture] = texture;
      this.toTexture.push(slot, cycle, cycle + 1);
      this.slotClause[slot] = clause + 1;
    }
    this.running = -1;
    return true;
  }
}
