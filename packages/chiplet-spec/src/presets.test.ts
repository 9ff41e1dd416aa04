import { describe, expect, it } from 'vitest';
import { defineChipletSpec } from './chiplet-spec.ts';
import { DEFAULT } from './default.ts';
import { SPEC_FIELDS, SPEC_SWITCHES } from './parameters.ts';
import { CHIPLET_PRESETS, chipletPreset, SOURCED_PRESETS } from './presets.ts';
import { PARAMETER_NAMES } from './settings.ts';

describe('specification of a chiplet', () => {
  it.each(Object.entries(SPEC_FIELDS))('refuses %s outside its range by name', (name, info) => {
    const define = (value: number) => defineChipletSpec({ [name]: value });
    for (const value of [info.min - 1, info.max + 1, info.min + 0.5, Number.NaN]) {
      expect(() => define(value)).toThrow(new RegExp(`^${name}: `));
    }
    if ('isPowerOfTwo' in info && info.max > 2) {
      expect(() => define(info.max - 1)).toThrow(`${name}: ${info.max - 1} is not a power of two`);
    }
  });

  it.each(Object.keys(SPEC_SWITCHES))('refuses %s when it is no switch', (name) => {
    expect(() => defineChipletSpec({ [name]: 1 })).toThrow(`${name}: 1 is not true or false`);
  });

  it('refuses fields that do not exist', () => {
    expect(() => defineChipletSpec({ smcount: 1 } as object)).toThrow('smcount: unknown field');
  });

  it('have translations for a page table only', () => {
    const lists = { pageStructure: 'list', tlbEntries: 16 } as const;
    expect(() => defineChipletSpec(lists)).toThrow('tlbEntries: 16 is not 0');
    expect(defineChipletSpec({ ...lists, tlbEntries: 0 }).pageStructure).toBe('list');
  });

  it('has a source for every parameter of the default', () => {
    const sourced = DEFAULT.groups.flatMap(({ values }) => Object.keys(values));
    expect(sourced.sort()).toEqual([...PARAMETER_NAMES].sort());
    for (const { groups } of SOURCED_PRESETS) {
      for (const { source } of groups) expect(source.length).toBeGreaterThan(10);
    }
  });

  it('has presets under their own names and refuses others', () => {
    for (const [name, spec] of Object.entries(CHIPLET_PRESETS)) {
      expect(spec.name).toBe(name);
      expect(chipletPreset(name)).toBe(spec);
      expect(defineChipletSpec({ ...spec })).toEqual(spec);
    }
    expect(() => chipletPreset('x')).toThrow("spec: 'x' is not one of default, loongson");
  });
});
