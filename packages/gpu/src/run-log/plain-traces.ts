/** Traces of fragment warps whose program logs nothing: no lookups, loops and sections. */
import type { IssueCost } from '@tessera/frame';
import type { BinLog } from './bin-log.ts';
import { writePlainTrace } from './warp-trace.ts';

/** Writes the traces of one recorder. */
export class PlainTraces {
  readonly #log: BinLog;
  /** Rounds of the warp in progress. */
  #rounds = 0;

  constructor(log: BinLog) {
    this.#log = log;
  }

  /** Adds a warp that runs the program once. */
  add(cost: IssueCost): void {
    this.#write(cost, 1);
  }

  /** Adds a round of a warp, and with the last round the warp. */
  addRound(cost: IssueCost, isLast: boolean): void {
    this.#rounds++;
    if (!isLast) return;
    this.#write(cost, this.#rounds);
    this.#rounds = 0;
  }

  #write({ instructions, issueCycles, stallCycles }: IssueCost, rounds: number): void {
    const { fragmentTraces, fragmentTraceWords } = this.#log;
    const at = fragmentTraces.append();
    fragmentTraces.words[at] = writePlainTrace(fragmentTraceWords, {
      instructions: rounds * instructions,
      issueCycles: rounds * issueCycles,
      stallCycles: rounds * stallCycles,
    });
  }
}
