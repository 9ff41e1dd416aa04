import { DEFAULT_CHIPLET_SPEC, summarizeSpec, withSettings } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { specDigest } from './spec-digest.ts';
import { columnNames, csvPieces, ENERGY_COLUMNS, STUDY_COLUMNS } from './study-columns.ts';
import { upgradeRow } from './study-row.ts';

describe('columns', () => {
  it('have swept parameters after the specification, and counters at the end', () => {
    const names = columnNames({ swept: ['smCount'], counters: ['memory.bytesRead'] });
    expect(names).toHaveLength(Object.keys(STUDY_COLUMNS).length + 2);
    expect(names[names.indexOf('specDigest') + 1]).toBe('smCount');
    expect(names.at(-1)).toBe('memory.bytesRead');
    for (const name of Object.keys({ ...STUDY_COLUMNS, ...ENERGY_COLUMNS }))
      expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
  });

  it('have energies before the counters if a study asks for them', () => {
    const base = { swept: [], counters: ['memory.bytesRead'] };
    const names = columnNames({ ...base, hasEnergy: true });
    const energies = Object.keys(ENERGY_COLUMNS);
    expect(names.slice(-energies.length - 1)).toEqual([...energies, 'memory.bytesRead']);
    expect(names.filter((name) => !energies.includes(name))).toEqual(columnNames(base));
  });
});

describe('CSV of a study', () => {
  const write = (rows: Parameters<typeof csvPieces>[0]) =>
    [...csvPieces(rows, { swept: ['hasL2Cache'], counters: ['memory.bytesRead'] })].join('');

  it('has a line for each row, with switches as words and missing fields empty', () => {
    const row = {
      scene: 'a, b',
      cycles: 112_770,
      occlusion: false,
      settings: { hasL2Cache: true },
    };
    const [header, line, end] = write([[{ ...row, counters: { 'memory.bytesRead': 5 } }]]).split(
      '\n',
    );
    const cells = header!.split(',');
    expect(line).toMatch(/^"a, b",,/);
    const values = line!.replace('"a, b"', 'a').split(',');
    const cellOf = (name: string) => values[cells.indexOf(name)];
    expect([cellOf('cycles'), cellOf('occlusion'), cellOf('hasL2Cache')]).toEqual([
      '112770',
      'off',
      'on',
    ]);
    expect(cellOf('speedUp')).toBe('');
    expect(cellOf('memory.bytesRead')).toBe('5');
    expect(end).toBe('');
  });

  it('disarms names that a spreadsheet would evaluate', () => {
    expect(write([[{ scene: '=1+1' }]])).toContain("\n'=1+1,");
  });
});

describe('rows of version 0.1', () => {
  it('get the names of this version', () => {
    expect(upgradeRow({ model: 'm', speedup: 2, cycles: 5 })).toEqual({
      scene: 'm',
      speedUp: 2,
      cycles: 5,
      coupling: 'none',
    });
  });
});

describe('digest of a specification', () => {
  it('depends on every parameter and not on the name', () => {
    const base = summarizeSpec(DEFAULT_CHIPLET_SPEC);
    const changed = summarizeSpec(withSettings(DEFAULT_CHIPLET_SPEC, { smCount: 3 }));
    expect(specDigest(base)).toMatch(/^[0-9a-f]{12}$/);
    expect(specDigest({ ...base })).toBe(specDigest(base));
    expect(specDigest(changed)).not.toBe(specDigest(base));
    const reversed = Object.fromEntries(Object.entries(base.parameters).reverse());
    expect(specDigest({ parameters: reversed })).toBe(specDigest(base));
  });
});
