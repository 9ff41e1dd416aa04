/**
 * Sums of the energy of events by unit, chiplet, pass and bin. Frames may have thousands of bins,
 * so the sums are added in place.
 */
import { type ChipletId, type EnergyPj, TIMED_UNITS, type TimedUnit } from '@tessera/frame';
import {
  type CountName,
  type EnergyEvent,
  type EnergySpec,
  energyOfEvent,
  type RunCounts,
} from './energy-event.ts';
import type { EnergyOptions } from './energy-options.ts';
import { ENERGY_EVENTS } from './events.ts';

/** Counts of one run, with the part of the frame that they belong to. */
export interface EnergyRun extends RunCounts {
  readonly chipletId: ChipletId;
  /** Index of the pass; null if several passes share the counts. */
  readonly passIndex: number | null;
  /** Index in the frame's bins; null if the run is not that of one bin. */
  readonly binIndex: number | null;
}

/** Dynamic energies of runs, grouped in several ways. */
interface EventSums {
  readonly units: ReadonlyMap<TimedUnit, EnergyPj>;
  readonly chiplets: readonly EnergyPj[];
  readonly passes: readonly EnergyPj[];
  readonly bins: readonly EnergyPj[];
  readonly notByPass: EnergyPj;
  readonly notByBin: EnergyPj;
}

/** Event in the form in which it is counted for many runs. */
interface CountedEvent {
  readonly counts: readonly (readonly [name: CountName, weight: number])[];
  readonly each: EnergyPj;
  readonly ofUnit: EnergySum;
}

/** Energy to which others are added. */
class EnergySum implements EnergyPj {
  lowPj = 0;
  typicalPj = 0;
  highPj = 0;

  add({ lowPj, typicalPj, highPj }: EnergyPj): void {
    this.lowPj += lowPj;
    this.typicalPj += typicalPj;
    this.highPj += highPj;
  }

  /** Adds the energy of events, in whole picojoules. */
  addEvents(each: EnergyPj, count: number): void {
    this.lowPj += Math.round(each.lowPj * count);
    this.typicalPj += Math.round(each.typicalPj * count);
    this.highPj += Math.round(each.highPj * count);
  }
}

/** Numbers of the groups of a frame. */
interface GroupCounts {
  readonly chiplets: number;
  readonly passes: number;
  readonly bins: number;
}

/** Returns the energy of all events of runs. */
export function sumEvents(
  runs: Iterable<EnergyRun>,
  groups: GroupCounts,
  spec: EnergySpec,
  memory: EnergyOptions['memory'],
): EventSums {
  const units = new Map(TIMED_UNITS.map((unit) => [unit, new EnergySum()]));
  const events = Object.values<EnergyEvent>(ENERGY_EVENTS).map((event): CountedEvent => {
    const events = event.perCount?.(spec) ?? 1;
    return {
      counts: Object.entries(event.counts).map(([name, weight]) => [
        name as CountName, // The keys of `counts`.
        weight * events,
      ]),
      each: energyOfEvent(event, spec, memory),
      ofUnit: units.get(event.unit)!,
    };
  });
  const makeSums = (count: number) => Array.from({ length: count }, () => new EnergySum());
  const chiplets = makeSums(groups.chiplets);
  const [passes, bins] = [makeSums(groups.passes), makeSums(groups.bins)];
  const [notByPass, notByBin] = [new EnergySum(), new EnergySum()];
  for (const run of runs) {
    const ofRun = new EnergySum();
    for (const { counts, each, ofUnit } of events) {
      let count = 0;
      for (const [name, weight] of counts) count += weight * countOf(run, name);
      if (count === 0) continue;
      ofRun.addEvents(each, count);
      ofUnit.addEvents(each, count);
    }
    chiplets[run.chipletId]!.add(ofRun);
    (run.passIndex === null ? notByPass : passes[run.passIndex]!).add(ofRun);
    (run.binIndex === null ? notByBin : bins[run.binIndex]!).add(ofRun);
  }
  const plain = ({ lowPj, typicalPj, highPj }: EnergySum) => ({ lowPj, typicalPj, highPj });
  return {
    units: new Map([...units].map(([unit, sum]) => [unit, plain(sum)])),
    chiplets: chiplets.map(plain),
    passes: passes.map(plain),
    bins: bins.map(plain),
    notByPass: plain(notByPass),
    notByBin: plain(notByBin),
  };
}

function countOf({ counters, laneInstructions }: RunCounts, name: CountName): number {
  return name === 'laneInstructions' ? laneInstructions : (counters[name] ?? 0);
}
