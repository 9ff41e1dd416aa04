/** Counters of a frame on a number of chiplets, from its rendering and a simulation. */
import { addCounters, type CounterName, type Counters } from '@tessera/frame';
import {
  addTimedCounters,
  type FrameMeasurement,
  type SimulatedFrames,
} from '@tessera/multi-chiplet/rendering';

/**
 * Counters to which kernels and machines add: lookups of fragments and of vertices. They are counts
 * of the records, so they do not depend on the simulation.
 */
const COUNTED_BY_BOTH = [
  'textureUnit.requestsLogged',
  'textureUnit.linesLogged',
] as const satisfies readonly CounterName[];

/**
 * Returns counters, summed over the chiplets. Those of machines and copy engines follow from the
 * simulation. All others are counts of the rendered frame, whatever the number of chiplets.
 *
 * @param counted Counters of the rendered frame with `coupling: exact`, summed over its chiplets.
 */
export function frameCounters(
  counted: Counters,
  measurement: FrameMeasurement,
  simulated: SimulatedFrames,
  chipletCount: number,
): Counters {
  const byChiplet = Array.from({ length: chipletCount }, (): Counters => ({}));
  addTimedCounters(byChiplet, measurement, simulated);
  const timed = sumCounters(byChiplet.map((counters) => ({ counters })));
  const counts = { ...counted, ...timed };
  for (const name of COUNTED_BY_BOTH) counts[name] = counted[name] ?? 0;
  return counts;
}

/** Returns the sums of counters over chiplets. */
export function sumCounters(chiplets: readonly { readonly counters: Counters }[]): Counters {
  const sum: Counters = {};
  for (const { counters } of chiplets) addCounters(sum, counters);
  return sum;
}
