import { chipletPreset } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { typicalValues } from './assumption.ts';
import { chipDesignUsd, packageDesignUsd } from './design-cost.ts';
import { buildCost, costAssumptions, costWithDesign, type GpuPlan, gpuCostOf } from './gpu-cost.ts';
import type { PackagingName } from './packaging.ts';
import type { NodeName } from './process-nodes.ts';

/** Values with the clustering of Chiplet Actuary. */
function actuaryValues(node: NodeName, packaging: PackagingName) {
  return { ...typicalValues(costAssumptions(node, packaging)), defectClustering: 10 };
}

function cost(node: NodeName, packaging: PackagingName, count: number, dieMm2: number): number {
  const die = { dieMm2, linkMm2: 0, overheadMm2: 0 };
  return buildCost(node, packaging, count, die, actuaryValues(node, packaging)).unitUsd;
}

describe('buildCost', () => {
  // Output of the program of Chiplet Actuary (Yinxiao-Feng/DAC2022 at d8dc4f1) with its parameters:
  // units of an area on one die, and on several with a tenth of their area for links.
  it.each([
    ['N7', 200, 2, 45.9061, 49.613, 58.1198, 64.6016],
    ['N7', 800, 4, 342.022, 231.0349, 290.8357, 356.4024],
    ['N5', 800, 4, 698.5781, 401.4165, 470.0713, 559.3734],
    ['N5', 800, 8, 698.5781, 363.6228, 448.3944, 606.0783],
    ['N16', 400, 4, 52.5229, 55.5756, 73.7757, 91.2482],
  ] as const)(
    'is that of Chiplet Actuary: %s, %d mm² on %d dies',
    (node, mm2, count, monolith, organic, fanOut, interposer) => {
      const dieMm2 = (1.1 * mm2) / count;
      expect(cost(node, 'organic', 1, mm2)).toBeCloseTo(monolith, 3);
      expect(cost(node, 'organic', count, dieMm2)).toBeCloseTo(organic, 3);
      expect(cost(node, 'fan-out', count, dieMm2)).toBeCloseTo(fanOut, 3);
      expect(cost(node, 'interposer', count, dieMm2)).toBeCloseTo(interposer, 3);
    },
  );
});

describe('design', () => {
  // Of the same program, in millions of dollars: a chiplet with its modules and link, and packages.
  it('costs as much as in Chiplet Actuary', () => {
    const chiplet = 227.64 + 542 / 3 + 542 / 30;
    expect(chipDesignUsd('N5', 220, 20) / 1e6).toBeCloseTo(chiplet, 6);
    expect(packageDesignUsd('organic', 1, 800)).toBeCloseTo(9_900_000, 3);
    expect(packageDesignUsd('organic', 4, 220)).toBeCloseTo(21_420_000, 3);
  });

  it('weighs less the more units are sold', () => {
    const build = buildCost(
      'N7',
      'organic',
      4,
      { dieMm2: 100, linkMm2: 5, overheadMm2: 0 },
      actuaryValues('N7', 'organic'),
    );
    expect(costWithDesign(build, 1e6) - build.unitUsd).toBeCloseTo(build.designUsd / 1e6, 9);
    expect(costWithDesign(build, 2e6)).toBeLessThan(costWithDesign(build, 1e6));
  });
});

describe('gpuCostOf', () => {
  const plan: GpuPlan = {
    spec: chipletPreset('rdna2-like'),
    chipletUnits: 4,
    dies: 4,
    node: 'N7',
    packaging: 'organic',
    linkBytesPerCycle: 256,
  };
  const values = typicalValues(costAssumptions('N7', 'organic'));

  it('gives both ways the same units', () => {
    const { chiplets, monolith } = gpuCostOf(plan)(values);
    const linkMm2 = (2 * 256 * 2) / values.linkGbytesPerSecondPerMm2;
    const added = 4 * linkMm2 + 3 * values.overheadMm2PerDie;
    expect(4 * chiplets.dieMm2 - monolith.dieMm2).toBeCloseTo(added, 9);
    expect(chiplets.dieYield).toBeGreaterThan(monolith.dieYield);
  });

  it('is one and the same for one die, whatever the package', () => {
    const { chiplets, monolith } = gpuCostOf({ ...plan, dies: 1, packaging: 'interposer' })(values);
    expect(chiplets).toEqual(monolith);
  });

  it.each([
    ['waferUsd', 1],
    ['defectsPerCm2', 1],
    ['defectClustering', 1],
    ['memoryMm2PerPin', 1],
    ['overheadMm2PerDie', 1],
    ['packagePriceFactor', 1],
    ['bondingYield', -1],
    ['arrayEfficiency', -1],
    ['linkGbytesPerSecondPerMm2', -1],
  ] as const)('rises or falls with %s', (name, sign) => {
    const more = { ...values, [name]: 1.01 * values[name] };
    const change =
      gpuCostOf(plan)(more).chiplets.unitUsd - gpuCostOf(plan)(values).chiplets.unitUsd;
    expect(Math.sign(change)).toBe(sign);
  });

  it('tells when the monolithic die exceeds the reticle', () => {
    expect(gpuCostOf(plan)(values).monolith.exceedsReticle).toBe(false);
    expect(gpuCostOf({ ...plan, chipletUnits: 12 })(values).monolith.exceedsReticle).toBe(true);
  });
});
