/** Ranges of an energy, in picojoules, and sums of them. */
import type { EnergyPj } from '@tessera/frame';

/** No energy. */
export const NO_ENERGY: EnergyPj = Object.freeze({ lowPj: 0, typicalPj: 0, highPj: 0 });

/** Returns a range from its three values. */
export function rangeOf(lowPj: number, typicalPj: number, highPj: number): EnergyPj {
  return { lowPj, typicalPj, highPj };
}

/**
 * Returns a range of which only the ends are known. Its typical value is the geometric mean,
 * because the ends may differ by an order of magnitude.
 */
export function rangeBetween(lowPj: number, highPj: number): EnergyPj {
  return { lowPj, typicalPj: Math.sqrt(lowPj * highPj), highPj };
}

/** Returns the sum of ranges: low values are added to low ones, and so on. */
export function addEnergy(...ranges: readonly EnergyPj[]): EnergyPj {
  let [lowPj, typicalPj, highPj] = [0, 0, 0];
  for (const range of ranges) {
    lowPj += range.lowPj;
    typicalPj += range.typicalPj;
    highPj += range.highPj;
  }
  return { lowPj, typicalPj, highPj };
}

/** Returns a range with each value multiplied. */
export function scaleEnergy(range: EnergyPj, factor: number): EnergyPj {
  return {
    lowPj: range.lowPj * factor,
    typicalPj: range.typicalPj * factor,
    highPj: range.highPj * factor,
  };
}

/** Returns a range in whole picojoules, whose sums are exact up to 9 kilojoules. */
export function roundEnergy({ lowPj, typicalPj, highPj }: EnergyPj): EnergyPj {
  return {
    lowPj: Math.round(lowPj),
    typicalPj: Math.round(typicalPj),
    highPj: Math.round(highPj),
  };
}
