/** Counters of a run from the counts and module states of the simulated chip. */

import { BUSY, STALLED, STARVED, STATE_COUNT, stalled, starved, WAIT_WORDS } from '@tessera/chip';
import {
  CLIENT_LINES_READ,
  CLIENT_LINES_WRITTEN,
  COUNTS,
  LINE_BYTES,
  MEMORY_CLIENTS,
  WAIT,
  WARP_CYCLES,
  WARP_WAIT,
} from '@tessera/chip/records';
import {
  type CounterName,
  type Counters,
  listWaits,
  type TimedUnit,
  unitOfModule,
  WARP_WAITS,
  warpWaitCounterOf,
} from '@tessera/frame';

/** Source of a counter's value: a slot of an array and a factor. */
interface CounterSource {
  readonly name: CounterName;
  readonly place: number;
  readonly unit: number;
}

/** Source by number of the counter instead of its name. */
interface NumberedSource {
  readonly counter: number;
  readonly place: number;
  readonly unit: number;
}

/** Adds up the counts of a run and the states of all modules of a kind. */
export class ChipCounters {
  readonly #names: readonly CounterName[];
  readonly #ofCounts: readonly NumberedSource[];
  readonly #ofStates: readonly NumberedSource[];
  readonly #ofWaits: readonly NumberedSource[];
  /**
   * Sum by number of the counter. Sums in an object would allocate a number for each addition, a
   * megabyte per frame.
   */
  readonly #sums: Float64Array;

  /**
   * @param moduleNames Module names by number. Each ends in a unit.
   * @param wanted Counters that are summed; all by default.
   */
  constructor(moduleNames: readonly string[], wanted?: ReadonlySet<CounterName>) {
    const isWanted = ({ name }: CounterSource) => wanted?.has(name) ?? true;
    const states = moduleNames.flatMap((name, module): CounterSource[] => {
      const unit = unitOfModule(name);
      const first = module * STATE_COUNT;
      return [
        { name: `${unit}.cyclesBusy`, place: first + BUSY, unit: 1 },
        { name: `${unit}.cyclesStarved`, place: first + STARVED, unit: 1 },
        { name: `${unit}.cyclesStalled`, place: first + STALLED, unit: 1 },
      ];
    });
    const waits = moduleNames.flatMap((name, module) => [
      ...sourcesOfWaits(unitOfModule(name), module),
    ]);
    const [ofStates, ofWaits] = [states.filter(isWanted), waits.filter(isWanted)];
    const ofCounts = [...sourcesOfCounts()].filter(isWanted);
    const numbers = new Map<CounterName, number>();
    for (const { name } of [...ofStates, ...ofWaits, ...ofCounts]) {
      if (!numbers.has(name)) numbers.set(name, numbers.size);
    }
    const numbered = ({ name, place, unit }: CounterSource) => ({
      counter: numbers.get(name)!,
      place,
      unit,
    });
    this.#ofStates = ofStates.map(numbered);
    this.#ofWaits = ofWaits.map(numbered);
    this.#ofCounts = ofCounts.map(numbered);
    this.#names = [...numbers.keys()];
    this.#sums = new Float64Array(numbers.size);
  }

  /**
   * Sums the counters of a run.
   *
   * @param counts Counts by slot of COUNTS.
   * @param stateCycles See Schedule.cycles.
   * @param waitCycles See Schedule.waits.
   */
  sum(counts: Float64Array, stateCycles: Int32Array, waitCycles: Int32Array): Counters {
    const sums = this.#sums.fill(0);
    for (const { counter, place } of this.#ofStates) sums[counter]! += stateCycles[place]!;
    for (const { counter, place } of this.#ofWaits) sums[counter]! += waitCycles[place]!;
    for (const { counter, place, unit } of this.#ofCounts) sums[counter]! += unit * counts[place]!;
    const counters: Counters = {};
    for (const [counter, name] of this.#names.entries()) counters[name] = sums[counter]!;
    return counters;
  }
}

/**
 * Yields the sources of COUNTS, whose positions are the slots, then those of the memory clients and
 * of the cycles of warps.
 */
function* sourcesOfCounts(): Generator<CounterSource> {
  for (const [place, row] of Object.values(COUNTS).entries()) {
    yield { name: row.counter, place, unit: 'isInLines' in row ? LINE_BYTES : 1 };
  }
  for (const [client, { read, write }] of Object.values(MEMORY_CLIENTS).entries()) {
    yield { name: read, place: CLIENT_LINES_READ + client, unit: LINE_BYTES };
    if (write === null) continue;
    yield { name: write, place: CLIENT_LINES_WRITTEN + client, unit: LINE_BYTES };
  }
  for (const kind of WARP_WAITS) {
    yield { name: warpWaitCounterOf(kind), place: WARP_CYCLES + WARP_WAIT[kind], unit: 1 };
  }
}

/** Yields the sources of the counters of a module's waits. */
function* sourcesOfWaits(unit: TimedUnit, module: number): Generator<CounterSource> {
  const first = module * WAIT_WORDS;
  for (const { state, kind, counter } of listWaits(unit)) {
    const word = (state === 'starved' ? starved : stalled)(WAIT[kind]);
    yield { name: counter, place: first + word, unit: 1 };
  }
}
