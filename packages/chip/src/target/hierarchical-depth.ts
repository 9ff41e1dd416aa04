/**
 * Hierarchical depth: an upper bound of the stored depth for each block of 4×4 pixels (Greene,
 * Kass, Miller, SIGGRAPH 1993). A block whose nearest sample is behind its bound is dropped without
 * a depth test. Depths have 16 bits, rounded so that no visible block is dropped.
 *
 * A block that is drawn as a whole lowers its bound some cycles after its depth test, because the
 * bounds are another memory than the depths. Draws that may store what lies behind raise it at
 * once, and no older block lowers it afterwards.
 */

import { ceilPowerOfTwo, lesser } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { FAR_LIMIT, HIERARCHICAL_RAISE } from '../records/record-layout.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { lineOf, type TargetPlaces, targetOf } from './target-places.ts';

const EMPTY = -1;

/** Bounds of a target's blocks and the changes that are on their way. */
export class HierarchicalDepth {
  private readonly isOn: boolean;
  private readonly delayCycles: i32;
  /** Bounds by target and block. */
  private readonly bounds: Int32Array[] = [];
  /** Number of blocks that have raised the bound but not reached the depth test, by block. */
  private readonly raises: Int32Array[] = [];
  /** Ring of changes: their cycles, blocks (EMPTY if one was withdrawn) and new bounds. */
  private readonly cycles: Int32Array;
  private readonly blocks: Int32Array;
  private readonly values: Int32Array;
  private readonly mask: i32;
  private head: i32 = 0;
  private tail: i32 = 0;

  constructor(spec: TimingSpec) {
    this.isOn = spec.hasHierarchicalDepth;
    this.delayCycles = spec.hierarchicalDepthDelayCycles;
    // Early depth takes at most a block per cycle, and its test takes at most 64 cycles.
    const size = ceilPowerOfTwo(spec.hierarchicalDepthDelayCycles + 128);
    this.cycles = new Int32Array(size);
    this.blocks = new Int32Array(size);
    this.values = new Int32Array(size);
    this.mask = size - 1;
    for (let target = 0; target < spec.binTargets; target++) {
      this.bounds.push(new Int32Array(1024));
      this.raises.push(new Int32Array(1024));
    }
  }

  /** Forgets all changes for a new run. */
  reset(): void {
    this.head = 0;
    this.tail = 0;
  }

  /** Prepares the target of a bin. */
  begin(places: TargetPlaces): void {
    const count = places.blockCount;
    const target = places.target;
    if (this.bounds[target]!.length < count) {
      this.bounds[target] = new Int32Array(2 * count);
      this.raises[target] = new Int32Array(2 * count);
    }
    this.bounds[target]!.fill(places.plan.depthBound, 0, count);
    this.raises[target]!.fill(0, 0, count);
    // Changes of the bin that had the target before are withdrawn.
    for (let change = this.head; change !== this.tail; change++) {
      const block = this.blocks[change & this.mask]!;
      if (block !== EMPTY && targetOf(block) === target) this.blocks[change & this.mask] = EMPTY;
    }
  }

  /**
   * Returns whether a block is dropped in `cycle`. Raises its bound if its draw may store what lies
   * behind.
   *
   * @param block Key of the block; see TargetPlaces.
   * @param position Word BLOCK.position of its record; `depths` is BLOCK.depths.
   */
  drops(block: i32, position: i32, depths: i32, cycle: i32): boolean {
    if (!this.isOn) return false;
    this.land(cycle);
    if ((position & HIERARCHICAL_RAISE) !== 0) {
      this.raise(block);
      return false;
    }
    return (depths & FAR_LIMIT) > this.bounds[targetOf(block)]![lineOf(block)]!;
  }

  /**
   * Takes note of a block that reaches the depth test in `cycle` and leaves it in `endCycle`. A
   * whole block lowers the bound, unless a later one has raised it.
   */
  noteTest(block: i32, position: i32, depths: i32, cycle: i32, endCycle: i32): void {
    if (!this.isOn) return;
    this.land(cycle);
    if ((position & HIERARCHICAL_RAISE) !== 0) {
      this.raises[targetOf(block)]![lineOf(block)]!--;
      return;
    }
    const far = depths >>> 16;
    if (far === FAR_LIMIT || this.raises[targetOf(block)]![lineOf(block)]! > 0) return;
    const at = this.tail++ & this.mask;
    this.cycles[at] = endCycle + this.delayCycles;
    this.blocks[at] = block;
    this.values[at] = far;
  }

  /** Applies the changes up to a cycle. */
  private land(cycle: i32): void {
    while (this.head !== this.tail && this.cycles[this.head & this.mask]! <= cycle) {
      const at = this.head++ & this.mask;
      const block = this.blocks[at]!;
      if (block === EMPTY) continue;
      const bounds = this.bounds[targetOf(block)]!;
      bounds[lineOf(block)] = lesser(bounds[lineOf(block)]!, this.values[at]!);
    }
  }

  /** Changes on their way are older than the draw that raises the bound. */
  private raise(block: i32): void {
    this.bounds[targetOf(block)]![lineOf(block)] = FAR_LIMIT;
    this.raises[targetOf(block)]![lineOf(block)]!++;
    for (let change = this.head; change !== this.tail; change++) {
      if (this.blocks[change & this.mask] === block) this.blocks[change & this.mask] = EMPTY;
    }
  }
}
