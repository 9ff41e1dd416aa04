/** All figures of a plan with their ranges: areas by unit, both ways to build it, their ratio. */
import type { AreaAssumption } from './area-assumptions.ts';
import { type Assumptions, type Range, typicalValues } from './assumption.ts';
import {
  type BuildCost,
  type CostAssumption,
  costWithDesign,
  type GpuCost,
  type GpuPlan,
  gpuCostOf,
} from './gpu-cost.ts';
import { type Estimate, estimate, type Figure, worstCases } from './sensitivity.ts';
import { type CircuitKind, UNIT_KINDS, type UnitName, unitAreasOf } from './unit-areas.ts';

/** Area of a unit of a chiplet. */
export interface UnitArea {
  readonly unit: UnitName;
  readonly kind: CircuitKind;
  readonly mm2: Range;
}

/** Figures of one way to build a GPU. */
export interface BuildReport {
  readonly dieMm2: Estimate<CostAssumption>;
  readonly dieYield: Estimate<CostAssumption>;
  readonly diesPerWafer: Estimate<CostAssumption>;
  /** Cost of a GPU in US dollars, with its share of the design if a volume is given. */
  readonly usd: Estimate<CostAssumption>;
  /** Typical cost of dies, package and assembly losses, and of the whole design. */
  readonly diesUsd: number;
  readonly packageUsd: number;
  readonly assemblyLossUsd: number;
  readonly designUsd: number;
  /** Whether the typical die exceeds what a scanner exposes at once. */
  readonly exceedsReticle: boolean;
}

/** Figures of a plan. */
export interface CostReport {
  /** Units of one chiplet of the specification. */
  readonly units: readonly UnitArea[];
  readonly chiplets: BuildReport;
  readonly monolith: BuildReport;
  /** Cost on several dies ÷ cost on one die. */
  readonly relativeCost: Estimate<CostAssumption>;
  /** The same with all assumptions at once at their best or worst ends. */
  readonly worstRelativeCost: { readonly least: number; readonly most: number };
}

/**
 * Returns all figures of a plan.
 *
 * @param volume Number of GPUs that share the design; infinite to leave the design out.
 * @throws {RangeError} If a die does not fit on a wafer.
 */
export function reportCost(
  plan: GpuPlan,
  assumptions: Assumptions<CostAssumption>,
  volume = Number.POSITIVE_INFINITY,
): CostReport {
  const costOf = gpuCostOf(plan);
  const relativeCostOf: Figure<CostAssumption> = (values) => {
    const { chiplets, monolith } = costOf(values);
    return costWithDesign(chiplets, volume) / costWithDesign(monolith, volume);
  };
  const buildReport = (way: keyof GpuCost): BuildReport => {
    const of = (figure: (build: BuildCost) => number) =>
      estimate(assumptions, (values) => figure(costOf(values)[way]));
    const typical = costOf(typicalValues(assumptions))[way];
    return {
      dieMm2: of(({ dieMm2 }) => dieMm2),
      dieYield: of(({ dieYield }) => dieYield),
      diesPerWafer: of(({ diesPerWafer }) => diesPerWafer),
      usd: of((build) => costWithDesign(build, volume)),
      diesUsd: typical.dies,
      packageUsd: typical.package,
      assemblyLossUsd: typical.assemblyLoss,
      designUsd: typical.designUsd,
      exceedsReticle: typical.exceedsReticle,
    };
  };
  return {
    units: reportUnits(plan, assumptions),
    chiplets: buildReport('chiplets'),
    monolith: buildReport('monolith'),
    relativeCost: estimate(assumptions, relativeCostOf),
    worstRelativeCost: worstCases(assumptions, relativeCostOf),
  };
}

/** Returns the area of each unit of a chiplet with its range. */
export function reportUnits(
  { spec, node }: Pick<GpuPlan, 'spec' | 'node'>,
  assumptions: Assumptions<AreaAssumption>,
): UnitArea[] {
  const areasOf = unitAreasOf(spec, node);
  const typical = areasOf(typicalValues(assumptions));
  return (Object.keys(UNIT_KINDS) as UnitName[]).map((unit) => {
    // A unit that does not exist has no logarithm.
    if (typical[unit] === 0) return { unit, kind: UNIT_KINDS[unit], mm2: NOTHING };
    const { low, high } = estimate(assumptions, (values) => areasOf(values)[unit]);
    return { unit, kind: UNIT_KINDS[unit], mm2: { low, typical: typical[unit], high } };
  });
}

const NOTHING: Range = { low: 0, typical: 0, high: 0 };
