/**
 * Transfers over the packet network. A transfer is one message, which enters its source queue in
 * the cycle after the request. So all arrivals of a cycle are known before its decisions. If
 * chiplets share their memories, their messages travel through the same network
 * (message-exchange.ts).
 */
import { DELIVERY, DELIVERY_WORDS } from '@tessera/chip';
import type { ChipletId, LinkTransferKind } from '@tessera/frame';
import type { Transfer, TransferLabel } from '../interconnect/crosslink-model.ts';
import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import type { ChannelTraffic } from '../interconnect/link-account.ts';
import { ChipletNetwork } from '../network/chiplet-network.ts';
import { type NetworkSpec, networkOf } from '../network/network-spec.ts';
import type { EventQueue } from './event-queue.ts';
import type { ArrivalListener, FrameLink, TransferEnds } from './frame-link.ts';

/** Transfers that overtake others at their sender, because chiplets wait for them to start. */
const URGENT_KINDS: readonly LinkTransferKind[] = ['commands', 'streams'];

/** Priority of messages between memories, which chiplets wait for. */
const MESSAGE_PRIORITY = 1;
/** Tags of transfers descend from this one. Those of messages are not negative. */
const FIRST_TRANSFER_TAG = -1;

/** Transfer in progress. */
interface Sending {
  readonly label: TransferLabel;
  readonly from: ChipletId;
  readonly to: ChipletId | null;
  readonly bytes: number;
  readonly requestCycle: number;
  readonly onArrival: ArrivalListener;
  missingCount: number;
}

/** Options of the transfers. */
export interface NetworkTransfersOptions {
  readonly interconnect: InterconnectSpec;
  readonly chipletCount: number;
  readonly events: EventQueue;
  /**
   * Whether machines exchange messages over the network, and advance it with
   * {@link NetworkTransfers.advanceTo}.
   */
  readonly carriesMessages?: boolean | undefined;
}

/** Link whose transfers are messages of a packet network. */
export class NetworkTransfers implements FrameLink {
  readonly transfers: Transfer[] = [];
  readonly spec: NetworkSpec;
  readonly #network: ChipletNetwork;
  readonly #chipletCount: number;
  readonly #events: EventQueue;
  readonly #carriesMessages: boolean;
  readonly #sendings: Sending[] = [];
  /** Number of transfers that have not arrived at all receivers. */
  #flyingCount = 0;

  constructor(options: NetworkTransfersOptions) {
    const { interconnect, chipletCount, events, carriesMessages = false } = options;
    this.#chipletCount = chipletCount;
    this.#events = events;
    this.#carriesMessages = carriesMessages;
    this.spec = networkOf(interconnect);
    this.#network = new ChipletNetwork({ chipletCount, spec: this.spec });
  }

  get channels(): readonly ChannelTraffic[] {
    return this.#network.traffic.listLinks().map(({ name, packets, sentBytes, busyCycles }) => ({
      ...{ channel: name, packets, bytes: sentBytes, busyCycles },
    }));
  }

  get nextCycle(): number {
    return this.#carriesMessages ? Number.POSITIVE_INFINITY : this.nextArrival;
  }

  /** Cycle before which no transfer arrives, unless it is requested later. */
  get nextArrival(): number {
    return this.#flyingCount === 0 ? Number.POSITIVE_INFINITY : this.#network.nextRecordedCycle;
  }

  /** Least number of cycles from the request of a transfer, or a message, to its last byte. */
  get lookaheadCycles(): number {
    return 1 + this.#network.lookaheadCycles;
  }

  /** Whether nothing is on its way. */
  get isEmpty(): boolean {
    return this.#network.nextCycle === Number.POSITIVE_INFINITY;
  }

  broadcast(
    label: TransferLabel,
    bytes: number,
    cycle: number,
    onArrival: ArrivalListener,
    from: ChipletId = 0,
  ): void {
    onArrival(from, cycle);
    const others = this.#chipletCount - 1;
    if (bytes === 0) {
      for (let id = 0; id <= others; id++) if (id !== from) onArrival(id, cycle);
    } else if (others > 0) {
      const ends = { from, to: null, missingCount: others };
      const packet = this.#packetOf({ label, ...ends, bytes, requestCycle: cycle, onArrival });
      this.#network.injectToAll(packet, cycle + 1, true);
    }
  }

  send(
    label: TransferLabel,
    { from, to }: TransferEnds,
    bytes: number,
    cycle: number,
    onArrival: ArrivalListener,
  ): void {
    if (from === to || bytes === 0) {
      onArrival(to, cycle);
      return;
    }
    const ends = { from, to, missingCount: 1 };
    const packet = this.#packetOf({ label, ...ends, bytes, requestCycle: cycle, onArrival });
    this.#network.inject({ ...packet, to }, cycle + 1, true);
  }

  #packetOf(sending: Sending) {
    const tag = FIRST_TRANSFER_TAG - (this.#sendings.push(sending) - 1);
    this.#flyingCount++;
    const { from, bytes, label } = sending;
    const priority = URGENT_KINDS.includes(label.kind) ? 1 : 0;
    return { from, channel: 'request' as const, bytes, tag, priority };
  }

  advance(): void {
    this.advanceTo(this.nextCycle + 1);
  }

  /**
   * Sends a message between memories.
   *
   * @param channel Index in PACKET_CHANNELS.
   * @param bytes Size, header included.
   * @param kind Number that its delivery has as tag, from 0 on.
   */
  injectMessage(
    from: ChipletId,
    to: ChipletId,
    channel: number,
    bytes: number,
    cycle: number,
    kind: number,
    line: number,
    home: number,
  ): void {
    // The header of a message is that of its packet.
    const data = Math.max(0, bytes - this.spec.headerBytes);
    this.#network.injectLine(from, to, channel, MESSAGE_PRIORITY, data, cycle, kind, line, home);
  }

  /**
   * Simulates all cycles before `untilCycle`, and adds the events of transfers that arrive.
   *
   * @returns Deliveries in the order of their cycles, in words of DELIVERY. Those of transfers have
   *   negative tags.
   */
  advanceTo(untilCycle: number): Float64Array {
    const words = this.#network.advanceWords(untilCycle);
    if (this.#flyingCount === 0) return words;
    for (let at = 0; at < words.length; at += DELIVERY_WORDS) {
      if (words[at + DELIVERY.tag]! < 0) this.#arrive(words, at);
    }
    return words;
  }

  #arrive(words: Float64Array, at: number): void {
    const receiver = words[at + DELIVERY.to]!;
    const cycle = words[at + DELIVERY.cycle]!;
    const sending = this.#sendings[FIRST_TRANSFER_TAG - words[at + DELIVERY.tag]!]!;
    this.#events.add(cycle, () => sending.onArrival(receiver, cycle));
    sending.missingCount--;
    if (sending.missingCount > 0) return;
    this.#flyingCount--;
    const { label, from, to, bytes, requestCycle } = sending;
    const channels = this.#network.usesOf(words[at + DELIVERY.message]!, bytes);
    const startCycle = Math.min(...channels.map((use) => use.startCycle));
    const times = { requestCycle, startCycle, endCycle: cycle };
    this.transfers.push({ ...label, from, to, bytes, ...times, channels });
  }
}
