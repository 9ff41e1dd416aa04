/**
 * The pull queue of bins as a part of chiplet 0. A chiplet that wants another bin sends a request.
 * The broker grants one bin per cycle, in the order in which requests arrive, and of those of one
 * cycle in the order of chiplet numbers. The grant travels back. Requests and grants are messages
 * of the latency of the link that occupy no channel.
 */
import type { ChipletId } from '@tessera/frame';

/** Times of requests and grants. */
export class BinBroker {
  readonly #latencyCycles: number;
  /** First cycle in which the broker can grant another bin. */
  #freeAt = 0;

  constructor(latencyCycles: number) {
    this.#latencyCycles = latencyCycles;
  }

  /** Returns the cycle in which the broker has a request that a chiplet sends in `cycle`. */
  receivesAt(chipletId: ChipletId, cycle: number): number {
    return cycle + this.#distanceTo(chipletId);
  }

  /**
   * Grants a bin.
   *
   * @param cycle Cycle of the request's turn, not before that of an earlier call.
   * @returns Cycle in which the chiplet has the grant.
   */
  grant(chipletId: ChipletId, cycle: number): number {
    const granted = Math.max(cycle, this.#freeAt);
    this.#freeAt = granted + 1;
    return granted + this.#distanceTo(chipletId);
  }

  #distanceTo(chipletId: ChipletId): number {
    return chipletId === 0 ? 0 : this.#latencyCycles;
  }
}
