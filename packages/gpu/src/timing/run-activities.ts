/**
 * Activity of a machine by run: the loads of its units from the end of a run to the end of the next
 * one. Runs overlap, so a run's activity contains the beginning of those behind it instead of its
 * own beginning.
 */
import type { ChipEngine } from '@tessera/chip';
import { type RunActivity, unitLoadsOf } from '@tessera/frame';
import type { ChipCounters } from './chip-counters.ts';

/** Activities since the start of a machine. */
export class RunActivities {
  /** Activities in the order of the ends of the runs. */
  readonly list: RunActivity[] = [];
  readonly #engine: ChipEngine;
  readonly #counters: ChipCounters;
  #last = unitLoadsOf({});

  /** @param counters Sums of `loadCounters`. */
  constructor(engine: ChipEngine, counters: ChipCounters) {
    this.#engine = engine;
    this.#counters = counters;
  }

  /** Ends a run, or the visibility phase of a run that continues with a bin. */
  end(isVisibility: boolean): void {
    const engine = this.#engine;
    engine.measure();
    const loads = unitLoadsOf(
      this.#counters.sum(engine.counts, engine.stateCycles, engine.waitCycles),
    );
    const loadCycles = loads.map((cycles, unit) => cycles - this.#last[unit]!);
    this.list.push({ isVisibility, loadCycles });
    this.#last = loads;
  }
}
