/**
 * Records of a run as the modules of the simulated chip read them. record-layout.ts describes their
 * words.
 */
import type { i32 } from '../portable/number-types.ts';
import { ARRAY_WORDS, END_OF_TRACE, TRACE } from './record-layout.ts';
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
    larger.set(this.arrays);
    this.arrays = larger;
  }

  /**
   * Appends the trace of a vertex warp that is one clause, and returns the number of its first
   * word.
   */
  addVertexClause(instructions: i32): i32 {
    const ring = this.vertexTraceWords;
    ring.reserve(2);
    const start = ring.end;
    ring.words[ring.append() + TRACE.instructions] = instructions > 0 ? instructions : 1;
    ring.words[ring.append()] = END_OF_TRACE;
    return start;
  }
}
