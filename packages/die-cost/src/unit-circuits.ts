/**
 * Circuits of a chiplet by the units of its counters, at N7: the same logic and memories as those
 * of unit-areas.ts, whose units are coarser. Other packages compute their leakage.
 */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { TimedUnit } from '@tessera/frame';
import { areaAssumptions } from './area-assumptions.ts';
import { arithmeticByUnit } from './arithmetic.ts';
import type { Range } from './assumption.ts';
import { memoryBitsByUnit } from './memories.ts';

/** Parameters of a specification on which circuits depend. */
export const CIRCUIT_PARAMETERS = [
  'smCount',
  'warpThreads',
  'specialIssueCycles',
  'textureQuadsPerCycle',
  'interpolatedComponentsPerCycle',
  'setupIntervalCycles',
  'hierarchicalDepthBlocksPerCycle',
  'depthQuadsPerCycle',
  'outputQuadsPerCycle',
  'registerFileBytes',
  'instructionCacheBytes',
  'constantCacheBytes',
  'textureCacheBytes',
  'vertexCacheBytes',
  'colorCacheBytes',
  'depthCacheBytes',
  'hasL2Cache',
  'l2CacheBytes',
  'remoteCache',
  'remoteCacheBytes',
  'tlbEntries',
] as const satisfies readonly (keyof ChipletSpec)[];

/** Values of {@link CIRCUIT_PARAMETERS}. */
export type CircuitSpec = Pick<ChipletSpec, (typeof CIRCUIT_PARAMETERS)[number]>;

/** Circuits of all instances of a unit on a chiplet. */
export interface UnitCircuits {
  /** Area of logic in mm², without memories. */
  readonly logicMm2: Range;
  readonly memoryBits: number;
}

/**
 * Returns the circuits of the units that have some of their own. All other logic, such as that of
 * the command processor, is in the area that a GPU has around its arithmetic, so it is part of the
 * units here.
 */
export function circuitsOf(spec: CircuitSpec): ReadonlyMap<TimedUnit, UnitCircuits> {
  const { low, typical, high } = areaAssumptions('N7', 'standard').logicPerArithmetic;
  const arithmetic = arithmeticByUnit(spec);
  const bits = memoryBitsByUnit(spec);
  const units = new Set([...arithmetic.keys(), ...bits.keys()]);
  return new Map(
    [...units].map((unit) => {
      const mm2 = arithmetic.get(unit) ?? 0;
      const logicMm2 = { low: mm2 * low, typical: mm2 * typical, high: mm2 * high };
      return [unit, { logicMm2, memoryBits: bits.get(unit) ?? 0 }];
    }),
  );
}
