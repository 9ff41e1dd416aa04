import { chipletPreset } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { typicalValues } from './assumption.ts';
import { breakEvenMm2, chipletUnitsOf } from './break-even.ts';
import { costAssumptions, type GpuPlan, gpuCostOf } from './gpu-cost.ts';

const PLAN: GpuPlan = {
  spec: chipletPreset('rdna2-like'),
  chipletUnits: 1,
  dies: 4,
  node: 'N7',
  packaging: 'organic',
  linkBytesPerCycle: 256,
};
const VALUES = typicalValues(costAssumptions('N7', 'organic'));

function ratioAt(mm2: number): number {
  const chipletUnits = chipletUnitsOf(PLAN, VALUES, mm2);
  const { chiplets, monolith } = gpuCostOf({ ...PLAN, chipletUnits })(VALUES);
  expect(monolith.dieMm2).toBeCloseTo(mm2, 6);
  return chiplets.unitUsd / monolith.unitUsd;
}

describe('breakEvenMm2', () => {
  it('is where both ways cost the same', () => {
    const mm2 = breakEvenMm2(PLAN, VALUES)!;
    expect(ratioAt(mm2)).toBeCloseTo(1, 6);
    expect(ratioAt(0.9 * mm2)).toBeGreaterThan(1);
    expect(ratioAt(1.1 * mm2)).toBeLessThan(1);
  });

  it('is smaller with more defects, and nowhere without', () => {
    const typical = breakEvenMm2(PLAN, VALUES)!;
    expect(breakEvenMm2(PLAN, { ...VALUES, defectsPerCm2: 0.2 })!).toBeLessThan(typical);
    expect(breakEvenMm2(PLAN, { ...VALUES, defectsPerCm2: 1e-6 })).toBeNull();
  });
});

describe('chipletUnitsOf', () => {
  it('refuses a die without room for units', () => {
    expect(() => chipletUnitsOf(PLAN, VALUES, 0.9 * VALUES.overheadMm2PerDie)).toThrowError(
      /^monolithMm2: /,
    );
  });
});
