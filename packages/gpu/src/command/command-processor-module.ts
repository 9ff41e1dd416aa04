/**
 * Command processor: reads the visibility stream, one visible primitive per cycle, and loads the state of a
 * draw when it changes.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import { type BinLog, COMMAND, DRAW_STATE, RUN_END } from '../sim/bin-log.ts';
import type { RunControl } from '../sim/clock.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';

export class CommandProcessorModule implements Module {
  readonly name = 'command.commandProcessor';
  readonly id: number;
  readonly inputs: readonly Queue[] = [];
  readonly outputs: readonly Queue[];
  private readonly states: Int32Array;
  private readonly log: BinLog;
  private readonly control: RunControl;
  private readonly output: Queue;
  private readonly drawStateCycles: number;
  private next = 0;
  private busyUntil = 0;
  private hasEnded = false;

  constructor(
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    log: BinLog,
    control: RunControl,
    output: Queue,
  ) {
    this.id = id;
    this.states = schedule.states;
    this.log = log;
    this.control = control;
    this.output = output;
    this.outputs = [output];
    this.drawStateCycles = spec.drawStateCycles;
  }

  reset(): void {
    this.next = 0;
    this.busyUntil = 0;
    this.hasEnded = false;
  }

  clock(cycle: number): number {
    if (cycle < this.busyUntil) {
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    const { commands } = this.log;
    if (this.next === commands.end) {
      this.states[this.id] = STARVED;
      if (this.hasEnded) return NEVER;
      this.control.needsRecords = true;
      return cycle;
    }
    const kind = commands.words[commands.at(this.next) + COMMAND.kind]!;
    if (kind === DRAW_STATE) {
      this.next++;
      this.busyUntil = cycle + this.drawStateCycles;
      this.states[this.id] = BUSY;
      return this.busyUntil;
    }
    if (!this.output.canPush()) {
      this.states[this.id] = STALLED;
      return NEVER;
    }
    this.output.push(this.next, cycle, cycle + 1);
    this.next++;
    this.hasEnded = kind === RUN_END;
    this.states[this.id] = BUSY;
    return cycle + 1;
  }
}
