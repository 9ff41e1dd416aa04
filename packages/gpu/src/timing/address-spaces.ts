/** Address spaces of a machine, of which each pass of a frame has one. */
import { RenderError } from '@tessera/frame';

/** Space of a pass. */
interface Space {
  readonly pass: number;
  /** Number of the pass's last run on the machine. */
  lastRun: number;
}

/** Table of the spaces. */
export class AddressSpaces {
  readonly #spaces: Space[] = [];
  readonly #count: number;

  /** @param count Number of spaces, at least 1. */
  constructor(count: number) {
    this.#count = count;
  }

  /**
   * Returns the space of a run's pass. `isReused` says whether it is new to the pass
   * and another one had it before.
   *
   * @param pass Number of the pass, unique among all passes of the machine.
   * @param run Number of the run.
   * @param leftCount Number of runs that have left. A pass may use its space again as long as no
   *   other one has taken it.
   * @throws {RenderError} LIMIT_EXCEEDED if runs of more passes are on the machine than there are
   *   spaces.
   */
  take(
    pass: number,
    run: number,
    leftCount: number,
  ): { readonly space: number; readonly isReused: boolean } {
    const spaces = this.#spaces;
    const known = spaces.findIndex((each) => each.pass === pass);
    if (known >= 0) {
      spaces[known]!.lastRun = run;
      return { space: known, isReused: false };
    }
    if (spaces.length < this.#count) {
      const space = spaces.push({ pass, lastRun: run }) - 1;
      return { space, isReused: false };
    }
    let oldest = 0;
    for (const [space, { lastRun }] of spaces.entries()) {
      if (lastRun < spaces[oldest]!.lastRun) oldest = space;
    }
    if (spaces[oldest]!.lastRun >= leftCount) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `chiplet machine: runs of more than ${this.#count} passes at the same time`,
      );
    }
    spaces[oldest] = { pass, lastRun: run };
    return { space: oldest, isReused: true };
  }
}
