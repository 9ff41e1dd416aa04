/**
 * Task scheduler: gives each waiting vertex and fragment warp a slot of a shader core, at most one of each type a
 * cycle. The decisions are those of {@link TaskScheduler}.
 */
import type { ChipletSpec } from '../chiplet-spec.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STALLED, STARVED } from '../sim/schedule.ts';
import { FRAGMENT, VERTEX, type WarpType } from './slot-policy.ts';
import { TaskScheduler } from './task-scheduler.ts';

export class TaskSchedulerModule implements Module {
  readonly name = 'shading.taskScheduler';
  readonly id: number;
  readonly inputs: readonly Queue[];
  readonly outputs: readonly Queue[];
  readonly scheduler: TaskScheduler;
  /** By warp ID: the warp that was given the slot last, as a token. */
  readonly warps: Int32Array;
  private readonly schedule: Schedule;
  private readonly states: Int32Array;
  private readonly vertexWarps: Queue;
  private readonly fragmentWarps: Queue;
  private readonly cores: readonly Queue[];
  private readonly slotsPerCore: number;

  constructor(
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    vertexWarps: Queue,
    fragmentWarps: Queue,
    cores: readonly Queue[],
  ) {
    this.id = id;
    this.schedule = schedule;
    this.states = schedule.states;
    this.vertexWarps = vertexWarps;
    this.fragmentWarps = fragmentWarps;
    this.cores = cores;
    this.inputs = [vertexWarps, fragmentWarps];
    this.outputs = cores;
    this.slotsPerCore = spec.warpSlotsPerSm;
    this.scheduler = new TaskScheduler(spec);
    this.warps = new Int32Array(spec.smCount * spec.warpSlotsPerSm);
  }

  reset(): void {
    this.scheduler.reset();
  }

  /** A core is done with the warp in a slot; cores are clocked before this module. */
  finish(warpId: number, cycle: number): void {
    const isFreed = this.scheduler.finish(warpId, cycle);
    if (isFreed && this.scheduler.isAwaited) this.schedule.wake(this.id, cycle);
  }

  clock(cycle: number): number {
    const { scheduler, vertexWarps, fragmentWarps } = this;
    const asksVertex = vertexWarps.canPop(cycle);
    const asksFragment = fragmentWarps.canPop(cycle);
    const again = scheduler.serve(cycle, asksVertex, asksFragment, NEVER);
    const isVertex = this.dispatch(VERTEX, vertexWarps, cycle);
    const isFragment = this.dispatch(FRAGMENT, fragmentWarps, cycle);
    if (isVertex || isFragment || scheduler.isLockedAt(cycle)) this.states[this.id] = BUSY;
    else this.states[this.id] = asksVertex || asksFragment ? STALLED : STARVED;
    // What waits already is served when something is freed; what comes later asks when it is ready.
    let wake = again;
    const vertexReady = vertexWarps.nextReady();
    const fragmentReady = fragmentWarps.nextReady();
    if (vertexReady > cycle && vertexReady < wake) wake = vertexReady;
    if (fragmentReady > cycle && fragmentReady < wake) wake = fragmentReady;
    return wake;
  }

  /** What it waits for besides queues. */
  describeWait(): string | null {
    if (!this.scheduler.isAwaited) return null;
    const owners = [VERTEX, FRAGMENT].map((type) => {
      const { ownedCount, freeCount } = this.scheduler.queues[type as WarpType];
      return `${type === VERTEX ? 'vertices' : 'fragments'} own ${ownedCount} (${freeCount} free)`;
    });
    const waiting = [
      ...(this.vertexWarps.length > 0 ? [this.vertexWarps.name] : []),
      ...(this.fragmentWarps.length > 0 ? [this.fragmentWarps.name] : []),
    ];
    return `has no warp ID for ${waiting.join(' and ')}: ${owners.join(', ')}`;
  }

  private dispatch(type: WarpType, queue: Queue, cycle: number): boolean {
    const warpId = this.scheduler.grants[type]!;
    if (warpId < 0) return false;
    this.warps[warpId] = queue.pop(cycle);
    const core = Math.floor(warpId / this.slotsPerCore);
    this.cores[core]!.push(warpId - core * this.slotsPerCore, cycle, cycle + 1);
    return true;
  }
}
