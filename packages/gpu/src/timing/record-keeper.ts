/**
 * Keeps the records of runs instead of timing them. A chip that runs on from bin to bin
 * (chiplet-machine.ts) times them later.
 */
import { ARRAY_WORDS, DRAW_WORDS, type RecordRing } from '@tessera/chip/records';
import { type LogSites, type RecordedRun, refuseLargeRun } from '@tessera/frame';
import { BinLog } from '../run-log/bin-log.ts';
import { planWords, type RunRequest } from './run-request.ts';

/** Keeper of one chiplet's records, one run after another. */
export class RecordKeeper {
  /** Records of the run, written by the functional units. */
  readonly log = new BinLog();
  #plan: Int32Array = new Int32Array(0);

  /** Starts a run without records. */
  begin(request: RunRequest): void {
    this.log.reset();
    this.#plan = planWords(request);
  }

  /** Keeps the records so far. */
  advance(): void {}

  /**
   * Returns the records of the run. The last one must be written.
   *
   * @param outputBytes See ChipTiming.finish.
   * @throws {RenderError} LIMIT_EXCEEDED if they are more than MAX_RUN_BYTES.
   */
  finish(outputBytes: number, streamBytes = 0): RecordedRun {
    const { log } = this;
    const { words, end } = log.fragmentTraceWords;
    const run = {
      plan: this.#plan,
      outputBytes,
      streamBytes,
      commands: wordsOf(log.commands),
      entries: wordsOf(log.entries),
      blocks: wordsOf(log.blocks),
      fragmentTraces: wordsOf(log.fragmentTraces),
      fragmentTraceWords: words.slice(0, end),
      vertices: wordsOf(log.vertices),
      draws: log.draws.slice(0, log.drawCount * DRAW_WORDS),
      arrays: log.arrays.slice(0, log.arrayCount * ARRAY_WORDS),
      programs: log.programs,
      pageHeads: wordsOf(log.pageHeads),
      ...numberSites(log.vertexSites),
      vertexLogs: log.vertexTraces.logs,
    };
    refuseLargeRun(run);
    return run;
  }
}

/** Returns each sites of vertex programs once, and their indices by draw. */
function numberSites(
  sitesByDraw: readonly (LogSites | null)[],
): Pick<RecordedRun, 'vertexSites' | 'drawSites'> {
  const numbers = new Map<LogSites, number>();
  const drawSites = Int32Array.from(sitesByDraw, (sites) => {
    if (sites === null) return -1;
    const number = numbers.get(sites) ?? numbers.size;
    numbers.set(sites, number);
    return number;
  });
  return { vertexSites: [...numbers.keys()], drawSites };
}

/** Returns the words of a ring of which nothing was freed. */
function wordsOf({ words, stride, end }: RecordRing): Int32Array {
  return words.slice(0, end * stride);
}
