/**
 * Fits the coefficients of the cost model to measured bins by least squares. A bin's squared error
 * is weighted by the inverse of its cycles, like that of a count, so that neither the costliest
 * scene nor empty bins dominate. No coefficient may be below 0, because more work never takes less
 * time (Lawson and Hanson, "Solving Least Squares Problems", ch. 23, by coordinate descent).
 */
import { BIN_COST_TERMS, type BinCostModel } from './bin-cost.ts';

/** Terms and measured cycles of a bin. */
export interface MeasuredCost {
  /** Factors of the coefficients, in the order of {@link BIN_COST_TERMS}. */
  readonly costTerms: readonly number[];
  readonly cycles: number;
}

const ROUNDS = 20_000;

/**
 * Fits the model to the bins.
 *
 * @throws {RangeError} If there is no bin.
 */
export function fitBinCost(bins: readonly MeasuredCost[]): BinCostModel {
  if (bins.length === 0) throw new RangeError('bin cost: the fit needs at least one bin');
  const count = BIN_COST_TERMS.length;
  // Normal equations of the weighted terms, each scaled to length 1.
  const weights = bins.map(({ cycles }) => 1 / Math.sqrt(Math.max(1, cycles)));
  const rows = bins.map(({ costTerms }, i) => costTerms.map((term) => term * weights[i]!));
  const targets = bins.map(({ cycles }, i) => cycles * weights[i]!);
  const scales = BIN_COST_TERMS.map((_, j) =>
    Math.sqrt(rows.reduce((sum, row) => sum + row[j]! * row[j]!, 0)),
  );
  const scaled = rows.map((row) => row.map((term, j) => (scales[j] === 0 ? 0 : term / scales[j]!)));
  const dot = (a: (i: number) => number, b: (i: number) => number) =>
    scaled.reduce((sum, _, i) => sum + a(i) * b(i), 0);
  const column = (j: number) => (i: number) => scaled[i]![j]!;
  const gram = BIN_COST_TERMS.map((_, j) =>
    BIN_COST_TERMS.map((_, k) => dot(column(j), column(k))),
  );
  const right = BIN_COST_TERMS.map((_, j) => dot(column(j), (i) => targets[i]!));
  const solution = new Array<number>(count).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    for (let j = 0; j < count; j++) {
      if (gram[j]![j] === 0) continue;
      const rest = solution.reduce((sum, w, k) => sum + (k === j ? 0 : w * gram[j]![k]!), 0);
      solution[j] = Math.max(0, (right[j]! - rest) / gram[j]![j]!);
    }
  }
  const coefficients = solution.map((weight, j) => (scales[j] === 0 ? 0 : weight / scales[j]!));
  return Object.fromEntries(
    BIN_COST_TERMS.map((name, j) => [name, coefficients[j]!]),
  ) as unknown as BinCostModel; // The array has an entry for each term.
}

/**
 * Returns the error of a model's predictions: the sum of absolute errors ÷ the sum of cycles, best
 * value 0. The error on the bins of the fit is too low for other bins.
 */
export function binCostError(model: BinCostModel, bins: readonly MeasuredCost[]): number {
  const coefficients = BIN_COST_TERMS.map((name) => model[name]);
  let [error, total] = [0, 0];
  for (const { costTerms, cycles } of bins) {
    const predicted = costTerms.reduce((sum, term, j) => sum + term * coefficients[j]!, 0);
    error += Math.abs(predicted - cycles);
    total += cycles;
  }
  return total === 0 ? 0 : error / total;
}
