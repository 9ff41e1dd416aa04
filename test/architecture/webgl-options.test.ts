/** The table of docs/webgl.md on `gpu` matches the checks and the defaults of a context. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createContext, type SimulatedGpuChoice } from '@tessera/webgl';
import { describe, expect, it } from 'vitest';
import {
  ENERGY_FIELDS,
  GPU_FIELDS,
  GRID_FIELDS,
  LINK_FIELDS,
  PLACEMENT_FIELDS,
} from '../../packages/webgl/src/options/check-options.ts';
import type { Check } from '../../packages/webgl/src/options/option-checks.ts';

const DOCUMENT = readFileSync(resolve(import.meta.dirname, '../../docs/webgl.md'), 'utf8');

/** Rows of the table: values and default by name, without code marks. */
function readRows(): Map<string, { values: string; standard: string }> {
  const [, table] = DOCUMENT.split('| field of `gpu` |');
  const rows = table!.split('\n\n')[0]!.split('\n').slice(2);
  return new Map(
    rows.map((row) => {
      const [, name, values, standard] = row
        .split('|')
        .map((cell) => cell.replace(/`/g, '').trim());
      return [name!, { values: values!, standard: standard! }];
    }),
  );
}

/** Returns the accepted values that the check's message names: words, or a range. */
function acceptedBy(check: Check): string {
  try {
    check({}, 'x');
  } catch (error) {
    const { message } = error as Error;
    return message.replace(/^.* is not (one of|an integer from) /, '');
  }
  throw new Error('the check accepts an object without fields');
}

const inside = (name: string, checks: Readonly<Record<string, Check>>) =>
  Object.entries(checks).map(([field, check]) => [`${name}.${field}`, check] as const);

describe('the table of docs/webgl.md', () => {
  const rows = readRows();

  it('lists every field of gpu with the values that its check accepts', () => {
    const { grid, interconnect, placement, spec, energy, ...plain } = GPU_FIELDS;
    const kinds = Object.keys(GRID_FIELDS).join(', ');
    const expected = new Map([
      ...Object.entries(plain).map(([name, check]) => [name, acceptedBy(check)] as const),
      ['grid.kind', kinds] as const,
      ...[
        ...inside('grid', Object.assign({}, ...Object.values(GRID_FIELDS))),
        ...inside('interconnect', LINK_FIELDS),
        ...inside('placement', PLACEMENT_FIELDS),
        ...inside('energy', ENERGY_FIELDS),
      ].map(([name, check]) => [name, acceptedBy(check)] as const),
      ['spec', 'a [specification](chiplet-spec.md)'] as const,
    ]);
    expect([...rows.keys()].sort()).toEqual([...expected.keys()].sort());
    expect(acceptedBy(grid)).toBe(kinds);
    for (const [name, { values }] of rows)
      expect([name, values]).toEqual([name, expected.get(name)]);
  });

  it('has the defaults that a report shows', () => {
    const standardOf = (name: string) => rows.get(name)!.standard;
    const link = (name: string) => standardOf(`interconnect.${name}`);
    const reportOf = (gpu: SimulatedGpuChoice) => {
      const gl = createContext(640, 360, { antialias: false, gpu });
      gl.clear(gl.COLOR_BUFFER_BIT);
      return gl.frame().report!;
    };
    expect(reportOf({}).timing).toBe(standardOf('timing'));
    const report = reportOf({ timing: 'cycle' });
    expect(report).toMatchObject({
      coupling: standardOf('coupling'),
      spec: { name: standardOf('spec').replace('the preset ', '') },
      visibility: { shader: standardOf('visibilityShader') },
      link: {
        topology: link('topology'),
        bytesPerCycle: Number(link('bytesPerCycle')),
        latencyCycles: Number(link('latencyCycles')),
      },
    });
    expect(report.policy).toMatch(new RegExp(`^${standardOf('policy')}`));
    expect(report.chiplets).toHaveLength(Number(standardOf('chipletCount')));
    expect(report.bins).toHaveLength(Number(standardOf('grid.count')));
    for (const field of ['memory', 'linkClass', 'packageLinkClass'] as const)
      expect(report.energy!.technology[field]).toBe(standardOf(`energy.${field}`));
    for (const [name, place] of Object.entries(report.placement))
      expect([name, place]).toEqual([name, standardOf(`placement.${name}`)]);
  });
});
