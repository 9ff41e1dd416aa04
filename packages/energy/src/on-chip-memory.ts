/** Energy of accesses to memories on the chiplet, which depends on their size. */
import type { EnergyPj } from '@tessera/frame';
import { SCALE_45_TO_7NM } from './arithmetic.ts';
import { rangeBetween } from './energy-range.ts';
import { figureOf } from './published-figures.ts';

const FIT_BYTES = 8192;
const FIT_BITS = 64;

/**
 * Returns the energy of an access to a memory by itself, in picojoules.
 *
 * The fit is 10·√(size ÷ 8 KiB) pJ for 64 bits at 45 nm. It meets the three figures of Horowitz
 * (ISSCC 2014) within 14 %. Memories below 8 KiB are an extrapolation.
 *
 * @param bytes Size of the memory, more than 0.
 * @param bits Number of bits read or written.
 */
export function arrayAccessPj(bytes: number, bits: number): number {
  const perWord = figureOf('sramRead8KiB') * Math.sqrt(bytes / FIT_BYTES) * SCALE_45_TO_7NM;
  return (perWord / FIT_BITS) * bits;
}

/** Level of a cache. Its path to the shader cores has a published energy. */
export type CacheLevel = 'first' | 'second';

/**
 * Energy of the path from a level at 7 nm, in pJ/bit: GPUJoule at 28 nm, scaled by the ratio of
 * N7 to N16. That ratio is smaller than that from 28 to 7 nm would be, so this is an upper bound.
 */
export function pathPjPerBit(level: CacheLevel): number {
  const figure = level === 'first' ? 'firstLevelPath' : 'secondLevelPath';
  return figureOf(figure) * figureOf('logic16To7nm');
}

/**
 * Returns the energy of an access to a cache. The low end is the memory by itself, with the wires
 * to a second level. The high end is the whole path as measured on a board, with its share of all
 * that cannot be attributed.
 */
export function cacheAccessEnergy(level: CacheLevel, bytes: number, bits: number): EnergyPj {
  const wires = level === 'first' ? 0 : figureOf('onChipTransport') * bits;
  const low = arrayAccessPj(bytes, bits) + wires;
  return rangeBetween(low, Math.max(low, pathPjPerBit(level) * bits));
}
