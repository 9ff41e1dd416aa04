/** Loads of units: the cycles for which work occupied them, as their rates allow. */
import { type CounterName, type Counters, TIMED_UNITS, type TimedUnit } from './counters.ts';

const LINE_BYTES = 64;

/**
 * Counters of the loads of units that are busy while anything waits in them, which says nothing of
 * their rates: of local memory the cycles of its data buses, of the second-level cache the lines
 * that it served, and of triangle setup the cycles of its first stage. The loads of all other units
 * are their busy cycles.
 */
const LOADS: Partial<Record<TimedUnit, { readonly counter: CounterName; readonly per?: number }>> =
  {
    dram: { counter: 'dram.channelCyclesBusy' },
    l2Cache: { counter: 'memory.bytesServed', per: LINE_BYTES },
    triangleSetup: { counter: 'triangleSetup.issueCycles' },
  };

function loadOf(unit: TimedUnit) {
  const { counter, per = 1 } = LOADS[unit] ?? { counter: `${unit}.cyclesBusy` as const };
  return { counter, per };
}

/** Returns the counters from which loads follow. */
export function loadCounters(): ReadonlySet<CounterName> {
  return new Set(TIMED_UNITS.map((unit) => loadOf(unit).counter));
}

/** Returns the loads by position in TIMED_UNITS, each the sum over the instances of a unit. */
export function unitLoadsOf(counters: Counters): number[] {
  return TIMED_UNITS.map((unit) => {
    const { counter, per } = loadOf(unit);
    return (counters[counter] ?? 0) / per;
  });
}
