/** Tallies of the programs of a pass, by draw and stage. */
import type { LogSites, ProgramStage, RecordedRun } from '@tessera/frame';
import { WarpTally } from './warp-tally.ts';

/** Tallies of a draw in a run. */
export interface DrawTallies {
  readonly vertex: WarpTally;
  readonly fragment: WarpTally;
}

/** Tallies of one pass. A chiplet adds to them while it records. */
export class WarpTallies {
  readonly #tallies = new Map<string, WarpTally>();
  /** Draws by the words of the draws of their run, of which copies with another output are made. */
  readonly #runs = new WeakMap<Int32Array, readonly DrawTallies[]>();

  /** Returns the tally of a draw's program, to which warps are added. */
  of(drawIndex: number, stage: ProgramStage, sites: LogSites): WarpTally {
    const key = `${drawIndex} ${stage}`;
    const tally = this.#tallies.get(key) ?? new WarpTally(sites);
    this.#tallies.set(key, tally);
    return tally;
  }

  /** Adds a run with the tallies of its draws. */
  addRun({ draws }: RecordedRun, tallies: readonly DrawTallies[]): void {
    this.#runs.set(draws, tallies);
  }

  /** Returns the tallies of a run's draws, or undefined if it is not of this pass. */
  drawsOf({ draws }: RecordedRun): readonly DrawTallies[] | undefined {
    return this.#runs.get(draws);
  }

  /** All tallies. */
  get all(): Iterable<WarpTally> {
    return this.#tallies.values();
  }

  /** Returns the tally of a draw's program, or undefined if no run began the draw. */
  find(drawIndex: number, stage: ProgramStage): WarpTally | undefined {
    return this.#tallies.get(`${drawIndex} ${stage}`);
  }
}
