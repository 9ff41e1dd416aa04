/**
 * Numbers of times that warps ran the parts of a program. They follow from the same logs as the
 * traces of the warps (warp-trace.ts), so their instructions add up to those of the traces. A
 * simulation may add the cycles of the warps.
 */
import { FIRST_LOOKUP_WAIT, LOOKUP_WAITS, WARP_WAIT } from '@tessera/chip/records';
import type { LogSites, LookupWait, WarpWait } from '@tessera/frame';

/** Part of a program outside of loops and sections. */
export const WHOLE_PROGRAM = -1;

/** Tally of one program. */
export class WarpTally {
  /**
   * Number of times that warps ran each part, from {@link WHOLE_PROGRAM} on: warps, rounds of a
   * loop, entries into a section, lookups.
   */
  readonly #warps: Float64Array;
  /** The same number, by lane. */
  readonly #lanes: Float64Array;
  /** Cycles of warps; see RunRecords.warpWaits of chip. */
  readonly #waits: Float64Array;

  constructor({ sites }: LogSites) {
    this.#warps = new Float64Array(sites.length + 1);
    this.#lanes = new Float64Array(sites.length + 1);
    this.#waits = new Float64Array(WARP_WAIT.count + LOOKUP_WAITS * sites.length);
  }

  /**
   * Adds executions of a part.
   *
   * @param site Loop, section or lookup, or WHOLE_PROGRAM.
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
    this.addWaits(other.#waits);
  }

  /** Number of words of the cycles of warps. */
  get waitWords(): number {
    return this.#waits.length;
  }

  /** Adds cycles of warps, whose words start at `place`. */
  addWaits(words: Float64Array, place = 0): void {
    for (let word = 0; word < this.#waits.length; word++)
      this.#waits[word]! += words[place + word]!;
  }

  /** Cycles of a kind of all warps. */
  waitCyclesOf(kind: WarpWait): number {
    return this.#waits[WARP_WAIT[kind]]!;
  }

  /** Cycles of a kind of wait for lookups at a site. */
  lookupCyclesOf(site: number, kind: LookupWait): number {
    const first = WARP_WAIT.count + LOOKUP_WAITS * site - FIRST_LOOKUP_WAIT;
    return this.#waits[first + WARP_WAIT[kind]]!;
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
