/**
 * Fine-bin reader: passes the primitives of a closed batch to tile traversal bin by bin, one per
 * cycle. The batch's buffer is free after its last primitive.
 */

import type { i32 } from '../portable/number-types.ts';
import { ENTRY, ENTRY_BATCH_END } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';

/** Module of the fine-bin reader. */
export class FineBinReaderModule extends Module {
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly output: Queue;
  private next: i32 = 0;

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
    this.next = 0;
  }

  clock(cycle: i32): i32 {
    if (!this.input.canPop(cycle)) {
      this.states[this.id] = STARVED;
      return this.input.nextReady();
    }
    const entries = this.records.entries;
    if (entries.words[entries.at(this.next) + ENTRY.kind] === ENTRY_BATCH_END) {
      this.input.pop(cycle);
      this.next++;
      this.states[this.id] = BUSY;
      return cycle + 1;
    }
    if (!this.output.canPush()) {
      this.states[this.id] = STALLED;
      return NEVER;
    }
    this.output.push(this.next, cycle, cycle + 1);
    this.next++;
    this.states[this.id] = BUSY;
    return cycle + 1;
  }
}
