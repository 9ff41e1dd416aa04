/**
 * Log of a run (a coarse bin, or the visibility phase of a pass) as records of integers. The
 * functional units write it batch by batch. chip-timing.ts passes it to the simulated chip.
 */

import {
  ARRAY_WORDS,
  BLOCK_RECORD_WORDS,
  COMMAND_WORDS,
  DRAW_WORDS,
  ENTRY_WORDS,
  RecordRing,
  VERTEX_RECORD_WORDS,
} from '@tessera/chip/records';
import type { LogSites, RecordedRun } from '@tessera/frame';
import { VertexTraces } from './vertex-traces.ts';
import { WordRing } from './word-ring.ts';

/** Log of one chiplet, reused for all its runs. */
export class BinLog {
  readonly commands = new RecordRing(COMMAND_WORDS, 4096);
  readonly entries = new RecordRing(ENTRY_WORDS, 4096);
  readonly blocks = new RecordRing(BLOCK_RECORD_WORDS, 16_384);
  /**
   * Index of the first trace word of each fragment warp, in warp order. The next ring has the
   * traces.
   */
  readonly fragmentTraces = new RecordRing(1, 1024);
  readonly fragmentTraceWords = new WordRing('texture lookups of fragments', 16_384);
  readonly vertexTraces = new VertexTraces();
  /** Sites of the vertex program by draw; `null` for programs that log nothing. */
  readonly vertexSites: (LogSites | null)[] = [];
  /** Vertex index and instance, by number of the vertex. */
  readonly vertices = new RecordRing(VERTEX_RECORD_WORDS, 4096);
  readonly #recordRings = [
    this.commands,
    this.entries,
    this.blocks,
    this.fragmentTraces,
    this.vertices,
  ];
  /** First pages of the objects with lists of pages. Kept to the end of the run. */
  readonly pageHeads = new RecordRing(1, 64);
  /** Programs of the first and the last draw; `null` without draws. */
  programs: RecordedRun['programs'] = null;
  draws = new Int32Array(DRAW_WORDS * 64);
  drawCount = 0;
  arrays = new Float64Array(ARRAY_WORDS * 64);
  arrayCount = 0;

  reset(): void {
    this.vertices.reset();
    this.arrayCount = 0;
    this.pageHeads.reset();
    this.commands.reset();
    this.entries.reset();
    this.blocks.reset();
    this.fragmentTraces.reset();
    this.fragmentTraceWords.reset();
    this.vertexTraces.reset();
    this.vertexSites.length = 0;
    this.drawCount = 0;
    this.programs = null;
  }

  /** Frees the slots of all records, which the chips have read. */
  free(): void {
    for (const ring of this.#recordRings) ring.start = ring.end;
    const { fragmentTraceWords } = this;
    fragmentTraceWords.start = fragmentTraceWords.end;
    this.vertexTraces.free();
  }

  /** Number of words of all records and logs of vertices that are not freed. */
  get heldWords(): number {
    const { start, end } = this.fragmentTraceWords;
    return this.#recordRings.reduce(
      (sum, ring) => sum + ring.stride * (ring.end - ring.start),
      end - start + this.vertexTraces.heldWords,
    );
  }

  /** Adds an array of attributes and returns its first word. The caller fills it. */
  addArray(): number {
    if ((this.arrayCount + 1) * ARRAY_WORDS > this.arrays.length) {
      const larger = new Float64Array(2 * this.arrays.length);
      larger.set(this.arrays);
      this.arrays = larger;
    }
    return this.arrayCount++ * ARRAY_WORDS;
  }

  /** Adds a draw and returns its number. The caller fills its words. */
  addDraw(): number {
    if ((this.drawCount + 1) * DRAW_WORDS > this.draws.length) this.draws = grow(this.draws);
    return this.drawCount++;
  }
}

function grow(words: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * words.length);
  larger.set(words);
  return larger;
}
