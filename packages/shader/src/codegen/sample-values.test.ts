import { describe, expect, it } from 'vitest';
import { bitsOfFloat as float, floatOfBits } from '../ir/scalar-operators.ts';
import { AT_SAMPLE, HAS_EIGHT_SAMPLES, SAMPLE_NUMBER_SHIFT } from '../isa/stage-memory.ts';
import { ALL_LANES, expectOutputs, runQuad } from '../testing/run-quad.ts';

describe('inputs at samples', () => {
  const NONE = ALL_LANES;
  /** Lanes 0 and 3 have sample 2, lane 1 has samples 0 and 1, lane 2 is covered as a whole. */
  const SEVERAL = ALL_LANES | (0b0110 << 16) | (0b0110 << 20) | (0b1101 << 24) | (0b0100 << 28);
  /** All lanes but lane 1 are shaded at sample 2. */
  const AT_2 = 0b1101 | AT_SAMPLE | (2 << SAMPLE_NUMBER_SHIFT) | (0b1101 << 24);
  /** Lane 0 has samples 1 and 5, lane 3 sample 7. */
  const EIGHT = 0b1001 | HAS_EIGHT_SAMPLES | (0b0001 << 20);
  const MORE = (0b0001 << 4) | (0b1000 << 12);
  /** Lane 2 is shaded at sample 6. */
  const AT_6 = 0b0100 | AT_SAMPLE | HAS_EIGHT_SAMPLES | (6 << SAMPLE_NUMBER_SHIFT);
  const ONLY_6 = 0b0100 << 8;

  it.each([
    ['sampleCount', NONE, [1, 1, 1, 1]],
    ['sampleCount', SEVERAL, [4, 4, 4, 4]],
    ['sampleCount', AT_2, [4, 4, 4, 4]],
    ['sampleId', NONE, [0, 0, 0, 0]],
    ['sampleId', AT_2, [2, 2, 2, 2]],
    ['sampleMask', NONE, [1, 1, 1, 1]],
    ['sampleMask', 0b0101, [1, 0, 1, 0]],
    ['sampleMask', SEVERAL, [4, 3, 15, 4]],
    ['sampleMask', AT_2, [4, 0, 4, 4]],
    ['samplePosition.x', NONE, [0.5, 0.5, 0.5, 0.5]],
    ['samplePosition.x', AT_2, [0.125, 0.125, 0.125, 0.125]],
    ['samplePosition.y', AT_2, [0.625, 0.625, 0.625, 0.625]],
    ['sampleCount', EIGHT, [8, 8, 8, 8], MORE],
    ['sampleCount', AT_6, [8, 8, 8, 8], ONLY_6],
    ['sampleId', AT_6, [6, 6, 6, 6], ONLY_6],
    ['sampleMask', EIGHT, [0b100010, 0, 0, 0b10000000], MORE],
    ['sampleMask', AT_6, [0, 0, 64, 0], ONLY_6],
    ['samplePosition.x', AT_6, [0.6875, 0.6875, 0.6875, 0.6875], ONLY_6],
    ['samplePosition.y', AT_6, [0.9375, 0.9375, 0.9375, 0.9375], ONLY_6],
    ['fragCoord.y', EIGHT, [79.5, 79.5, 78.5, 78.5], MORE],
  ])('%s with the mask %i is %j', (name, mask, values, moreSamples = 0) => {
    const areFloats = name.startsWith('samplePosition') || name.startsWith('fragCoord');
    const bits = areFloats ? values.map(float) : values;
    expectOutputs(runQuad(`builtin r0, ${name}\nouti 0, r0`, [], {}, mask, moreSamples), bits);
  });

  it('moves planes to the sample in programs that run for each, in targets with several', () => {
    const text = 'input r0, 3, sample\nbuiltin r1, fragCoord.z\noutf 0, r0\noutf 1, r1';
    const outputs = (mask: number) =>
      [...runQuad(text, [[1, 0.25, 1, 0]], {}, mask).kernel.outputs].map(floatOfBits);
    const [x, y] = [-6 / 16, -2 / 16];
    const depth = (lane: number) => 0.25 * (1 + (lane >> 1) + y);
    const w = (lane: number) => 1 / (0.5 + 0.125 * ((lane & 1) + x));
    for (let lane = 0; lane < 4; lane++) {
      const place = 1 + 0.25 * ((lane & 1) + x) + (lane >> 1) + y;
      expect(outputs(AT_2)[lane]).toBeCloseTo(place * w(lane), 5);
      expect(outputs(AT_2)[4 + lane]).toBeCloseTo(depth(lane), 6);
    }
    expect(outputs(NONE).slice(0, 2)).toEqual([2, 2]);
  });
});
