/**
 * Primitive setup: takes one raster record every `setupIntervalCycles`. Its products pass through
 * the pipelined 32-bit multiplier, whose sub-stages are modeled one by one. The result is known on
 * entry.
 */

import type { i32 } from '../portable/number-types.ts';
import { COMMAND, PRIMITIVE } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import { MULTIPLIER_SUB_STAGES, SubStages } from '../sim/sub-stages.ts';

/** Module of primitive setup. */
export class TriangleSetupModule extends Module {
  private readonly records: RunRecords;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly intervalCycles: i32;
  private readonly multiplier: SubStages = new SubStages(MULTIPLIER_SUB_STAGES);
  private nextIssue: i32 = 0;
  /** Cycles for which primitives occupied the first sub-stage. */
  issueCycles: i32 = 0;

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
    this.intervalCycles = spec.setupIntervalCycles;
  }

  reset(): void {
    this.multiplier.reset();
    this.nextIssue = 0;
    this.issueCycles = 0;
  }

  clock(cycle: i32): i32 {
    // 1. The result in the last sub-stage leaves, or blocks the others.
    const multiplier = this.multiplier;
    if (multiplier.canTake()) {
      if (!this.output.canPush()) {
        this.states[this.id] = stalled(WAIT.output);
        return NEVER;
      }
      this.output.push(multiplier.take(), cycle, cycle + 1);
    }
    // 2. The others move one sub-stage.
    multiplier.shift();
    // 3. The next primitive enters.
    if (cycle >= this.nextIssue && this.input.canPop(cycle)) {
      const command = this.input.pop(cycle);
      const words = this.records.commands.words;
      const at = this.records.commands.at(command);
      const pieces = words[at + COMMAND.kind] === PRIMITIVE ? words[at + COMMAND.pieces]! : 1;
      this.nextIssue = cycle + pieces * this.intervalCycles;
      this.issueCycles += pieces * this.intervalCycles;
      multiplier.put(command);
    }
    if (multiplier.count > 0) {
      this.states[this.id] = BUSY;
      return cycle + 1;
    }
    if (cycle < this.nextIssue) {
      this.states[this.id] = BUSY;
      return this.nextIssue;
    }
    this.states[this.id] = starved(WAIT.input);
    return this.input.nextReady();
  }
}
