import { defineChipletSpec } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { type HarnessDraw, pixelAt, rectangle, render } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 64, heightPx: 64 };
const spec = defineChipletSpec({
  batchPrimitives: 4,
  batchStates: 2,
  maxBinPixels: 2 ** 14,
  texturePoolBytes: 2 ** 20,
});
const LESS = { isTestEnabled: true, isWriteEnabled: true, compare: 'less' } as const;
const RED = [1, 0, 0, 1] as const;
const GREEN = [0, 1, 0, 1] as const;

const two = (z: number, color: typeof RED | typeof GREEN = RED) =>
  rectangle(TARGET, 0, 0, 40, 40, z, color);
const one = (z: number) => two(z).slice(0, 24);
/** Draw whose depth is tested and written after shading. */
const late = (z: number): HarnessDraw => ({
  vertices: two(z),
  fragment: 'discard-low-red',
  state: { depth: LESS },
});
const early = (z: number): HarnessDraw => ({
  vertices: two(z, GREEN),
  state: { depth: LESS },
});

function closings(draws: readonly HarnessDraw[]) {
  const { counters } = render(draws, { ...TARGET, spec });
  return ['Full', 'StateFull', 'Dependency', 'End'].map(
    (reason) => counters[`binning.batches${reason}` as 'binning.batchesFull'],
  );
}

describe('a primitive batch', () => {
  it.each([
    ['at the end of the bin alone', [{ vertices: two(0) }], [0, 0, 0, 1]],
    ['when it is full', [{ vertices: [two(0), two(0), one(0)].flat() }], [1, 0, 0, 1]],
    [
      'when full by several draws',
      [one(0), two(0), two(0)].map((vertices) => ({ vertices })),
      [0, 1, 0, 1],
    ],
    [
      'when the state of a third draw does not fit',
      [one(0), one(0), one(0)].map((vertices) => ({ vertices })),
      [0, 1, 0, 1],
    ],
    ['at an early depth test behind late depth', [late(0), early(0.5)], [0, 0, 1, 1]],
    ['not at a late test behind an early one', [early(0), late(0.5)], [0, 0, 0, 1]],
    ['not at an early test behind an early one', [early(0), early(0.5)], [0, 0, 0, 1]],
    [
      'not behind a late test that writes no depth',
      [{ ...late(0), state: { depth: { ...LESS, isWriteEnabled: false } } }, early(0.5)],
      [0, 0, 0, 1],
    ],
  ] as const satisfies readonly (readonly [string, readonly HarnessDraw[], readonly number[]])[])(
    'closes %s',
    (_name, draws, expected) => {
      expect(closings(draws)).toEqual(expected);
    },
  );

  it('lets the draw behind a dependency see the depth before it', () => {
    const image = render([late(0), early(0.5)], { ...TARGET, spec });
    expect(pixelAt(image, 10, 10)).toEqual([255, 0, 0, 255]);
    const reversed = render([late(0.5), early(0)], { ...TARGET, spec });
    expect(pixelAt(reversed, 10, 10)).toEqual([0, 255, 0, 255]);
  });
});
