/** Counters that follow from the simulation: those of machines and of copy engines. */
import {
  addCounters,
  type CounterName,
  type Counters,
  TIMED_UNITS,
  type TimedUnit,
  UNIT_WAITS,
  type WaitName,
  waitCounterOf,
} from '@tessera/frame';
import { type ResourceShare, takeShare, WHOLE } from '../placement/resource-shares.ts';
import type { FrameMeasurement } from '../simulated-time/frame-measurement.ts';
import type { SimulatedFrames } from '../simulated-time/simulated-frames.ts';

/** Adds the counters of machines and copy engines of the only frame to those of each chiplet. */
export function addTimedCounters(
  byChiplet: readonly Counters[],
  measurement: FrameMeasurement,
  simulated: SimulatedFrames,
): void {
  for (const [id, { counters }] of (simulated.machines ?? []).entries()) {
    addCounters(byChiplet[id]!, counters);
  }
  for (const [passIndex, { copies }] of simulated.frames[0]!.passes.entries()) {
    const { timings } = measurement.passes[passIndex]!.copyWork;
    for (const work of copies) {
      for (const [i, index] of work.timings.entries()) {
        const share = work.shares?.[i] ?? WHOLE;
        addCounters(byChiplet[work.chipletId]!, shareOfCounters(timings[index]!.counters, share));
      }
    }
  }
}

/**
 * Returns a share of counters. The shares of all parts add up to them, and in each share the waits
 * of a unit add up to its starved and stalled cycles.
 */
function shareOfCounters(counters: Counters, share: ResourceShare): Counters {
  if (share.parts === 1) return counters;
  const shared: Counters = {};
  for (const [name, value] of Object.entries(counters)) {
    shared[name as CounterName] = takeShare(value, share);
  }
  for (const unit of TIMED_UNITS) {
    const { starved, stalled } = UNIT_WAITS[unit];
    shared[`${unit}.cyclesStarved`] = sumWaits(shared, unit, 'starved', starved);
    shared[`${unit}.cyclesStalled`] = sumWaits(shared, unit, 'stalled', stalled);
  }
  return shared;
}

function sumWaits(
  counters: Counters,
  unit: TimedUnit,
  state: 'starved' | 'stalled',
  kinds: readonly WaitName[],
): number {
  return kinds.reduce((sum, kind) => sum + (counters[waitCounterOf(unit, state, kind)] ?? 0), 0);
}
