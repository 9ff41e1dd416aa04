import { type CounterName, type Counters, WAIT_COUNTERS } from '@tessera/frame';

/**
 * Returns a timing without the counters of waits. A module that is clocked in every cycle tells
 * anew each time what it waits for. One that sleeps tells it once.
 */
export function withoutWaits<Timing extends { readonly counters: Counters }>(
  timing: Timing,
): Timing {
  const names = Object.keys(timing.counters) as CounterName[];
  const kept = names.filter((name) => !(name in WAIT_COUNTERS));
  const counters = Object.fromEntries(kept.map((name) => [name, timing.counters[name]]));
  return { ...timing, counters };
}
