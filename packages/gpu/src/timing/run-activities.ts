/**
 * Activity of a machine by run: how long each unit was busy from the end of a run to the end of the
 * next one. Runs overlap, so a run's activity contains the beginning of those behind it instead of
 * its own beginning.
 */
import { BUSY, type ChipEngine, STATE_COUNT } from '@tessera/chip';
import { COUNT } from '@tessera/chip/records';
import { type RunActivity, TIMED_UNITS, unitOfModule } from '@tessera/frame';

/** Activities since the start of a machine. */
export class RunActivities {
  /** Activities in the order of the ends of the runs. */
  readonly list: RunActivity[] = [];
  readonly #engine: ChipEngine;
  /** Position in TIMED_UNITS by module. */
  readonly #unitByModule: readonly number[];
  #last = new Float64Array(TIMED_UNITS.length);

  constructor(engine: ChipEngine) {
    this.#engine = engine;
    this.#unitByModule = engine.moduleNames.map((name) => TIMED_UNITS.indexOf(unitOfModule(name)));
  }

  /** Ends a run, or the visibility phase of a run that continues with a bin. */
  end(isVisibility: boolean): void {
    const engine = this.#engine;
    engine.measure();
    const { stateCycles, counts } = engine;
    const busy = new Float64Array(TIMED_UNITS.length);
    for (const [module, unit] of this.#unitByModule.entries()) {
      busy[unit]! += stateCycles[module * STATE_COUNT + BUSY]!;
    }
    // These units are busy while anything waits in them, which says nothing of their rates.
    busy[TIMED_UNITS.indexOf('triangleSetup')] = counts[COUNT.setupIssueCycles]!;
    busy[TIMED_UNITS.indexOf('dram')] = counts[COUNT.dramCyclesBusy]!;
    busy[TIMED_UNITS.indexOf('l2Cache')] = counts[COUNT.linesServed]!;
    this.list.push({
      isVisibility,
      busyCycles: Array.from(busy, (cycles, unit) => cycles - this.#last[unit]!),
    });
    this.#last = busy;
  }
}
