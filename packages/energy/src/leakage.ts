/**
 * Power that circuits consume in every cycle: leakage of logic by its area, and of memories by
 * their bits.
 */
import type { TimedUnit } from '@tessera/frame';
import { operationsAreaUm2 } from './arithmetic.ts';
import type { EnergyEvent, EnergySpec } from './energy-event.ts';
import { ENERGY_EVENTS } from './events.ts';
import { figureOf } from './published-figures.ts';

/**
 * Area of a unit at 7 nm ÷ area of its arithmetic at 45 nm. Calibrated: four chiplets of the preset
 * `rdna2-like` have the area of Navi 21. The area of all that is not simulated, such as the
 * last-level cache and the interfaces of memory and video, is spread over the units. A test
 * computes it.
 */
export const LOGIC_AREA_FACTOR = 3.43;

/** Temperatures of the ends of a range, in kelvin above that of the published leakage (85 °C). */
export const LEAKAGE_KELVIN = { low: -35, typical: 0, high: 35 } as const;

/** Power in milliwatts at the low end, typically, and at the high end. */
export interface LeakageMw {
  readonly low: number;
  readonly typical: number;
  readonly high: number;
}

/** Area and memories of a unit, all instances on a chiplet together. */
export interface UnitSize {
  /** Area of logic in square millimeters, memories excluded. */
  readonly logicMm2: number;
  readonly memoryBytes: number;
}

/** Memories of units in bytes, all instances together. */
const UNIT_MEMORIES: Partial<Record<TimedUnit, (spec: EnergySpec) => number>> = {
  vertexFetch: (spec) => spec.numberOf('vertexCacheBytes'),
  primitiveAssembly: (spec) => 64 * spec.numberOf('postTransformCacheVertices'),
  earlyDepth: (spec) => spec.numberOf('depthCacheBytes'),
  shaderCore: (spec) =>
    spec.numberOf('smCount') *
    (spec.numberOf('registerFileBytes') +
      spec.numberOf('instructionCacheBytes') +
      spec.numberOf('constantCacheBytes')),
  textureUnit: (spec) => spec.numberOf('smCount') * spec.numberOf('textureCacheBytes'),
  outputMerger: (spec) => spec.numberOf('colorCacheBytes'),
  l2Cache: (spec) => (spec.has('hasL2Cache', true) ? spec.numberOf('l2CacheBytes') : 0),
  copyEngine: (spec) => 64 * spec.numberOf('copyBufferLines'),
  remoteServer: (spec) => (spec.has('remoteCache', 'own') ? spec.numberOf('remoteCacheBytes') : 0),
  pageWalker: (spec) => 8 * spec.numberOf('tlbEntries'),
};

/** Returns the area of the arithmetic of a unit at 45 nm, in square millimeters. */
export function arithmeticMm2(unit: TimedUnit, spec: EnergySpec): number {
  let um2 = 0;
  for (const event of Object.values<EnergyEvent>(ENERGY_EVENTS)) {
    if (event.unit !== unit || event.operations === undefined) continue;
    um2 += event.peakPerCycle(spec) * operationsAreaUm2(event.operations[2]);
  }
  return um2 / 1e6;
}

/** Returns the size of a unit as the specification says it. */
export function sizeOfUnit(unit: TimedUnit, spec: EnergySpec): UnitSize {
  return {
    logicMm2: arithmeticMm2(unit, spec) * LOGIC_AREA_FACTOR,
    memoryBytes: UNIT_MEMORIES[unit]?.(spec) ?? 0,
  };
}

/** Returns the leakage of a unit of a size. */
export function leakageOf({ logicMm2, memoryBytes }: UnitSize): LeakageMw {
  const logicMw = logicMm2 * figureOf('logicLeakage') * 1000;
  const memoryMw = ((memoryBytes * 8) / 2 ** 20) * figureOf('sramLeakage');
  const at = (kelvin: number) => (logicMw + memoryMw) * 2 ** (kelvin / figureOf('leakageDoubling'));
  return {
    low: at(LEAKAGE_KELVIN.low),
    typical: at(LEAKAGE_KELVIN.typical),
    high: at(LEAKAGE_KELVIN.high),
  };
}
