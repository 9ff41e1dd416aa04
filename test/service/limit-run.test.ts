/** A short run of `npm run limits`: routes that need no frames. */
import { describe, expect, it } from 'vitest';
import { isWithin } from '../../scripts/limits/limit-results.ts';
import { ROUTE_CASES } from '../../scripts/limits/route-cases.ts';
import { runLimits } from '../../scripts/limits/run-limits.ts';

describe('npm run limits', () => {
  it('measures routes, each within its bounds', async () => {
    const only = ['getMetrics', 'getQuota', 'listSpecParameters'];
    const lines: string[] = [];
    const { rows, failures } = await runLimits({
      workers: 0,
      only,
      hasFrames: false,
      onRow: () => {},
      onLine: (line) => lines.push(line),
    });
    const told = [...failures, ...lines].join('\n');
    expect(failures, told).toEqual([]);
    expect(rows.map(({ route }) => route).sort()).toEqual(only);
    expect(rows.map(({ input }) => input)).toEqual(
      rows.map(({ route }) => ROUTE_CASES[route as 'getQuota'][0]!.input),
    );
    for (const row of rows) {
      expect(isWithin(row), `${JSON.stringify(row)}\n${told}`).toBe(true);
      expect(row.largestBytes).toBeGreaterThan(50 * 2 ** 20);
      expect(row.chipletCpuSeconds).toBeGreaterThanOrEqual(0);
    }
  }, 60_000);
});
