/**
 * Energy of a frame from the counts of its runs. Each event of each run is rounded to a whole
 * picojoule, and all sums are sums of these, so they are equal whatever they are grouped by.
 */
import type { UnitCircuits } from '@tessera/die-cost';
import {
  type ChannelReport,
  type EnergyByKind,
  type EnergyPj,
  type EnergyReport,
  type SpecSummary,
  TIMED_UNITS,
  type TimedUnit,
} from '@tessera/frame';
import { NODE_NM } from './arithmetic.ts';
import { EnergySpec } from './energy-event.ts';
import { DEFAULT_ENERGY_OPTIONS, type EnergyOptions } from './energy-options.ts';
import { addEnergy, NO_ENERGY, rangeOf, roundEnergy, scaleEnergy } from './energy-range.ts';
import { type EnergyRun, sumEvents } from './event-sums.ts';
import { circuitsOfSpec, leakageOf } from './leakage.ts';
import { LINK_CLASSES, linkClassOf } from './link-classes.ts';
import { MEMORY_TECHNOLOGIES } from './memory-technologies.ts';

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
  /** Circuits of units, if they are known; by default those that follow from the specification. */
  readonly circuits?: ReadonlyMap<TimedUnit, UnitCircuits> | undefined;
}

/** Returns the energy of a frame. */
export function accountEnergy(input: EnergyInput): EnergyReport {
  const options = input.options ?? DEFAULT_ENERGY_OPTIONS;
  const spec = new EnergySpec(input.spec);
  const groups = { chiplets: input.chipletCount, passes: input.passCount, bins: input.bins.length };
  const sums = sumEvents(input.runs, groups, spec, options.memory);
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
  const { memory } = input.options ?? DEFAULT_ENERGY_OPTIONS;
  const spec = new EnergySpec(input.spec);
  const groups = { chiplets: 1, passes: 0, bins: 0 };
  const runsByChiplet = Array.from({ length: input.chipletCount }, (): EnergyRun[] => []);
  for (const run of input.runs) {
    const alone = { ...run, chipletId: 0, passIndex: null, binIndex: null };
    runsByChiplet[run.chipletId]!.push(alone);
  }
  return runsByChiplet.map((runs) => sumEvents(runs, groups, spec, memory).units);
}

/** Energies of a unit of one chiplet during the frame that do not depend on its work. */
interface StandingEnergy {
  readonly leakage: EnergyPj;
  readonly refresh: EnergyPj;
}

/** Returns leakage and refresh of each unit of a chiplet. */
function standingEnergies(
  { cycles, circuits }: EnergyInput,
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
  const ofUnits = circuits ?? circuitsOfSpec(spec);
  const standing = new Map<TimedUnit, StandingEnergy>();
  for (const unit of TIMED_UNITS) {
    const own = ofUnits.get(unit);
    const leakage = own === undefined ? NO_ENERGY : energyOf(leakageOf(own));
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
