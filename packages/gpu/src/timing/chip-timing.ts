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

import { CompiledChip } from '@tessera/chip';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { StopWords } from '@tessera/frame';
import { BinLog } from '../run-log/bin-log.ts';
import { EMPTY_RUN, planWords, type RunRequest } from './run-request.ts';
import { type EngineMaker, type RunTiming, TimedChip } from './timed-chip.ts';

/** Result of a run with each specification. */
export interface RunTimings extends RunTiming {
  /** Results with the alternative specifications, in their order. */
  readonly alternatives: readonly RunTiming[];
}

/** Returns figures of a run with the alternative specifications, as a field of its result. */
export function alternativeCyclesOf(
  { alternatives }: RunTimings,
  cyclesOf: (timing: RunTiming) => number,
): { readonly alternativeCycles?: readonly number[] } {
  return alternatives.length === 0 ? {} : { alternativeCycles: alternatives.map(cyclesOf) };
}

/** Options of a chiplet's timing. */
export interface ChipTimingOptions {
  /** Whether every module is clocked in every cycle: slower, with the same result. */
  readonly isNaive?: boolean;
  /** Function that creates the engine; the compiled chip by default. */
  readonly makeEngine?: EngineMaker | undefined;
  /**
   * Further specifications that time the same records. They differ from the first only in
   * parameters on which records do not depend.
   */
  readonly alternatives?: readonly ChipletSpec[] | undefined;
  /** Words that stop a run. `advance` and `finish` then throw FRAME_CANCELLED. */
  readonly stopWords?: StopWords;
}

/** Timing of one chiplet. */
export class ChipTiming {
  /** Records of the run, written by the functional units. */
  readonly log = new BinLog();
  readonly #chips: readonly TimedChip[];

  constructor(
    spec: ChipletSpec,
    {
      isNaive = false,
      makeEngine = (options) => new CompiledChip(options),
      alternatives = [],
      stopWords = new StopWords(),
    }: ChipTimingOptions = {},
  ) {
    const { log } = this;
    this.#chips = [spec, ...alternatives].map(
      (each) => new TimedChip({ spec: each, log, isNaive, makeEngine, stopWords }),
    );
  }

  /** Starts a run with an empty pipeline, cold caches and no records. */
  begin(request: RunRequest = EMPTY_RUN): void {
    this.log.reset();
    const plan = planWords(request);
    for (const chip of this.#chips) chip.begin(plan);
  }

  /** Simulates up to the end of the records written so far, and frees their slots in the log. */
  advance(): void {
    for (const chip of this.#chips) chip.advance();
    this.log.free();
  }

  /**
   * Simulates to the end of the run. Its last record must be written.
   *
   * @param outputBytes Bytes that leave the chiplet over the output bus at the end.
   * @param streamBytes Size of a visibility stream that leaves earlier, when all primitives are
   *   binned.
   */
  finish(outputBytes: number, streamBytes = 0): RunTimings {
    const [first, ...alternatives] = this.#chips.map((chip) =>
      chip.finish(outputBytes, streamBytes),
    );
    this.log.free();
    return { ...first!, alternatives }; // There is at least one chip.
  }
}
