/**
 * Simulated chip of one specification (`@tessera/chip`, compiled to WebAssembly), which reads the
 * records of a log. Several chips may read the same log.
 */

import type { ChipEngine, ChipOptions } from '@tessera/chip';
import { ARRAY_WORDS, DRAW_WORDS, RING, RING_STRIDES } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  type Counters,
  MAX_UNIT_SPANS,
  RenderError,
  type StopWords,
  type UnitSpan,
} from '@tessera/frame';
import type { BinLog } from '../run-log/bin-log.ts';
import { TraceFormer } from '../run-log/warp-trace.ts';
import { MAX_WORDS } from '../run-log/word-ring.ts';
import { ChipCounters } from './chip-counters.ts';
import { timingSpecWords } from './timing-spec-words.ts';
import { unitSpansOf } from './unit-spans.ts';

/** Result of a run. */
export interface RunTiming {
  readonly cycles: number;
  /**
   * Cycle in which the last byte of the visibility stream left; 0 if there is no stream or nothing
   * else leaves.
   */
  readonly streamCycles: number;
  /** Cycle in which each segment of streamed visibility has left. */
  readonly segmentCycles: readonly number[];
  readonly counters: Counters;
  /** Cycle in which each bin of the run had left the chiplet. */
  readonly binEndCycles: readonly number[];
  /** Intervals of each module over the whole run, without gaps; at most MAX_UNIT_SPANS in total. */
  readonly spans: readonly UnitSpan[];
}

/** Creates the engine of a chip; see CompiledChip. */
export type EngineMaker = (options: ChipOptions) => ChipEngine;

/** Ring of records written by the functional units. */
interface WrittenRing {
  readonly words: Int32Array;
  readonly mask: number;
  readonly start: number;
  readonly end: number;
}

/** Parts of a timed chip. */
export interface TimedChipOptions {
  readonly spec: ChipletSpec;
  /** Records, written by the functional units. */
  readonly log: BinLog;
  readonly isNaive: boolean;
  readonly makeEngine: EngineMaker;
  readonly stopWords: StopWords;
}

/** Chip that simulates the runs of a log. */
export class TimedChip {
  readonly spec: ChipletSpec;
  readonly #log: BinLog;
  readonly #engine: ChipEngine;
  readonly #counters: ChipCounters;
  readonly #stopWords: StopWords;
  readonly #former = new TraceFormer();
  /** Number of the run's draws that were sent to the chip. The next field counts their arrays. */
  #sentDraws = 0;
  #sentArrays = 0;
  #binCount = 0;
  #sentBytes = 0;
  /** Number of records sent, by ring. */
  readonly #sent = new Int32Array(RING_STRIDES.length);

  constructor({ spec, log, isNaive, makeEngine, stopWords }: TimedChipOptions) {
    this.spec = spec;
    this.#log = log;
    this.#stopWords = stopWords;
    this.#engine = makeEngine({
      spec: timingSpecWords(spec),
      maxUnitSpans: MAX_UNIT_SPANS,
      isNaive,
      formVertexTrace: (draw, vertices, count) => this.#formVertexTrace(draw, vertices, count),
      isStopped: () => stopWords.isStopped(),
    });
    this.#counters = new ChipCounters(this.#engine.moduleNames);
  }

  /** Starts a run with an empty pipeline, cold caches, no bins and no records. */
  begin(): void {
    this.#former.reset();
    this.#sentDraws = 0;
    this.#sentArrays = 0;
    this.#sent.fill(0);
    this.#binCount = 0;
    this.#sentBytes = 0;
    this.#engine.begin();
  }

  /**
   * Adds a bin, whose records follow.
   *
   * @param plan See `planWords`.
   */
  addBin(plan: Int32Array): void {
    this.#engine.addBin(plan);
    this.#binCount++;
  }

  /**
   * Sets what leaves with the newest bin, whose end was not sent yet.
   *
   * @param outputBytes See ChipTiming.finish.
   */
  endBin(outputBytes: number, streamBytes: number): void {
    this.#engine.endBin(outputBytes, streamBytes);
    this.#sentBytes += outputBytes + streamBytes;
  }

  /** Simulates up to the end of the records in the log. */
  advance(): void {
    this.#sendRecords();
    this.#engine.advance();
    this.#stopWords.throwIfStopped();
  }

  /** Simulates to the end of the run. The counters of logged lookups are those of vertices. */
  finish(): RunTiming {
    const engine = this.#engine;
    this.#sendRecords();
    engine.finish();
    this.#stopWords.throwIfStopped();
    const counters = this.#counters.sum(engine.counts, engine.stateCycles, engine.waitCycles);
    counters['outputBus.bytesSent'] = this.#sentBytes;
    counters['textureUnit.requestsLogged'] = this.#former.lookups;
    counters['textureUnit.linesLogged'] = this.#former.lines;
    const { cycle } = engine;
    const binEndCycles = Array.from({ length: this.#binCount }, (_, bin) => engine.leftAt(bin));
    return {
      cycles: cycle,
      streamCycles: engine.streamLeftAt(0),
      segmentCycles: Array.from({ length: engine.segmentsSent(0) }, (_, segment) =>
        engine.segmentLeftAt(0, segment),
      ),
      counters,
      binEndCycles,
      spans: unitSpansOf(engine),
    };
  }

  /** Whether a larger second-level cache could have changed the run. */
  get dependsOnL2CacheBytes(): boolean {
    return this.#engine.hasFilledL2Set;
  }

  /** Sends the records of the log that the chip does not have yet. */
  #sendRecords(): void {
    const log = this.#log;
    this.#sendDraws();
    this.#send(RING.pageHeads, log.pageHeads);
    this.#send(RING.commands, log.commands);
    this.#send(RING.entries, log.entries);
    this.#send(RING.blocks, log.blocks);
    this.#send(RING.fragmentTraces, log.fragmentTraces);
    this.#send(RING.fragmentTraceWords, log.fragmentTraceWords);
    this.#send(RING.vertices, log.vertices);
  }

  #sendDraws(): void {
    const { draws, drawCount, arrays, arrayCount } = this.#log;
    if (drawCount === this.#sentDraws) return;
    const { words, mask } = this.#engine.reserve(RING.draws, drawCount - this.#sentDraws);
    if (drawCount > mask + 1)
      throw new Error(`chip timing: ${drawCount} draws do not fit in a ring of ${mask + 1}`);
    const first = this.#sentDraws * DRAW_WORDS;
    words.set(draws.subarray(first, drawCount * DRAW_WORDS), first);
    this.#engine.publish(RING.draws, drawCount);
    this.#sentDraws = drawCount;
    const [from, to] = [this.#sentArrays * ARRAY_WORDS, arrayCount * ARRAY_WORDS];
    this.#engine.reserveArrays(to).set(arrays.subarray(from, to), from);
    this.#sentArrays = arrayCount;
  }

  #send(ring: number, written: WrittenRing): void {
    const { end, words, mask } = written;
    const start = this.#sent[ring]!;
    if (start === end) return;
    if (start < written.start)
      throw new Error(`chip timing: records from ${start} of ring ${ring} are freed`);
    this.#sent[ring] = end;
    const stride = RING_STRIDES[ring]!;
    if (stride * (end - start) > MAX_WORDS) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `a primitive batch has ${end - start} records of ${4 * stride} bytes for one unit; timing=cycle has room for ${4 * MAX_WORDS} bytes`,
      );
    }
    const target = this.#engine.reserve(ring, end - start);
    if (target.end !== start)
      throw new Error(`chip timing: ring ${ring} ends at ${target.end}, expected ${start}`);
    for (let at = start; at < end; ) {
      const from = at & mask;
      const to = at & target.mask;
      const count = Math.min(end - at, mask + 1 - from, target.mask + 1 - to);
      const piece = words.subarray(from * stride, (from + count) * stride);
      target.words.set(piece, to * stride);
      at += count;
    }
    this.#engine.publish(ring, end);
  }

  /**
   * Forms the trace of a warp of vertices that the chip closes.
   *
   * @returns Index of the first word of its trace.
   */
  #formVertexTrace(draw: number, vertices: Int32Array, count: number): number {
    const { vertexSites, vertexTraces } = this.#log;
    const { ring } = vertexTraces;
    const sites = vertexSites[draw];
    if (sites === null || sites === undefined) {
      throw new Error(`chip timing: draw ${draw} logs no vertices`);
    }
    const first = vertexTraces.close(this.#former, sites, vertices, count);
    const target = this.#engine.reserve(RING.vertexTraceWords, ring.end - first);
    let at = target.end;
    for (let word = first; word < ring.end; word++) {
      target.words[at++ & target.mask] = ring.words[word & ring.mask]!;
    }
    this.#engine.publish(RING.vertexTraceWords, at);
    ring.start = ring.end;
    return target.end;
  }
}
