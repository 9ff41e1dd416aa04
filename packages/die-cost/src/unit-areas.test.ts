import { chipletPreset, withSettings } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { areaAssumptions } from './area-assumptions.ts';
import { typicalValues } from './assumption.ts';
import { NODE_NAMES } from './process-nodes.ts';
import { PUBLISHED_DIES, partsOfRdna1, partsOfRdna2, pinOfMemoryDie } from './published-dies.ts';
import { dieArea, totalUnitMm2, unitAreasOf } from './unit-areas.ts';

const RDNA2 = chipletPreset('rdna2-like');
const ASSUMPTIONS = areaAssumptions('N7', 'standard');
const TYPICAL = typicalValues(ASSUMPTIONS);

describe('parts of published dies', () => {
  it('solve the areas of the dies that they are from', () => {
    const { mm2PerComputeUnit, mm2PerPin, mm2PerDie } = partsOfRdna2();
    for (const die of [PUBLISHED_DIES.navi21, PUBLISHED_DIES.navi22, PUBLISHED_DIES.navi23]) {
      const cacheMm2 = (die.lastLevelMiB / 4) * 2.35;
      const mm2 = die.computeUnits * mm2PerComputeUnit + die.busPins * mm2PerPin + mm2PerDie;
      expect(mm2 + cacheMm2).toBeCloseTo(die.mm2, 6);
    }
    const first = partsOfRdna1();
    for (const die of [PUBLISHED_DIES.navi10, PUBLISHED_DIES.navi14]) {
      const mm2 = die.computeUnits * first.mm2PerComputeUnit + die.busPins * first.mm2PerPin;
      expect(mm2 + first.mm2PerDie).toBeCloseTo(die.mm2, 6);
    }
    expect(pinOfMemoryDie()).toBeCloseTo((37.5 - 9.4) / 64, 6);
  });
});

describe('unitAreasOf', () => {
  it('gives a memory its bits in cells', () => {
    const { registers } = unitAreasOf(RDNA2, 'N7')(TYPICAL);
    const bits = 40 * 131_072 * 8;
    expect(registers).toBeCloseTo((bits * 0.027e-6) / TYPICAL.arrayEfficiency, 9);
  });

  it('gives the preset the compute units that the logic was derived from', () => {
    const values = { ...TYPICAL, logicPerArithmetic: ASSUMPTIONS.logicPerArithmetic.high };
    const { secondLevel, memoryInterface, ...others } = unitAreasOf(RDNA2, 'N7')(values);
    const mm2 = Object.values(others).reduce((sum, each) => sum + each, 0);
    expect(mm2 / 20).toBeCloseTo(partsOfRdna2().mm2PerComputeUnit, 6);
    expect(secondLevel).toBeGreaterThan(0);
    expect(memoryInterface / 64).toBeCloseTo(values.memoryMm2PerPin, 9);
  });

  it.each([
    [
      'smCount=41',
      ['registers', 'instructionCaches', 'textureCaches', 'shaderCores', 'textureUnits'],
    ],
    ['l2CacheBytes=2Mi', ['secondLevel']],
    ['dramChannels=8', ['memoryInterface']],
    ['outputQuadsPerCycle=4', ['outputMerger']],
    ['textureQuadsPerCycle=2', ['textureUnits']],
    ['interpolatedComponentsPerCycle=512', ['interpolator']],
    ['depthQuadsPerCycle=2', ['rasterizer']],
    ['colorCacheBytes=128Ki', ['pipelineCaches']],
  ])('changes with %s in these units only', (setting, units) => {
    const [name = '', text = ''] = setting.split('=');
    const number =
      Number.parseInt(text, 10) *
      (text.endsWith('Mi') ? 2 ** 20 : text.endsWith('Ki') ? 2 ** 10 : 1);
    const base = unitAreasOf(RDNA2, 'N7')(TYPICAL);
    const changed = unitAreasOf(withSettings(RDNA2, { [name]: number }), 'N7')(TYPICAL);
    const differing = Object.entries(changed)
      .filter(([unit, mm2]) => mm2 !== base[unit as keyof typeof base])
      .map(([unit]) => unit);
    expect(differing).toEqual(units);
  });

  it('has no second level without a cache', () => {
    const none = unitAreasOf(withSettings(RDNA2, { hasL2Cache: false }), 'N7')(TYPICAL);
    expect(none.secondLevel).toBe(0);
  });

  it('shrinks memories and logic from node to node, but not interfaces', () => {
    const [n16, n7, n5] = NODE_NAMES.map((node) =>
      unitAreasOf(RDNA2, node)(typicalValues(areaAssumptions(node, 'standard'))),
    );
    for (const unit of ['registers', 'shaderCores'] as const) {
      expect(n16![unit]).toBeGreaterThan(n7![unit]);
      expect(n7![unit]).toBeGreaterThan(n5![unit]);
    }
    expect(n16!.memoryInterface).toBe(n5!.memoryInterface);
  });
});

describe('dieArea', () => {
  it('adds units, overhead and link', () => {
    const unitMm2 = () => totalUnitMm2(unitAreasOf(RDNA2, 'N7')(TYPICAL));
    const die = dieArea({ unitMm2, chiplets: 0.5, linkGbytesPerSecond: 250 }, TYPICAL);
    expect(die.linkMm2).toBeCloseTo(250 / 125, 9);
    expect(die.dieMm2).toBeCloseTo(unitMm2() / 2 + die.linkMm2 + die.overheadMm2, 9);
  });
});

describe('areaAssumptions', () => {
  it.each(NODE_NAMES)('has ordered, positive ranges with sources at %s', (node) => {
    for (const link of ['standard', 'advanced'] as const) {
      for (const { low, typical, high, source } of Object.values(areaAssumptions(node, link))) {
        expect(low).toBeGreaterThan(0);
        expect(typical).toBeGreaterThanOrEqual(low);
        expect(high).toBeGreaterThanOrEqual(typical);
        expect(source.length).toBeGreaterThan(10);
      }
    }
  });
});
