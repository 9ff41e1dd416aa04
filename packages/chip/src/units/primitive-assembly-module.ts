/**
 * Primitive assembly: passes on one primitive per cycle, in order, after the warps of its vertices
 * are shaded.
 */

import type { i32 } from '../portable/number-types.ts';
import { COMMAND } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { VertexResultFifo } from '../shading/vertex-result-fifo.ts';
import { Module } from '../sim/module.ts';
import { joinQueues, type Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';

/** Upper bound on the vertex warps that finish out of order, larger than the number in flight. */
const DONE_SLOTS = 16_384;

/** Module of primitive assembly. */
export class PrimitiveAssemblyModule extends Module {
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly doneWarps: readonly Queue[];
  private readonly output: Queue;
  private readonly results: VertexResultFifo;
  private readonly isDone: Uint8Array = new Uint8Array(DONE_SLOTS);
  /** Number of the first vertex warp that is not shaded. All earlier warps are shaded. */
  private shadedBefore: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    records: RunRecords,
    input: Queue,
    doneWarps: readonly Queue[],
    output: Queue,
    results: VertexResultFifo,
  ) {
    super({ id, name, schedule, inputs: joinQueues(input, doneWarps), outputs: [output] });
    this.records = records;
    this.input = input;
    this.doneWarps = doneWarps;
    this.output = output;
    this.results = results;
  }

  reset(): void {
    this.isDone.fill(0);
    this.results.reset();
    this.shadedBefore = 0;
  }

  clock(cycle: i32): i32 {
    let wake = NEVER;
    for (let core = 0; core < this.doneWarps.length; core++) {
      const done = this.doneWarps[core]!;
      if (done.canPop(cycle)) this.isDone[done.pop(cycle) & (DONE_SLOTS - 1)] = 1;
      const ready = done.nextReady();
      if (ready < wake) wake = ready <= cycle ? cycle + 1 : ready;
    }
    while (this.isDone[this.shadedBefore & (DONE_SLOTS - 1)] === 1) {
      this.isDone[this.shadedBefore & (DONE_SLOTS - 1)] = 0;
      this.shadedBefore++;
    }
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = STARVED;
      const ready = this.input.nextReady();
      return ready < wake ? ready : wake;
    }
    const commands = this.records.commands;
    const warp = commands.words[commands.at(this.input.front()) + COMMAND.vertexWarp]!;
    if (warp >= this.shadedBefore) {
      this.states[this.id] = STARVED;
      return wake;
    }
    if (!this.output.canPush()) {
      this.states[this.id] = STALLED;
      return wake;
    }
    if (warp >= 0) this.results.takeUpTo(warp, cycle);
    this.output.push(this.input.pop(cycle), cycle, cycle + 1);
    this.states[this.id] = BUSY;
    return cycle + 1;
  }
}
