/** Counters of a run from the counts and module states of the simulated chip. */

import { BUSY, STALLED, STARVED, STATE_COUNT } from '@tessera/chip';
import {
  CLIENT_LINES_READ,
  CLIENT_LINES_WRITTEN,
  COUNTS,
  LINE_BYTES,
  MEMORY_CLIENTS,
} from '@tessera/chip/records';
import type { CounterName, Counters, TimedUnit } from '@tessera/frame';

/** Source of a counter's value: a slot of an array and a factor. */
interface CounterSource {
  readonly name: CounterName;
  readonly place: number;
  readonly unit: number;
}

/** Adds up the counts of a run and the states of all modules of a kind. */
export class ChipCounters {
  readonly #ofCounts: readonly CounterSource[];
  readonly #ofStates: readonly CounterSource[];
  /** All counters at 0. A run's counters start as a copy of it. */
  readonly #zeros: Readonly<Record<string, number>>;

  /** @param moduleNames Module names by number. Each ends in a unit. */
  constructor(moduleNames: readonly string[]) {
    this.#ofCounts = [...sourcesOfCounts()];
    this.#ofStates = moduleNames.flatMap((name, module) => {
      const unit = unitOf(name);
      const first = module * STATE_COUNT;
      return [
        { name: `${unit}.cyclesBusy` as const, place: first + BUSY, unit: 1 },
        { name: `${unit}.cyclesStarved` as const, place: first + STARVED, unit: 1 },
        { name: `${unit}.cyclesStalled` as const, place: first + STALLED, unit: 1 },
      ];
    });
    const names = [...this.#ofStates, ...this.#ofCounts].map(({ name }) => [name, 0]);
    // V8 keeps an object filled by computed names as a dictionary. The result of JSON has a shape,
    // which copies keep.
    this.#zeros = JSON.parse(JSON.stringify(Object.fromEntries(names))) as Record<string, number>;
  }

  /**
   * Sums the counters of a run.
   *
   * @param counts Counts by slot of COUNTS.
   * @param stateCycles See Schedule.cycles.
   */
  sum(counts: Float64Array, stateCycles: Int32Array): Counters {
    const sums: Record<string, number> = { ...this.#zeros };
    for (const { name, place } of this.#ofStates) sums[name]! += stateCycles[place]!;
    for (const { name, place, unit } of this.#ofCounts) sums[name]! += unit * counts[place]!;
    return sums as Counters; // The names are those of the table; a test compares them.
  }
}

/**
 * Yields the sources of COUNTS, whose positions are the slots, then those of the memory clients.
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
}

/** Returns the unit of a module name: `shading.shaderCore[3]` → `shaderCore`. */
function unitOf(name: string): TimedUnit {
  // Names of modules end in a unit.
  return name.replace(/^.*\./, '').replace(/\[.*$/, '') as TimedUnit;
}
