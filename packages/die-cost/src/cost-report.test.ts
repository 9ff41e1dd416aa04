import { chipletPreset } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { reportCost } from './cost-report.ts';
import { costAssumptions, type GpuPlan } from './gpu-cost.ts';
import { predictDies } from './predicted-dies.ts';

const PLAN: GpuPlan = {
  spec: chipletPreset('rdna2-like'),
  chipletUnits: 4,
  dies: 4,
  node: 'N7',
  packaging: 'organic',
  linkBytesPerCycle: 256,
};
const ASSUMPTIONS = costAssumptions('N7', 'organic');

describe('reportCost', () => {
  const report = reportCost(PLAN, ASSUMPTIONS);

  it('has units that add up to one die, with the overhead of the die', () => {
    const units = report.units.reduce((sum, { mm2 }) => sum + mm2.typical, 0);
    const overhead = ASSUMPTIONS.overheadMm2PerDie.typical;
    expect(4 * units + overhead).toBeCloseTo(report.monolith.dieMm2.typical, 9);
  });

  it('has the ratio of its costs, within the worst cases', () => {
    const { relativeCost, worstRelativeCost, chiplets, monolith } = report;
    expect(relativeCost.typical).toBeCloseTo(chiplets.usd.typical / monolith.usd.typical, 9);
    expect(worstRelativeCost.least).toBeLessThanOrEqual(relativeCost.low);
    expect(worstRelativeCost.most).toBeGreaterThanOrEqual(relativeCost.high);
  });

  it('has no assumption that dominates the ratio of one die to itself', () => {
    const { relativeCost, worstRelativeCost } = reportCost({ ...PLAN, dies: 1 }, ASSUMPTIONS);
    expect(relativeCost).toEqual({ low: 1, typical: 1, high: 1, effects: [] });
    expect(worstRelativeCost).toEqual({ least: 1, most: 1 });
  });

  it('has the parts of the cost', () => {
    const { diesUsd, packageUsd, assemblyLossUsd, usd } = report.chiplets;
    expect(diesUsd + packageUsd + assemblyLossUsd).toBeCloseTo(usd.typical, 9);
  });

  it('adds the design that a volume shares', () => {
    const shared = reportCost(PLAN, ASSUMPTIONS, 1e6);
    const design = report.monolith.designUsd / 1e6;
    expect(shared.monolith.usd.typical - report.monolith.usd.typical).toBeCloseTo(design, 9);
  });
});

describe('predictDies', () => {
  it('agrees with the dies as documented, also with two that nothing was derived from', () => {
    const agreements = predictDies().map(({ die, isInFit, agreement }) => [
      die.name,
      isInFit,
      agreement,
    ]);
    expect(agreements).toEqual([
      ['Navi 10', true, 'range'],
      ['Navi 14', true, 'range'],
      ['Navi 21', true, 'ends'],
      ['Navi 22', true, 'ends'],
      ['Navi 23', true, 'ends'],
      ['Navi 33', false, 'range'],
      ['Navi 31, graphics die', false, 'outside'],
    ]);
  });
});
