/**
 * Times the work of a chiplet's functional units. Their records go to the simulated chip
 * (`@tessera/chip`, compiled to WebAssembly) one primitive batch at a time. Counters and intervals
 * of activity come back.
 *
 * A run (coarse bins one after another, or the visibility phase of a pass) starts with an empty
 * pipeline and cold caches, and ends when it is drained. Its cycles depend only on frame,
 * specification and bins. The
 * functional units are one primitive batch ahead: `advance` simulates until the command processor
 * needs more records.
 */

import { CompiledChip } from '@tessera/chip';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { StopWords } from '@tessera/frame';
import { BinLog } from '../run-log/bin-log.ts';
import { EMPTY_RUN, planWords, type RunRequest } from './run-request.ts';
import { type EngineMaker, type RunTiming, TimedChip } from './timed-chip.ts';
import { timingKeyWithout } from './timing-spec-words.ts';

/** Words of records that are kept for chips that may not have to simulate them. */
const MAX_HELD_WORDS = 2 ** 21;

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
  /** Chips of the specification and its alternatives. */
  readonly #chips: readonly TimedChip[];
  /** The same, each with the one that it may follow. A follower comes after its leader. */
  readonly #followers: readonly Follower[];
  /** Bins of the run. */
  readonly #bins: TimedBin[] = [];

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
    this.#followers = findLeaders(this.#chips);
  }

  /** Starts a run of one bin with an empty pipeline, cold caches and no records. */
  begin(request: RunRequest = EMPTY_RUN): void {
    this.log.reset();
    this.#bins.length = 0;
    for (const follower of this.#followers) {
      follower.isRunning = follower.leader === null;
      if (follower.isRunning) follower.chip.begin();
    }
    this.#add(request);
  }

  /**
   * Adds another bin to the run. The end of the one before is the last record in the log, and was
   * not simulated yet.
   *
   * @param outputBytes Bytes that leave with the bin before; see `finish`.
   */
  addBin(request: RunRequest, outputBytes: number, streamBytes = 0): void {
    this.#endBin(outputBytes, streamBytes);
    this.#add(request);
  }

  #add(request: RunRequest): void {
    const bin = { plan: planWords(request), outputBytes: 0, streamBytes: 0 };
    this.#bins.push(bin);
    for (const { chip, isRunning } of this.#followers) if (isRunning) chip.addBin(bin.plan);
  }

  #endBin(outputBytes: number, streamBytes: number): void {
    const bin = this.#bins.at(-1)!;
    bin.outputBytes = outputBytes;
    bin.streamBytes = streamBytes;
    for (const { chip, isRunning } of this.#followers) {
      if (isRunning) chip.endBin(outputBytes, streamBytes);
    }
  }

  /** Simulates up to the end of the records written so far, and frees their slots in the log. */
  advance(): void {
    const { log } = this;
    for (const { chip, isRunning } of this.#followers) if (isRunning) chip.advance();
    if (log.heldWords > MAX_HELD_WORDS) this.#runAll();
    if (this.#followers.every(({ isRunning }) => isRunning)) log.free();
  }

  /**
   * Simulates to the end of the run. Its last record must be written.
   *
   * @param outputBytes Bytes that leave the chiplet over the output bus with the newest bin.
   * @param streamBytes Size of a visibility stream that leaves earlier, when all primitives are
   *   binned.
   */
  finish(outputBytes: number, streamBytes = 0): RunTimings {
    this.#endBin(outputBytes, streamBytes);
    const timings = new Map<TimedChip, RunTiming>();
    for (const follower of this.#followers) {
      const { chip, leader } = follower;
      if (leader !== null && !follower.isRunning && !leader.dependsOnL2CacheBytes) {
        const timing = timings.get(leader.chip)!;
        timings.set(chip, { ...timing, counters: { ...timing.counters } });
        follower.dependsOnL2CacheBytes = false;
        continue;
      }
      if (!follower.isRunning) this.#beginLate(chip);
      timings.set(chip, chip.finish());
      follower.dependsOnL2CacheBytes = chip.dependsOnL2CacheBytes;
    }
    this.log.free();
    const [first, ...alternatives] = this.#chips.map((chip) => timings.get(chip)!);
    return { ...first!, alternatives }; // There is at least one chip.
  }

  /** Simulates the records so far on chips that follow another. */
  #runAll(): void {
    for (const follower of this.#followers) {
      if (follower.isRunning) continue;
      follower.isRunning = true;
      this.#beginLate(follower.chip);
      follower.chip.advance();
    }
  }

  /** Starts the run on a chip that followed another. */
  #beginLate(chip: TimedChip): void {
    chip.begin();
    for (const { plan, outputBytes, streamBytes } of this.#bins) {
      chip.addBin(plan);
      chip.endBin(outputBytes, streamBytes);
    }
  }
}

/** Bin of a run, and the bytes that leave with it. */
interface TimedBin {
  readonly plan: Int32Array;
  outputBytes: number;
  streamBytes: number;
}

/** Chip that may take the timing of another one. */
interface Follower {
  readonly chip: TimedChip;
  /** The same chip with a smaller second-level cache; `null` if no such chip is timed. */
  readonly leader: Follower | null;
  /** Whether the chip simulates the records as they come. */
  isRunning: boolean;
  /** Whether a larger second-level cache could have changed the last run. */
  dependsOnL2CacheBytes: boolean;
}

/**
 * Orders chips by the size of their second-level caches. A chip follows the next smaller one that
 * is the same otherwise. If a run never finds a set full, then neither does a larger cache, whose
 * sets are parts of the smaller one's, and the run takes the same time.
 */
function findLeaders(chips: readonly TimedChip[]): Follower[] {
  const last = new Map<string, Follower>();
  const bySize = chips.toSorted((a, b) => a.spec.l2CacheBytes - b.spec.l2CacheBytes);
  return bySize.map((chip) => {
    const key = timingKeyWithout(chip.spec, 'l2CacheBytes');
    const leader = last.get(key) ?? null;
    const follower = { chip, leader, isRunning: leader === null, dependsOnL2CacheBytes: true };
    last.set(key, follower);
    return follower;
  });
}
