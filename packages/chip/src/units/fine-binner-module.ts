/**
 * Fine binner: adds a primitive to one list per cycle. A batch that closes goes to the fine-bin
 * reader. While the reader occupies all other batch buffers, the binner stalls. In visibility mode
 * the lists are those of coarse bins.
 */

import type { i32 } from '../portable/number-types.ts';
import { COMMAND, PRIMITIVE, RUN_END } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';

/** Module of the fine binner. */
export class FineBinnerModule extends Module {
  /** Number of the first command that the module still needs. */
  commandsDone: i32 = 0;
  /** Cycle in which the end of the run arrived. All primitives are binned by then. */
  endedAt: i32 = 0;
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly output: Queue;
  private busyUntil: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    records: RunRecords,
    input: Queue,
    output: Queue,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [output] });
    this.records = records;
    this.input = input;
    this.output = output;
  }

  reset(): void {
    this.commandsDone = 0;
    this.endedAt = 0;
    this.busyUntil = 0;
  }

  clock(cycle: i32): i32 {
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = STARVED;
      return this.input.nextReady();
    }
    const words = this.records.commands.words;
    const at = this.records.commands.at(this.input.front());
    const kind = words[at + COMMAND.kind]!;
    const isPrimitive = kind === PRIMITIVE;
    if (!isPrimitive && !this.output.canPush()) {
      this.states[this.id] = STALLED;
      return NEVER;
    }
    const entries = isPrimitive ? words[at + COMMAND.entries]! : 1;
    const command = this.input.pop(cycle);
    this.commandsDone = command + 1;
    if (kind === RUN_END) this.endedAt = cycle;
    if (!isPrimitive) this.output.push(command, cycle, cycle + 1);
    this.busyUntil = cycle + (entries > 1 ? entries : 1);
    this.states[this.id] = BUSY;
    return this.busyUntil;
  }
}
