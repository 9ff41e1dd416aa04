/**
 * Output bus: the finished bin, or the visibility stream, leaves the chiplet. Then the run is over. With a bin
 * that is rendered within the visibility phase the stream leaves as soon as all is binned, the bin behind it.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import type { RunControl } from '../sim/clock.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STARVED } from '../sim/schedule.ts';

export class OutputBusModule implements Module {
  readonly name = 'output.outputBus';
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[] = [];
  /** Bytes to send in this run; set before its end. */
  bytes = 0;
  /** Bytes of the stream that leaves before them; 0 where they are all. */
  streamBytes = 0;
  /** Says when everything is binned, so that the stream can leave. */
  binner: { readonly endedAt: number } = { endedAt: 0 };
  private readonly states: Int32Array;
  private readonly control: RunControl;
  private readonly input: Queue;
  private readonly bytesPerCycle: number;
  private doneAt = -1;

  constructor(
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    control: RunControl,
    input: Queue,
  ) {
    this.id = id;
    this.states = schedule.states;
    this.control = control;
    this.input = input;
    this.inputs = [input];
    this.bytesPerCycle = spec.outputBusBytesPerCycle;
  }

  reset(): void {
    this.bytes = 0;
    this.streamBytes = 0;
    this.doneAt = -1;
  }

  /** When the stream has left; 0 if there is none. */
  get streamEnd(): number {
    return this.streamBytes === 0 ? 0 : this.binner.endedAt + this.cyclesFor(this.streamBytes);
  }

  private cyclesFor(bytes: number): number {
    return Math.max(1, Math.ceil(bytes / this.bytesPerCycle));
  }

  clock(cycle: number): number {
    if (this.doneAt < 0) {
      if (!this.input.canPop(cycle)) {
        this.states[this.id] = STARVED;
        return this.input.nextReady(NEVER);
      }
      this.input.pop(cycle);
      this.doneAt = Math.max(cycle, this.streamEnd) + this.cyclesFor(this.bytes);
    }
    this.states[this.id] = BUSY;
    if (cycle < this.doneAt) return this.doneAt;
    this.control.isFinished = true;
    return NEVER;
  }
}
