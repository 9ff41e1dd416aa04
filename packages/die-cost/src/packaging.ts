/**
 * Packages for several dies, after Feng and Ma, Chiplet Actuary, DAC 2022 (Yinxiao-Feng/DAC2022,
 * ChipletHL/package.py and spec/parameter.ini). Dies are placed last, on a tested interposer.
 */
import type { LinkKind } from './area-assumptions.ts';
import { diesPerWafer, dieYield } from './wafer.ts';

/** Interposer between dies and substrate. */
interface Interposer {
  readonly waferUsd: number;
  readonly defectsPerCm2: number;
  readonly clustering: number;
  /** Area of the interposer ÷ area of its dies. */
  readonly areaRatio: number;
}

/** A way of packaging. */
export interface Packaging {
  readonly meaning: string;
  /** Wiring that dies have on it. */
  readonly link: LinkKind;
  readonly interposer: Interposer | null;
  /** Share of dies that are bonded without a fault. */
  readonly bondingYield: number;
}

/** Ways of packaging by name. Figures: Chiplet Actuary. */
export const PACKAGINGS = {
  organic: {
    meaning: 'dies on an organic substrate',
    link: 'standard',
    interposer: null,
    bondingYield: 0.99,
  },
  'fan-out': {
    meaning: 'dies on redistribution layers, on an organic substrate',
    link: 'advanced',
    interposer: { waferUsd: 1200, defectsPerCm2: 0.05, clustering: 3, areaRatio: 1.2 },
    bondingYield: 0.98,
  },
  interposer: {
    meaning: 'dies on a silicon interposer of 55 nm, on an organic substrate',
    link: 'advanced',
    interposer: { waferUsd: 1937, defectsPerCm2: 0.06, clustering: 6, areaRatio: 1.1 },
    bondingYield: 0.95,
  },
} as const satisfies Record<string, Packaging>;

/** Name of a way of packaging. */
export type PackagingName = keyof typeof PACKAGINGS;

/** Names of the ways of packaging. */
export const PACKAGING_NAMES = Object.keys(PACKAGINGS) as PackagingName[];

const SUBSTRATE_USD_PER_MM2 = 0.005;
/** Area of the substrate ÷ area of what is on it. */
const SUBSTRATE_AREA_RATIO = 4;
/** Bumps of a die, on a substrate and on an interposer, and of an interposer on its substrate. */
const BUMP_USD_PER_MM2 = { substrate: 0.005, interposer: 0.01 } as const;
/** Price of a substrate with layers for wires between dies ÷ that of one for a single die. */
const SEVERAL_DIES_FACTORS = [
  { aboveMm2: 30 * 30, factor: 2 },
  { aboveMm2: 17 * 17, factor: 1.75 },
  { aboveMm2: 0, factor: 1.5 },
] as const;

/** Dies of a package. */
export interface PackagedDies {
  readonly count: number;
  readonly dieMm2: number;
  /** Price of a good die. */
  readonly dieUsd: number;
  readonly bondingYield: number;
  /** Share of good attachments of an interposer to its substrate. */
  readonly attachYield: number;
  /** Price of substrates and interposers ÷ that of the table. */
  readonly priceFactor: number;
}

/** Costs of a package in US dollars. */
export interface PackageCost {
  /** Good dies with their bumps. */
  readonly dies: number;
  /** Substrate and interposer. */
  readonly package: number;
  /** Packages and good dies that assembly destroys. */
  readonly assemblyLoss: number;
}

/** Returns the area of the substrate in mm². */
export function substrateMm2(name: PackagingName, count: number, dieMm2: number): number {
  const ratio = PACKAGINGS[name].interposer?.areaRatio ?? 1;
  return count * dieMm2 * ratio * SUBSTRATE_AREA_RATIO;
}

/** Returns the factor on substrates with wires between dies. Interposers have these wires. */
export function substrateFactor(name: PackagingName, count: number, mm2: number): number {
  if (PACKAGINGS[name].interposer !== null || count === 1) return 1;
  return SEVERAL_DIES_FACTORS.find(({ aboveMm2 }) => mm2 > aboveMm2)!.factor;
}

/** Returns the cost of a package with its dies, without tests and what is not silicon or wiring. */
export function packageCost(name: PackagingName, packaged: PackagedDies): PackageCost {
  const { interposer } = PACKAGINGS[name];
  const { count, dieMm2, dieUsd, bondingYield, attachYield, priceFactor } = packaged;
  const mm2 = substrateMm2(name, count, dieMm2);
  const substrate = mm2 * SUBSTRATE_USD_PER_MM2 * substrateFactor(name, count, mm2) * priceFactor;
  const bonded = bondingYield ** count;
  if (interposer === null) {
    const dies = count * (dieUsd + dieMm2 * BUMP_USD_PER_MM2.substrate);
    const assemblyLoss = (dies + substrate) * (1 / bonded - 1);
    return { dies, package: substrate, assemblyLoss };
  }
  const interposerMm2 = count * dieMm2 * interposer.areaRatio;
  const carrier =
    (interposer.waferUsd / diesPerWafer(interposerMm2)) * priceFactor +
    interposerMm2 * BUMP_USD_PER_MM2.substrate;
  const good = dieYield(interposerMm2, interposer.defectsPerCm2, interposer.clustering);
  const dies = count * (dieUsd + dieMm2 * BUMP_USD_PER_MM2.interposer);
  const assemblyLoss =
    carrier * (1 / (good * bonded * attachYield) - 1) +
    substrate * (1 / attachYield - 1) +
    dies * (1 / (bonded * attachYield) - 1);
  return { dies, package: carrier + substrate, assemblyLoss };
}
