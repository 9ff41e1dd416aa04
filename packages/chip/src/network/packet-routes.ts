import type { f64, i32 } from '../portable/number-types.ts';
import { InputBuffer, Lane, NetworkLink, RouteBranch, RouteEnd } from './packet-parts.ts';

/** Upper bound on the parts that one part is made of: receivers of a multicast. */
const MAX_PARTS = 1024;

/**
 * Parts of a network by number. The host makes them in an order in which each part is made of
 * earlier ones, and writes the numbers of these into `parts`.
 */
export class PacketRoutes {
  readonly parts: Int32Array = new Int32Array(MAX_PARTS);
  readonly links: NetworkLink[] = [];
  readonly buffers: InputBuffer[] = [];
  readonly ends: RouteEnd[] = [];
  private readonly lanes: Lane[] = [];
  private readonly branches: RouteBranch[] = [];
  private readonly chipletCount: i32;

  constructor(chipletCount: i32) {
    this.chipletCount = chipletCount;
  }

  addLink(bytesPerCycle: f64, latencyCycles: f64): i32 {
    const index: i32 = this.links.length;
    this.links.push(new NetworkLink(index, bytesPerCycle, latencyCycles, this.chipletCount));
    return index;
  }

  addBuffer(link: i32, virtualChannel: i32, capacityBytes: f64): i32 {
    this.buffers.push(new InputBuffer(this.links[link]!, virtualChannel, capacityBytes));
    return (this.buffers.length - 1) as i32;
  }

  /** Adds the lane of `count` buffers of a link. */
  addLane(link: i32, count: i32): i32 {
    const lane = new Lane(this.links[link]!);
    for (let i = 0; i < count; i++) lane.buffers.push(this.buffers[this.parts[i]!]!);
    this.lanes.push(lane);
    return (this.lanes.length - 1) as i32;
  }

  /** Adds a branch with `count` ends, one for each buffer of its lane. */
  addBranch(lane: i32, count: i32): i32 {
    const branch = new RouteBranch(this.lanes[lane]!);
    for (let i = 0; i < count; i++) branch.ends.push(this.ends[this.parts[i]!]!);
    this.branches.push(branch);
    return (this.branches.length - 1) as i32;
  }

  /** Adds an end with `count` branches; see RouteEnd. */
  addEnd(receiver: i32, leastCycles: f64, count: i32): i32 {
    const end = new RouteEnd(receiver, leastCycles);
    for (let i = 0; i < count; i++) end.branches.push(this.branches[this.parts[i]!]!);
    this.ends.push(end);
    return (this.ends.length - 1) as i32;
  }
}
