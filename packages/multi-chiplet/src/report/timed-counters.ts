/** Counters that follow from the simulation: those of machines and of copy engines. */
import {
  addCounters,
  type ChipletId,
  type CounterName,
  type Counters,
  listWaits,
  TIMED_UNITS,
} from '@tessera/frame';
import { type ResourceShare, takeShare, WHOLE } from '../placement/resource-shares.ts';
import type { FrameMeasurement } from '../simulated-time/frame-measurement.ts';
import type { SimulatedFrames } from '../simulated-time/simulated-frames.ts';

/** Counters of a chiplet's machine, or of a work of its copy engine. */
export interface TimedCounters {
  readonly chipletId: ChipletId;
  /** Index of the pass; null for a machine, whose passes share its counters. */
  readonly passIndex: number | null;
  readonly counters: Counters;
}

/** Yields the counters of machines and copy engines of the only frame. */
export function* timedCounters(
  measurement: FrameMeasurement,
  simulated: SimulatedFrames,
): Generator<TimedCounters, void> {
  for (const [chipletId, { counters }] of (simulated.machines ?? []).entries()) {
    yield { chipletId, passIndex: null, counters };
  }
  for (const [passIndex, { copies }] of simulated.frames[0]!.passes.entries()) {
    const { timings } = measurement.passes[passIndex]!.copyWork;
    for (const { chipletId, timings: indices, shares } of copies) {
      for (const [i, index] of indices.entries()) {
        const counters = shareOfCounters(timings[index]!.counters, shares?.[i] ?? WHOLE);
        yield { chipletId, passIndex, counters };
      }
    }
  }
}

/** Adds the counters of machines and copy engines of the only frame to those of each chiplet. */
export function addTimedCounters(
  byChiplet: readonly Counters[],
  measurement: FrameMeasurement,
  simulated: SimulatedFrames,
): void {
  for (const { chipletId, counters } of timedCounters(measurement, simulated)) {
    addCounters(byChiplet[chipletId]!, counters);
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
    const sums = { starved: 0, stalled: 0 };
    for (const { state, counter } of listWaits(unit)) sums[state] += shared[counter] ?? 0;
    shared[`${unit}.cyclesStarved`] = sums.starved;
    shared[`${unit}.cyclesStalled`] = sums.stalled;
  }
  return shared;
}
