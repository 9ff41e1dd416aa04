import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chipletPreset } from '@tessera/chiplet-spec';
import { costAssumptions, type GpuPlan, reportCost } from '@tessera/die-cost';
import { describe, expect, it } from 'vitest';
import { readTable } from '../tables/document-tables.ts';
import { runCostCommand } from './cost-command.ts';
import { costTables } from './cost-documents.ts';
import { formatCostReport } from './cost-listing.ts';

const DOCUMENT = readFileSync(
  join(import.meta.dirname, '../../../../docs/area-and-cost.md'),
  'utf8',
);
const PLAN: GpuPlan = {
  spec: chipletPreset('rdna2-like'),
  chipletUnits: 4,
  dies: 4,
  node: 'N7',
  packaging: 'organic',
  linkBytesPerCycle: 256,
};
const ASSUMPTIONS = costAssumptions('N7', 'organic');
const REPORT = reportCost(PLAN, ASSUMPTIONS);

describe('docs/area-and-cost.md', () => {
  it.each([...costTables()])('has the table of %s', (name, table) => {
    expect(readTable(DOCUMENT, name)).toBe(table);
  });

  it('quotes the ratio of four dies, and what dominates it', () => {
    const { low, typical, high, effects } = REPORT.relativeCost;
    const [from, usual, to] = [low, typical, high].map((ratio) => ratio.toFixed(2));
    expect(DOCUMENT).toContain(
      `cost ${from} to ${to} of one die with all their units, typically ${usual}`,
    );
    expect(effects[0]!.name).toBe('overheadMm2PerDie');
  });

  it('quotes the ratio with the defects of CATCH', () => {
    const fixed = { ...ASSUMPTIONS };
    for (const [name, value] of [
      ['defectsPerCm2', 0.32],
      ['defectClustering', 2],
    ] as const) {
      fixed[name] = { ...fixed[name], low: value, typical: value, high: value };
    }
    const { low, high } = reportCost(PLAN, fixed).relativeCost;
    expect(DOCUMENT).toContain(`cost ${low.toFixed(2)} to ${high.toFixed(2)} of one.`);
  });
});

describe('formatCostReport', () => {
  const text = formatCostReport(PLAN, REPORT, ASSUMPTIONS, { volume: undefined, speedUp: 0.8 });

  it('shows ranges, the dominating assumption, and all assumptions by effect', () => {
    expect(text).toMatch(/^shaderCores +logic +20\.2 +24\.8 +29\.3$/m);
    expect(text).toMatch(/^cost of the chiplets ÷ cost of one die: 0\.\d+ … 1\.\d+ … 1\.\d+; /m);
    expect(text).toMatch(/^overheadMm2PerDie dominates it: /m);
    const listed = Object.keys(ASSUMPTIONS).filter((name) =>
      new RegExp(`^${name} `, 'm').test(text),
    );
    // Logic at N7 is not scaled, so it has no effect.
    expect(listed).toEqual(Object.keys(ASSUMPTIONS).filter((name) => name !== 'logicScale'));
  });

  it('turns the range of costs into one of performance per cost', () => {
    const { low, typical, high } = REPORT.relativeCost;
    const shown = /performance per cost ÷ that of one die: (\S+) … (\S+) … (\S+)/.exec(text)!;
    expect(Number(shown[1])).toBeCloseTo(0.8 / high, 2);
    expect(Number(shown[2])).toBeCloseTo(0.8 / typical, 2);
    expect(Number(shown[3])).toBeCloseTo(0.8 / low, 2);
  });

  it('warns of one die that cannot be exposed', () => {
    const plan = { ...PLAN, chipletUnits: 12, dies: 12 };
    const report = reportCost(plan, ASSUMPTIONS);
    const options = { volume: undefined, speedUp: undefined };
    expect(formatCostReport(plan, report, ASSUMPTIONS, options)).toContain('cannot be built');
    expect(text).not.toContain('cannot be built');
  });
});

describe('tessera cost', () => {
  it.each([
    [['N7'], 'cost takes no argument: N7'],
    [['--node', 'N4'], "node: 'N4' is none of N16, N7, N5"],
    [['--package', 'glass'], "package: 'glass' is none of organic, fan-out, interposer"],
    [['--chiplets', '0'], "chiplets: '0' is not an integer from 1 to 64"],
    [['--assume', 'defects=1'], 'defects: none of arrayEfficiency, '],
    [['--assume', 'defectsPerCm2'], "assume: 'defectsPerCm2' is not name=value"],
    [['--assume', 'defectsPerCm2=-1'], 'defectsPerCm2: -1 is not a positive number'],
    [['--cycles', '5'], "cycles: '5' is not two numbers with a comma"],
    [['--set', 'smCount=0'], '--set: smCount: 0'],
    [
      ['--spec', 'rdna2-like', '--chiplets', '64', '--node', 'N16', '--set', 'smCount=64'],
      'does not fit on a wafer',
    ],
  ])('refuses %j', async (args, message) => {
    await expect(runCostCommand(args)).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      message: expect.stringContaining(message) as string,
    });
  });
});
