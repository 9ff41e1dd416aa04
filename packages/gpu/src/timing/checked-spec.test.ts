/** Every way into the chip checks the specification that it is given. */
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import { timingSpecOf } from './timing-spec-words.ts';

describe('a specification', () => {
  it.each([
    [
      'a value out of its range',
      { ...DEFAULT_CHIPLET_SPEC, l2CacheBytes: 1000 },
      /^l2CacheBytes: 1000 is not an integer from 4096 to 67108864 bytes$/,
    ],
    [
      'a field that there is not',
      { ...DEFAULT_CHIPLET_SPEC, smCountt: 3 },
      /^smCountt: unknown field/,
    ],
    ['a field that is missing', { smCount: 8 }, /^name: missing/],
    ['the name of a preset', 'loongson', /^spec: loongson is not a specification/],
    ['null', null, /^spec: null is not a specification/],
  ])('refuses %s at every way into the chip', (_title, given, message) => {
    const spec = given as unknown as ChipletSpec;
    for (const build of [
      () => new SimulatedChiplet(spec),
      () => new ChipletMemory(spec),
      () => timingSpecOf(spec),
    ]) {
      expect(build).toThrowError(message);
    }
  });
});
