import { describe, expect, it } from 'vitest';
import {
  type ChipletSpec,
  DEFAULT_CHIPLET_SPEC,
  defineChipletSpec,
  requireChipletSpec,
} from './chiplet-spec.ts';

describe('defineChipletSpec', () => {
  it('gives the default chiplet when nothing is changed', () => {
    expect(defineChipletSpec()).toEqual(DEFAULT_CHIPLET_SPEC);
  });

  it.each([
    ['name', ['x'], ['']],
    ['fineBinPx', [8, 64], [4, 128, 48]],
    ['batchPrimitives', [1, 1024], [0, 1025, 1.5]],
    ['batchStates', [1, 64], [0, 65]],
    ['warpIdFloor', [0, 128], [-1, 129]],
    ['slotPolicy', ['gcn', 'vertex-first'], ['random', 1]],
    ['quadListQuads', [2048, 16_384], [2047, 16_385]],
    ['invocationInstructionBudget', [2 ** 10, 2 ** 30], [2 ** 10 - 1, 2 ** 30 + 1]],
    ['maxBinPixels', [4096, 2 ** 26], [4095, 2 ** 26 + 1]],
    ['texturePoolBytes', [2 ** 20, 2 ** 30], [2 ** 20 - 1, 2 ** 30 + 1]],
  ] as const satisfies [keyof ChipletSpec, unknown, unknown][])(
    'checks the range of %s',
    (field, allowed, refused) => {
      for (const value of allowed) expect(defineChipletSpec({ [field]: value })[field]).toBe(value);
      for (const value of refused) {
        expect(() => defineChipletSpec({ [field]: value })).toThrowError(new RegExp(`^${field}: `));
      }
    },
  );

  it.each([
    [{ dramRefreshCycles: 100, dramRefreshIntervalCycles: 101 }, null],
    [{ dramRefreshCycles: 100, dramRefreshIntervalCycles: 100 }, /^dramRefreshCycles: 100/],
    [{ toString: 1 }, /^toString: unknown field/],
    [{ name: 7 }, /^name: /],
  ])('checks fields against each other: %j', (overrides, message) => {
    const define = () => defineChipletSpec(overrides as unknown as Partial<ChipletSpec>);
    if (message === null) expect(define()).toMatchObject(overrides);
    else expect(define).toThrowError(message);
  });
});

describe('requireChipletSpec', () => {
  it('gives a checked specification as it is, and a frozen copy of another', () => {
    const checked = defineChipletSpec({ smCount: 2 });
    expect(requireChipletSpec(checked)).toBe(checked);
    const own = { ...checked };
    const required = requireChipletSpec(own);
    expect(required).toEqual(own);
    expect(Object.isFrozen(required)).toBe(true);
    expect(required).not.toBe(own);
  });

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
  ])('refuses %s', (_title, given, message) => {
    expect(() => requireChipletSpec(given as unknown as ChipletSpec)).toThrowError(message);
  });
});
