/**
 * Places of the waits of warps in the table of a machine (RunRecords.warpWaits of chip): one for
 * each tally. The machine adds cycles there, which are then added to the tallies.
 */
import type { RecordedRun } from '@tessera/frame';
import type { WarpTallies } from '../run-log/warp-tallies.ts';
import type { WarpTally } from '../run-log/warp-tally.ts';

/** Places of all tallies of a frame, on every machine. */
export class WarpPlaces {
  readonly #passes: readonly WarpTallies[];
  readonly #places = new Map<WarpTally, number>();
  /** Number of words of the table. */
  readonly words: number;

  /** @param passes Tallies by pass, after all runs were recorded. */
  constructor(passes: readonly WarpTallies[]) {
    this.#passes = passes;
    let words = 0;
    for (const tallies of passes) {
      for (const tally of tallies.all) {
        this.#places.set(tally, words);
        words += tally.waitWords;
      }
    }
    this.words = words;
  }

  /** Returns the records of RING.waitPlaces for the draws of a run. */
  placesOf(run: RecordedRun): Int32Array {
    for (const tallies of this.#passes) {
      const draws = tallies.drawsOf(run);
      if (draws === undefined) continue;
      return Int32Array.from(
        draws.flatMap(({ vertex, fragment }) => [vertex, fragment]),
        (tally) => this.#places.get(tally)!,
      );
    }
    throw new Error('warp places: the run was not recorded with tallies');
  }

  /** Adds the cycles of a machine to the tallies. */
  add(table: Float64Array): void {
    for (const [tally, place] of this.#places) tally.addWaits(table, place);
  }
}
