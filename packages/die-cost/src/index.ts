/** Area of a GPU by unit, and what it costs on several dies and on one. */
export { type AreaAssumption, areaAssumptions } from './area-assumptions.ts';
export {
  type Assumption,
  type Assumptions,
  fixAssumptions,
  type Range,
  typicalValues,
  type Values,
} from './assumption.ts';
export {
  type BuildCost,
  type CostAssumption,
  costAssumptions,
  costWithDesign,
  type GpuCost,
  type GpuPlan,
  gpuCostOf,
} from './gpu-cost.ts';
export { PACKAGING_NAMES, PACKAGINGS, type PackagingName } from './packaging.ts';
export { NODE_NAMES, type NodeName, PROCESS_NODES } from './process-nodes.ts';
export {
  LAST_LEVEL_MM2_PER_MIB,
  PUBLISHED_DIES,
  type PublishedDie,
} from './published-dies.ts';
export { type Effect, type Estimate, estimate, worstCases } from './sensitivity.ts';
export {
  type CircuitKind,
  type DieArea,
  dieArea,
  totalUnitMm2,
  UNIT_KINDS,
  type UnitAreas,
  type UnitName,
  unitAreasOf,
} from './unit-areas.ts';
export { diesPerWafer, dieYield, RETICLE_MM2 } from './wafer.ts';
