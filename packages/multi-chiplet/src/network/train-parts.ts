/** Parts of the route of a train, with the times of its packets. */
import type {
  InputBuffer,
  NetworkLink,
  PacketQueue,
  RouteBranch,
  RouteEnd,
} from './network-parts.ts';

/** Point in simulated time, between two services of links (see pending-links.ts). */
export interface ServicePoint {
  readonly cycle: number;
  /** Round of the cycle; 0 before the first. */
  readonly round: number;
  /** Index of the link that is being served. */
  readonly linkIndex: number;
}

/** Link of a train. */
export class TrainStage {
  readonly branch: RouteBranch;
  readonly link: NetworkLink;
  readonly ends: readonly TrainBuffer[];
  /** Position on the link at which each packet starts. */
  readonly startBytes: number[] = [];
  /** Round in which each packet starts. */
  readonly rounds: number[] = [];
  /** Position from which the link is free for the next packet that is computed. */
  freeByte: number;
  lastCycle = -1;
  lastRound = 0;
  /** Queue that packets leave. */
  from: TrainBuffer | null = null;
  /** Number of packets whose start was counted, and whose arrival was counted. */
  sentCount = 0;
  receivedCount = 0;

  constructor(branch: RouteBranch, ends: readonly TrainBuffer[]) {
    this.branch = branch;
    this.link = branch.lane.link;
    this.ends = ends;
    this.freeByte = this.link.freeByte;
  }

  /** Cycle in which a packet starts. */
  startCycle(packet: number): number {
    return Math.floor(this.startBytes[packet]! / this.link.bytesPerCycle);
  }

  /** Last cycle in which a byte of a packet leaves. */
  lastCycleOf(packet: number, bytes: number): number {
    return Math.floor((this.startBytes[packet]! + bytes - 1) / this.link.bytesPerCycle);
  }

  /** Cycle from which the link can carry the packet after this one. */
  nextCycleOf(packet: number, bytes: number): number {
    return Math.floor((this.startBytes[packet]! + bytes) / this.link.bytesPerCycle);
  }

  /** Whether a packet has started. */
  hasStarted(packet: number, { cycle, round, linkIndex }: ServicePoint): boolean {
    const startCycle = this.startCycle(packet);
    if (startCycle !== cycle) return startCycle < cycle;
    const startRound = this.rounds[packet]!;
    return startRound < round || (startRound === round && this.link.index <= linkIndex);
  }

  /** Moves all times to later cycles. */
  shift(cycles: number): void {
    const bytes = cycles * this.link.bytesPerCycle;
    for (let i = 0; i < this.startBytes.length; i++) this.startBytes[i]! += bytes;
    this.freeByte += bytes;
    this.lastCycle += cycles;
  }

  /** Forgets the times of the oldest packets. */
  drop(count: number): void {
    this.startBytes.splice(0, count);
    this.rounds.splice(0, count);
    this.sentCount -= count;
    this.receivedCount -= count;
  }
}

/** Queue that a train passes: its source queue, a buffer of a router, or a receiver. */
export class TrainBuffer {
  readonly queue: PacketQueue;
  /** Buffer with bounded room; null for the source queue. */
  readonly buffer: InputBuffer | null;
  readonly end: RouteEnd;
  /** Links that packets leave on; none at a receiver. */
  readonly stages: readonly TrainStage[];
  /** Link that fills the buffer; null for the source queue. */
  feeder: TrainStage | null = null;
  /** Cycle in which the room of each packet is returned. */
  readonly roomCycles: number[] = [];
  /** Room for the next packet that is computed, and the number of packets that returned theirs. */
  freeBytes: number;
  returnedCount = 0;
  /** Cycle of the next return of room that was not used for a packet. */
  nextRoomCycle: number = Number.MAX_SAFE_INTEGER;
  /** Number of packets that returned their room to the buffer itself. */
  countedReturns = 0;
  /** Cycle from which the next packet can leave. */
  freeCycle: number;
  /** Point in which the packet before it left. */
  leftAt: ServicePoint = { cycle: -1, round: 0, linkIndex: -1 };

  /** @param buffer Queue with bounded room; null for the source queue. */
  constructor(
    queue: PacketQueue,
    buffer: InputBuffer | null,
    end: RouteEnd,
    stages: readonly TrainStage[],
  ) {
    this.queue = queue;
    this.buffer = buffer;
    this.end = end;
    this.stages = stages;
    for (const stage of stages) stage.from = this;
    this.freeBytes = buffer?.freeBytes ?? Number.POSITIVE_INFINITY;
    this.freeCycle = queue.freeCycle;
  }

  /** Whether the chiplet at the end of the route receives packets here. */
  get isReceiver(): boolean {
    return this.stages.length === 0;
  }

  /** Number of packets that have left on all branches. */
  get leftCount(): number {
    return Math.min(...this.stages.map(({ sentCount }) => sentCount));
  }

  /** Moves all times to later cycles. */
  shift(cycles: number): void {
    for (let i = 0; i < this.roomCycles.length; i++) this.roomCycles[i]! += cycles;
    this.freeCycle += cycles;
    if (this.returnedCount < this.roomCycles.length) this.nextRoomCycle += cycles;
    this.leftAt = { ...this.leftAt, cycle: this.leftAt.cycle + cycles };
  }

  /** Forgets the times of the oldest packets. */
  drop(count: number): void {
    this.roomCycles.splice(0, count);
    this.returnedCount -= count;
    this.countedReturns -= count;
  }
}
