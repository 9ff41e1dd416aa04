/**
 * Records of a run as the modules of the simulated chip read them. record-layout.ts describes their
 * words.
 */
import type { i32 } from '../portable/number-types.ts';
import {
  ARRAY_WORDS,
  BLOCK_RECORD_WORDS,
  COMMAND_WORDS,
  DRAW_WORDS,
  END_OF_TRACE,
  ENTRY_WORDS,
  TRACE,
  VERTEX_RECORD_WORDS,
} from './record-layout.ts';
import { RecordRing } from './record-ring.ts';

/** Numbers of the rings. */
export const RING = {
  commands: 0,
  entries: 1,
  blocks: 2,
  /** First word of each fragment warp's trace, in warp order. */
  fragmentTraces: 3,
  /** Words of the traces. */
  fragmentTraceWords: 4,
  vertexTraceWords: 5,
  vertices: 6,
  /** All draws of the run. Draws are never overwritten. */
  draws: 7,
} as const;

/** Words of a record, by number of the ring. */
export const RING_STRIDES: readonly i32[] = [
  COMMAND_WORDS,
  ENTRY_WORDS,
  BLOCK_RECORD_WORDS,
  1,
  1,
  1,
  VERTEX_RECORD_WORDS,
  DRAW_WORDS,
];
const RING_RECORDS: readonly i32[] = [4096, 4096, 16_384, 1024, 16_384, 1024, 4096, 64];

/** Rings of records that the host writes during a run. */
export class RunRecords {
  /** Rings by their numbers in RING. */
  readonly rings: readonly RecordRing[];
  readonly commands: RecordRing;
  readonly entries: RecordRing;
  readonly blocks: RecordRing;
  readonly fragmentTraces: RecordRing;
  readonly fragmentTraceWords: RecordRing;
  readonly vertexTraceWords: RecordRing;
  readonly vertices: RecordRing;
  /** Attribute arrays of all draws; see ARRAY. */
  arrays: Float64Array = new Float64Array(64 * ARRAY_WORDS);
  private readonly drawRecords: RecordRing;

  constructor() {
    const rings: RecordRing[] = [];
    for (let ring = 0; ring < RING_STRIDES.length; ring++) {
      rings.push(new RecordRing(RING_STRIDES[ring]!, RING_RECORDS[ring]!));
    }
    this.rings = rings;
    this.commands = rings[RING.commands]!;
    this.entries = rings[RING.entries]!;
    this.blocks = rings[RING.blocks]!;
    this.fragmentTraces = rings[RING.fragmentTraces]!;
    this.fragmentTraceWords = rings[RING.fragmentTraceWords]!;
    this.vertexTraceWords = rings[RING.vertexTraceWords]!;
    this.vertices = rings[RING.vertices]!;
    this.drawRecords = rings[RING.draws]!;
  }

  reset(): void {
    for (let i = 0; i < this.rings.length; i++) this.rings[i]!.reset();
  }

  /** Table of draws. Adding draws may replace the array. */
  get draws(): Int32Array {
    return this.drawRecords.words;
  }

  /** Makes room for a number of words of attribute arrays in all. */
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
