/**
 * The cost model: how many cycles a coarse bin is expected to take, from what the visibility phase knows of it. A sum
 * of five terms whose coefficients `tessera study bin-cost` fitted by least squares to the measured cycles of bins
 * on the default specification; see docs/studies/bin-cost.md. Depth complexity and texture misses are not known at
 * that time. On other specifications the proportions hold better than the cycles.
 */
import type { BinSummary } from '@tessera/frame';

/** Cycles per unit of each term, all at least 0. */
export interface BinCostModel {
  readonly cyclesPerBin: number;
  readonly cyclesPerPrimitive: number;
  readonly cyclesPerVertexInstruction: number;
  readonly cyclesPerFragment: number;
  readonly cyclesPerFragmentInstruction: number;
}

export const BIN_COST_TERMS = [
  'cyclesPerBin',
  'cyclesPerPrimitive',
  'cyclesPerVertexInstruction',
  'cyclesPerFragment',
  'cyclesPerFragmentInstruction',
] as const satisfies readonly (keyof BinCostModel)[];

export const BIN_COST_MODEL: BinCostModel = Object.freeze({
  cyclesPerBin: 671,
  cyclesPerPrimitive: 7.06,
  cyclesPerVertexInstruction: 0.00835,
  cyclesPerFragment: 0.237,
  cyclesPerFragmentInstruction: 0.00521,
});

/** What the terms' coefficients are multiplied with, in the order of {@link BIN_COST_TERMS}. */
export function binCostTerms(bin: BinSummary): readonly number[] {
  return [
    1,
    bin.primitives,
    bin.estimatedVertexInstructions,
    bin.estimatedFragments,
    bin.estimatedFragmentInstructions,
  ];
}

/** Estimated cycles of one bin, a whole number of at least 0. */
export function estimateBinCycles(bin: BinSummary, model: BinCostModel = BIN_COST_MODEL): number {
  const terms = binCostTerms(bin);
  return Math.round(BIN_COST_TERMS.reduce((sum, name, i) => sum + model[name] * terms[i]!, 0));
}
