/**
 * Power that circuits consume in every cycle: leakage of logic by its area, and of memories by
 * their bits.
 */
import {
  CIRCUIT_PARAMETERS,
  type CircuitSpec,
  circuitsOf,
  type UnitCircuits,
} from '@tessera/die-cost';
import type { TimedUnit } from '@tessera/frame';
import type { EnergySpec } from './energy-event.ts';
import { figureOf } from './published-figures.ts';

/** Temperatures of the ends of a range, in kelvin above that of the published leakage (85 °C). */
export const LEAKAGE_KELVIN = { low: -35, typical: 0, high: 35 } as const;

/** Power in milliwatts at the low end, typically, and at the high end. */
export interface LeakageMw {
  readonly low: number;
  readonly typical: number;
  readonly high: number;
}

/** Returns the circuits of each unit of a chiplet that has some of its own. */
export function circuitsOfSpec(spec: EnergySpec): ReadonlyMap<TimedUnit, UnitCircuits> {
  const parameters = Object.fromEntries(
    CIRCUIT_PARAMETERS.map((name) => [name, spec.valueOf(name)]),
  );
  return circuitsOf(parameters as unknown as CircuitSpec); // All names are there.
}

/**
 * Returns the leakage of circuits. Its ends are those of the area at those of the temperature.
 */
export function leakageOf({ logicMm2, memoryBits }: UnitCircuits): LeakageMw {
  const memoryMw = (memoryBits / 2 ** 20) * figureOf('sramLeakage');
  const at = (end: keyof LeakageMw) =>
    (logicMm2[end] * figureOf('logicLeakage') * 1000 + memoryMw) *
    2 ** (LEAKAGE_KELVIN[end] / figureOf('leakageDoubling'));
  return { low: at('low'), typical: at('typical'), high: at('high') };
}
