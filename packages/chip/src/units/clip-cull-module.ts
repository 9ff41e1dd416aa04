/**
 * Clip and cull: takes one primitive per cycle. A primitive that crosses a plane takes extra time
 * for each piece that it is cut into. Dropped primitives end here.
 */

import type { i32 } from '../portable/number-types.ts';
import { COMMAND, PRIMITIVE } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';

/** Module of clipping and culling. */
export class ClipCullModule extends Module {
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly clipPieceCycles: i32;
  private busyUntil: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    input: Queue,
    output: Queue,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [output] });
    this.records = records;
    this.input = input;
    this.output = output;
    this.clipPieceCycles = spec.clipPieceCycles;
  }

  reset(): void {
    this.busyUntil = 0;
  }

  clock(cycle: i32): i32 {
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = starved(WAIT.input);
      return this.input.nextReady();
    }
    const words = this.records.commands.words;
    const at = this.records.commands.at(this.input.front());
    const isPrimitive = words[at + COMMAND.kind] === PRIMITIVE;
    const pieces = words[at + COMMAND.pieces]!;
    const passesOn = !isPrimitive || pieces > 0;
    if (passesOn && !this.output.canPush()) {
      this.states[this.id] = stalled(WAIT.output);
      return NEVER;
    }
    const isClipped = isPrimitive && words[at + COMMAND.isClipped] === 1;
    const cycles = isClipped ? this.clipPieceCycles * (pieces > 1 ? pieces : 1) : 1;
    const command = this.input.pop(cycle);
    this.busyUntil = cycle + cycles;
    if (passesOn) this.output.push(command, cycle, this.busyUntil);
    this.states[this.id] = BUSY;
    return this.busyUntil;
  }
}
