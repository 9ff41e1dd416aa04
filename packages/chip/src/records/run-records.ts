/**
 * Records of a run as the modules of the simulated chip read them. record-layout.ts describes their
 * words.
 */
import type { i32 } from '../portable/number-types.ts';
import { ARRAY_WORDS, DRAW, END_OF_TRACE, TRACE } from './record-layout.ts';
import { RunRings } from './run-rings.generated.ts';
import { WARP_WAIT } from './wait-kinds.generated.ts';

/** First kind of a wait for a lookup. The others follow it. */
export const FIRST_LOOKUP_WAIT = WARP_WAIT.lookup as i32;
/** Number of the kinds of waits for lookups. */
export const LOOKUP_WAITS: i32 = WARP_WAIT.texelsRemote - WARP_WAIT.lookup + 1;

/** Rings of records and the attribute arrays, which the host writes during a run. */
export class RunRecords extends RunRings {
  /** Attribute arrays of all draws; see ARRAY. */
  arrays: Float64Array = new Float64Array(64 * ARRAY_WORDS);
  /** Whether cycles of warps are added to the next field. */
  isProfiled: boolean = false;
  /**
   * Cycles of warps. From the place of a draw's stage on: those of all its warps, by kind of
   * WARP_WAIT; then for each site of its program those that wait for lookups there, by kind from
   * FIRST_LOOKUP_WAIT on.
   */
  warpWaits: Float64Array = new Float64Array(0);

  /** Words of the table of draws. Adding draws may replace the array. */
  get drawWords(): Int32Array {
    return this.draws.words;
  }

  /** Discards all records. */
  reset(): void {
    for (let i = 0; i < this.rings.length; i++) this.rings[i]!.reset();
    this.isProfiled = false;
  }

  /** Adds cycles of warps to `warpWaits`, which gets `words` words, until the next reset. */
  profile(words: i32): void {
    this.isProfiled = true;
    if (words > this.warpWaits.length) this.warpWaits = new Float64Array(words);
    this.warpWaits.fill(0);
  }

  /**
   * Adds cycles of a warp.
   *
   * @param stage 0 for vertices, 1 for fragments.
   * @param site Site of the lookup that the warp waits for; any number for other kinds.
   */
  addWarpWait(draw: i32, stage: i32, kind: i32, site: i32, cycles: i32): void {
    const places = this.waitPlaces;
    const place = places.words[places.at(draw) + stage]!;
    this.warpWaits[place + kind]! += cycles;
    const ofSite = kind - FIRST_LOOKUP_WAIT;
    if (ofSite < 0 || ofSite >= LOOKUP_WAITS) return;
    this.warpWaits[place + WARP_WAIT.count + site * LOOKUP_WAITS + ofSite]! += cycles;
  }

  /** Makes room for `words` words of attribute arrays in total. */
  reserveArrays(words: i32): void {
    if (words <= this.arrays.length) return;
    const larger = new Float64Array(2 * words);
    for (let i = 0; i < this.arrays.length; i++) larger[i] = this.arrays[i]!;
    this.arrays = larger;
  }

  /**
   * Appends the trace of a vertex warp that is one clause, and returns the number of its first
   * word. `draw` is the first word of its draw in the table of draws.
   */
  addVertexClause(draw: i32): i32 {
    const ring = this.vertexTraceWords;
    const draws = this.draws.words;
    ring.reserve(TRACE.passes + 1);
    const start = ring.end;
    ring.words[ring.append()] = draws[draw + DRAW.vertexInstructions]!;
    const issueCycles = draws[draw + DRAW.vertexIssueCycles]!;
    ring.words[ring.append()] = issueCycles > 0 ? issueCycles : 1;
    ring.words[ring.append()] = draws[draw + DRAW.vertexStallCycles]!;
    ring.words[ring.append()] = 0;
    ring.words[ring.append()] = END_OF_TRACE;
    return start;
  }
}
