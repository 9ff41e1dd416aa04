/** Local memory: the channels, each of which begins a transfer per cycle at most. Lines that were read go to the second-level cache. */
import type { ChipletSpec } from '../chiplet-spec.ts';
import type { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, STARVED } from '../sim/schedule.ts';
import { WRITE } from './client-port.ts';
import { channelOf, DramChannel } from './dram-channel.ts';

export class DramModule implements Module {
  readonly name = 'memory.dram';
  readonly id: number;
  readonly inputs: readonly Queue[] = [];
  readonly outputs: readonly Queue[];
  readonly channels: readonly DramChannel[];
  private readonly schedule: Schedule;
  private readonly l2: number;
  private readonly latencyCycles: number;
  private isAwaited = false;

  /** @param l2 Number of the module that asks; clocked after this one. @param fills By channel: lines read. */
  constructor(
    id: number,
    schedule: Schedule,
    spec: ChipletSpec,
    l2: number,
    fills: readonly Queue[],
  ) {
    this.id = id;
    this.schedule = schedule;
    this.l2 = l2;
    this.outputs = fills;
    this.latencyCycles = spec.memoryLatencyCycles;
    this.channels = fills.map(() => new DramChannel(spec));
  }

  reset(): void {
    this.isAwaited = false;
    for (const channel of this.channels) channel.reset();
  }

  /** Whether the channel of a line takes a request. If not, the second-level cache is woken once it does. */
  hasRoom(line: number): boolean {
    if (this.channels[channelOf(line, this.channels.length)]!.hasRoom()) return true;
    this.isAwaited = true;
    return false;
  }

  /** Takes a request in `cycle`: line × 2, and 1 for a write. There must be room. */
  add(request: number, cycle: number): void {
    this.channels[channelOf(request >>> 1, this.channels.length)]!.add(request);
    this.schedule.wake(this.id, cycle + 1);
  }

  /**
   * From when on nothing is asked for, on a bus, or on its way back; NEVER while there are requests, and then the
   * second-level cache is woken when there may be none.
   */
  idleAt(): number {
    let idle = 0;
    for (let i = 0; i < this.channels.length; i++) {
      const { count, busFreeAt } = this.channels[i]!;
      if (count > 0) {
        this.isAwaited = true;
        return NEVER;
      }
      if (busFreeAt > idle) idle = busFreeAt;
    }
    return idle === 0 ? 0 : idle + this.latencyCycles;
  }

  clock(cycle: number): number {
    let wake = NEVER;
    let isBusy = false;
    let hasMoved = false;
    for (let i = 0; i < this.channels.length; i++) {
      const channel = this.channels[i]!;
      if (channel.count === 0) {
        if (channel.busFreeAt <= cycle) continue;
      } else if (channel.nextPick() <= cycle) {
        const request = channel.pick(cycle);
        hasMoved = true;
        if ((request & WRITE) === 0) {
          this.outputs[i]!.push(request >>> 1, cycle, channel.busFreeAt + this.latencyCycles);
        }
      }
      if (channel.count > 0) {
        isBusy = true;
        const next = channel.nextPick();
        if (next < wake) wake = next > cycle ? next : cycle + 1;
      }
      if (channel.busFreeAt > cycle) {
        isBusy = true;
        if (channel.busFreeAt < wake) wake = channel.busFreeAt;
      }
    }
    if (hasMoved && this.isAwaited) {
      this.isAwaited = false;
      this.schedule.wake(this.l2, cycle);
    }
    this.schedule.states[this.id] = isBusy ? BUSY : STARVED;
    return wake;
  }
}
