/** Form of the events that consume energy, and the energy of one. */
import type { CounterName, Counters, EnergyPj, SpecSummary, TimedUnit } from '@tessera/frame';
import { arithmeticEnergy, type OperationRange } from './arithmetic.ts';
import { addEnergy, NO_ENERGY, rangeOf, scaleEnergy } from './energy-range.ts';
import { LINK_CLASSES } from './link-classes.ts';
import type { MemoryTechnologyName } from './memory-technologies.ts';
import { arrayAccessPj, type CacheLevel, cacheAccessEnergy } from './on-chip-memory.ts';

/** Name of a count of events: a counter, or the instructions of all lanes. */
export type CountName = CounterName | 'laneInstructions';

/** Counts of a run: its counters, and the instructions of its lanes. */
export interface RunCounts {
  readonly counters: Counters;
  readonly laneInstructions: number;
}

/** Access to an on-chip memory by an event. */
export interface MemoryAccess {
  /** Level of the cache; null for a memory of its own, without the path to a shader core. */
  readonly level: CacheLevel | null;
  /** Size of the memory in bytes. */
  readonly bytes: (spec: EnergySpec) => number;
  /** Bits of the access; by end of the range if the accesses of an event differ. */
  readonly bits: number | readonly [low: number, typical: number, high: number];
}

/** An event that consumes energy, and how often it happens. */
export interface EnergyEvent {
  readonly unit: TimedUnit;
  /** Noun phrase for one event. */
  readonly meaning: string;
  /** Counts whose weighted sum is the number of events. */
  readonly counts: Partial<Readonly<Record<CountName, number>>>;
  /** Number of events for each count, such as the lanes of a warp; 1 by default. */
  readonly perCount?: (spec: EnergySpec) => number;
  readonly operations?: OperationRange;
  readonly accesses?: readonly MemoryAccess[];
  /** Bits that cross wires of the chiplet. */
  readonly transportBits?: number;
  /** Energy of a command of memory chips. */
  readonly command?: (memory: MemoryTechnologyName, spec: EnergySpec) => EnergyPj;
}

/** Parameters of a chiplet's specification on which energies depend. */
export class EnergySpec {
  readonly clockHz: number;
  readonly #parameters: SpecSummary['parameters'];

  constructor({ clockHz, parameters }: Pick<SpecSummary, 'clockHz' | 'parameters'>) {
    this.clockHz = clockHz;
    this.#parameters = parameters;
  }

  /** Returns a parameter. @throws {Error} If the specification has none of this name. */
  valueOf(name: string): SpecSummary['parameters'][string] {
    const value = this.#parameters[name];
    if (value === undefined) throw new Error(`energy: the specification has no ${name}`);
    return value;
  }

  /** Returns a parameter. @throws {Error} If it is not a number. */
  numberOf(name: string): number {
    const value = this.#parameters[name];
    if (typeof value !== 'number') throw new Error(`energy: the specification has no ${name}`);
    return value;
  }

  /** Whether a parameter has a value, such as `true` of a switch. */
  has(name: string, value: string | boolean): boolean {
    return this.#parameters[name] === value;
  }
}

/** Returns how many events of a kind a run had. */
export function countEvents(
  event: EnergyEvent,
  spec: EnergySpec,
  { counters, laneInstructions }: RunCounts,
): number {
  let count = 0;
  for (const [name, weight] of Object.entries(event.counts)) {
    const of = name === 'laneInstructions' ? laneInstructions : counters[name as CounterName];
    count += weight * (of ?? 0);
  }
  return count * (event.perCount?.(spec) ?? 1);
}

/** Returns the energy of one event, not rounded. */
export function energyOfEvent(
  event: EnergyEvent,
  spec: EnergySpec,
  memory: MemoryTechnologyName,
): EnergyPj {
  const { operations, accesses = [], transportBits = 0, command } = event;
  return addEnergy(
    operations === undefined ? NO_ENERGY : arithmeticEnergy(operations),
    ...accesses.map((access) => energyOfAccess(access, spec)),
    scaleEnergy(LINK_CLASSES['on-chip'].perBit, transportBits),
    command?.(memory, spec) ?? NO_ENERGY,
  );
}

function energyOfAccess({ level, bytes, bits }: MemoryAccess, spec: EnergySpec): EnergyPj {
  const size = bytes(spec);
  const [low, typical, high] = typeof bits === 'number' ? [bits, bits, bits] : bits;
  if (level === null) {
    return rangeOf(
      arrayAccessPj(size, low),
      arrayAccessPj(size, typical),
      arrayAccessPj(size, high),
    );
  }
  return rangeOf(
    cacheAccessEnergy(level, size, low).lowPj,
    cacheAccessEnergy(level, size, typical).typicalPj,
    cacheAccessEnergy(level, size, high).highPj,
  );
}
