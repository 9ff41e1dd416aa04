/** Tallies of the programs of a pass, by draw and stage. */
import type { LogSites, ProgramStage } from '@tessera/frame';
import { WarpTally } from './warp-tally.ts';

/** Tallies of one pass. A chiplet adds to them while it records. */
export class WarpTallies {
  readonly #tallies = new Map<string, WarpTally>();

  /** Returns the tally of a draw's program, to which warps are added. */
  of(drawIndex: number, stage: ProgramStage, sites: LogSites): WarpTally {
    const key = `${drawIndex} ${stage}`;
    const tally = this.#tallies.get(key) ?? new WarpTally(sites);
    this.#tallies.set(key, tally);
    return tally;
  }

  /** Returns the tally of a draw's program, or undefined if no run began the draw. */
  find(drawIndex: number, stage: ProgramStage): WarpTally | undefined {
    return this.#tallies.get(`${drawIndex} ${stage}`);
  }
}
