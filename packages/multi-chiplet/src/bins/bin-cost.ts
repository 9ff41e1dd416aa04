/**
 * The cost model: the number of cycles that a coarse bin is expected to take, from the summary of
 * the visibility phase. It is a sum of five terms. `tessera study bin-cost` fitted their
 * coefficients by least squares to measured cycles of bins on the default specification, and judges
 * them on scenes outside the fit; see docs/studies/bin-cost.md. Depth complexity and texture misses
 * are unknown at that time. On other specifications the proportions are more accurate than the
 * cycles.
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

/** Names of the terms, in the order of {@link binCostTerms}. */
export const BIN_COST_TERMS = [
  'cyclesPerBin',
  'cyclesPerPrimitive',
  'cyclesPerVertexInstruction',
  'cyclesPerFragment',
  'cyclesPerFragmentInstruction',
] as const satisfies readonly (keyof BinCostModel)[];

/** Coefficients that are fitted to the default specification. */
export const BIN_COST_MODEL: BinCostModel = Object.freeze({
  cyclesPerBin: 671,
  cyclesPerPrimitive: 7.06,
  cyclesPerVertexInstruction: 0.00835,
  cyclesPerFragment: 0.237,
  cyclesPerFragmentInstruction: 0.00521,
});

/** Returns the factors of the coefficients, in the order of {@link BIN_COST_TERMS}. */
export function binCostTerms(bin: BinSummary): readonly number[] {
  return [
    1,
    bin.primitives,
    bin.estimatedVertexInstructions,
    bin.estimatedFragments,
    bin.estimatedFragmentInstructions,
  ];
}

/** Returns the estimated cycles of a bin, an integer of at least 0. */
export function estimateBinCycles(bin: BinSummary, model: BinCostModel = BIN_COST_MODEL): number {
  const terms = binCostTerms(bin);
  return Math.round(BIN_COST_TERMS.reduce((sum, name, i) => sum + model[name] * terms[i]!, 0));
}
