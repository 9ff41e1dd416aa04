/**
 * Energy of local memory by command, for each technology of memory chips. A channel of the
 * specification is a channel of one chip.
 */
import type { EnergyPj } from '@tessera/frame';
import { rangeBetween, rangeOf } from './energy-range.ts';
import { figureOf } from './published-figures.ts';

/** Energies of the commands of a technology. */
export interface MemoryTechnology {
  readonly meaning: string;
  /** Energy of opening and closing a row of 1 KiB. */
  readonly activateKiB: EnergyPj;
  /** Energy of a bit that is read or written, activation excluded. */
  readonly transferBit: EnergyPj;
  /** Power of a channel while it is refreshed, above standby, in milliwatts. */
  readonly refreshMw: { readonly low: number; readonly typical: number; readonly high: number };
  /** Power of a channel without commands, in milliwatts. */
  readonly standbyMw: { readonly low: number; readonly typical: number; readonly high: number };
}

const GDDR6_ROW_KIB = 2;
const LINE_BITS = 512;
/** Lines of a row that are accessed before it is closed, where a published average includes it. */
const LINES_PER_ROW = { low: 1, typical: 4 } as const;

/**
 * Returns the energy of opening and closing a row, in picojoules: what a row cycle takes above
 * standby, from the currents of a data sheet (IDD0, IDD2N, IDD3N).
 */
export function activatePj(memory: 'gddr6' | 'hbm2'): number {
  const activeNs = figureOf(`${memory}RowActive`);
  const cycleNs = figureOf(`${memory}RowCycle`);
  const standby =
    figureOf(`${memory}Idd3n`) * activeNs + figureOf(`${memory}Idd2n`) * (cycleNs - activeNs);
  return (figureOf(`${memory}Idd0`) * cycleNs - standby) * figureOf(`${memory}Voltage`);
}

/** Activations of 1 KiB of GDDR6, whose row has 2 KiB: from its currents, and as HBM2. */
const GDDR6_ACTIVATE_KIB = rangeBetween(
  activatePj('gddr6') / GDDR6_ROW_KIB,
  figureOf('hbm2ActivationOfRow'),
);

/** Returns the energy of a bit whose published average includes activations. */
function transferOf(lowAverage: number, highAverage: number): EnergyPj {
  const activationOf = (lines: number) => activatePj('gddr6') / (lines * LINE_BITS);
  return rangeOf(
    lowAverage - activationOf(LINES_PER_ROW.low),
    highAverage - activationOf(LINES_PER_ROW.typical),
    highAverage,
  );
}

/** Returns a range of a power. The currents of data sheets are maxima, so half is the low end. */
function belowMaximum(mw: number): MemoryTechnology['refreshMw'] {
  return { low: mw / 2, typical: mw * Math.SQRT1_2, high: mw };
}

const GDDR6_REFRESH_MW =
  (figureOf('gddr6Idd5ab') - figureOf('gddr6Idd3n')) * figureOf('gddr6Voltage');
const HBM2_REFRESH_MW = (figureOf('hbm2Idd5ab') - figureOf('hbm2Idd3n')) * figureOf('hbm2Voltage');

/** Technologies by name. */
export const MEMORY_TECHNOLOGIES = {
  gddr6: {
    meaning: 'GDDR6, a channel of 16 bits; without the interface on the chiplet',
    activateKiB: GDDR6_ACTIVATE_KIB,
    transferBit: transferOf(figureOf('gddr6AccessLow'), figureOf('gddr6Device')),
    refreshMw: belowMaximum(GDDR6_REFRESH_MW),
    standbyMw: belowMaximum(figureOf('gddr6Idd2n') * figureOf('gddr6Voltage')),
  },
  lpddr5: {
    meaning: 'LPDDR5 and LPDDR5X, with the interface; refresh and standby as GDDR6',
    activateKiB: GDDR6_ACTIVATE_KIB,
    transferBit: transferOf(figureOf('lpddr5xAccess'), figureOf('lpddr5Access')),
    refreshMw: belowMaximum(GDDR6_REFRESH_MW),
    standbyMw: belowMaximum(figureOf('gddr6Idd2n') * figureOf('gddr6Voltage')),
  },
  hbm2: {
    meaning: 'HBM2 and HBM2E, a channel of 128 bits, with the interposer',
    activateKiB: rangeBetween(activatePj('hbm2'), figureOf('hbm2ActivationOfRow')),
    transferBit: rangeOf(
      figureOf('hbm2DataPath') + figureOf('hbm2Interface'),
      figureOf('hbm2Access') - figureOf('hbm2Activation'),
      figureOf('hbm2eDevice'),
    ),
    refreshMw: belowMaximum(HBM2_REFRESH_MW),
    standbyMw: belowMaximum(figureOf('hbm2Idd2n') * figureOf('hbm2Voltage')),
  },
} as const satisfies Record<string, MemoryTechnology>;

/** Name of a technology of memory chips. */
export type MemoryTechnologyName = keyof typeof MEMORY_TECHNOLOGIES;

/** Names of the technologies of memory chips. */
export const MEMORY_TECHNOLOGY_NAMES = Object.keys(
  MEMORY_TECHNOLOGIES,
) as readonly MemoryTechnologyName[];
