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

const ALL = TIMED_UNITS.map(loadOf);

/** Counters from which loads follow. */
export const LOAD_COUNTERS: ReadonlySet<CounterName> = new Set(ALL.map(({ counter }) => counter));

/** Returns the loads by position in TIMED_UNITS, each the sum over the instances of a unit. */
export function unitLoadsOf(counters: Counters): number[] {
  return ALL.map(({ counter, per }) => (counters[counter] ?? 0) / per);
}
