/**
 * Area of a chiplet by unit. A memory is its bits × the cell of the node ÷ the efficiency of
 * arrays. Logic is the arithmetic of a unit × what a GPU has around it. Interfaces are pins and
 * bandwidth.
 */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { AreaAssumption } from './area-assumptions.ts';
import { arithmeticOf } from './arithmetic.ts';
import type { Values } from './assumption.ts';
import { memoryBitsOf } from './memories.ts';
import { type NodeName, PROCESS_NODES } from './process-nodes.ts';

/** Kind of circuit: memories and logic leak differently, and interfaces do not shrink. */
export type CircuitKind = 'memory' | 'logic' | 'interface';

/** Units of a chiplet by name, with the kind of their circuits. */
export const UNIT_KINDS = {
  registers: 'memory',
  instructionCaches: 'memory',
  textureCaches: 'memory',
  pipelineCaches: 'memory',
  secondLevel: 'memory',
  shaderCores: 'logic',
  textureUnits: 'logic',
  interpolator: 'logic',
  rasterizer: 'logic',
  outputMerger: 'logic',
  memoryInterface: 'interface',
} as const satisfies Record<string, CircuitKind>;

/** Name of a unit. */
export type UnitName = keyof typeof UNIT_KINDS;

/** Area of each unit of a chiplet in mm², without the interface to other dies. */
export type UnitAreas = Readonly<Record<UnitName, number>>;

/** Data rate of a pin of GDDR6 (Radeon RX 6900 XT, 512 GB/s on 256 pins). */
const PIN_GBITS_PER_SECOND = 16;
const UM2_PER_MM2 = 1e6;

/**
 * Returns the areas as a function of the assumptions. Counting bits and arithmetic once makes it
 * cheap to vary assumptions.
 */
export function unitAreasOf(
  spec: ChipletSpec,
  node: NodeName,
): (values: Values<AreaAssumption>) => UnitAreas {
  const bits = memoryBitsOf(spec);
  const arithmetic = arithmeticOf(spec);
  const cellMm2 = PROCESS_NODES[node].bitCellUm2 / UM2_PER_MM2;
  const pins = pinsOf(spec);
  return ({ arrayEfficiency, logicPerArithmetic, logicScale, memoryMm2PerPin }) => {
    const perBit = cellMm2 / arrayEfficiency;
    const perArithmetic = logicPerArithmetic * logicScale;
    return {
      registers: bits.registers * perBit,
      instructionCaches: bits.instructionCaches * perBit,
      textureCaches: bits.textureCaches * perBit,
      pipelineCaches: bits.pipelineCaches * perBit,
      secondLevel: bits.secondLevel * perBit,
      shaderCores: arithmetic.shaderCores * perArithmetic,
      textureUnits: arithmetic.textureUnits * perArithmetic,
      interpolator: arithmetic.interpolator * perArithmetic,
      rasterizer: arithmetic.rasterizer * perArithmetic,
      outputMerger: arithmetic.outputMerger * perArithmetic,
      memoryInterface: pins * memoryMm2PerPin,
    };
  };
}

/** Returns the pins of GDDR6 that the memory bandwidth of a chiplet needs. */
export function pinsOf(spec: ChipletSpec): number {
  const gbytesPerSecond = (spec.dramChannels * spec.dramBytesPerCycle * spec.clockHz) / 1e9;
  return (gbytesPerSecond * 8) / PIN_GBITS_PER_SECOND;
}

/** Returns the sum over all units, in mm². */
export function totalUnitMm2(areas: UnitAreas): number {
  return Object.values(areas).reduce((sum: number, mm2: number) => sum + mm2, 0);
}

/** A die: a share of the units of chiplets, and what each die needs in addition. */
export interface DiePlan {
  /** Area of the units of one chiplet. */
  readonly unitMm2: (values: Values<AreaAssumption>) => number;
  /** Number of chiplets whose units are on the die. It may be a fraction. */
  readonly chiplets: number;
  /** Bandwidth to other dies in GB/s, both directions; 0 for a die alone. */
  readonly linkGbytesPerSecond: number;
}

/** Area of a die in mm². */
export interface DieArea {
  readonly dieMm2: number;
  /** Area of its interface to other dies. */
  readonly linkMm2: number;
  /** Area that does not depend on its units. */
  readonly overheadMm2: number;
}

/** Returns the area of a die. */
export function dieArea(plan: DiePlan, values: Values<AreaAssumption>): DieArea {
  const unitMm2 = plan.chiplets * plan.unitMm2(values);
  const overheadMm2 = values.overheadMm2PerDie * values.logicScale;
  const linkMm2 = plan.linkGbytesPerSecond / values.linkGbytesPerSecondPerMm2;
  return { dieMm2: unitMm2 + overheadMm2 + linkMm2, linkMm2, overheadMm2 };
}
