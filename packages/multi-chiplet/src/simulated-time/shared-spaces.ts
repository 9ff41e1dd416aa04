/** Address spaces of machines that share their memories: each pass has the same one on all. */
import { RenderError } from '@tessera/frame';

/** Space of a pass. */
interface Space {
  readonly passNumber: number;
  /** Number of the pass's runs that have not left, on all machines. */
  runCount: number;
  /** Rank of the pass's last run among all runs. */
  lastRun: number;
}

/** Table of the spaces. */
export class SharedSpaces {
  readonly #spaces: Space[] = [];
  readonly #count: number;
  #runs = 0;

  /** @param count Number of spaces, at least 1. */
  constructor(count: number) {
    this.#count = count;
  }

  /**
   * Returns the space of a run's pass. `isReused` says whether it is new to the pass and another
   * one had it before.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if runs of more passes are on the machines than there are
   *   spaces.
   */
  take(passNumber: number): { readonly space: number; readonly isReused: boolean } {
    const spaces = this.#spaces;
    const lastRun = this.#runs++;
    const known = spaces.findIndex((each) => each.passNumber === passNumber);
    if (known >= 0) {
      spaces[known]!.runCount++;
      spaces[known]!.lastRun = lastRun;
      return { space: known, isReused: false };
    }
    const added = { passNumber, runCount: 1, lastRun };
    if (spaces.length < this.#count) {
      return { space: spaces.push(added) - 1, isReused: false };
    }
    let oldest = -1;
    for (const [space, each] of spaces.entries()) {
      if (each.runCount > 0) continue;
      if (oldest < 0 || each.lastRun < spaces[oldest]!.lastRun) oldest = space;
    }
    if (oldest < 0) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `shared memory: runs of more than ${this.#count} passes at the same time`,
      );
    }
    spaces[oldest] = added;
    return { space: oldest, isReused: true };
  }

  /** Records that a run of a pass has left. */
  release(passNumber: number): void {
    this.#spaces.find((each) => each.passNumber === passNumber)!.runCount--;
  }
}
