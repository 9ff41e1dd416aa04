import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BIN_COST_TERMS } from './bin-cost.ts';
import { binCostError, fitBinCost, type MeasuredCost } from './fit-bin-cost.ts';

const TERMS = fc.tuple(
  fc.constant(1),
  fc.nat(1000),
  fc.nat(50_000),
  fc.nat(20_000),
  fc.nat(1_000_000),
);

describe('fitBinCost', () => {
  it('finds the coefficients that generated the bins', () => {
    const made = [500, 6, 0.01, 0.2, 0.005];
    const bins = fc.sample(TERMS, { numRuns: 80, seed: 3 }).map((costTerms) => ({
      costTerms,
      cycles: costTerms.reduce((sum, term, i) => sum + term * made[i]!, 0),
    }));
    const model = fitBinCost(bins);
    for (const [i, name] of BIN_COST_TERMS.entries()) expect(model[name]).toBeCloseTo(made[i]!, 3);
    expect(binCostError(model, bins)).toBeLessThan(1e-4);
  });

  it('gives no term a negative weight, whatever was measured', () => {
    const bin = fc.record({ costTerms: TERMS, cycles: fc.nat(1_000_000) });
    fc.assert(
      fc.property(fc.array(bin, { minLength: 1, maxLength: 20 }), (bins: MeasuredCost[]) => {
        const model = fitBinCost(bins);
        for (const name of BIN_COST_TERMS) {
          expect(model[name]).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(model[name])).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('rejects an empty list of bins', () => {
    expect(() => fitBinCost([])).toThrow('at least one bin');
  });
});
