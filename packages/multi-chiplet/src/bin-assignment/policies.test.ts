import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
  resolvePolicyName,
} from './policies.ts';

/** Six bins, as in figure 4. */
const GRID = { columns: 3, rows: 2 };

type UpfrontPolicyName = Exclude<BinAssignmentPolicyName, 'dynamic-pull'>;
const UPFRONT = Object.keys(BIN_ASSIGNMENT_POLICIES).filter(
  (name) => name !== 'dynamic-pull',
) as UpfrontPolicyName[];

function assign(policy: UpfrontPolicyName, costs: number[], chipletCount: number, grid = GRID) {
  const chipletIds = Array.from({ length: chipletCount }, (_, i) => i);
  return BIN_ASSIGNMENT_POLICIES[policy]
    .assign({
      grid,
      bins: costs.map((predictedCycles, binId) => ({ binId, predictedCycles })),
      chipletIds,
      initialLoads: chipletIds.map(() => 0),
    })
    .map(({ binIndices }) => binIndices);
}

function makespan(lists: readonly (readonly number[])[], costs: number[]): number {
  return Math.max(...lists.map((list) => list.reduce((sum, i) => sum + costs[i]!, 0)));
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

  it('deals bins in Z-order', () => {
    const costs = new Array<number>(16).fill(1);
    expect(assign('static-morton', costs, 4, { columns: 4, rows: 4 })).toEqual([
      [0, 2, 8, 10],
      [1, 3, 9, 11],
      [4, 6, 12, 14],
      [5, 7, 13, 15],
    ]);
  });

  it('keeps parts of a bin together by place', () => {
    const bins = [0, 0, 1, 2, 3, 3].map((binId) => ({ binId, predictedCycles: 1 }));
    const input = { grid: { columns: 2, rows: 2 }, bins, chipletIds: [0, 1], initialLoads: [0, 0] };
    expect(BIN_ASSIGNMENT_POLICIES['static-blocks'].assign(input)).toEqual([
      { chipletId: 0, binIndices: [0, 1, 2] },
      { chipletId: 1, binIndices: [3, 4, 5] },
    ]);
  });

  it.each(UPFRONT)('gives every bin to exactly one chiplet by %s', (policy) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 8 }),
        fc.infiniteStream(fc.nat(1000)),
        fc.integer({ min: 1, max: 16 }),
        (columns, rows, stream, chipletCount) => {
          const costs = [...stream.take(columns * rows)];
          const lists = assign(policy, costs, chipletCount, { columns, rows });
          expect(lists).toHaveLength(chipletCount);
          expect(lists.flat().sort((a, b) => a - b)).toEqual(costs.map((_, i) => i));
        },
      ),
    );
  });

  it('stays within the bound of longest processing time first', () => {
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
          // Graham's argument with the lower bound in place of the best makespan: the last bin to
          // finish started when all chiplets were busy, so it finishes by mean + (1 − 1/N) × its
          // own cost.
          expect(makespan(lists, costs)).toBeLessThanOrEqual(
            lowerBound * (2 - 1 / chipletCount) + 1e-9,
          );
        },
      ),
    );
  });

  it('rejects an unknown name and lists the known ones', () => {
    expect(resolvePolicyName('static')).toBe('static-blocks');
    expect(() => resolvePolicyName('toString')).toThrow(/'toString' is not one of static, dynamic/);
  });
});
