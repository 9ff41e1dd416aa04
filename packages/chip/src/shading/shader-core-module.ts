/**
 * One shader core (stream multiprocessor): holds warps in slots and issues one warp instruction per
 * cycle. A warp keeps the issue port for one clause, which ends at its next texture lookup or at
 * its end. Ready warps take turns; see {@link TwoLevelRoundRobin}. The task scheduler assigns
 * slots. A slot is free when its warp is done. A vertex warp must also wait until primitive
 * assembly has room for it.
 *
 * Instructions and lookups are those of the warp's trace. Straight-line code and both sides of a
 * condition are issued under the mask of the active lanes. A loop is issued as often as its
 * longest-running lane needs.
 */

import type { ClientPort } from '../memory/client-port.ts';
import { ProgramFetch } from '../memory/program-fetch.ts';
import { lesser } from '../portable/integers.ts';
import type { f64, i32 } from '../portable/number-types.ts';
import { DRAW_WORDS, END_OF_TRACE, PROGRAM, TRACE } from '../records/record-layout.ts';
import type { RecordRing } from '../records/record-ring.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';
import type { TaskSchedulerModule } from './task-scheduler-module.ts';
import { TwoLevelRoundRobin } from './two-level-round-robin.ts';
import type { VertexResultFifo } from './vertex-result-fifo.ts';
import { WARP, type WarpTable } from './warp-table.ts';

const FREE = 0;
const READY = 1;
/** State of a slot whose warp runs or waits for texels. */
const TAKEN = 2;
/** State of a slot with a shaded vertex warp for which primitive assembly has no room yet. */
const HELD = 3;
/** State of a slot whose warp waits for its program. */
const AWAITS_PROGRAM = 4;

/** Words of a slot's lookup in {@link ShaderCoreModule.requests}, which the texture unit reads. */
export const REQUEST = { warp: 0, clause: 1 } as const;
/** Number of words in a slot's lookup. */
export const REQUEST_WORDS = 2;

/** Module of a shader core. */
export class ShaderCoreModule extends Module {
  /** Lookup that each slot waits for; see {@link REQUEST}. */
  readonly requests: Int32Array;
  /** Warp instructions of the run. */
  instructions: i32 = 0;
  /** Slot-cycles of shaded vertex warps that waited for room. */
  heldSlotCycles: f64 = 0;
  private readonly records: RunRecords;
  private readonly vertexWarps: WarpTable;
  private readonly fragmentWarps: WarpTable;
  private readonly input: Queue;
  private readonly texels: Queue;
  private readonly toTexture: Queue;
  private readonly doneVertices: Queue;
  private readonly doneFragments: Queue;
  private readonly scheduler: TaskSchedulerModule;
  private readonly results: VertexResultFifo;
  private readonly order: TwoLevelRoundRobin;
  private readonly programs: ProgramFetch;
  /**
   * Number of warps that wait for their program. The next field has the program's position in the
   * table of draws, by slot.
   */
  private awaitingCount: i32 = 0;
  private readonly slotProgram: Int32Array;
  private readonly firstWarpId: i32;
  private readonly slotCount: i32;
  private readonly slotState: Uint8Array;
  private readonly slotWarp: Int32Array;
  /** Number of the first word of the clause in its warp's trace. */
  private readonly slotClause: Int32Array;
  /** Cycle from which a vertex warp is held. */
  private readonly slotHeldFrom: Int32Array;
  private heldCount: i32 = 0;
  /** Cycle in which the last vertex warp was passed on. At most one is passed on per cycle. */
  private lastVertexDone: i32 = -1;
  private running: i32 = -1;
  private runUntil: i32 = 0;

  constructor(
    id: i32,
    name: string,
    core: i32,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    vertexWarps: WarpTable,
    fragmentWarps: WarpTable,
    input: Queue,
    texels: Queue,
    toTexture: Queue,
    doneVertices: Queue,
    doneFragments: Queue,
    scheduler: TaskSchedulerModule,
    results: VertexResultFifo,
    programPort: ClientPort,
  ) {
    super({
      id,
      name,
      schedule,
      inputs: [input, texels],
      outputs: [toTexture, doneVertices, doneFragments],
    });
    this.records = records;
    this.vertexWarps = vertexWarps;
    this.fragmentWarps = fragmentWarps;
    this.input = input;
    this.texels = texels;
    this.toTexture = toTexture;
    this.doneVertices = doneVertices;
    this.doneFragments = doneFragments;
    const slots = spec.warpSlotsPerSm;
    this.slotCount = slots;
    this.scheduler = scheduler;
    this.results = results;
    this.programs = new ProgramFetch(programPort);
    this.slotProgram = new Int32Array(slots);
    this.order = new TwoLevelRoundRobin(slots, spec.warpGroupSlots);
    this.firstWarpId = core * slots;
    this.requests = new Int32Array(slots * REQUEST_WORDS);
    this.slotState = new Uint8Array(slots);
    this.slotWarp = new Int32Array(slots);
    this.slotClause = new Int32Array(slots);
    this.slotHeldFrom = new Int32Array(slots);
  }

  reset(): void {
    this.instructions = 0;
    this.slotState.fill(FREE);
    this.order.reset();
    this.heldSlotCycles = 0;
    this.heldCount = 0;
    this.lastVertexDone = -1;
    this.running = -1;
    this.awaitingCount = 0;
    this.programs.reset();
  }

  clock(cycle: i32): i32 {
    // 1. Texels and warps that have arrived.
    if (this.texels.canPop(cycle)) this.slotState[this.texels.pop(cycle)] = READY;
    if (this.input.canPop(cycle)) this.admit(this.input.pop(cycle));
    if (this.awaitingCount > 0) this.fetchProgram(cycle);
    if (this.heldCount > 0) this.sendHeld(cycle);

    // 2. The running clause, or its end.
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

    // 3. The next clause of a warp that is ready.
    const slot = this.order.choose(this.slotState, READY);
    if (slot < 0) {
      this.states[this.id] = STARVED;
      return this.nextWake(cycle, NEVER);
    }
    const traces = this.tracesOf(this.slotWarp[slot]!);
    const words = traces.words;
    const mask = traces.mask;
    const cycles = words[(this.slotClause[slot]! + TRACE.instructions) & mask]!;
    this.instructions += cycles;
    this.slotState[slot] = TAKEN;
    this.running = slot;
    this.runUntil = cycle + cycles;
    this.states[this.id] = BUSY;
    return this.nextWake(cycle, this.runUntil);
  }

  /** Returns `until`, or an earlier cycle in which texels, a warp or a program may arrive. */
  private nextWake(cycle: i32, until: i32): i32 {
    const texels = this.texels.nextReady();
    const warp = this.input.nextReady();
    if (this.heldCount > 0 && this.lastVertexDone === cycle) return cycle + 1;
    const program = this.awaitingCount > 0 ? this.programs.nextWake() : NEVER;
    const next = lesser(lesser(texels, warp), lesser(until, program));
    return next > cycle ? next : cycle + 1;
  }

  private admit(slot: i32): void {
    const token = this.scheduler.warps[this.firstWarpId + slot]!;
    this.slotState[slot] = READY;
    this.slotWarp[slot] = token;
    const isFragment = (token & 1) === 1;
    const table = isFragment ? this.fragmentWarps : this.vertexWarps;
    this.slotClause[slot] = table.words[table.at(token >>> 1) + WARP.trace]!;
    const draw = table.words[table.at(token >>> 1) + WARP.draw]! * DRAW_WORDS;
    const program = ProgramFetch.wordsOf(draw, token & 1);
    if (this.programs.has(token & 1, this.records.drawWords[program + PROGRAM.number]!)) return;
    this.slotState[slot] = AWAITS_PROGRAM;
    this.slotProgram[slot] = program;
    this.awaitingCount++;
  }

  /** Reads the program of a waiting warp. When it arrives, all warps that need it become ready. */
  private fetchProgram(cycle: i32): void {
    let first = 0;
    while (this.slotState[first]! !== AWAITS_PROGRAM) first++;
    const draws = this.records.drawWords;
    const stage = this.slotWarp[first]! & 1;
    if (!this.programs.advance(draws, this.slotProgram[first]!, stage, cycle)) return;
    for (let slot = first; slot < this.slotCount; slot++) {
      if (this.slotState[slot] !== AWAITS_PROGRAM) continue;
      const number = draws[this.slotProgram[slot]! + PROGRAM.number]!;
      if (!this.programs.has(this.slotWarp[slot]! & 1, number)) continue;
      this.slotState[slot] = READY;
      this.awaitingCount--;
    }
    if (this.awaitingCount > 0) this.fetchProgram(cycle);
  }

  private tracesOf(token: i32): RecordRing {
    return (token & 1) === 1 ? this.records.fragmentTraceWords : this.records.vertexTraceWords;
  }

  /** Passes on the held vertex warp that is next in order, if there is room. */
  private sendHeld(cycle: i32): void {
    let next = -1;
    for (let slot = 0; slot < this.slotCount; slot++) {
      const isHeld = this.slotState[slot] === HELD;
      if (isHeld && (next < 0 || this.slotWarp[slot]! < this.slotWarp[next]!)) next = slot;
    }
    if (!this.results.accepts(this.slotWarp[next]! >>> 1)) {
      this.results.await(this.id);
      return;
    }
    this.heldSlotCycles += cycle - this.slotHeldFrom[next]!;
    this.heldCount--;
    this.sendVertices(next, cycle);
  }

  private sendVertices(slot: i32, cycle: i32): void {
    this.results.push();
    this.lastVertexDone = cycle;
    this.doneVertices.push(this.slotWarp[slot]! >>> 1, cycle, cycle + 1);
    this.leave(slot, cycle);
  }

  private hold(slot: i32, cycle: i32): void {
    this.slotState[slot] = HELD;
    this.slotHeldFrom[slot] = cycle;
    this.heldCount++;
    this.results.await(this.id);
  }

  private leave(slot: i32, cycle: i32): void {
    this.slotState[slot] = FREE;
    this.scheduler.finish(this.firstWarpId + slot, cycle);
  }

  /** Returns which warps hold the slots, for the watchdog. */
  override describeWait(): string {
    if (this.heldCount === 0) return '';
    const name = this.results.name;
    const length = this.results.length;
    const capacity = this.results.capacity;
    return `holds ${this.heldCount} shaded vertex warps of ${this.slotCount} slots for ${name} (${length} of ${capacity})`;
  }

  /**
   * Sends the running warp to the texture unit or to the next stage. Returns false if there is no
   * room.
   */
  private endClause(cycle: i32): boolean {
    const slot = this.running;
    const token = this.slotWarp[slot]!;
    const clause = this.slotClause[slot]!;
    const traces = this.tracesOf(token);
    const words = traces.words;
    const mask = traces.mask;
    if (words[(clause + TRACE.passes) & mask] === END_OF_TRACE) {
      if ((token & 1) === 1) {
        if (!this.doneFragments.canPush()) return false;
        this.doneFragments.push(token >>> 1, cycle, cycle + 1);
        this.leave(slot, cycle);
      } else if (this.lastVertexDone < cycle && this.results.accepts(token >>> 1)) {
        this.sendVertices(slot, cycle);
      } else this.hold(slot, cycle);
    } else {
      if (!this.toTexture.canPush()) return false;
      this.requests[slot * REQUEST_WORDS + REQUEST.warp] = token;
      this.requests[slot * REQUEST_WORDS + REQUEST.clause] = clause;
      this.toTexture.push(slot, cycle, cycle + 1);
      this.slotClause[slot] = clause + TRACE.lines + words[(clause + TRACE.lineCount) & mask]!;
    }
    this.running = -1;
    return true;
  }
}
