/**
 * Samples the activity of a machine in intervals of equal length: the states of its units, and the
 * use of memory, second-level cache and warp slots. Sampling changes no cycle.
 *
 * A unit that stays in one state for several intervals has one span for all of them. With intervals
 * of one cycle, spans are therefore exact.
 */
import { BUSY, type ChipEngine, STALLED, STARVED, STATE_COUNT } from '@tessera/chip';
import { type ActivityTracks, type Counters, RenderError, type UnitSpan } from '@tessera/frame';
import type { ChipCounters } from './chip-counters.ts';

/** Upper bound on the spans of all units of a chiplet, and on the intervals of its tracks. */
export const MAX_SAMPLED_SPANS = 2 ** 17;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type TrackName = Exclude<keyof ActivityTracks, 'endCycles'>;
type Samples = Record<TrackName, number>;

/** Counters of which a track is the difference from sample to sample. */
const TRACK_COUNTERS = {
  bytesRead: 'memory.bytesRead',
  bytesWritten: 'memory.bytesWritten',
  l2Hits: 'l2Cache.lineHits',
  l2Misses: 'l2Cache.lineMisses',
  vertexSlotCycles: 'taskScheduler.slotCyclesVertex',
  fragmentSlotCycles: 'taskScheduler.slotCyclesFragment',
} as const satisfies Record<TrackName, keyof Counters>;
const TRACK_NAMES = Object.keys(TRACK_COUNTERS) as TrackName[];

/** Samples of one machine from cycle 0 on. */
export class ActivitySampler {
  /** Cycle of the next sample. */
  nextCycle: number;
  readonly #engine: ChipEngine;
  readonly #counters: ChipCounters;
  readonly #intervalCycles: number;
  /** Spans by module. */
  readonly #spans: Mutable<UnitSpan>[][];
  #spanCount = 0;
  readonly #ends: number[] = [];
  readonly #tracks = Object.fromEntries(TRACK_NAMES.map((name) => [name, [] as number[]])) as {
    [Name in TrackName]: number[];
  };
  #states: Int32Array;
  #samples = samplesOf({});
  #cycle = 0;

  constructor(engine: ChipEngine, counters: ChipCounters, intervalCycles: number) {
    this.#engine = engine;
    this.#counters = counters;
    this.#intervalCycles = intervalCycles;
    this.nextCycle = intervalCycles;
    this.#spans = engine.moduleNames.map(() => []);
    this.#states = new Int32Array(engine.moduleNames.length * STATE_COUNT);
  }

  /**
   * Ends an interval with the cycles simulated so far, if there are any.
   *
   * @throws {RenderError} LIMIT_EXCEEDED for more than MAX_SAMPLED_SPANS spans or intervals.
   */
  sample(): void {
    const engine = this.#engine;
    const cycles = engine.cycle - this.#cycle;
    if (cycles === 0) return;
    engine.measure();
    const states = engine.stateCycles.slice(0, this.#states.length);
    for (let module = 0; module < this.#spans.length; module++) this.#addSpan(module, states);
    this.#states = states;
    const samples = samplesOf(this.#counters.sum(engine.counts, states, engine.waitCycles));
    this.#addTracks(samples, cycles);
    this.#samples = samples;
    this.#cycle = engine.cycle;
    this.nextCycle = (Math.floor(this.#cycle / this.#intervalCycles) + 1) * this.#intervalCycles;
    if (this.#spanCount <= MAX_SAMPLED_SPANS && this.#ends.length <= MAX_SAMPLED_SPANS) return;
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `timeline cycles: ${this.#intervalCycles} give more than ${MAX_SAMPLED_SPANS} spans of a chiplet by cycle ${this.#cycle}; use longer intervals`,
    );
  }

  /** Spans of all units, unit after unit. */
  get spans(): UnitSpan[] {
    return this.#spans.flat();
  }

  get tracks(): ActivityTracks {
    return { endCycles: this.#ends, ...this.#tracks };
  }

  #addSpan(module: number, states: Int32Array): void {
    const first = module * STATE_COUNT;
    const [busyCycles, starvedCycles, stalledCycles] = [BUSY, STARVED, STALLED].map(
      (state) => states[first + state]! - this.#states[first + state]!,
    ) as [number, number, number];
    const span = {
      unit: this.#engine.moduleNames[module]!,
      startCycle: this.#cycle,
      endCycle: this.#engine.cycle,
      busyCycles,
      starvedCycles,
      stalledCycles,
    };
    const own = this.#spans[module]!;
    const last = own.at(-1);
    const state = pureStateOf(span);
    if (last === undefined || state === null || pureStateOf(last) !== state) {
      own.push(span);
      this.#spanCount++;
      return;
    }
    last.endCycle = span.endCycle;
    last[state] += span[state];
  }

  #addTracks(samples: Samples, cycles: number): void {
    const last = this.#ends.length - 1;
    const lastCycles = last < 0 ? 0 : this.#ends[last]! - (this.#ends[last - 1] ?? 0);
    const isSameRate = TRACK_NAMES.every((name) => {
      const added = samples[name] - this.#samples[name];
      return (this.#tracks[name][last] ?? 0) * cycles === added * lastCycles;
    });
    const isJoined = last >= 0 && isSameRate;
    for (const name of TRACK_NAMES) {
      const added = samples[name] - this.#samples[name];
      if (isJoined) this.#tracks[name][last]! += added;
      else this.#tracks[name].push(added);
    }
    if (isJoined) this.#ends[last] = this.#engine.cycle;
    else this.#ends.push(this.#engine.cycle);
  }
}

function samplesOf(counters: Counters): Samples {
  const entries = TRACK_NAMES.map((name) => [name, counters[TRACK_COUNTERS[name]] ?? 0]);
  return Object.fromEntries(entries) as Samples;
}

/** Returns the state that a unit was in for the whole span, or null. */
function pureStateOf(span: UnitSpan): 'busyCycles' | 'starvedCycles' | 'stalledCycles' | null {
  const cycles = span.endCycle - span.startCycle;
  if (span.busyCycles === cycles) return 'busyCycles';
  if (span.starvedCycles === cycles) return 'starvedCycles';
  return span.stalledCycles === cycles ? 'stalledCycles' : null;
}
