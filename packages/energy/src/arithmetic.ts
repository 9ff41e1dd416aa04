/**
 * Energy of arithmetic at 7 nm. Operations have the energies of Horowitz (ISSCC 2014,
 * 45 nm), scaled by the ratio of the two published multiplications.
 */
import type { EnergyPj } from '@tessera/frame';
import { rangeOf } from './energy-range.ts';
import { figureOf } from './published-figures.ts';

/** Process of all circuits on chiplets, in nanometers. */
export const NODE_NM = 7;

/** Energy at 7 nm ÷ energy at 45 nm: Jouppi et al. (ISCA 2021) ÷ Horowitz (ISSCC 2014). */
export const SCALE_45_TO_7NM = figureOf('floatMultiply7nm') / figureOf('floatMultiply');

/**
 * Energy of a unit ÷ energy of its arithmetic. Clocks, pipeline registers, control and wires are
 * the rest, which has no published figures. These factors are chosen.
 */
export const UNIT_OVERHEAD = { low: 1, typical: 2, high: 4 } as const;

/** Number of operations of each kind; a missing kind is 0. */
export interface Operations {
  /** Additions and comparisons of 32 bits. */
  readonly integerAdd?: number;
  readonly integerMultiply?: number;
  readonly halfAdd?: number;
  readonly halfMultiply?: number;
  readonly floatAdd?: number;
  readonly floatMultiply?: number;
}

/** Operations of an event at the low end, typically, and at the high end. */
export type OperationRange = readonly [low: Operations, typical: Operations, high: Operations];

const KINDS = [
  'integerAdd',
  'integerMultiply',
  'halfAdd',
  'halfMultiply',
  'floatAdd',
  'floatMultiply',
] as const satisfies readonly (keyof Operations)[];

/** Returns the energy of operations at 7 nm, in picojoules, without the rest of their unit. */
export function operationsPj(operations: Operations): number {
  let pj = 0;
  for (const kind of KINDS) pj += (operations[kind] ?? 0) * figureOf(kind);
  return pj * SCALE_45_TO_7NM;
}

/** Returns the energy of operations with the rest of their unit. */
export function arithmeticEnergy([low, typical, high]: OperationRange): EnergyPj {
  return rangeOf(
    operationsPj(low) * UNIT_OVERHEAD.low,
    operationsPj(typical) * UNIT_OVERHEAD.typical,
    operationsPj(high) * UNIT_OVERHEAD.high,
  );
}
