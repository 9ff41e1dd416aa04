/**
 * Task scheduler: gives one warp per cycle to a shader core, vertex warps first, so that the primitives behind
 * them do not wait; cores take turns.
 */
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';

export class TaskSchedulerModule implements Module {
  readonly name = 'shading.taskScheduler';
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  private readonly states: Int32Array;
  private readonly vertexWarps: Queue;
  private readonly fragmentWarps: Queue;
  private readonly cores: readonly Queue[];
  private nextCore = 0;

  constructor(
    id: number,
    schedule: Schedule,
    vertexWarps: Queue,
    fragmentWarps: Queue,
    cores: readonly Queue[],
  ) {
    this.id = id;
    this.states = schedule.states;
    this.vertexWarps = vertexWarps;
    this.fragmentWarps = fragmentWarps;
    this.cores = cores;
    this.inputs = [vertexWarps, fragmentWarps];
    this.outputs = cores;
  }

  reset(): void {
    this.nextCore = 0;
  }

  clock(cycle: number): number {
    const hasVertices = this.vertexWarps.canPop(cycle);
    if (!hasVertices && !this.fragmentWarps.canPop(cycle)) {
      this.states[this.id] = STARVED;
      const vertexReady = this.vertexWarps.nextReady(NEVER);
      const fragmentReady = this.fragmentWarps.nextReady(NEVER);
      return vertexReady < fragmentReady ? vertexReady : fragmentReady;
    }
    const count = this.cores.length;
    for (let turn = 0; turn < count; turn++) {
      const core = (this.nextCore + turn) % count;
      const queue = this.cores[core]!;
      if (!queue.canPush()) continue;
      const warp = hasVertices ? this.vertexWarps.pop(cycle) : this.fragmentWarps.pop(cycle);
      queue.push(warp, cycle, cycle + 1);
      this.nextCore = (core + 1) % count;
      this.states[this.id] = BUSY;
      return cycle + 1;
    }
    this.states[this.id] = STALLED;
    return NEVER;
  }
}
