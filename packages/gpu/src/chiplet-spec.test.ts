import { describe, expect, it } from 'vitest';
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, defineChipletSpec } from './chiplet-spec.ts';

describe('defineChipletSpec', () => {
  it('gives the default chiplet when nothing is changed', () => {
    expect(defineChipletSpec()).toEqual(DEFAULT_CHIPLET_SPEC);
  });

  it.each([
    ['name', ['x'], ['']],
    ['fineBinPx', [8, 64], [4, 128, 48]],
    ['batchPrimitives', [1, 1024], [0, 1025, 1.5]],
    ['batchStates', [1, 64], [0, 65]],
    ['warpIdFloor', [0, 16], [-1, 17]],
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
});
