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
  /** Every counter at 0: a run's counters are then made at once. */
  readonly #zeros: Readonly<Record<string, number>>;

  /** @param moduleNames By number; they end in a unit. */
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
    // V8 keeps what was filled by computed names as a dictionary; what JSON gives has a shape, and is copied as such.
    this.#zeros = JSON.parse(JSON.stringify(Object.fromEntries(names))) as Record<string, number>;
  }

  /** @param counts By COUNT. @param stateCycles See Schedule.cycles. */
  sum(counts: Float64Array, stateCycles: Int32Array): Counters {
    const sums: Record<string, number> = { ...this.#zeros };
    for (const { name, place } of this.#ofStates) sums[name]! += stateCycles[place]!;
    for (const { name, place, unit } of this.#ofCounts) sums[name]! += unit * counts[place]!;
    return sums as Counters; // the names are those of the table; a test compares
  }
}

/** Yields the sources of COUNTS, whose positions are the slots, then those of the memory clients. */
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

/** `shading.shaderCore[3]` → `shaderCore`. */
function unitOf(name: string): TimedUnit {
  return name.replace(/^.*\./, '').replace(/\[.*$/, '') as TimedUnit; // names of modules end in a unit
}
