/**
 * Times the work of a chiplet's functional units. Their records go to the simulated chip
 * (`@tessera/chip`, compiled to WebAssembly) one primitive batch at a time. Counters and intervals
 * of activity come back.
 *
 * A run (a coarse bin, or the visibility phase of a pass) starts with an empty pipeline and cold
 * caches, and ends when it is drained. Its cycles depend only on frame, specification and bin. The
 * functional units are one primitive batch ahead: `advance` simulates until the command processor
 * needs more records.
 */

import {
  BUSY,
  type ChipEngine,
  type ChipOptions,
  CompiledChip,
  STALLED,
  STARVED,
  STATE_COUNT,
} from '@tessera/chip';
import { ARRAY_WORDS, DRAW_WORDS, RING, RING_STRIDES } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  type Counters,
  MAX_UNIT_SPANS,
  RenderError,
  StopWords,
  type UnitSpan,
} from '@tessera/frame';
import { BinLog } from '../run-log/bin-log.ts';
import { MAX_WORDS } from '../run-log/word-ring.ts';
import { ChipCounters } from './chip-counters.ts';
import { EMPTY_RUN, planWords, type RunRequest } from './run-request.ts';
import { timingSpecWords } from './timing-spec-words.ts';

/** Result of a run. */
export interface RunTiming {
  readonly cycles: number;
  /**
   * Cycle in which the last byte of the visibility stream left; 0 if there is no stream or nothing
   * else leaves.
   */
  readonly streamCycles: number;
  readonly counters: Counters;
  /** Intervals of each module over the whole run, without gaps; at most MAX_UNIT_SPANS in total. */
  readonly spans: readonly UnitSpan[];
}

/** Creates the engine of a chip; see CompiledChip. */
export type EngineMaker = (options: ChipOptions) => ChipEngine;

/** Ring of records written by the functional units. */
interface WrittenRing {
  readonly words: Int32Array;
  readonly mask: number;
  readonly end: number;
  start: number;
}

/** Options of a chiplet's timing. */
export interface ChipTimingOptions {
  /** Whether every module is clocked in every cycle: slower, with the same result. */
  readonly isNaive?: boolean;
  /** Function that creates the engine; the compiled chip by default. */
  readonly makeEngine?: EngineMaker | undefined;
  /** Words that stop a run. `advance` and `finish` then throw FRAME_CANCELLED. */
  readonly stopWords?: StopWords;
}

/** Timing of one chiplet. */
export class ChipTiming {
  /** Records of the run, written by the functional units. */
  readonly log = new BinLog();
  readonly #engine: ChipEngine;
  readonly #counters: ChipCounters;
  readonly #stopWords: StopWords;
  /** Number of the run's draws that were sent to the chip. The next field counts their arrays. */
  #sentDraws = 0;
  #sentArrays = 0;

  constructor(
    spec: ChipletSpec,
    {
      isNaive = false,
      makeEngine = (options) => new CompiledChip(options),
      stopWords = new StopWords(),
    }: ChipTimingOptions = {},
  ) {
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

  /** Starts a run with an empty pipeline, cold caches and no records. */
  begin(request: RunRequest = EMPTY_RUN): void {
    this.log.reset();
    this.#sentDraws = 0;
    this.#sentArrays = 0;
    this.#engine.begin(planWords(request));
  }

  /** Simulates up to the end of the records written so far. */
  advance(): void {
    this.#sendRecords();
    this.#engine.advance();
    this.#stopWords.throwIfStopped();
  }

  /**
   * Simulates to the end of the run. Its last record must be written.
   *
   * @param outputBytes Bytes that leave the chiplet over the output bus at the end.
   * @param streamBytes Size of a visibility stream that leaves earlier, when all primitives are
   *   binned.
   */
  finish(outputBytes: number, streamBytes = 0): RunTiming {
    const engine = this.#engine;
    this.#sendRecords();
    engine.finish(outputBytes, streamBytes);
    this.#stopWords.throwIfStopped();
    const counters = this.#counters.sum(engine.counts, engine.stateCycles);
    counters['outputBus.bytesSent'] = outputBytes + streamBytes;
    const { cycle, streamEnd } = engine;
    return { cycles: cycle, streamCycles: streamEnd, counters, spans: this.#spans() };
  }

  /** Sends the records written since the last call, and frees their slots in the log. */
  #sendRecords(): void {
    const { log } = this;
    this.#sendDraws();
    this.#send(RING.commands, log.commands);
    this.#send(RING.entries, log.entries);
    this.#send(RING.blocks, log.blocks);
    this.#send(RING.fragmentTraces, log.fragmentTraces);
    this.#send(RING.fragmentTraceWords, log.fragmentTraceWords);
    this.#send(RING.vertices, log.vertices);
  }

  #sendDraws(): void {
    const { draws, drawCount, arrays, arrayCount } = this.log;
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
    const { start, end, words, mask } = written;
    if (start === end) return;
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
    written.start = end;
  }

  /**
   * Forms the trace of a warp of vertices that the chip closes.
   *
   * @returns Index of the first word of its trace.
   */
  #formVertexTrace(draw: number, vertices: Int32Array, count: number): number {
    const { vertexStages, vertexTraces } = this.log;
    const { ring } = vertexTraces;
    const stage = vertexStages[draw];
    if (stage === null || stage === undefined) {
      throw new Error(`chip timing: draw ${draw} logs no vertices`);
    }
    const first = vertexTraces.close(stage, vertices, count);
    const target = this.#engine.reserve(RING.vertexTraceWords, ring.end - first);
    let at = target.end;
    for (let word = first; word < ring.end; word++) {
      target.words[at++ & target.mask] = ring.words[word & ring.mask]!;
    }
    this.#engine.publish(RING.vertexTraceWords, at);
    ring.start = ring.end;
    return target.end;
  }

  #spans(): UnitSpan[] {
    const { moduleNames, intervalCount, intervalEnds, intervalSums } = this.#engine;
    const spans: UnitSpan[] = [];
    const words = moduleNames.length * STATE_COUNT;
    for (const [module, unit] of moduleNames.entries()) {
      for (let interval = 0; interval < intervalCount; interval++) {
        const cyclesIn = (state: number) => {
          const at = interval * words + module * STATE_COUNT + state;
          return intervalSums[at]! - (interval === 0 ? 0 : intervalSums[at - words]!);
        };
        spans.push({
          unit,
          startCycle: interval === 0 ? 0 : intervalEnds[interval - 1]!,
          endCycle: intervalEnds[interval]!,
          busyCycles: cyclesIn(BUSY),
          starvedCycles: cyclesIn(STARVED),
          stalledCycles: cyclesIn(STALLED),
        });
      }
    }
    return spans;
  }
}
