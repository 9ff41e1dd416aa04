/** Counters that follow from the simulation: those of machines and of copy engines. */
import { addCounters, type Counters } from '@tessera/frame';
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

/** Returns a share of counters. The shares of all parts add up to them. */
function shareOfCounters(counters: Counters, share: ResourceShare): Counters {
  if (share.parts === 1) return counters;
  const shared: Counters = {};
  for (const [name, value] of Object.entries(counters)) {
    shared[name as keyof Counters] = takeShare(value, share);
  }
  return shared;
}
