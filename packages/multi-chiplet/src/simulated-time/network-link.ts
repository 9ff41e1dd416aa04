/**
 * Transfers over the packet network. A transfer is one message, which enters its source queue in
 * the cycle after the request. So all arrivals of a cycle are known before its decisions.
 */
import type { ChipletId, LinkTransferKind } from '@tessera/frame';
import type { Transfer, TransferLabel } from '../interconnect/crosslink-model.ts';
import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import { ChipletNetwork } from '../network/chiplet-network.ts';
import { networkOf } from '../network/network-spec.ts';
import type { Delivery } from '../network/packet-network.ts';
import type { EventQueue } from './event-queue.ts';
import type { ArrivalListener, FrameLink, TransferEnds } from './frame-link.ts';

/** Transfers that overtake others at their sender, because chiplets wait for them to start. */
const URGENT_KINDS: readonly LinkTransferKind[] = ['commands', 'streams'];

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

/** Link whose transfers are messages of a packet network. */
export class NetworkTransfers implements FrameLink {
  readonly transfers: Transfer[] = [];
  readonly #network: ChipletNetwork;
  readonly #chipletCount: number;
  readonly #events: EventQueue;
  readonly #sendings: Sending[] = [];

  constructor(spec: InterconnectSpec, chipletCount: number, events: EventQueue) {
    this.#chipletCount = chipletCount;
    this.#events = events;
    const network = networkOf(spec);
    this.#network = new ChipletNetwork({ chipletCount, spec: network, recordsUses: true });
  }

  get nextCycle(): number {
    return this.#network.nextRecordedCycle;
  }

  broadcast(label: TransferLabel, bytes: number, cycle: number, onArrival: ArrivalListener): void {
    onArrival(0, cycle);
    const others = this.#chipletCount - 1;
    if (bytes === 0) {
      for (let id = 1; id <= others; id++) onArrival(id, cycle);
    } else if (others > 0) {
      const ends = { from: 0, to: null, missingCount: others };
      const packet = this.#packetOf({ label, ...ends, bytes, requestCycle: cycle, onArrival });
      this.#network.injectToAll(packet, cycle + 1);
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
    this.#network.inject({ ...packet, to }, cycle + 1);
  }

  #packetOf(sending: Sending) {
    const tag = this.#sendings.push(sending) - 1;
    const { from, bytes, label } = sending;
    const priority = URGENT_KINDS.includes(label.kind) ? 1 : 0;
    return { from, channel: 'request' as const, bytes, tag, priority };
  }

  advance(): void {
    for (const delivery of this.#network.advance(this.nextCycle + 1)) this.#arrive(delivery);
  }

  #arrive(delivery: Delivery): void {
    const { packet, cycle } = delivery;
    const sending = this.#sendings[packet.tag]!;
    this.#events.add(cycle, () => sending.onArrival(packet.to, cycle));
    sending.missingCount--;
    if (sending.missingCount > 0) return;
    const { label, from, to, bytes, requestCycle } = sending;
    const channels = delivery.listUses!();
    const startCycle = Math.min(...channels.map((use) => use.startCycle));
    const times = { requestCycle, startCycle, endCycle: cycle };
    this.transfers.push({ ...label, from, to, bytes, ...times, channels });
  }
}
