/**
 * Arrivals of the segments of a pass whose visibility is streamed. The order of the segments is
 * that of submission: those of the first part, then those of the next one. A bin reads its entries
 * in this order, so what it can read on a chiplet ends at the first segment that is missing there.
 */
import type { ChipletId, CoarseBinId } from '@tessera/frame';
import type { SegmentMeasurement } from './frame-measurement.ts';
import { NEVER } from './simulation-state.ts';

/** Segments of a pass, and which of them each chiplet has. */
export class SegmentArrivals {
  /** Number of segments. */
  readonly count: number;
  /** Number of the first segment of each part. */
  readonly #firsts: readonly number[];
  /** Cycle from which a chiplet can use each segment, which needs those before it. */
  readonly #usableAt: number[][];
  readonly #arrivedAt: number[][];
  /** Entries of each bin in the segments up to one, from the first with an entry on. */
  readonly #totals = new Map<CoarseBinId, { segment: number; total: number }[]>();
  readonly #listeners: ((cycle: number) => void)[][];

  /** @param parts Segments of each part of the phase. */
  constructor(parts: readonly (readonly SegmentMeasurement[])[], chipletCount: number) {
    const segments = parts.flat();
    this.count = segments.length;
    let first = 0;
    this.#firsts = parts.map(({ length }) => {
      first += length;
      return first - length;
    });
    this.#usableAt = Array.from({ length: chipletCount }, () => []);
    this.#arrivedAt = Array.from({ length: chipletCount }, () => segments.map(() => NEVER));
    this.#listeners = Array.from({ length: chipletCount }, () => []);
    for (const [segment, { binEntries }] of segments.entries()) {
      for (let at = 0; at < binEntries.length; at += 2) {
        const totals = this.#totals.get(binEntries[at]!) ?? [];
        this.#totals.set(binEntries[at]!, totals);
        totals.push({ segment, total: (totals.at(-1)?.total ?? 0) + binEntries[at + 1]! });
      }
    }
  }

  /** Notes that a segment of a part has arrived in the current cycle. */
  arrive(part: number, segment: number, chipletId: ChipletId, cycle: number): void {
    const usable = this.#usableAt[chipletId]!;
    const before = usable.length;
    const arrived = this.#arrivedAt[chipletId]!;
    arrived[this.#firsts[part]! + segment] = cycle;
    while (usable.length < this.count && arrived[usable.length]! < NEVER) usable.push(cycle);
    if (usable.length === before) return;
    for (const listener of this.#listeners[chipletId]!) listener(cycle);
    if (this.isComplete(chipletId)) this.#listeners[chipletId]!.length = 0;
  }

  /** Whether a chiplet can use the first segment. */
  hasFirst(chipletId: ChipletId): boolean {
    return this.#usableAt[chipletId]!.length > 0;
  }

  /** Whether a chiplet has all segments. */
  isComplete(chipletId: ChipletId): boolean {
    return this.#usableAt[chipletId]!.length === this.count;
  }

  /** Returns the number of entries of a bin that a chiplet can read. */
  readableOf(binId: CoarseBinId, chipletId: ChipletId): number {
    const usable = this.#usableAt[chipletId]!.length;
    return this.#totals.get(binId)?.findLast(({ segment }) => segment < usable)?.total ?? 0;
  }

  /** Calls a function in each cycle in which a chiplet can use more, until it has all. */
  follow(chipletId: ChipletId, listener: (cycle: number) => void): void {
    this.#listeners[chipletId]!.push(listener);
  }

  /**
   * Estimates when a bin ends that starts in a cycle and works on what has arrived: not before the
   * last segment has arrived, and not before a segment has arrived and the work from its entries on
   * is done. The work of a bin is in proportion to its entries. The chiplet must have all segments.
   *
   * @param cycles Cycles of the bin if it waits for nothing.
   */
  estimateEnd(
    binId: CoarseBinId,
    chipletId: ChipletId,
    startCycle: number,
    cycles: number,
  ): number {
    const usable = this.#usableAt[chipletId]!;
    const totals = this.#totals.get(binId) ?? [];
    const all = totals.at(-1)?.total ?? 0;
    let end = Math.max(startCycle + cycles, usable.at(-1)!);
    let before = 0;
    for (const { segment, total } of totals) {
      end = Math.max(end, usable[segment]! + Math.ceil((cycles * (all - before)) / all));
      before = total;
    }
    return end;
  }
}
