/**
 * Occlusion queries of a pass in one coarse bin. The output merger counts the fragments of each
 * draw, and a query's count is the sum over its draws. A query therefore closes no primitive batch.
 *
 * In hardware a query is two snapshots of the output merger's counter, written to memory where the
 * query begins and ends. A bin that lists no primitive of a query's draws has no snapshots of it.
 */
import type { PassQuery } from '@tessera/frame';

/** Recorder of snapshots. */
interface SnapshotRecorder {
  /** @param query Index of the query in its pass. */
  addSnapshot(query: number): void;
}

/** Queries of the bin in progress. */
export class BinQueries {
  #queries: readonly PassQuery[] = [];
  #recorder: SnapshotRecorder | null = null;
  /**
   * Indices of the queries by their first draw, and the number of those that draws have reached.
   */
  #order: readonly number[] = [];
  #reached = 0;
  /** Indices of the queries between their snapshots. */
  #open: number[] = [];
  #lastDraw = -1;
  readonly #countByDraw = new Map<number, number>();

  /**
   * Starts a bin.
   *
   * @param recorder Records snapshots for the simulated chip.
   */
  begin(queries: readonly PassQuery[], recorder: SnapshotRecorder | null): void {
    this.#queries = queries;
    this.#recorder = recorder;
    this.#order = [...queries.keys()].sort((a, b) => queries[a]!.firstDraw - queries[b]!.firstDraw);
    this.#reached = 0;
    this.#open = [];
    this.#lastDraw = -1;
    this.#countByDraw.clear();
  }

  /** Records that primitives of a draw follow. Draws come in ascending order. */
  enterDraw(drawIndex: number): void {
    if (this.#queries.length === 0 || drawIndex === this.#lastDraw) return;
    this.#lastDraw = drawIndex;
    this.#closeBefore(drawIndex);
    for (; this.#reached < this.#order.length; this.#reached++) {
      const query = this.#order[this.#reached]!;
      if (this.#queries[query]!.firstDraw > drawIndex) return;
      if (this.#endOf(query) <= drawIndex) continue;
      this.#recorder?.addSnapshot(query);
      this.#open.push(query);
    }
  }

  /** Records that no more primitives follow. */
  endDraws(): void {
    this.#closeBefore(Number.POSITIVE_INFINITY);
  }

  /** Adds fragments of a draw that passed. */
  add(drawIndex: number, fragments: number): void {
    if (this.#queries.length === 0) return;
    this.#countByDraw.set(drawIndex, (this.#countByDraw.get(drawIndex) ?? 0) + fragments);
  }

  /** Returns the fragments that passed, by query. */
  counts(): number[] {
    const end = this.#queries.reduce((last, _, query) => Math.max(last, this.#endOf(query)), 0);
    // Sums of all draws before a draw, because queries may overlap.
    const before = new Float64Array(end + 1);
    for (let draw = 0; draw < end; draw++) {
      before[draw + 1] = before[draw]! + (this.#countByDraw.get(draw) ?? 0);
    }
    return this.#queries.map(
      ({ firstDraw }, query) => before[this.#endOf(query)]! - before[firstDraw]!,
    );
  }

  #closeBefore(drawIndex: number): void {
    this.#open = this.#open.filter((query) => {
      if (this.#endOf(query) > drawIndex) return true;
      this.#recorder?.addSnapshot(query);
      return false;
    });
  }

  #endOf(query: number): number {
    const { firstDraw, drawCount } = this.#queries[query]!;
    return firstDraw + drawCount;
  }
}
