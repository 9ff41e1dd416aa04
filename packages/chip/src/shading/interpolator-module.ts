/**
 * Interpolator: prepares the varyings of a fragment warp for the shader cores, a number of
 * components per cycle.
 */

import { divideUp } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { DRAW, DRAW_WORDS } from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import { fragmentWarpToken, WARP, type WarpTable } from './warp-table.ts';

/** Module of the interpolator. */
export class InterpolatorModule extends Module {
  private readonly records: RunRecords;
  private readonly warps: WarpTable;
  private readonly input: Queue;
  private readonly output: Queue;
  private readonly componentsPerCycle: i32;
  private busyUntil: i32 = 0;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    records: RunRecords,
    warps: WarpTable,
    input: Queue,
    output: Queue,
  ) {
    super({ id, name, schedule, inputs: [input], outputs: [output] });
    this.records = records;
    this.warps = warps;
    this.input = input;
    this.output = output;
    this.componentsPerCycle = spec.interpolatedComponentsPerCycle;
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
    if (!this.output.canPush()) {
      this.states[this.id] = stalled(WAIT.output);
      return NEVER;
    }
    const warp = this.input.pop(cycle);
    const at = this.warps.at(warp);
    const draw = this.warps.words[at + WARP.draw]!;
    const components = this.records.drawWords[draw * DRAW_WORDS + DRAW.components]!;
    const work = this.warps.words[at + WARP.size]! * components;
    const cycles = work > this.componentsPerCycle ? divideUp(work, this.componentsPerCycle) : 1;
    this.busyUntil = cycle + cycles;
    this.output.push(fragmentWarpToken(warp), cycle, this.busyUntil);
    this.states[this.id] = BUSY;
    return this.busyUntil;
  }
}
