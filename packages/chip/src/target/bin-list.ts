/**
 * List of coarse bins that a chiplet draws one after another in one run. Bins take turns with the
 * targets in local memory: while one leaves over the output bus, the next is drawn. Each module is
 * at a bin of its own and moves to the next one when the end of its bin passes.
 */
import type { i32 } from '../portable/number-types.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import type { Schedule } from '../sim/schedule.ts';
import type { HierarchicalDepth } from './hierarchical-depth.ts';
import type { TargetCache } from './target-cache.ts';
import { lineOf, TargetPlaces, targetOf } from './target-places.ts';

/** Bins of the run in their order. */
export class BinList {
  /** Number of bins so far. */
  count: i32 = 0;
  /** Whether no further bin follows. */
  isClosed: boolean = false;
  /** Number of bins that have left the chiplet. */
  released: i32 = 0;
  private readonly spec: TimingSpec;
  /** Number of targets, a power of two. */
  private readonly targets: i32;
  private readonly schedule: Schedule;
  /** Places by bin; kept for the next run. */
  private readonly places: TargetPlaces[] = [];
  private readonly colorCache: TargetCache;
  private readonly depthCache: TargetCache;
  private readonly hierarchicalDepth: HierarchicalDepth;
  /** Modules that wait for the target of a bin. */
  private readonly waiting: i32[] = [];

  constructor(
    spec: TimingSpec,
    schedule: Schedule,
    colorCache: TargetCache,
    depthCache: TargetCache,
    hierarchicalDepth: HierarchicalDepth,
  ) {
    this.spec = spec;
    this.targets = spec.binTargets;
    this.schedule = schedule;
    this.colorCache = colorCache;
    this.depthCache = depthCache;
    this.hierarchicalDepth = hierarchicalDepth;
  }

  /** Removes all bins for a new run. */
  reset(): void {
    this.count = 0;
    this.isClosed = false;
    this.released = 0;
    this.waiting.length = 0;
  }

  /**
   * Adds a bin.
   *
   * @param words Words of RUN_PLAN_WORDS.
   */
  add(words: Int32Array): void {
    if (this.count === this.places.length) this.places.push(new TargetPlaces(this.spec));
    const bin = this.count++;
    const places = this.places[bin]!;
    places.plan.load(words);
    places.begin(bin & (this.targets - 1));
    if (bin - this.released < this.targets) this.open(bin);
  }

  /** Gives a bin its target, which no other bin uses any more. */
  private open(bin: i32): void {
    const places = this.places[bin]!;
    places.open(this.colorCache, this.depthCache);
    this.hierarchicalDepth.begin(places);
  }

  /** Returns the places of a bin, which must have been added. */
  at(bin: i32): TargetPlaces {
    return this.places[bin]!;
  }

  /** Returns the address of a line of depth or color by its key in a cache. */
  depthLineOf(key: i32): i32 {
    return this.ofTarget(targetOf(key)).depthLine(lineOf(key));
  }

  colorLineOf(key: i32): i32 {
    return this.ofTarget(targetOf(key)).colorLine(lineOf(key));
  }

  /** Returns the places of the bin that has a target now, or had it last. */
  private ofTarget(target: i32): TargetPlaces {
    let bin = this.released + ((target - this.released) & (this.targets - 1));
    if (bin >= this.count) bin -= this.targets;
    return this.places[bin]!;
  }

  /** Whether a bin has its target. If it has not, the list wakes the module when it has. */
  hasTarget(bin: i32, module: i32): boolean {
    if (this.places[bin]!.isOpen) return true;
    if (!this.waiting.includes(module)) this.waiting.push(module);
    return false;
  }

  /** Frees the target of the oldest bin, which has left in `cycle`. */
  release(cycle: i32): void {
    this.places[this.released]!.leftAt = cycle;
    const next = this.released++ + this.targets;
    if (next >= this.count) return;
    this.open(next);
    for (let i = 0; i < this.waiting.length; i++) this.schedule.wake(this.waiting[i]!, cycle);
    this.waiting.length = 0;
  }

  /** Whether a bin is the last one of the list. */
  isLast(bin: i32): boolean {
    return this.isClosed && bin === this.count - 1;
  }
}
