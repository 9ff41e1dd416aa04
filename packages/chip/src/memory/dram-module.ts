/**
 * Local memory: the channels, each of which begins at most one transfer per cycle. Lines read go to
 * the second-level cache.
 */

import type { i32 } from '../portable/number-types.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import type { Queue } from '../sim/queue.ts';
import { BUSY, NEVER, type Schedule, starved } from '../sim/schedule.ts';
import { WRITE } from './client-port.ts';
import { DramChannel } from './dram-channel.ts';
import { Interleave } from './interleave.ts';

/** Options of {@link DramModule}. */
export interface DramModuleOptions {
  readonly id: i32;
  readonly name: string;
  readonly schedule: Schedule;
  readonly spec: TimingSpec;
  /** Number of the second-level cache's module, which is clocked after this one. */
  readonly l2: i32;
  /** Queues of the lines read, by channel. */
  readonly fills: readonly Queue[];
}

/** Module of local memory. */
export class DramModule extends Module {
  readonly channels: readonly DramChannel[];
  private readonly map: Interleave;
  private readonly schedule: Schedule;
  private readonly l2: i32;
  private readonly latencyCycles: i32;
  private isAwaited: boolean = false;

  constructor(options: DramModuleOptions) {
    const fills = options.fills;
    super({
      id: options.id,
      name: options.name,
      schedule: options.schedule,
      inputs: [],
      outputs: fills,
    });
    this.map = new Interleave(options.spec.channelInterleaveBytes, options.spec.dramChannels);
    this.schedule = options.schedule;
    this.l2 = options.l2;
    this.latencyCycles = options.spec.memoryLatencyCycles;
    const channels: DramChannel[] = [];
    for (let channel = 0; channel < fills.length; channel++) {
      channels.push(new DramChannel(options.spec));
    }
    this.channels = channels;
  }

  reset(): void {
    this.isAwaited = false;
    for (let channel = 0; channel < this.channels.length; channel++)
      this.channels[channel]!.reset();
  }

  /**
   * Whether the channel of a line has room for a request. If it has not, the module wakes the
   * second-level cache when there is room.
   */
  hasRoom(line: i32): boolean {
    if (this.channels[this.map.partOf(line)]!.hasRoom()) return true;
    this.isAwaited = true;
    return false;
  }

  /** Whether hardly any request waits in the channel of a line. If not, as for `hasRoom`. */
  isSpare(line: i32): boolean {
    if (this.channels[this.map.partOf(line)]!.isSpare()) return true;
    this.isAwaited = true;
    return false;
  }

  /** Adds a request in `cycle`. There must be room. */
  add(request: i32, cycle: i32): void {
    this.channels[this.map.partOf(request >>> 1)]!.add(request);
    this.schedule.wake(this.id, cycle + 1);
  }

  /**
   * Returns the cycle from which no line is requested, on a bus or in flight. While there are
   * requests it is NEVER, and the module later wakes the second-level cache.
   */
  idleAt(): i32 {
    let idle = 0;
    for (let i = 0; i < this.channels.length; i++) {
      const channel = this.channels[i]!;
      if (channel.count > 0) {
        this.isAwaited = true;
        return NEVER;
      }
      if (channel.busFreeAt > idle) idle = channel.busFreeAt;
    }
    return idle === 0 ? 0 : idle + this.latencyCycles;
  }

  clock(cycle: i32): i32 {
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
    this.schedule.states[this.id] = isBusy ? BUSY : starved(WAIT.input);
    return wake;
  }
}
