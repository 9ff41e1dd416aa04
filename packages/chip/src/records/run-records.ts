/**
 * Records of a run as the modules of the simulated chip read them. record-layout.ts describes their
 * words.
 */
import type { i32 } from '../portable/number-types.ts';
import { ARRAY_WORDS, DRAW, END_OF_TRACE, TRACE } from './record-layout.ts';
import { RunRings } from './run-rings.generated.ts';

/** Rings of records and the attribute arrays, which the host writes during a run. */
export class RunRecords extends RunRings {
  /** Attribute arrays of all draws; see ARRAY. */
  arrays: Float64Array = new Float64Array(64 * ARRAY_WORDS);

  /** Words of the table of draws. Adding draws may replace the array. */
  get drawWords(): Int32Array {
    return this.draws.words;
  }

  /** Discards all records. */
  reset(): void {
    for (let i = 0; i < this.rings.length; i++) this.rings[i]!.reset();
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
