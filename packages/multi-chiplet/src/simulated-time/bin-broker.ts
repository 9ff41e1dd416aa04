/**
 * The pull queue of bins as a part of chiplet 0. A chiplet that wants another bin sends a request.
 * The broker grants one bin per cycle, in the order in which requests arrive, and of those of one
 * cycle in the order of chiplet numbers. The grant travels back. Requests, grants and notes of bins
 * that have left are messages of the latency of the link that occupy no channel.
 *
 * A chiplet that has bins gets another one ahead only within its share: its unfinished work,
 * including that bin, is at most the N-th part of all unfinished work. Otherwise chiplets that read
 * their commands fast would hold several of the longest bins while others have none. While
 * chiplet 0 is left with a bin that it began within the visibility phase, it gets none: the next
 * bin is one of the longest, and would wait.
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
  readonly #rendererCount: number;
  /** First cycle in which the broker can grant another bin. */
  #freeAt = 0;
  /** Number of bins that chiplet 0 began within a visibility phase and has not finished. */
  #earlyBins = 0;
  /** Number of granted bins that have not left, and their predicted cycles, by chiplet. */
  readonly #binCounts: number[];
  readonly #pendingCycles: number[];
  #allPendingCycles = 0;

  /** @param rendererCount Number of chiplets that render bins. */
  constructor(latencyCycles: number, chipletCount: number, rendererCount: number) {
    this.#latencyCycles = latencyCycles;
    this.#rendererCount = rendererCount;
    this.#binCounts = new Array<number>(chipletCount).fill(0);
    this.#pendingCycles = new Array<number>(chipletCount).fill(0);
  }

  /** Returns the cycle in which the broker has a message that a chiplet sends in `cycle`. */
  receivesAt(chipletId: ChipletId, cycle: number): number {
    return cycle + this.#distanceTo(chipletId);
  }

  /**
   * Whether a bin is within the share of a chiplet, or the chiplet has none.
   *
   * @param predictedCycles Predicted cycles of the bin.
   * @param queuedCycles Predicted cycles of all bins in the queue, including that one.
   */
  mayGrant(chipletId: ChipletId, predictedCycles: number, queuedCycles: number): boolean {
    if (chipletId === 0 && this.#earlyBins > 0) return false;
    if (this.#binCounts[chipletId] === 0) return true;
    const own = this.#pendingCycles[chipletId]! + predictedCycles;
    return own * this.#rendererCount <= this.#allPendingCycles + queuedCycles;
  }

  /**
   * Grants a bin.
   *
   * @param cycle Cycle of the request's turn, not before that of an earlier call.
   * @returns Cycle in which the chiplet has the grant.
   */
  grant(chipletId: ChipletId, predictedCycles: number, cycle: number): number {
    this.#binCounts[chipletId]!++;
    this.#addPending(chipletId, predictedCycles);
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
  adopt(chipletId: ChipletId): void {
    this.#binCounts[chipletId]!++;
  }

  /** Takes note of the predicted cycles of a bin that was adopted. */
  addLoad(chipletId: ChipletId, predictedCycles: number): void {
    this.#addPending(chipletId, predictedCycles);
  }

  /** Takes note that a granted or adopted bin has left its chiplet. */
  end(chipletId: ChipletId, predictedCycles: number): void {
    this.#binCounts[chipletId]!--;
    this.#addPending(chipletId, -predictedCycles);
  }

  #addPending(chipletId: ChipletId, cycles: number): void {
    this.#pendingCycles[chipletId]! += cycles;
    this.#allPendingCycles += cycles;
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
