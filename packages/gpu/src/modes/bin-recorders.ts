/** Recorders of a chiplet: one for its specification alone, and one that times alternatives too. */
import {
  type ChipletSpec,
  RECORD_PARAMETERS,
  recordsKeyOf,
  specOfSummary,
} from '@tessera/chiplet-spec';
import { RenderError, type SpecSummary } from '@tessera/frame';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import type { ExecutionLog } from '../shading/execution-log.ts';
import { ChipTiming } from '../timing/chip-timing.ts';
import { RecordKeeper } from '../timing/record-keeper.ts';
import { BinRecorder } from './bin-recorder.ts';

/** Recorders, created on first use. */
export class BinRecorders {
  readonly #spec: ChipletSpec;
  readonly #memory: ChipletMemory;
  readonly #executionLog: ExecutionLog;
  #alone: BinRecorder | null = null;
  #keeping: BinRecorder | null = null;
  /** Recorder with the alternatives of the last frame that had some, by their parameters. */
  #last: {
    readonly summaries: readonly SpecSummary[];
    readonly key: string;
    readonly recorder: BinRecorder;
  } | null = null;

  constructor(spec: ChipletSpec, memory: ChipletMemory, executionLog: ExecutionLog) {
    this.#spec = spec;
    this.#memory = memory;
    this.#executionLog = executionLog;
  }

  /**
   * Returns the recorder that times these alternatives too.
   *
   * @throws {RenderError} REQUEST_INVALID for an alternative that is not valid or that needs other
   *   records. The message names the parameter.
   */
  require(summaries: readonly SpecSummary[]): BinRecorder {
    if (summaries.length === 0) {
      this.#alone ??= this.#make([]);
      return this.#alone;
    }
    if (this.#last?.summaries === summaries) return this.#last.recorder;
    const key = JSON.stringify(summaries.map(({ parameters }) => parameters));
    if (this.#last?.key === key) {
      this.#last = { ...this.#last, summaries };
      return this.#last.recorder;
    }
    // The chips of the previous one are released first.
    this.#last = null;
    const recorder = this.#make(summaries.map((summary) => this.#read(summary)));
    this.#last = { summaries, key, recorder };
    return recorder;
  }

  /** Recorder that keeps the records, which are timed later. */
  get keeping(): BinRecorder {
    this.#keeping ??= new BinRecorder(
      this.#memory,
      this.#spec,
      new RecordKeeper(),
      this.#executionLog,
    );
    return this.#keeping;
  }

  #read(summary: SpecSummary): ChipletSpec {
    const spec = specOf(summary);
    if (recordsKeyOf(spec) === recordsKeyOf(this.#spec)) return spec;
    const name = RECORD_PARAMETERS.find((each) => spec[each] !== this.#spec[each])!;
    throw new RenderError(
      'REQUEST_INVALID',
      `${spec.name}: ${name}: ${spec[name]} needs a rendering of its own, because the frame's specification has ${this.#spec[name]}`,
    );
  }

  #make(alternatives: readonly ChipletSpec[]): BinRecorder {
    const memory = this.#memory;
    const { stopWords } = memory;
    const timing = new ChipTiming(this.#spec, { alternatives, stopWords });
    return new BinRecorder(memory, this.#spec, timing, this.#executionLog);
  }
}

/**
 * Returns the specification of a frame.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the parameter, if it is not valid here.
 */
export function specOf(summary: SpecSummary): ChipletSpec {
  try {
    return specOfSummary(summary);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RenderError('REQUEST_INVALID', error.message, { cause: error });
  }
}
