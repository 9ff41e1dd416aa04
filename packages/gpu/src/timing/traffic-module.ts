/**
 * A client of memory that does nothing but ask, as fast as it may: bursts of neighbouring lines, each burst in another
 * row. For measuring the memory system by itself.
 */
import { BUSY, type ClientPort, Module, NEVER, type Schedule, STALLED } from '@tessera/chip/parts';

/** Bursts of reads that are on their way at once. */
export const TRAFFIC_TICKETS = 4;

export interface Traffic {
  /** Lines of a burst. */
  readonly burstLines: number;
  readonly bursts: number;
  readonly isWrite: boolean;
  /** First line; from one burst to the next. */
  readonly firstLine: number;
  readonly strideLines: number;
}

export class TrafficModule extends Module {
  private readonly port: ClientPort;
  private readonly traffic: Traffic;
  private asked = 0;
  private done = 0;

  constructor(id: number, schedule: Schedule, port: ClientPort, traffic: Traffic) {
    super(id, `memory.traffic[${id}]`, schedule, [], []);
    this.port = port;
    this.traffic = traffic;
  }

  /** Whether all has been asked for, and all reads have been answered. */
  get isDone(): boolean {
    return this.done === this.traffic.bursts && this.port.isEmpty;
  }

  reset(): void {
    this.asked = 0;
    this.done = 0;
  }

  clock(cycle: number): number {
    const { burstLines, bursts, isWrite, firstLine, strideLines } = this.traffic;
    const { port } = this;
    while (!isWrite && this.done < this.asked && port.isDone(this.done, cycle)) {
      port.close(this.done++);
    }
    this.states[this.id] = BUSY;
    if (this.asked < bursts) {
      if ((isWrite || port.canOpen()) && port.hasRoom(burstLines, cycle)) {
        const ticket = isWrite ? -1 : port.open(cycle);
        const first = firstLine + this.asked * strideLines;
        for (let line = first; line < first + burstLines; line++) {
          if (isWrite) port.write(line, cycle);
          else port.read(ticket, line, cycle);
        }
        port.endBurst(cycle);
        this.asked++;
        if (isWrite) this.done++;
        return cycle + 1;
      }
      this.states[this.id] = STALLED;
    }
    return this.done < this.asked ? Math.max(cycle + 1, port.doneCycle(this.done)) : NEVER;
  }
}
