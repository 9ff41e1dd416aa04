/** Area of one die from which the same units cost less on several dies. */
import type { Values } from './assumption.ts';
import { type CostAssumption, type GpuPlan, gpuCostOf } from './gpu-cost.ts';
import { RETICLE_MM2 } from './wafer.ts';

const LEAST_MM2 = 20;
/** Steps of the search for a change of sign, in each of which the area grows by as much. */
const STEPS = 200;
const BISECTIONS = 40;

/**
 * Returns the number of chiplets whose units make one die of an area.
 *
 * @throws {RangeError} If the overhead of the die alone is as large.
 */
export function chipletUnitsOf(
  plan: GpuPlan,
  values: Values<CostAssumption>,
  monolithMm2: number,
): number {
  const mm2Of = (chipletUnits: number) =>
    gpuCostOf({ ...plan, chipletUnits, dies: 1 })(values).monolith.dieMm2;
  // The area is linear in the units.
  const [half, one] = [mm2Of(0.5), mm2Of(1)];
  const units = 1 + (monolithMm2 - one) / (2 * (one - half));
  if (units > 0) return units;
  throw new RangeError(`monolithMm2: ${monolithMm2} is not above the overhead of a die`);
}

/**
 * Returns the least area of one die, in mm², from which its units cost less on the dies of the
 * plan, without design. Returns `null` if they do not on any die that a scanner exposes at once.
 * The units of the plan are not used.
 */
export function breakEvenMm2(plan: GpuPlan, values: Values<CostAssumption>): number | null {
  const isCheaper = (mm2: number) => {
    const chipletUnits = chipletUnitsOf(plan, values, mm2);
    const { chiplets, monolith } = gpuCostOf({ ...plan, chipletUnits })(values);
    return chiplets.unitUsd < monolith.unitUsd;
  };
  const first = Math.max(LEAST_MM2, 2 * values.overheadMm2PerDie * values.logicScale);
  const ratio = (RETICLE_MM2 / first) ** (1 / STEPS);
  let below = first;
  for (let step = 0; step <= STEPS; step++) {
    const above = first * ratio ** step;
    if (isCheaper(above)) return bisect(isCheaper, below, above);
    below = above;
  }
  return null;
}

function bisect(isCheaper: (mm2: number) => boolean, least: number, most: number): number {
  let [below, above] = [least, most];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (below + above) / 2;
    if (isCheaper(middle)) above = middle;
    else below = middle;
  }
  return above;
}
