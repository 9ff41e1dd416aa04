/**
 * Energy of a frame from the counts of its runs. Each event of each run is rounded to a whole
 * picojoule, and all sums are sums of these, so they are equal whatever they are grouped by.
 */
import {
  type ChannelReport,
  type ChipletId,
  type EnergyByKind,
  type EnergyPj,
  type EnergyReport,
  type SpecSummary,
  TIMED_UNITS,
  type TimedUnit,
} from '@tessera/frame';
import { NODE_NM } from './arithmetic.ts';
import {
  countEvents,
  type EnergyEvent,
  EnergySpec,
  energyOfEvent,
  type RunCounts,
} from './energy-event.ts';
import { DEFAULT_ENERGY_OPTIONS, type EnergyOptions } from './energy-options.ts';
import { addEnergy, NO_ENERGY, rangeOf, roundEnergy, scaleEnergy } from './energy-range.ts';
import { ENERGY_EVENTS } from './events.ts';
import { leakageOf, sizeOfUnit, type UnitSize } from './leakage.ts';
import { LINK_CLASSES, linkClassOf } from './link-classes.ts';
import { MEMORY_TECHNOLOGIES } from './memory-technologies.ts';

/** Counts of one run, with the part of the frame that they belong to. */
export interface EnergyRun extends RunCounts {
  readonly chipletId: ChipletId;
  /** Index of the pass; null if several passes share the counts. */
  readonly passIndex: number | null;
  /** Index in the frame's bins; null if the run is not that of one bin. */
  readonly binIndex: number | null;
}

/** Runs, cycles and traffic of a frame. */
export interface EnergyInput {
  readonly spec: Pick<SpecSummary, 'clockHz' | 'parameters'>;
  readonly cycles: number;
  readonly chipletCount: number;
  readonly passCount: number;
  /** Bins, in the order of the report. */
  readonly bins: readonly Pick<EnergyReport['bins'][number], 'passIndex' | 'id'>[];
  readonly runs: Iterable<EnergyRun>;
  readonly channels: readonly Pick<ChannelReport, 'channel' | 'bytes'>[];
  readonly options?: EnergyOptions | undefined;
  /** Sizes of units, if they are known; by default those that follow from the specification. */
  readonly unitSizes?: Partial<Readonly<Record<TimedUnit, UnitSize>>> | undefined;
}

/** Returns the energy of a frame. */
export function accountEnergy(input: EnergyInput): EnergyReport {
  const options = input.options ?? DEFAULT_ENERGY_OPTIONS;
  const spec = new EnergySpec(input.spec);
  const sums = sumEvents(input, spec, options.memory);
  const standing = standingEnergies(input, spec, options);
  const units = TIMED_UNITS.map((unit) => {
    const own = standing.get(unit)!;
    return {
      unit,
      ...byKind(
        sums.units.get(unit)!,
        scaleEnergy(own.leakage, input.chipletCount),
        scaleEnergy(own.refresh, input.chipletCount),
      ),
    };
  });
  const leakage = addEnergy(...[...standing.values()].map((own) => own.leakage));
  const refresh = addEnergy(...[...standing.values()].map((own) => own.refresh));
  const chiplets = sums.chiplets.map((dynamic, id) => ({
    id,
    ...byKind(dynamic, leakage, refresh),
  }));
  const link = accountChannels(input, options);
  const total = byKind(
    addEnergy(...chiplets.map(({ dynamic }) => dynamic), link.dynamic),
    scaleEnergy(leakage, input.chipletCount),
    scaleEnergy(refresh, input.chipletCount),
  );
  return {
    technology: {
      nodeNm: NODE_NM,
      memory: options.memory,
      linkClass: options.linkClass,
      packageLinkClass: options.packageLinkClass,
    },
    total,
    averagePower: powerOf(total.total, (input.cycles * 1e9) / spec.clockHz),
    units,
    chiplets,
    passes: sums.passes.map((dynamic) => ({ dynamic })),
    bins: input.bins.map(({ passIndex, id }, i) => ({ passIndex, id, dynamic: sums.bins[i]! })),
    notByPass: sums.notByPass,
    notByBin: sums.notByBin,
    link,
  };
}

/** Returns the dynamic energy of each unit of each chiplet, by chiplet. */
export function dynamicByUnit(input: EnergyInput): readonly ReadonlyMap<TimedUnit, EnergyPj>[] {
  const runs = [...input.runs];
  return Array.from({ length: input.chipletCount }, (_, id) => {
    const own = runs.filter(({ chipletId }) => chipletId === id);
    const { memory } = input.options ?? DEFAULT_ENERGY_OPTIONS;
    return sumEvents({ ...input, runs: own }, new EnergySpec(input.spec), memory).units;
  });
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

function sumEvents(
  { runs, chipletCount, passCount, bins }: EnergyInput,
  spec: EnergySpec,
  memory: EnergyOptions['memory'],
): EventSums {
  const events = Object.values<EnergyEvent>(ENERGY_EVENTS).map((event) => ({
    event,
    each: energyOfEvent(event, spec, memory),
  }));
  const units = new Map<TimedUnit, EnergyPj>(TIMED_UNITS.map((unit) => [unit, NO_ENERGY]));
  const empty = (length: number) => new Array<EnergyPj>(length).fill(NO_ENERGY);
  const sums = {
    ...{ chiplets: empty(chipletCount), passes: empty(passCount), bins: empty(bins.length) },
    ...{ notByPass: NO_ENERGY, notByBin: NO_ENERGY },
  };
  for (const run of runs) {
    let ofRun = NO_ENERGY;
    for (const { event, each } of events) {
      const count = countEvents(event, spec, run);
      if (count === 0) continue;
      const energy = roundEnergy(scaleEnergy(each, count));
      units.set(event.unit, addEnergy(units.get(event.unit)!, energy));
      ofRun = addEnergy(ofRun, energy);
    }
    const { chipletId, passIndex, binIndex } = run;
    sums.chiplets[chipletId] = addEnergy(sums.chiplets[chipletId]!, ofRun);
    if (passIndex === null) sums.notByPass = addEnergy(sums.notByPass, ofRun);
    else sums.passes[passIndex] = addEnergy(sums.passes[passIndex]!, ofRun);
    if (binIndex === null) sums.notByBin = addEnergy(sums.notByBin, ofRun);
    else sums.bins[binIndex] = addEnergy(sums.bins[binIndex]!, ofRun);
  }
  return { units, ...sums };
}

/** Energies of a unit of one chiplet during the frame that do not depend on its work. */
interface StandingEnergy {
  readonly leakage: EnergyPj;
  readonly refresh: EnergyPj;
}

/** Returns leakage and refresh of each unit of a chiplet. */
function standingEnergies(
  { cycles, unitSizes = {} }: EnergyInput,
  spec: EnergySpec,
  { memory }: EnergyOptions,
): ReadonlyMap<TimedUnit, StandingEnergy> {
  // A milliwatt is a picojoule per nanosecond.
  const ns = (cycles * 1e9) / spec.clockHz;
  const energyOf = (mw: {
    readonly low: number;
    readonly typical: number;
    readonly high: number;
  }) => rangeOf(mw.low, mw.typical, mw.high);
  const standing = new Map<TimedUnit, StandingEnergy>();
  for (const unit of TIMED_UNITS) {
    const leakage = energyOf(leakageOf(unitSizes[unit] ?? sizeOfUnit(unit, spec)));
    standing.set(unit, { leakage: roundEnergy(scaleEnergy(leakage, ns)), refresh: NO_ENERGY });
  }
  const { standbyMw, refreshMw } = MEMORY_TECHNOLOGIES[memory];
  const channelNs = ns * spec.numberOf('dramChannels');
  const refreshShare =
    spec.numberOf('dramRefreshCycles') / spec.numberOf('dramRefreshIntervalCycles');
  standing.set('dram', {
    leakage: roundEnergy(scaleEnergy(energyOf(standbyMw), channelNs)),
    refresh: roundEnergy(scaleEnergy(energyOf(refreshMw), channelNs * refreshShare)),
  });
  return standing;
}

function accountChannels(
  { channels }: EnergyInput,
  { linkClass, packageLinkClass }: EnergyOptions,
): EnergyReport['link'] {
  const energies = channels.map(({ channel, bytes }) => {
    const name = linkClassOf(channel, linkClass, packageLinkClass);
    const dynamic = roundEnergy(scaleEnergy(LINK_CLASSES[name].perBit, 8 * bytes));
    return { channel, linkClass: name, dynamic };
  });
  return { dynamic: addEnergy(...energies.map(({ dynamic }) => dynamic)), channels: energies };
}

function byKind(dynamic: EnergyPj, leakage: EnergyPj, refresh: EnergyPj): EnergyByKind {
  return { dynamic, leakage, refresh, total: addEnergy(dynamic, leakage, refresh) };
}

function powerOf({ lowPj, typicalPj, highPj }: EnergyPj, ns: number): EnergyReport['averagePower'] {
  const per = (pj: number) => (ns === 0 ? 0 : pj / ns);
  return { lowMw: per(lowPj), typicalMw: per(typicalPj), highMw: per(highPj) };
}
