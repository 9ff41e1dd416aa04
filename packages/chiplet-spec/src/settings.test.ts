import { describe, expect, it } from 'vitest';
import { DEFAULT_CHIPLET_SPEC } from './chiplet-spec.ts';
import { SPEC_CHOICES, SPEC_FIELDS, SPEC_SWITCHES } from './parameters.ts';
import { chipletPreset } from './presets.ts';
import { readSpec } from './read-spec.ts';
import {
  formatValue,
  PARAMETER_NAMES,
  parseSettings,
  type SpecSettings,
  withSettings,
} from './settings.ts';
import { TIMED_CLASSES } from './shader-parameters.ts';

describe('parseSettings', () => {
  it('reads integers with and without a unit, switches and choices', () => {
    expect(parseSettings('l2CacheBytes=1Mi, smCount=8,hasL2Cache=off,slotPolicy=gcn')).toEqual({
      l2CacheBytes: 2 ** 20,
      smCount: 8,
      hasL2Cache: false,
      slotPolicy: 'gcn',
    });
  });

  it.each([
    ['', "'' is not name=value"],
    ['smCount', "'smCount' is not name=value"],
    ['smCount=', "'smCount=' is not name=value"],
    ['smCount=1=2', "'smCount=1=2' is not name=value"],
    ['smCount=4,smCount=5', 'smCount: set twice'],
    ['smCount=four', "smCount: 'four' is not an integer (1 to 64 shader cores)"],
    ['smCount=-4', "smCount: '-4' is not an integer (1 to 64 shader cores)"],
    ['smCount=1.5', "smCount: '1.5' is not an integer (1 to 64 shader cores)"],
    ['hasL2Cache=1', "hasL2Cache: '1' is not on or off"],
    ['l2CacheSize=4', 'l2CacheSize: no such parameter; did you mean l2CacheBytes, l2CacheWays?'],
    ['constructor=4', 'constructor: no such parameter'],
  ])('refuses %j', (text, message) => {
    expect(() => parseSettings(text)).toThrowError(new RangeError(message));
  });
});

describe('withSettings', () => {
  it('changes parameters and says which in the name', () => {
    const spec = withSettings(DEFAULT_CHIPLET_SPEC, { smCount: 8, hasL2Cache: false });
    expect(spec).toEqual({
      ...DEFAULT_CHIPLET_SPEC,
      name: 'default+smCount=8,hasL2Cache=off',
      smCount: 8,
      hasL2Cache: false,
    });
  });

  it('is the preset itself if nothing changes', () => {
    const { smCount } = DEFAULT_CHIPLET_SPEC;
    expect(withSettings(DEFAULT_CHIPLET_SPEC, { smCount })).toBe(DEFAULT_CHIPLET_SPEC);
  });

  it('gives many changes a short name that differs with them', () => {
    const numbers = Object.entries(SPEC_FIELDS).map(([name, { max }]) => [name, max] as const);
    const all = (changed: object) =>
      withSettings(DEFAULT_CHIPLET_SPEC, {
        ...Object.fromEntries(numbers.filter(([name]) => name.startsWith('dramR'))),
        dramRefreshCycles: 0,
        dramActivateCycles: 99,
        dramPrechargeCycles: 98,
        ...changed,
      }).name;
    expect(all({})).toMatch(/^default\+settings [0-9a-f]{8}$/);
    expect(all({ smCount: 8 })).not.toBe(all({ smCount: 9 }));
  });

  it('replaces earlier changes of the same parameters in the name', () => {
    const first = withSettings(DEFAULT_CHIPLET_SPEC, { smCount: 8, dramChannels: 8 });
    const second = withSettings(first, { smCount: 2 });
    expect(second.name).toBe('default+dramChannels=8,smCount=2');
  });

  it('keeps names short and distinct however often settings are applied', () => {
    const names = new Set<string>();
    let spec = DEFAULT_CHIPLET_SPEC;
    for (const name of TIMED_CLASSES) {
      spec = withSettings(spec, { [`${name}IssueCycles`]: 3, [`${name}LatencyCycles`]: 7 });
      expect(spec.name.length).toBeLessThanOrEqual('default+'.length + 120);
      names.add(spec.name);
    }
    expect(names.size).toBe(TIMED_CLASSES.length);
  });

  it.each([
    [{ smCount: 65 }, 'smCount: 65 is not an integer from 1 to 64 shader cores'],
    [
      { l2CacheBytes: 5000 },
      'l2CacheBytes: 5000 is not a power of two from 4096 to 67108864 bytes',
    ],
    [{ smCount: '8' }, 'smCount: "8" is not an integer (1 to 64 shader cores)'],
    [{ hasL2Cache: 1 }, 'hasL2Cache: 1 is not true or false (on or off)'],
    [{ slotPolicy: 'best' }, "slotPolicy: 'best' is not one of"],
    [{ name: 'x' }, 'name: no such parameter'],
  ])('refuses %j', (settings, message) => {
    expect(() => {
      return withSettings(DEFAULT_CHIPLET_SPEC, settings as unknown as SpecSettings);
    }).toThrowError(message);
  });

  it('accepts the text of every value of every preset', () => {
    expect(PARAMETER_NAMES.length).toBe(
      Object.keys({ ...SPEC_FIELDS, ...SPEC_SWITCHES, ...SPEC_CHOICES }).length,
    );
    const preset = chipletPreset('hmgpu');
    const { name, ...values } = preset;
    const text = Object.entries(values).map(([key, value]) => `${key}=${formatValue(value)}`);
    const spec = withSettings(DEFAULT_CHIPLET_SPEC, parseSettings(text.join(',')));
    expect({ ...spec, name }).toEqual(preset);
  });
});

describe('readSpec', () => {
  it('applies settings to a preset', () => {
    const spec = readSpec({ preset: 'loongson', set: { smCount: 2 } });
    expect(spec.name).toBe('loongson+smCount=2');
    expect(readSpec({ set: { smCount: 2 } }, 'mine').name).toBe('mine');
    expect(readSpec({})).toBe(DEFAULT_CHIPLET_SPEC);
  });

  it.each([
    [null, 'a specification is an object'],
    [[], 'a specification is an object'],
    [{ sets: {} }, 'sets: a specification has only preset and set'],
    [{ preset: 7 }, 'preset: not a name'],
    [{ preset: 'best' }, "spec: 'best' is not one of default"],
    [{ set: [] }, 'set: not an object of settings'],
    [{ set: { smCount: null } }, 'smCount: null is not an integer'],
  ])('refuses %j', (given, message) => {
    expect(() => readSpec(given)).toThrowError(message);
  });
});
