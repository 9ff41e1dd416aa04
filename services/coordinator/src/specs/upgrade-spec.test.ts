import { chipletPreset, summarizeSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { upgradeSpec } from './upgrade-spec.ts';

describe('upgradeSpec', () => {
  const loongson = summarizeSpec(chipletPreset('loongson'));

  it('leaves a complete specification as it is', () => {
    expect(upgradeSpec(loongson)).toBe(loongson);
  });

  it.each([
    [null, 'default'],
    [undefined, 'default'],
    ['hmgpu', 'hmgpu'],
  ])('reads %s, which the first version stored', (stored, name) => {
    expect(upgradeSpec(stored)).toEqual(summarizeSpec(chipletPreset(name)));
  });

  it.each([
    ['loongson+smCount=2', 'loongson'],
    ['mine', 'default'],
  ])('completes %s with values of %s', (name, preset) => {
    const { warpThreads: _, ...others } = loongson.parameters;
    const parameters = { ...others, smCount: 2 };
    expect(upgradeSpec({ ...loongson, name, parameters })).toEqual({
      ...loongson,
      name,
      parameters: { ...parameters, warpThreads: chipletPreset(preset).warpThreads },
    });
  });
});
