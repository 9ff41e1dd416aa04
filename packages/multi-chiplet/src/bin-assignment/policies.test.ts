import { makeCoarseBinGrid } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
  resolvePolicyName,
} from './policies.ts';

const GRID = makeCoarseBinGrid(512, 512, 2, 2);

function assign(policy: BinAssignmentPolicyName, costs: number[], chipletCount: number) {
  const chipletIds = Array.from({ length: chipletCount }, (_, i) => i);
  return BIN_ASSIGNMENT_POLICIES[policy]
    .assign({ grid: GRID, estimatedCosts: costs, chipletIds })
    .map((entry) => entry.binIds);
}

function makespan(lists: readonly (readonly number[])[], costs: number[]): number {
  return Math.max(...lists.map((list) => list.reduce((sum, binId) => sum + costs[binId]!, 0)));
}

describe('bin assignment', () => {
  it('gives the table of figure 4 whatever the load', () => {
    for (const costs of [
      [1, 1, 1, 1, 1, 1],
      [9, 0, 7, 0, 0, 3],
    ]) {
      expect(assign('static-blocks', costs, 3)).toEqual([
        [0, 1],
        [2, 3],
        [4, 5],
      ]);
    }
  });

  it.each(['dynamic-least-loaded', 'dynamic-longest-first'] as const)(
    'gives the table of figure 5 by %s',
    (policy) => {
      const [large, small, medium] = [6, 2, 3];
      const lists = assign(policy, [large, small, small, medium, medium], 3);
      expect(lists.map((list) => [...list].sort())).toEqual([[0], [1, 3], [2, 4]]);
    },
  );

  it.each(Object.keys(BIN_ASSIGNMENT_POLICIES) as BinAssignmentPolicyName[])(
    'gives every bin to exactly one chiplet by %s',
    (policy) => {
      fc.assert(
        fc.property(
          fc.array(fc.nat(1000), { minLength: 1, maxLength: 64 }),
          fc.integer({ min: 1, max: 16 }),
          (costs, chipletCount) => {
            const lists = assign(policy, costs, chipletCount);
            expect(lists).toHaveLength(chipletCount);
            expect(lists.flat().sort((a, b) => a - b)).toEqual(costs.map((_, i) => i));
          },
        ),
      );
    },
  );

  it('keeps to the bound of longest processing time first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 8 }),
        (costs, chipletCount) => {
          // The best makespan is at least the mean load, the largest bin, and (with more bins than
          // chiplets) the sum of the two smallest of the N + 1 largest bins.
          const sorted = [...costs].sort((a, b) => b - a);
          const mean = costs.reduce((sum, cost) => sum + cost, 0) / chipletCount;
          const pair =
            sorted.length > chipletCount ? sorted[chipletCount]! + sorted[chipletCount - 1]! : 0;
          const lowerBound = Math.max(mean, sorted[0]!, pair);
          const lists = assign('dynamic-longest-first', costs, chipletCount);
          // Graham's argument with the lower bound in the place of the best: the last bin to finish
          // started when all chiplets were busy, so it ends by mean + (1 − 1/N) × its own cost.
          expect(makespan(lists, costs)).toBeLessThanOrEqual(
            lowerBound * (2 - 1 / chipletCount) + 1e-9,
          );
        },
      ),
    );
  });

  it('refuses an unknown name and lists the known ones', () => {
    expect(resolvePolicyName('static')).toBe('static-blocks');
    expect(() => resolvePolicyName('toString')).toThrow(/'toString' is none of static, dynamic/);
  });
});
