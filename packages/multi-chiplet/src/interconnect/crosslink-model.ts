/**
 * The crosslink in simulated time: channels that carry one transfer at a time, in the order of the
 * requests. A transfer of b bytes occupies each channel on its way for ⌈b / bytesPerCycle⌉ cycles.
 * Chiplets on the way forward it without storing it (cut-through), so each channel adds its latency
 * once.
 *
 *       bus    0 ═══╤═══╤═══╤═══        ring   0 ⇄ 1 ⇄ 2 ⇄ 3 ⇄ 0        full   0 ⇄ 1, 0 ⇄ 2, 0 ⇄ 3, …
 *                   1   2   3
 *
 * A transfer goes from a chiplet to all others, or to another one.
 */
import type { ChipletId, LinkTransferKind } from '@tessera/frame';
import { type InterconnectSpec, requireCrosslink, type Topology } from './interconnect-spec.ts';
import type { ChannelTraffic } from './link-account.ts';

/** Key of the channel of a bus, which has no sender and no receiver of its own. */
const BUS = -1;

/** Work that a transfer belongs to. */
export interface TransferLabel {
  readonly kind: LinkTransferKind;
  readonly frameIndex: number;
  /** Index of the pass; null for a transfer of the whole frame. */
  readonly passIndex: number | null;
  /** Index of the bin whose pixels are sent; null for other transfers. */
  readonly binIndex: number | null;
}

/** A transfer that was simulated. */
export interface Transfer extends TransferLabel {
  readonly from: ChipletId;
  /** Receiver; null for a broadcast to all others. */
  readonly to: ChipletId | null;
  readonly bytes: number;
  /** Cycle of the request. */
  readonly requestCycle: number;
  /** Cycle in which the first byte left; later than `requestCycle` if a channel was occupied. */
  readonly startCycle: number;
  /** Cycle in which the last byte arrived at the last receiver. */
  readonly endCycle: number;
  readonly channels: readonly ChannelUse[];
}

/** Interval during which a transfer occupies a channel. */
export interface ChannelUse {
  /** Name of the channel, such as `bus` or `2→1`. */
  readonly channel: string;
  readonly startCycle: number;
  readonly endCycle: number;
  /** Cycles that the bytes take, if other transfers share the interval; by default all. */
  readonly busyCycles?: number;
}

/** Simulates the transfers of one run. */
export class CrosslinkModel {
  readonly #spec: InterconnectSpec;
  readonly #topology: Topology;
  readonly #chipletCount: number;
  /** Channels in the order of their first use, by sender and receiver. */
  readonly #channels = new Map<number, ChannelState>();
  /** Ways by sender and receiver, computed once each. */
  readonly #waysByPair: Hop[][] = [];
  /** Ways of broadcasts by sender, computed once each. */
  readonly #waysByBroadcaster: Hop[][][] = [];
  readonly transfers: Transfer[] = [];

  /** @throws {RenderError} REQUEST_INVALID if only the packet network has the topology. */
  constructor(spec: InterconnectSpec, chipletCount: number) {
    this.#topology = requireCrosslink(spec);
    this.#spec = spec;
    this.#chipletCount = chipletCount;
  }

  /** Traffic of the channels that were used, in the order of their first use. */
  get channels(): ChannelTraffic[] {
    return Array.from(this.#channels.values(), ({ freeCycle: _, ...traffic }) => traffic);
  }

  /**
   * Sends from a chiplet to all others.
   *
   * @param cycle Cycle of the request, not before that of an earlier call.
   * @returns Cycle in which the last byte arrives, by chiplet; for the sender that of the request.
   */
  broadcast(label: TransferLabel, bytes: number, cycle: number, from: ChipletId = 0): number[] {
    const count = this.#chipletCount;
    const arrivals = new Array<number>(count).fill(cycle);
    if (count === 1 || bytes === 0) return arrivals;
    this.#waysByBroadcaster[from] ??= this.#broadcastWays(from);
    const ways = this.#waysByBroadcaster[from];
    const starts = ways.map((way) => this.#earliestStart(way, cycle));
    const uses = ways.flatMap((way, i) => this.#take(way, starts[i]!, bytes));
    for (const [i, way] of ways.entries()) {
      for (const { receivers, hops } of way) {
        for (const chipletId of receivers)
          arrivals[chipletId] = this.#arrival(starts[i]!, hops, bytes);
      }
    }
    const endCycle = Math.max(...arrivals);
    const startCycle = Math.min(...starts);
    const ends = { from, to: null };
    const times = { requestCycle: cycle, startCycle, endCycle };
    this.transfers.push({ ...label, ...ends, bytes, ...times, channels: uses });
    return arrivals;
  }

  /**
   * Sends from a chiplet to another one.
   *
   * @returns Cycle in which the last byte arrives.
   */
  send(label: TransferLabel, from: ChipletId, to: ChipletId, bytes: number, cycle: number): number {
    if (from === to || bytes === 0) return cycle;
    const pair = from * this.#chipletCount + to;
    this.#waysByPair[pair] ??= this.#wayBetween(from, to);
    const way = this.#waysByPair[pair];
    const startCycle = this.#earliestStart(way, cycle);
    const channels = this.#take(way, startCycle, bytes);
    const endCycle = this.#arrival(startCycle, way.length, bytes);
    const times = { requestCycle: cycle, startCycle, endCycle };
    this.transfers.push({ ...label, from, to, bytes, ...times, channels });
    return endCycle;
  }

  /** Returns the parallel ways of a broadcast, each a chain of channels. */
  #broadcastWays(from: ChipletId): Hop[][] {
    const count = this.#chipletCount;
    const others = Array.from({ length: count - 1 }, (_, i) => (from + i + 1) % count);
    switch (this.#topology) {
      case 'bus':
        return [[this.#hop(BUS, others, 1)]];
      case 'full':
        return others.map((id) => [this.#hopBetween(from, id, 1)]);
      case 'ring': {
        const forward = Math.ceil((count - 1) / 2);
        const ways = [
          others
            .slice(0, forward)
            .map((id, i) => this.#hopBetween((id - 1 + count) % count, id, i + 1)),
          others
            .slice(forward)
            .reverse()
            .map((id, i) => this.#hopBetween((id + 1) % count, id, i + 1)),
        ];
        return ways.filter(({ length }) => length > 0);
      }
    }
  }

  /** Returns the shorter way; on a ring of equal ways that to descending numbers. */
  #wayBetween(from: ChipletId, to: ChipletId): Hop[] {
    const count = this.#chipletCount;
    if (this.#topology === 'bus') return [this.#hop(BUS, [to], 1)];
    if (this.#topology === 'full') return [this.#hopBetween(from, to, 1)];
    const down = (from - to + count) % count;
    const isDown = from === 0 ? count - down > down : down <= count - down;
    const step = isDown ? count - 1 : 1;
    return Array.from({ length: isDown ? down : count - down }, (_, i) =>
      this.#hopBetween((from + i * step) % count, (from + (i + 1) * step) % count, i + 1),
    );
  }

  #hopBetween(from: ChipletId, to: ChipletId, hops: number): Hop {
    return this.#hop(from * this.#chipletCount + to, [to], hops);
  }

  #hop(pair: number, receivers: readonly ChipletId[], hops: number): Hop {
    let state = this.#channels.get(pair);
    if (state === undefined) {
      const count = this.#chipletCount;
      const channel = pair === BUS ? 'bus' : `${Math.floor(pair / count)}→${pair % count}`;
      state = { channel, freeCycle: 0, packets: 0, bytes: 0, busyCycles: 0 };
      this.#channels.set(pair, state);
    }
    return { state, receivers, hops };
  }

  /**
   * Returns the earliest cycle in which the head can leave. It reaches the k-th channel k − 1
   * latencies later.
   */
  #earliestStart(way: readonly Hop[], cycle: number): number {
    const { latencyCycles } = this.#spec;
    let start = cycle;
    for (const { state, hops } of way) {
      start = Math.max(start, state.freeCycle - (hops - 1) * latencyCycles);
    }
    return start;
  }

  #take(way: readonly Hop[], start: number, bytes: number): ChannelUse[] {
    const { latencyCycles } = this.#spec;
    const durationCycles = this.#durationCycles(bytes);
    return way.map(({ state, hops }) => {
      const startCycle = start + (hops - 1) * latencyCycles;
      const endCycle = startCycle + durationCycles;
      state.freeCycle = endCycle;
      state.packets++;
      state.bytes += bytes;
      state.busyCycles += durationCycles;
      return { channel: state.channel, startCycle, endCycle };
    });
  }

  #arrival(start: number, hops: number, bytes: number): number {
    return start + hops * this.#spec.latencyCycles + this.#durationCycles(bytes);
  }

  #durationCycles(bytes: number): number {
    return Math.ceil(bytes / this.#spec.bytesPerCycle);
  }
}

/** Traffic of a channel so far. */
interface ChannelState {
  readonly channel: string;
  /** Cycle in which the last transfer has left it. */
  freeCycle: number;
  packets: number;
  bytes: number;
  busyCycles: number;
}

/** One channel of a way. */
interface Hop {
  readonly state: ChannelState;
  /** Chiplets that receive what leaves the channel. */
  readonly receivers: readonly ChipletId[];
  /** Number of channels from the sender, this one included. */
  readonly hops: number;
}
