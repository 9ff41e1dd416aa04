/**
 * Link of a simulation: transfers from a chiplet to all others or to another one. Two models
 * implement it. With isolated bins, the crosslink knows the arrivals when a transfer is requested.
 * With machines, the packet network finds them while it is simulated (network-link.ts).
 */
import type { ChipletId } from '@tessera/frame';
import {
  CrosslinkModel,
  type Transfer,
  type TransferLabel,
} from '../interconnect/crosslink-model.ts';
import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import type { ChannelTraffic } from '../interconnect/link-account.ts';

/**
 * Receives the cycle in which the last byte of a transfer arrives. It is called in that cycle or
 * before it, once for each receiver.
 */
export type ArrivalListener = (chipletId: ChipletId, cycle: number) => void;

/** Sender and receiver of a transfer. */
export interface TransferEnds {
  readonly from: ChipletId;
  readonly to: ChipletId;
}

/** Carries the transfers of a simulation. */
export interface FrameLink {
  /** Transfers that are complete. */
  readonly transfers: readonly Transfer[];
  /** Traffic of the channels so far, without those that were not used. */
  readonly channels: readonly ChannelTraffic[];
  /** Cycle before which no arrival becomes known, unless a transfer is requested. */
  readonly nextCycle: number;
  /**
   * Sends from a chiplet to all others. For the sender the cycle is that of the request.
   *
   * @param from Sender; chiplet 0 by default.
   */
  broadcast(
    label: TransferLabel,
    bytes: number,
    cycle: number,
    onArrival: ArrivalListener,
    from?: ChipletId,
  ): void;
  /** Sends from a chiplet to another one. */
  send(
    label: TransferLabel,
    ends: TransferEnds,
    bytes: number,
    cycle: number,
    onArrival: ArrivalListener,
  ): void;
  /** Simulates {@link nextCycle} and adds the events of arrivals. */
  advance(): void;
}

/** Crosslink whose arrivals are known from the start. */
export class CrosslinkTransfers implements FrameLink {
  readonly #model: CrosslinkModel;
  readonly nextCycle = Number.POSITIVE_INFINITY;

  constructor(spec: InterconnectSpec, chipletCount: number) {
    this.#model = new CrosslinkModel(spec, chipletCount);
  }

  get transfers(): readonly Transfer[] {
    return this.#model.transfers;
  }

  get channels(): readonly ChannelTraffic[] {
    return this.#model.channels;
  }

  broadcast(
    label: TransferLabel,
    bytes: number,
    cycle: number,
    onArrival: ArrivalListener,
    from: ChipletId = 0,
  ): void {
    const arrivals = this.#model.broadcast(label, bytes, cycle, from);
    for (const [chipletId, arrival] of arrivals.entries()) onArrival(chipletId, arrival);
  }

  send(
    label: TransferLabel,
    { from, to }: TransferEnds,
    bytes: number,
    cycle: number,
    onArrival: ArrivalListener,
  ): void {
    onArrival(to, this.#model.send(label, from, to, bytes, cycle));
  }

  advance(): void {
    throw new Error('crosslink: all arrivals are known');
  }
}
