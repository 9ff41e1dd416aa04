/**
 * Study of the cost of a GPU over the number of its dies: the same units on 1 to 16 dies, for two
 * sizes of GPUs and an area of Chiplet Actuary, two nodes and three packages.
 */
import { chipletPreset } from '@tessera/chiplet-spec';
import {
  breakEvenMm2,
  type CostAssumption,
  chipletUnitsOf,
  costAssumptions,
  type Estimate,
  estimate,
  type GpuPlan,
  gpuCostOf,
  type NodeName,
  PACKAGING_NAMES,
  type PackagingName,
  RETICLE_MM2,
  typicalValues,
} from '@tessera/die-cost';
import { DEFAULT_INTERCONNECT } from '@tessera/multi-chiplet';
import type { Cell, KeyedTable } from '../../tables/csv.ts';

/** Numbers of dies that are compared with one. */
export const DIE_COUNTS = [2, 4, 8, 16] as const;
/** Process nodes of the study. */
export const STUDIED_NODES = ['N7', 'N5'] as const satisfies NodeName[];

/** Sizes of GPUs: the typical area of one die with all units. */
export const TOTALS_MM2 = { small: 180, published: 800, large: 850 } as const;
/** Size of a GPU. */
export type Total = keyof typeof TOTALS_MM2;

/** Row of a break-even area, which has no size of its own. */
export const BREAK_EVEN = 'break-even';
const SPEC = chipletPreset('rdna2-like');
const MM2_DIGITS = 1;
const RATIO_DIGITS = 4;

/** Computes all rows. */
export function studyDieCount(): KeyedTable {
  const builds = STUDIED_NODES.flatMap((node) =>
    PACKAGING_NAMES.map((packaging) => ({ node, packaging })),
  );
  const totals = Object.keys(TOTALS_MM2) as Total[];
  return {
    head: [
      ...['total', 'node', 'package', 'chiplets', 'monolithMm2', 'dieMm2', 'dieYield'],
      ...['relativeCostLow', 'relativeCost', 'relativeCostHigh', 'dominatingAssumption'],
      ...['relativeCostAtLow', 'relativeCostAtHigh', 'monolithMm2AtLow', 'monolithMm2AtHigh'],
    ],
    keyColumns: 4,
    rows: [
      ...totals.flatMap((total) =>
        builds.flatMap((build) => DIE_COUNTS.map((dies) => costRow(total, build, dies))),
      ),
      ...builds.flatMap((build) => DIE_COUNTS.map((dies) => breakEvenRow(build, dies))),
    ],
  };
}

interface Build {
  readonly node: NodeName;
  readonly packaging: PackagingName;
}

function planOf(build: Build, dies: number, monolithMm2: number): GpuPlan {
  const plan = {
    ...{ spec: SPEC, ...build, dies, chipletUnits: 1 },
    linkBytesPerCycle: DEFAULT_INTERCONNECT.bytesPerCycle,
  };
  const values = typicalValues(costAssumptions(build.node, build.packaging));
  return { ...plan, chipletUnits: chipletUnitsOf(plan, values, monolithMm2) };
}

/** Returns the cost ÷ that of one die, of a plan. */
function relativeCostOf(plan: GpuPlan): Estimate<CostAssumption> {
  const costOf = gpuCostOf(plan);
  return estimate(costAssumptions(plan.node, plan.packaging), (values) => {
    const { chiplets, monolith } = costOf(values);
    return chiplets.unitUsd / monolith.unitUsd;
  });
}

function costRow(total: Total, build: Build, dies: number): Cell[] {
  const plan = planOf(build, dies, TOTALS_MM2[total]);
  const values = typicalValues(costAssumptions(build.node, build.packaging));
  const { chiplets, monolith } = gpuCostOf(plan)(values);
  const { low, typical, high, effects } = relativeCostOf(plan);
  const { name, atLow, atHigh } = effects[0]!;
  return [
    ...[total, build.node, build.packaging, dies],
    monolith.dieMm2.toFixed(MM2_DIGITS),
    chiplets.dieMm2.toFixed(MM2_DIGITS),
    chiplets.dieYield.toFixed(RATIO_DIGITS),
    ...[low, typical, high].map((ratio) => ratio.toFixed(RATIO_DIGITS)),
    name,
    ...[atLow, atHigh].map((ratio) => ratio.toFixed(RATIO_DIGITS)),
    ...['', ''],
  ];
}

/**
 * Returns the area of one die from which the dies are cheaper, and that area with the dominating
 * assumption at its ends. Empty if one die is cheaper up to the largest that can be exposed.
 */
function breakEvenRow(build: Build, dies: number): Cell[] {
  const values = typicalValues(costAssumptions(build.node, build.packaging));
  const plan = planOf(build, dies, RETICLE_MM2);
  const mm2 = breakEvenMm2(plan, values);
  const { effects } = relativeCostOf(planOf(build, dies, mm2 ?? RETICLE_MM2));
  const { name } = effects[0]!;
  const assumption = costAssumptions(build.node, build.packaging)[name];
  const at = (value: number) => breakEvenMm2(plan, { ...values, [name]: value });
  return [
    ...[BREAK_EVEN, build.node, build.packaging, dies],
    formatMm2(mm2),
    ...['', '', '', '', '', name, '', ''],
    ...[at(assumption.low), at(assumption.high)].map(formatMm2),
  ];
}

function formatMm2(mm2: number | null): string {
  return mm2 === null ? '' : mm2.toFixed(MM2_DIGITS);
}
