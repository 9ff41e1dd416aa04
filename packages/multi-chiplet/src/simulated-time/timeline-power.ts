/**
 * Power of chiplets over time, as a counter of the timeline. The dynamic energy of a unit is
 * distributed over its busy cycles. Energy of units that are never busy, such as copies that no
 * machine timed, is distributed over the frame.
 */
import { type TimedUnit, type UnitSpan, unitOfModule } from '@tessera/frame';
import { firstEndingAfter } from './first-ending-after.ts';
import type { TraceEvent } from './timeline.ts';
import { counter } from './timeline-tracks.ts';

/** Typical energies that the power is made of. */
export interface PowerSource {
  readonly clockHz: number;
  /** Dynamic energy in picojoules by chiplet and unit. */
  readonly dynamicPj: readonly ReadonlyMap<TimedUnit, number>[];
  /** Power of leakage and refreshes of a chiplet with its memory, in milliwatts. */
  readonly standingMw: number;
}

/** Spans of one run, and the cycle of the frame in which it starts. */
export interface PlacedSpans {
  readonly startCycle: number;
  readonly spans: readonly UnitSpan[];
}

/** Number of intervals without given bounds. */
const INTERVAL_COUNT = 256;

/** Returns the ends of intervals of equal length up to a cycle. */
export function equalIntervals(endCycle: number): number[] {
  const length = Math.max(1, Math.ceil(endCycle / INTERVAL_COUNT));
  const ends = [];
  for (let end = length; end < endCycle + length; end += length) ends.push(Math.min(end, endCycle));
  return ends;
}

/**
 * Yields the power of a chiplet in watts, as the mean of each interval.
 *
 * @param endCycles Ends of the intervals, ascending. The first starts at 0. The last is the end of
 *   the frame or later.
 * @param pid Process and number of the chiplet.
 */
export function* powerCounters(
  { clockHz, dynamicPj, standingMw }: PowerSource,
  runs: readonly PlacedSpans[],
  endCycles: readonly number[],
  pid: number,
): Generator<TraceEvent, void> {
  const energies = distribute(dynamicPj[pid]!, runs, endCycles);
  let start = 0;
  for (const [index, end] of endCycles.entries()) {
    const ns = ((end - start) * 1e9) / clockHz;
    // A picojoule per nanosecond is a milliwatt.
    yield counter('power in watts', pid, start, {
      dynamic: round(energies[index]! / ns / 1000),
      'leakage and refresh': round(standingMw / 1000),
    });
    start = end;
  }
  yield counter('power in watts', pid, start, { dynamic: 0, 'leakage and refresh': 0 });
}

/** Returns the energy in each interval. */
function distribute(
  dynamicPj: ReadonlyMap<TimedUnit, number>,
  runs: readonly PlacedSpans[],
  endCycles: readonly number[],
): Float64Array {
  const busyCycles = new Map<TimedUnit, number>();
  for (const { spans } of runs) {
    for (const { unit, busyCycles: busy } of spans) {
      const name = unitOfModule(unit);
      busyCycles.set(name, (busyCycles.get(name) ?? 0) + busy);
    }
  }
  const energies = new Float64Array(endCycles.length);
  for (const { startCycle, spans } of runs) {
    for (const span of spans) {
      if (span.busyCycles === 0) continue;
      const unit = unitOfModule(span.unit);
      // Units without energy have none to distribute.
      const pj = dynamicPj.get(unit) ?? 0;
      const share = span.busyCycles / busyCycles.get(unit)!;
      spread(
        energies,
        endCycles,
        startCycle + span.startCycle,
        startCycle + span.endCycle,
        pj * share,
      );
    }
  }
  for (const [unit, pj] of dynamicPj) {
    if ((busyCycles.get(unit) ?? 0) === 0) spread(energies, endCycles, 0, endCycles.at(-1)!, pj);
  }
  return energies;
}

/** Adds energy that is equal in all cycles from `start` to before `end`. */
function spread(
  energies: Float64Array,
  endCycles: readonly number[],
  start: number,
  end: number,
  pj: number,
): void {
  const last = endCycles.length - 1;
  let index = firstEndingAfter(endCycles.length, (i) => endCycles[i]!, start);
  for (let from = start; from < end; index++) {
    const until = index >= last ? end : Math.min(end, endCycles[index]!);
    energies[Math.min(index, last)]! += (pj * (until - from)) / (end - start);
    from = until;
  }
}

/** Keeps six digits, which are more than the energies have. */
function round(watts: number): number {
  return Number(watts.toPrecision(6));
}
