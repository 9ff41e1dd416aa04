/**
 * Task scheduler: assigns slots of shader cores to waiting vertex and fragment warps, at most one
 * warp of each type per cycle. {@link TaskScheduler} makes the decisions.
 */

import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { VisibilityPriority } from '../sim/visibility-priority.ts';
import { FRAGMENT, VERTEX, type WarpType } from './slot-policy.ts';
import { TaskScheduler } from './task-scheduler.ts';

/** Module of the task scheduler. */
export class TaskSchedulerModule extends Module {
  readonly scheduler: TaskScheduler;
  /** Token of the warp that last got each warp ID. */
  readonly warps: Int32Array;
  private readonly schedule: Schedule;
  private readonly vertexWarps: Queue;
  private readonly fragmentWarps: Queue;
  private readonly cores: readonly Queue[];
  private readonly priority: VisibilityPriority;
  private readonly slotsPerCore: i32;
  private readonly isSerial: boolean;

  constructor(
    id: i32,
    name: string,
    schedule: Schedule,
    spec: TimingSpec,
    vertexWarps: Queue,
    fragmentWarps: Queue,
    cores: readonly Queue[],
    priority: VisibilityPriority,
  ) {
    super({ id, name, schedule, inputs: [vertexWarps, fragmentWarps], outputs: cores });
    this.schedule = schedule;
    this.vertexWarps = vertexWarps;
    this.fragmentWarps = fragmentWarps;
    this.cores = cores;
    this.priority = priority;
    this.slotsPerCore = spec.warpSlotsPerSm;
    this.scheduler = new TaskScheduler(spec);
    this.isSerial = spec.hasSerialWarpIdFrees;
    this.warps = new Int32Array(spec.smCount * spec.warpSlotsPerSm);
  }

  reset(): void {
    this.scheduler.reset();
  }

  /**
   * Frees the slot of a warp that is done. Cores call it, and they are clocked before this module.
   */
  finish(warpId: i32, cycle: i32): void {
    const isFreed = this.scheduler.finish(warpId, cycle);
    if (isFreed && (this.isSerial || this.scheduler.isAwaited)) this.schedule.wake(this.id, cycle);
  }

  clock(cycle: i32): i32 {
    const scheduler = this.scheduler;
    const vertexWarps = this.vertexWarps;
    const fragmentWarps = this.fragmentWarps;
    const asksVertex = vertexWarps.canPop(cycle);
    const asksFragment = fragmentWarps.canPop(cycle);
    scheduler.isVertexFirst = this.priority.isOn;
    // Fragments may then get IDs that they do not get now.
    if (scheduler.isVertexFirst) this.priority.await(this.id);
    const again = scheduler.serve(cycle, asksVertex, asksFragment, NEVER);
    const isVertex = this.dispatch(VERTEX, vertexWarps, cycle);
    const isFragment = this.dispatch(FRAGMENT, fragmentWarps, cycle);
    if (isVertex || isFragment || scheduler.isLockedAt(cycle)) this.states[this.id] = BUSY;
    else if (!asksVertex && !asksFragment) this.states[this.id] = starved(WAIT.input);
    else this.states[this.id] = stalled(scheduler.isAwaited ? WAIT.slots : WAIT.output);
    // A warp that already waits is served when an ID is freed. A later warp requests an ID when it
    // is ready.
    let wake = again;
    const vertexReady = vertexWarps.nextReady();
    const fragmentReady = fragmentWarps.nextReady();
    if (vertexReady > cycle && vertexReady < wake) wake = vertexReady;
    if (fragmentReady > cycle && fragmentReady < wake) wake = fragmentReady;
    return wake;
  }

  /** Returns which warps have no ID and who owns the IDs. */
  override describeWait(): string {
    if (!this.scheduler.isAwaited) return '';
    let waiting = '';
    if (this.vertexWarps.length > 0) waiting = this.vertexWarps.name;
    if (this.fragmentWarps.length > 0) {
      waiting += waiting.length > 0 ? ` and ${this.fragmentWarps.name}` : this.fragmentWarps.name;
    }
    const vertices = this.describeOwner('vertices', VERTEX);
    return `has no warp ID for ${waiting}: ${vertices}, ${this.describeOwner('fragments', FRAGMENT)}`;
  }

  private describeOwner(name: string, type: WarpType): string {
    const queue = this.scheduler.queues[type]!;
    return `${name} own ${queue.ownedCount} (${queue.freeCount} free)`;
  }

  private dispatch(type: WarpType, queue: Queue, cycle: i32): boolean {
    const warpId = this.scheduler.grants[type]!;
    if (warpId < 0) return false;
    this.warps[warpId] = queue.pop(cycle);
    const core = divide(warpId, this.slotsPerCore);
    this.cores[core]!.push(warpId - core * this.slotsPerCore, cycle, cycle + 1);
    return true;
  }
}
