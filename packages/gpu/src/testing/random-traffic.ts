/** Client of memory that reads and writes random lines, with a seed. */
import { BUSY, type ClientPort, Module, NEVER, type Schedule, STALLED } from '@tessera/chip/parts';

/** Options of the module. */
export interface RandomTrafficOptions {
  readonly id: number;
  readonly schedule: Schedule;
  readonly port: ClientPort;
  /** Lines that it accesses, from 0 on. */
  readonly lineCount: number;
  readonly requestCount: number;
  readonly seed: number;
}

/** Module that generates traffic. */
export class RandomTraffic extends Module {
  private readonly port: ClientPort;
  private readonly lineCount: number;
  private requestCount: number;
  private state: number;
  private made = 0;
  private asked = 0;
  private answered = 0;

  constructor({ id, schedule, port, lineCount, requestCount, seed }: RandomTrafficOptions) {
    super({ id, name: `memory.traffic[${id}]`, schedule, inputs: [], outputs: [] });
    this.port = port;
    this.lineCount = lineCount;
    this.requestCount = requestCount;
    this.state = Math.imul(seed + 1, 0x9e37_79b1);
  }

  /** Whether all requests are made and all reads are answered. */
  get isDone(): boolean {
    return this.made === this.requestCount && this.answered === this.asked && this.port.isEmpty;
  }

  reset(): void {}

  /** Makes no more requests. */
  stop(): void {
    this.requestCount = this.made;
  }

  clock(cycle: number): number {
    const { port } = this;
    while (this.answered < this.asked && port.isDone(this.answered, cycle)) {
      port.close(this.answered++);
    }
    this.states[this.id] = BUSY;
    if (this.made < this.requestCount) {
      if (port.canOpen() && port.hasRoom(1, cycle)) {
        this.request(cycle);
        return cycle + 1;
      }
      this.states[this.id] = STALLED;
    }
    return this.answered < this.asked ? Math.max(cycle + 1, port.doneCycle(this.answered)) : NEVER;
  }

  /** Makes a request: one in four is a write. Most lines are near others. */
  private request(cycle: number): void {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) | 0;
    const bits = this.state >>> 8;
    const line = bits % (bits & 4 ? this.lineCount : Math.ceil(this.lineCount / 8));
    this.made++;
    if ((bits & 3) === 0) this.port.write(line, cycle);
    else {
      this.port.read(this.port.open(cycle), line, cycle);
      this.asked++;
    }
    this.port.endBurst(cycle);
  }
}
