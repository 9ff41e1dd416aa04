/** Cost of a GPU of several dies, and of the same units on one die. */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { type AreaAssumption, areaAssumptions } from './area-assumptions.ts';
import type { Assumptions, Values } from './assumption.ts';
import { type PriceAssumption, priceAssumptions } from './cost-assumptions.ts';
import { chipDesignUsd, packageDesignUsd } from './design-cost.ts';
import { PACKAGINGS, type PackageCost, type PackagingName, packageCost } from './packaging.ts';
import type { NodeName } from './process-nodes.ts';
import { type DieArea, dieArea, totalUnitMm2, unitAreasOf } from './unit-areas.ts';
import { diesPerWafer, dieYield, RETICLE_MM2 } from './wafer.ts';

/** Name of an assumption of the estimate. */
export type CostAssumption = AreaAssumption | PriceAssumption;

/** A GPU whose cost is estimated. */
export interface GpuPlan {
  /** Specification of a chiplet, whose units are counted. */
  readonly spec: ChipletSpec;
  /** Units of the GPU, as a number of chiplets of this specification. It may be a fraction. */
  readonly chipletUnits: number;
  /** Number of equal dies over which these units are divided. */
  readonly dies: number;
  readonly node: NodeName;
  readonly packaging: PackagingName;
  /** Bandwidth of a die to the others in one direction. */
  readonly linkBytesPerCycle: number;
}

/** Cost of a GPU in one way of building it. */
export interface BuildCost extends PackageCost {
  readonly dieMm2: number;
  readonly dieYield: number;
  readonly diesPerWafer: number;
  /** Cost of a GPU in US dollars, without design. */
  readonly unitUsd: number;
  /** Cost of the design in US dollars, paid once: one die, and its package. */
  readonly designUsd: number;
  /** Whether the die exceeds what a scanner exposes at once, so that it cannot be built. */
  readonly exceedsReticle: boolean;
}

/** Costs of both ways. */
export interface GpuCost {
  readonly chiplets: BuildCost;
  readonly monolith: BuildCost;
}

/** Returns the assumptions of a plan. */
export function costAssumptions(
  node: NodeName,
  packaging: PackagingName,
): Assumptions<CostAssumption> {
  return {
    ...areaAssumptions(node, PACKAGINGS[packaging].link),
    ...priceAssumptions(node, packaging),
  };
}

/**
 * Returns the costs of a plan as a function of the assumptions. The monolithic die has the same
 * units on an organic substrate, without interfaces between dies and with the overhead of one die.
 *
 * @throws {RangeError} From the function, if a die does not fit on a wafer.
 */
export function gpuCostOf(plan: GpuPlan): (values: Values<CostAssumption>) => GpuCost {
  const areasOf = unitAreasOf(plan.spec, plan.node);
  const unitMm2 = (values: Values<AreaAssumption>) => totalUnitMm2(areasOf(values));
  const whole = { unitMm2, chiplets: plan.chipletUnits, linkGbytesPerSecond: 0 };
  const linkGbytesPerSecond = (2 * plan.linkBytesPerCycle * plan.spec.clockHz) / 1e9;
  const part = { unitMm2, chiplets: plan.chipletUnits / plan.dies, linkGbytesPerSecond };
  const { node } = plan;
  return (values) => {
    const monolith = buildCost(node, 'organic', 1, dieArea(whole, values), values);
    if (plan.dies === 1) return { chiplets: monolith, monolith };
    const die = dieArea(part, values);
    return { chiplets: buildCost(node, plan.packaging, plan.dies, die, values), monolith };
  };
}

/** Returns the cost of packaged dies of an area. */
export function buildCost(
  node: NodeName,
  packaging: PackagingName,
  count: number,
  die: DieArea,
  values: Values<PriceAssumption>,
): BuildCost {
  const { dieMm2, linkMm2 } = die;
  const perWafer = diesPerWafer(dieMm2);
  const good = dieYield(dieMm2, values.defectsPerCm2, values.defectClustering);
  const cost = packageCost(packaging, {
    count,
    dieMm2,
    dieUsd: values.waferUsd / perWafer / good,
    // A single die is attached as an interposer is.
    bondingYield: count === 1 ? values.attachYield : values.bondingYield,
    attachYield: values.attachYield,
    priceFactor: values.packagePriceFactor,
  });
  return {
    ...cost,
    dieMm2,
    dieYield: good,
    diesPerWafer: perWafer,
    unitUsd: cost.dies + cost.package + cost.assemblyLoss,
    designUsd: chipDesignUsd(node, dieMm2, linkMm2) + packageDesignUsd(packaging, count, dieMm2),
    exceedsReticle: dieMm2 > RETICLE_MM2,
  };
}

/** Returns the cost of a GPU with its share of the design. @param volume Number of GPUs sold. */
export function costWithDesign({ unitUsd, designUsd }: BuildCost, volume: number): number {
  return unitUsd + designUsd / volume;
}
