/**
 * One shader core (stream multiprocessor): holds warps in slots and issues warp instructions. A
 * warp keeps the issue port for one clause, which ends at its next texture lookup or at its end. If
 * its instructions wait for each other, it then waits as long without the port, while other warps
 * issue. Ready warps take turns; see {@link TwoLevelRoundRobin}. The task scheduler assigns slots.
 * A slot is free when its warp is done. A vertex warp must also wait until primitive assembly has
 * room for it.
 *
 * A warp may have up to `textureLookupsPerWarp` lookups in flight. Its next clause starts when all
 * lookups whose results the clause uses have returned. Because they return in order, the number in
 * flight tells which ones, like `vmcnt` of AMD's RDNA 2 ISA.
 *
 * Instructions, their cycles and lookups are those of the warp's trace. A side of a condition is
 * skipped if no lane takes it. A loop is issued as often as its longest-running lane needs.
 *
 * While a visibility phase has priority, vertex warps issue before fragment warps, and one that
 * becomes ready interrupts the clause of a fragment warp.
 *
 * Each cycle of a warp in its slot has a kind of WARP_WAIT. The cycles of a kind are added when it
 * ends.
 *
 * Long because the states of a warp are one machine: each event of it changes the others' turns.
 */

import { BlockCache } from '../memory/block-cache.ts';
import type { ClientPort } from '../memory/client-port.ts';
import { divide, greater, lesser } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import {
  DRAW,
  DRAW_STATE_LINES,
  DRAW_WORDS,
  END_OF_TRACE,
  PASSES_BITS,
  PROGRAM,
  TRACE,
} from '../records/record-layout.ts';
import type { RecordRing } from '../records/record-ring.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT, WARP_WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { VisibilityPriority } from '../sim/visibility-priority.ts';
import { RegisterFile } from './register-file.ts';
import type { TaskSchedulerModule } from './task-scheduler-module.ts';
import { TwoLevelRoundRobin } from './two-level-round-robin.ts';
import type { VertexResultFifo } from './vertex-result-fifo.ts';
import { WARP, type WarpTable } from './warp-table.ts';

const FREE = 0;
const READY = 1;
/** State of a slot whose warp runs. */
const TAKEN = 2;
/** State of a slot with a shaded vertex warp for which primitive assembly has no room yet. */
const HELD = 3;
/** State of a slot whose warp waits for its program. */
const AWAITS_PROGRAM = 4;
/** State of a slot whose warp has issued its clause and waits for results of it. */
const AWAITS_RESULTS = 5;
/** State of a slot whose warp waits for registers. */
const AWAITS_REGISTERS = 6;
/** State of a slot whose warp waits for the constants of its draw. */
const AWAITS_CONSTANTS = 8;
/** State of a slot whose warp waits for texels. */
const AWAITS_TEXELS = 7;

/** Words of a lookup in {@link ShaderCoreModule.requests}, which the texture unit reads. */
export const REQUEST = {
  warp: 0,
  clause: 1,
  /** Kind of WARP_WAIT that the result came from, which the texture unit writes. */
  source: 2,
} as const;
/** Number of words in a lookup. */
export const REQUEST_WORDS = 3;

/** Module of a shader core. */
export class ShaderCoreModule extends Module {
  /** Lookups in flight, `textureLookupsPerWarp` entries for each slot; see {@link REQUEST}. */
  readonly requests: Int32Array;
  /** Warp instructions of the run. */
  instructions: i32 = 0;
  /** Registers of the core. */
  readonly registerFile: RegisterFile;
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
  private readonly programs: BlockCache;
  private readonly constants: BlockCache;
  private readonly hasConstantCache: boolean;
  /** Number of warps that wait for constants. */
  private awaitingConstants: i32 = 0;
  /**
   * Number of warps that wait for their program. The next field has the program's position in the
   * table of draws, by slot.
   */
  private awaitingCount: i32 = 0;
  private readonly slotProgram: Int32Array;
  private readonly firstWarpId: i32;
  private readonly slotCount: i32;
  private readonly slotState: Int32Array;
  private readonly slotWarp: Int32Array;
  private readonly lookupsPerWarp: i32;
  /** Number of each slot's lookups in flight. The next field has the entry of its next lookup. */
  private readonly slotLookups: Int32Array;
  private readonly slotNextEntry: Int32Array;
  /** Number of the first word of the clause in its warp's trace. */
  private readonly slotClause: Int32Array;
  /** Kind of WARP_WAIT of each slot's warp, and the cycle from which it has it. */
  private readonly slotWait: Int32Array;
  private readonly slotSince: Int32Array;
  /** Site of the lookup that each slot's warp sends or waits for, if warps are profiled. */
  private readonly slotSite: Int32Array;
  /** Cycles of the run's warps by kind of WARP_WAIT. */
  private readonly warpCycles: Float64Array = new Float64Array(WARP_WAIT.count);
  private heldCount: i32 = 0;
  /** Cycle in which the last vertex warp was passed on. At most one is passed on per cycle. */
  private lastVertexDone: i32 = -1;
  /** Number of warps that wait for results, and the cycle in which each has them. */
  private stalledCount: i32 = 0;
  /** Cycle in which the last clause ended. */
  private lastEnd: i32 = -1;
  private readonly slotResultsAt: Int32Array;
  /** Cycles of each slot's clause that were not issued yet; 0 before its start. */
  private readonly slotCyclesLeft: Int32Array;
  private readonly isFineGrained: boolean;
  private readonly priority: VisibilityPriority;
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
    constantPort: ClientPort,
    priority: VisibilityPriority,
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
    this.programs = new BlockCache(programPort, spec.instructionCacheBytes);
    this.constants = new BlockCache(constantPort, spec.constantCacheBytes);
    this.hasConstantCache = spec.constantCacheBytes > 0;
    this.registerFile = new RegisterFile(spec);
    this.slotProgram = new Int32Array(slots);
    this.order = new TwoLevelRoundRobin(slots, spec.warpGroupSlots);
    this.firstWarpId = core * slots;
    this.lookupsPerWarp = spec.textureLookupsPerWarp;
    this.requests = new Int32Array(slots * spec.textureLookupsPerWarp * REQUEST_WORDS);
    this.slotLookups = new Int32Array(slots);
    this.slotNextEntry = new Int32Array(slots);
    this.slotState = new Int32Array(slots);
    this.slotWarp = new Int32Array(slots);
    this.slotClause = new Int32Array(slots);
    this.slotWait = new Int32Array(slots);
    this.slotSince = new Int32Array(slots);
    this.slotSite = new Int32Array(slots);
    this.slotResultsAt = new Int32Array(slots);
    this.slotCyclesLeft = new Int32Array(slots);
    this.isFineGrained = spec.hasFineGrainedIssue;
    this.priority = priority;
  }

  reset(): void {
    this.instructions = 0;
    this.slotState.fill(FREE);
    this.slotCyclesLeft.fill(0);
    this.slotLookups.fill(0);
    this.slotNextEntry.fill(0);
    this.order.reset();
    this.warpCycles.fill(0);
    this.heldCount = 0;
    this.lastVertexDone = -1;
    this.running = -1;
    this.stalledCount = 0;
    this.lastEnd = -1;
    this.awaitingCount = 0;
    this.programs.reset();
    this.awaitingConstants = 0;
    this.constants.reset();
    this.registerFile.reset();
  }

  clock(cycle: i32): i32 {
    const hadVertices = this.priority.isOn && this.readyVertexSlot() >= 0;
    // 1. Texels and warps that have arrived.
    if (this.texels.canPop(cycle)) this.endLookup(this.texels.pop(cycle), cycle);
    if (this.input.canPop(cycle)) this.admit(this.input.pop(cycle), cycle);
    if (this.awaitingCount > 0) this.fetchProgram(cycle);
    if (this.awaitingConstants > 0) this.fetchConstants(cycle);
    if (this.heldCount > 0) this.sendHeld(cycle);
    if (this.stalledCount > 0) this.endStalled(cycle);

    // 2. The running clause, or its end.
    if (this.priority.isOn && !hadVertices) this.interrupt(cycle);
    if (this.running >= 0) {
      if (cycle < this.runUntil) {
        this.states[this.id] = BUSY;
        return this.nextWake(cycle, this.runUntil);
      }
      if (!this.endRunning(cycle)) {
        this.states[this.id] = stalled(WAIT.output);
        return this.nextWake(cycle, this.lastEnd === cycle ? cycle + 1 : NEVER);
      }
    }

    // 3. The next clause of a warp that is ready, or the next cycle of one.
    const slot = this.chooseSlot();
    if (slot < 0) {
      this.states[this.id] = starved(this.waitOf(cycle));
      return this.nextWake(cycle, NEVER);
    }
    if (this.slotCyclesLeft[slot] === 0) this.beginClause(slot);
    const cycles = this.isFineGrained ? 1 : this.slotCyclesLeft[slot]!;
    this.slotCyclesLeft[slot]! -= cycles;
    this.slotState[slot] = TAKEN;
    this.beginWait(slot, WARP_WAIT.issue, cycle);
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
    const program = this.awaitingCount > 0 ? this.programs.nextWake(cycle) : NEVER;
    const constants = this.awaitingConstants > 0 ? this.constants.nextWake(cycle) : NEVER;
    const results = this.stalledCount > 0 ? this.nextResults(cycle) : NEVER;
    const block = lesser(program, constants);
    const next = lesser(lesser(texels, warp), lesser(lesser(until, block), results));
    return next > cycle ? next : cycle + 1;
  }

  /**
   * Returns what the core waits for while no warp is ready: what is known to end first, or else
   * texels, instructions, constants, registers and room for results, in this order.
   */
  private waitOf(cycle: i32): i32 {
    const texels = this.texels.nextReady();
    const operands = this.stalledCount > 0 ? this.nextResults(cycle) : NEVER;
    if (operands < texels) return WAIT.operands;
    if (texels < NEVER) return WAIT.texels;
    let wait = WAIT.input as i32;
    for (let slot = 0; slot < this.slotCount; slot++) {
      const state = this.slotState[slot]!;
      if (state === AWAITS_TEXELS) return WAIT.texels;
      if (state === AWAITS_RESULTS || state === TAKEN) wait = WAIT.output;
      else if (state === AWAITS_REGISTERS && wait === WAIT.input) wait = WAIT.registers;
      else if (state === HELD && wait === WAIT.input) wait = WAIT.results;
    }
    if (this.awaitingCount > 0) return WAIT.program;
    return this.awaitingConstants > 0 ? WAIT.constants : wait;
  }

  private chooseSlot(): i32 {
    const vertexSlot = this.priority.isOn ? this.readyVertexSlot() : -1;
    return vertexSlot >= 0 ? vertexSlot : this.order.choose(this.slotState, READY);
  }

  /** Returns the slot of the oldest vertex warp that is ready, or −1. */
  private readyVertexSlot(): i32 {
    let oldest = -1;
    for (let slot = 0; slot < this.slotCount; slot++) {
      if (this.slotState[slot] !== READY || (this.slotWarp[slot]! & 1) === 1) continue;
      if (oldest < 0 || this.slotWarp[slot]! < this.slotWarp[oldest]!) oldest = slot;
    }
    return oldest;
  }

  /** Ends the turn of a fragment warp if a vertex warp is ready. The rest of its clause waits. */
  private interrupt(cycle: i32): void {
    const running = this.running;
    if (running < 0 || cycle >= this.runUntil || (this.slotWarp[running]! & 1) === 0) return;
    if (this.readyVertexSlot() < 0) return;
    this.slotCyclesLeft[running]! += this.runUntil - cycle;
    this.runUntil = cycle;
  }

  /** Starts another kind of a warp's cycles. */
  private beginWait(slot: i32, kind: i32, cycle: i32): void {
    const cycles = cycle - this.slotSince[slot]!;
    this.warpCycles[this.slotWait[slot]!]! += cycles;
    if (this.records.isProfiled) this.profile(slot, cycles);
    this.slotWait[slot] = kind;
    this.slotSince[slot] = cycle;
  }

  /** Adds cycles of a warp to those of its draw, and of the lookup that it waits for. */
  private profile(slot: i32, cycles: i32): void {
    const token = this.slotWarp[slot]!;
    const draw = divide(this.drawOf(token), DRAW_WORDS);
    const site = this.slotSite[slot]!;
    this.records.addWarpWait(draw, token & 1, this.slotWait[slot]!, site, cycles);
  }

  /**
   * Adds the cycles of warps up to `cycle`.
   *
   * @param first Number of the first slot of `counts`, which has one for each kind of WARP_WAIT.
   */
  addWarpCycles(counts: Float64Array, first: i32, cycle: i32): void {
    for (let kind = 0; kind < WARP_WAIT.count; kind++) {
      counts[first + kind]! += this.warpCycles[kind]!;
    }
    for (let slot = 0; slot < this.slotCount; slot++) {
      if (this.slotState[slot] === FREE) continue;
      counts[first + this.slotWait[slot]!]! += cycle - this.slotSince[slot]!;
    }
  }

  private admit(slot: i32, cycle: i32): void {
    // The task scheduler assigned the slot in the cycle before.
    this.slotWait[slot] = WARP_WAIT.start;
    this.slotSince[slot] = cycle - 1;
    const token = this.scheduler.warps[this.firstWarpId + slot]!;
    this.slotWarp[slot] = token;
    const draw = this.drawOf(token);
    const isFragment = (token & 1) === 1;
    const registers = isFragment ? DRAW.fragmentRegisters : DRAW.vertexRegisters;
    const perLane = this.records.drawWords[draw + registers]!;
    if (this.registerFile.take(slot, perLane)) {
      this.start(slot, cycle);
      return;
    }
    this.slotState[slot] = AWAITS_REGISTERS;
    this.beginWait(slot, WARP_WAIT.registers, cycle);
  }

  /** Starts a warp that has its registers. */
  private start(slot: i32, cycle: i32): void {
    const token = this.slotWarp[slot]!;
    const table = (token & 1) === 1 ? this.fragmentWarps : this.vertexWarps;
    this.slotClause[slot] = table.words[table.at(token >>> 1) + WARP.trace]!;
    const stage = token & 1;
    const words = stage === 0 ? DRAW.vertexProgram : DRAW.fragmentProgram;
    this.slotProgram[slot] = this.drawOf(token) + words;
    if (this.programs.has(this.programKey(slot))) {
      this.awaitConstants(slot, cycle);
      return;
    }
    this.slotState[slot] = AWAITS_PROGRAM;
    this.beginWait(slot, WARP_WAIT.program, cycle);
    this.awaitingCount++;
  }

  /** Returns the first word of a warp's draw in the table of draws. */
  private drawOf(token: i32): i32 {
    const table = (token & 1) === 1 ? this.fragmentWarps : this.vertexWarps;
    return table.words[table.at(token >>> 1) + WARP.draw]! * DRAW_WORDS;
  }

  /** Returns the registers of a warp that has run, and starts those that waited for them. */
  private releaseRegisters(slot: i32, cycle: i32): void {
    this.registerFile.release(slot);
    for (let next = this.registerFile.next(); next >= 0; ) {
      this.start(next, cycle);
      next = this.registerFile.next();
    }
  }

  /** Returns the key of a warp's program. */
  private programKey(slot: i32): i32 {
    const number = this.records.drawWords[this.slotProgram[slot]! + PROGRAM.number]!;
    return number * 2 + (this.slotWarp[slot]! & 1);
  }

  /** Lets a warp that has its program run, or wait for constants. */
  private awaitConstants(slot: i32, cycle: i32): void {
    const draw = this.drawOf(this.slotWarp[slot]!);
    if (!this.hasConstantCache || this.constants.has(draw)) {
      this.makeReady(slot, cycle);
      return;
    }
    this.slotState[slot] = AWAITS_CONSTANTS;
    this.beginWait(slot, WARP_WAIT.constants, cycle);
    this.awaitingConstants++;
  }

  private makeReady(slot: i32, cycle: i32): void {
    this.slotState[slot] = READY;
    this.beginWait(slot, WARP_WAIT.ready, cycle);
  }

  /** Reads the program of a waiting warp. When it arrives, no warp that needs it waits longer. */
  private fetchProgram(cycle: i32): void {
    while (this.awaitingCount > 0) {
      const first = this.firstIn(AWAITS_PROGRAM);
      const at = this.slotProgram[first]!;
      const draws = this.records.drawWords;
      const line = draws[at + PROGRAM.line]!;
      const lines = draws[at + PROGRAM.lines]!;
      if (!this.programs.advance(this.programKey(first), line, lines, cycle)) return;
      for (let slot = first; slot < this.slotCount; slot++) {
        if (this.slotState[slot] !== AWAITS_PROGRAM) continue;
        if (!this.programs.has(this.programKey(slot))) continue;
        this.awaitingCount--;
        this.awaitConstants(slot, cycle);
      }
    }
  }

  /** Reads the constants of a waiting warp's draw. When they arrive, its warps are ready. */
  private fetchConstants(cycle: i32): void {
    while (this.awaitingConstants > 0) {
      const first = this.firstIn(AWAITS_CONSTANTS);
      const draw = this.drawOf(this.slotWarp[first]!);
      const draws = this.records.drawWords;
      const line = draws[draw + DRAW.listLine]! + DRAW_STATE_LINES;
      const lines = greater(0, draws[draw + DRAW.listLines]! - DRAW_STATE_LINES);
      if (!this.constants.advance(draw, line, lines, cycle)) return;
      for (let slot = first; slot < this.slotCount; slot++) {
        if (this.slotState[slot] !== AWAITS_CONSTANTS) continue;
        if (!this.constants.has(this.drawOf(this.slotWarp[slot]!))) continue;
        this.makeReady(slot, cycle);
        this.awaitingConstants--;
      }
    }
  }

  /** Returns the first slot in a state, which there must be. */
  private firstIn(state: i32): i32 {
    let slot = 0;
    while (this.slotState[slot]! !== state) slot++;
    return slot;
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
    this.beginWait(slot, WARP_WAIT.results, cycle);
    this.heldCount++;
    this.results.await(this.id);
  }

  private leave(slot: i32, cycle: i32): void {
    this.slotState[slot] = FREE;
    this.beginWait(slot, WARP_WAIT.start, cycle);
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

  /** Counts a lookup that has returned. Its warp may be ready. */
  private endLookup(request: i32, cycle: i32): void {
    const slot = divide(request, this.lookupsPerWarp);
    this.slotLookups[slot]!--;
    if (this.slotState[slot] === AWAITS_TEXELS && this.hasTexels(slot)) {
      const lookup = request * REQUEST_WORDS;
      this.slotWait[slot] = this.requests[lookup + REQUEST.source]!;
      const traces = this.tracesOf(this.slotWarp[slot]!);
      const at = this.requests[lookup + REQUEST.clause]! + TRACE.passes;
      this.slotSite[slot] = traces.words[at & traces.mask]! >> PASSES_BITS;
      this.makeReady(slot, cycle);
    }
  }

  /** Returns whether a warp has all texels that its next clause uses, and room for a lookup. */
  private hasTexels(slot: i32): boolean {
    const lookups = this.slotLookups[slot]!;
    if (lookups === 0) return true;
    if (lookups >= this.lookupsPerWarp) return false;
    const traces = this.tracesOf(this.slotWarp[slot]!);
    const at = this.slotClause[slot]! + TRACE.lookupsInFlight;
    return lookups <= traces.words[at & traces.mask]!;
  }

  private beginClause(slot: i32): void {
    const traces = this.tracesOf(this.slotWarp[slot]!);
    const words = traces.words;
    const mask = traces.mask;
    const clause = this.slotClause[slot]!;
    this.slotCyclesLeft[slot] = words[(clause + TRACE.issueCycles) & mask]!;
    this.instructions += words[(clause + TRACE.instructions) & mask]!;
  }

  /**
   * Ends the running clause, unless others take turns with it. Its warp waits for results, or
   * leaves the port. Returns false if there is no room in the next stage.
   */
  private endRunning(cycle: i32): boolean {
    const slot = this.running;
    if (this.slotCyclesLeft[slot]! > 0) {
      this.makeReady(slot, cycle);
      this.running = -1;
      return true;
    }
    const traces = this.tracesOf(this.slotWarp[slot]!);
    const clause = this.slotClause[slot]!;
    const stallCycles = traces.words[(clause + TRACE.stallCycles) & traces.mask]!;
    if (stallCycles > 0) {
      this.slotState[slot] = AWAITS_RESULTS;
      this.beginWait(slot, WARP_WAIT.operands, cycle);
      this.slotResultsAt[slot] = cycle + stallCycles;
      this.stalledCount++;
    } else if (!this.endClause(slot, this.runUntil, cycle)) return false;
    this.running = -1;
    return true;
  }

  /** Ends the clause of a warp whose results have arrived, if there is room in the next stage. */
  private endStalled(cycle: i32): void {
    for (let slot = 0; slot < this.slotCount; slot++) {
      if (this.slotState[slot] !== AWAITS_RESULTS || this.slotResultsAt[slot]! > cycle) continue;
      this.slotState[slot] = TAKEN;
      if (this.endClause(slot, this.slotResultsAt[slot]!, cycle)) {
        this.stalledCount--;
        return;
      }
      this.slotState[slot] = AWAITS_RESULTS;
    }
  }

  /** Returns the next cycle in which results arrive or another clause may end. */
  private nextResults(cycle: i32): i32 {
    let next = NEVER;
    for (let slot = 0; slot < this.slotCount; slot++) {
      if (this.slotState[slot] !== AWAITS_RESULTS) continue;
      const at = this.slotResultsAt[slot]!;
      // A queue without room wakes the module when there is some.
      if (at <= cycle && this.lastEnd !== cycle) continue;
      next = lesser(next, greater(at, cycle + 1));
    }
    return next;
  }

  /**
   * Sends a warp to the texture unit or to the next stage, one per cycle. Returns false if there is
   * no room.
   *
   * @param done Cycle from which the warp waits to be sent.
   */
  private endClause(slot: i32, done: i32, cycle: i32): boolean {
    if (this.lastEnd === cycle) return false;
    const token = this.slotWarp[slot]!;
    const clause = this.slotClause[slot]!;
    const traces = this.tracesOf(token);
    const words = traces.words;
    const mask = traces.mask;
    const passes = words[(clause + TRACE.passes) & mask]!;
    if (passes === END_OF_TRACE) {
      if ((token & 1) === 1 && !this.doneFragments.canPush()) return false;
      this.beginWait(slot, WARP_WAIT.output, done);
      this.releaseRegisters(slot, cycle);
      if ((token & 1) === 1) {
        this.doneFragments.push(token >>> 1, cycle, cycle + 1);
        this.leave(slot, cycle);
      } else if (this.lastVertexDone < cycle && this.results.accepts(token >>> 1)) {
        this.sendVertices(slot, cycle);
      } else this.hold(slot, cycle);
    } else {
      if (!this.toTexture.canPush()) return false;
      this.beginWait(slot, WARP_WAIT.lookup, done);
      this.slotSite[slot] = passes >> PASSES_BITS;
      this.sendLookup(slot, cycle);
      this.slotClause[slot] = clause + TRACE.lines + words[(clause + TRACE.lineCount) & mask]!;
      if (this.hasTexels(slot)) this.makeReady(slot, cycle);
      else {
        this.slotState[slot] = AWAITS_TEXELS;
        this.beginWait(slot, WARP_WAIT.texels, cycle);
      }
    }
    this.lastEnd = cycle;
    return true;
  }

  /** Sends the lookup at the end of a warp's clause to the texture unit. */
  private sendLookup(slot: i32, cycle: i32): void {
    const entry = this.slotNextEntry[slot]!;
    const request = slot * this.lookupsPerWarp + entry;
    this.requests[request * REQUEST_WORDS + REQUEST.warp] = this.slotWarp[slot]!;
    this.requests[request * REQUEST_WORDS + REQUEST.clause] = this.slotClause[slot]!;
    this.toTexture.push(request, cycle, cycle + 1);
    this.slotNextEntry[slot] = entry + 1 === this.lookupsPerWarp ? 0 : entry + 1;
    this.slotLookups[slot]!++;
  }
}
