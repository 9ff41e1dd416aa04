/**
 * Client of memory that sends requests at the highest possible rate: bursts of consecutive lines,
 * each in another row. It serves to measure the memory system on its own.
 */
import { BUSY, type ClientPort, Module, NEVER, type Schedule, STALLED } from '@tessera/chip/parts';

/** Maximum number of read bursts in flight. */
export const TRAFFIC_TICKETS = 4;

/** Traffic of one client. */
export interface Traffic {
  /** Number of lines per burst. */
  readonly burstLines: number;
  readonly bursts: number;
  readonly isWrite: boolean;
  /** First line. The next field is the distance between bursts. */
  readonly firstLine: number;
  readonly strideLines: number;
}

/** Options of the module. */
export interface TrafficModuleOptions {
  readonly id: number;
  readonly schedule: Schedule;
  readonly port: ClientPort;
  readonly traffic: Traffic;
}

/** Module that generates traffic. */
export class TrafficModule extends Module {
  private readonly port: ClientPort;
  private readonly traffic: Traffic;
  private asked = 0;
  private done = 0;

  constructor({ id, schedule, port, traffic }: TrafficModuleOptions) {
    super({ id, name: `memory.traffic[${id}]`, schedule, inputs: [], outputs: [] });
    this.port = port;
    this.traffic = traffic;
  }

  /** Whether all requests are made and all reads are answered. */
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
