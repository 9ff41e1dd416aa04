/**
 * The pull queue of bins as a part of chiplet 0. A chiplet that wants another bin sends a request.
 * The broker grants one bin per cycle, in the order in which requests arrive, and of those of one
 * cycle in the order of chiplet numbers, chiplet 0 last. As chiplet 0 also stores the pixels of the
 * others, its bins take longer, and the first bin granted is the longest. The grant travels back.
 * Requests, grants and notes of bins that have left are messages of the latency of the link that
 * occupy no channel.
 *
 * A chiplet that has bins gets another one ahead only if no other chiplet that has bins is expected
 * to finish its own earlier. Otherwise chiplets that read their commands fast would hold several of
 * the longest bins while others have none. The broker expects what is left of the predicted cycles
 * of a chiplet's bins, at the mean ratio of predicted to actual cycles of all bins that have left.
 * While chiplet 0 is left with a bin that it began within the visibility phase, it gets none: the
 * next bin is one of the longest, and would wait.
 */
import type { ChipletId } from '@tessera/frame';

/** Bin on its way to a chiplet, which may wait for its data. */
export interface GrantedBin {
  /** Cycle in which the chiplet has the grant. */
  readonly grantedCycle: number;
  /** Returns the cycle from which the chiplet has all data; infinite if it is not known. */
  readonly dataCycle: () => number;
  readonly begin: () => void;
}

/** Times of requests and grants, and the work that was granted. */
export class BinBroker {
  /** Bins that were granted and have not started, in the order of the grants. */
  #granted: GrantedBin[] = [];
  readonly #latencyCycles: number;
  /** First cycle in which the broker can grant another bin. */
  #freeAt = 0;
  /** Number of bins that chiplet 0 began within a visibility phase and has not finished. */
  #earlyBins = 0;
  /** Number of granted bins that have not left, and their predicted cycles, by chiplet. */
  readonly #binCounts: number[];
  readonly #pendingCycles: number[];
  /** Cycle in which the oldest of a chiplet's bins had it to itself, by chiplet. */
  readonly #ownSince: number[];
  /** Predicted and actual cycles of all bins that have left. */
  #predictedCycles = 0;
  #actualCycles = 0;

  constructor(latencyCycles: number, chipletCount: number) {
    this.#latencyCycles = latencyCycles;
    this.#binCounts = new Array<number>(chipletCount).fill(0);
    this.#pendingCycles = new Array<number>(chipletCount).fill(0);
    this.#ownSince = new Array<number>(chipletCount).fill(0);
  }

  /** Returns the cycle in which the broker has a message that a chiplet sends in `cycle`. */
  receivesAt(chipletId: ChipletId, cycle: number): number {
    return cycle + this.#distanceTo(chipletId);
  }

  /** Whether a chiplet may get a bin. */
  mayGrant(chipletId: ChipletId, cycle: number): boolean {
    if (chipletId === 0 && this.#earlyBins > 0) return false;
    if (this.#binCounts[chipletId] === 0) return true;
    const own = this.#remainingOf(chipletId, cycle);
    return this.#binCounts.every((bins, id) => bins === 0 || this.#remainingOf(id, cycle) >= own);
  }

  /**
   * Grants a bin.
   *
   * @param cycle Cycle of the request's turn, not before that of an earlier call.
   * @returns Cycle in which the chiplet has the grant.
   */
  grant(chipletId: ChipletId, predictedCycles: number, cycle: number): number {
    this.adopt(chipletId, cycle);
    this.addLoad(chipletId, predictedCycles);
    const granted = Math.max(cycle, this.#freeAt);
    this.#freeAt = granted + 1;
    return granted + this.#distanceTo(chipletId);
  }

  /** Takes note that chiplet 0 is left with a bin that it began within a visibility phase. */
  beginEarly(): void {
    this.#earlyBins++;
  }

  /** Takes note that such a bin has left. */
  endEarly(): void {
    this.#earlyBins--;
  }

  /** Takes note that a chiplet has started a bin of unknown load that was not granted. */
  adopt(chipletId: ChipletId, cycle: number): void {
    if (this.#binCounts[chipletId] === 0) this.#ownSince[chipletId] = cycle;
    this.#binCounts[chipletId]!++;
  }

  /** Takes note of the predicted cycles of a bin that was adopted. */
  addLoad(chipletId: ChipletId, predictedCycles: number): void {
    this.#pendingCycles[chipletId]! += predictedCycles;
  }

  /** Takes note that a granted or adopted bin has left its chiplet. */
  end(chipletId: ChipletId, predictedCycles: number, cycle: number): void {
    this.#binCounts[chipletId]!--;
    this.#pendingCycles[chipletId]! -= predictedCycles;
    this.#predictedCycles += predictedCycles;
    this.#actualCycles += cycle - this.#ownSince[chipletId]!;
    this.#ownSince[chipletId] = cycle;
  }

  /** Returns the predicted cycles that are left of the bins of a chiplet. */
  #remainingOf(chipletId: ChipletId, cycle: number): number {
    const rate = this.#actualCycles === 0 ? 1 : this.#predictedCycles / this.#actualCycles;
    const done = rate * (cycle - this.#ownSince[chipletId]!);
    return Math.max(0, this.#pendingCycles[chipletId]! - done);
  }

  /** Adds a bin that was granted. */
  add(bin: GrantedBin): void {
    this.#granted.push(bin);
  }

  /** Starts the bins whose grants and data have arrived. */
  beginDue(cycle: number): void {
    const isDue = ({ grantedCycle, dataCycle }: GrantedBin) =>
      Math.max(grantedCycle, dataCycle()) <= cycle;
    const due = this.#granted.filter(isDue);
    if (due.length === 0) return;
    this.#granted = this.#granted.filter((bin) => !isDue(bin));
    for (const { begin } of due) begin();
  }

  #distanceTo(chipletId: ChipletId): number {
    return chipletId === 0 ? 0 : this.#latencyCycles;
  }
}
