/**
 * Numbers of times that warps ran the parts of a program. They follow from the same logs as the
 * traces of the warps (warp-trace.ts), so their instructions add up to those of the traces.
 */
import type { LogSites } from '@tessera/frame';

/** Part of a program outside of loops and sections. */
export const WHOLE_PROGRAM = -1;

/** Tally of one program. */
export class WarpTally {
  /**
   * Number of times that warps ran each part, from {@link WHOLE_PROGRAM} on: warps, rounds of a
   * loop, entries into a section.
   */
  readonly #warps: Float64Array;
  /** The same number, by lane. */
  readonly #lanes: Float64Array;

  constructor({ sites }: LogSites) {
    this.#warps = new Float64Array(sites.length + 1);
    this.#lanes = new Float64Array(sites.length + 1);
  }

  /**
   * Adds executions of a part.
   *
   * @param site Loop or section, or WHOLE_PROGRAM.
   */
  add(site: number, warps: number, lanes: number): void {
    this.#warps[site + 1]! += warps;
    this.#lanes[site + 1]! += lanes;
  }

  /** Adds all executions of another tally of the same program. */
  addAll(other: WarpTally): void {
    for (let part = 0; part < this.#warps.length; part++) {
      this.#warps[part]! += other.#warps[part]!;
      this.#lanes[part]! += other.#lanes[part]!;
    }
  }

  /** Whether a warp ran the program. */
  get hasRun(): boolean {
    return this.warpsOf(WHOLE_PROGRAM) > 0;
  }

  /** Number of times that warps ran a part. */
  warpsOf(site: number): number {
    return this.#warps[site + 1]!;
  }

  /** Number of times that lanes ran a part. */
  lanesOf(site: number): number {
    return this.#lanes[site + 1]!;
  }
}
