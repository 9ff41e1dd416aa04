/** Area of a GPU by unit, and what it costs on several dies and on one. */
export {
  type Assumption,
  type Assumptions,
  fixAssumptions,
  type Range,
  typicalValues,
} from './assumption.ts';
export { breakEvenMm2, chipletUnitsOf } from './break-even.ts';
export { type BuildReport, type CostReport, reportCost, reportUnits } from './cost-report.ts';
export { type CostAssumption, costAssumptions, type GpuPlan, gpuCostOf } from './gpu-cost.ts';
export { PACKAGING_NAMES, type PackagingName } from './packaging.ts';
export { predictDies } from './predicted-dies.ts';
export { NODE_NAMES, type NodeName } from './process-nodes.ts';
export { type Estimate, estimate } from './sensitivity.ts';
export {
  CIRCUIT_PARAMETERS,
  type CircuitSpec,
  circuitsOf,
  type UnitCircuits,
} from './unit-circuits.ts';
export { RETICLE_MM2 } from './wafer.ts';
