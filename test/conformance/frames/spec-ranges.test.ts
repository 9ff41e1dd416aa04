/**
 * A chiplet with a random specification within the documented ranges renders a small frame with
 * cycle timing, or rejects it with an error code. Values one step outside a range are rejected with
 * the name of the field.
 */

import {
  type ChipletSpec,
  DEFAULT_CHIPLET_SPEC,
  defineChipletSpec,
  SPEC_CHOICES,
  SPEC_FIELDS,
  SPEC_SWITCHES,
} from '@tessera/chiplet-spec';
import { RenderError } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { cubeFrame, texturedQuadFrame } from '@tessera/scenes';
import { type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';

const SIZE = { widthPx: 48, heightPx: 40 };
const FRAMES = [cubeFrame(SIZE), texturedQuadFrame(SIZE)];
const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

interface Range {
  readonly min: number;
  readonly max: number;
  readonly isPowerOfTwo?: boolean;
}
const RANGES: readonly (readonly [string, Range])[] = Object.entries(SPEC_FIELDS);

function pickNumber({ min, max, isPowerOfTwo = false }: Range, random: SeededRandom): number {
  const value = random.pick([
    min,
    max,
    random.integer(min, Math.min(max, min + 3)),
    random.integer(min, max),
  ]);
  if (!isPowerOfTwo || value === 0) return value;
  return Math.max(min, 2 ** Math.floor(Math.log2(value)));
}

/** Returns some or all fields with random values. */
function pickFields(random: SeededRandom): Record<string, unknown> {
  const percent = random.pick([10, 50, 100]);
  const isPicked = () => random.integer(1, 100) <= percent;
  const fields: Record<string, unknown> = {};
  for (const [field, range] of RANGES) if (isPicked()) fields[field] = pickNumber(range, random);
  for (const field of Object.keys(SPEC_SWITCHES)) {
    if (isPicked()) fields[field] = random.integer(0, 1) === 1;
  }
  for (const [field, { values }] of Object.entries(SPEC_CHOICES)) {
    if (isPicked()) fields[field] = random.pick<string>(values);
  }
  return fields;
}

/** Returns a specification with compatible fields. */
function pickSpec(random: SeededRandom): ChipletSpec {
  for (;;) {
    try {
      return defineChipletSpec(pickFields(random));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

describe('specifications of chiplets', () => {
  it('render within their ranges', async () => {
    let rendered = 0;
    for (const seed of SEEDS) {
      const random = seededRandom(seed);
      const spec = pickSpec(random);
      try {
        const { report } = await new LocalGpu({ chipletCount: 1, spec }).render(
          random.pick(FRAMES),
          {
            policy: 'dynamic',
            grid: { kind: 'bins', count: 4 },
            visibilityShader: 'minimal',
            timing: 'cycle',
          },
        );
        expect(report.totals.cycles, `seed ${seed}`).toBeGreaterThan(0);
        rendered++;
      } catch (error) {
        // A small memory manager has too few index blocks for the frame.
        if (error instanceof RenderError && error.code === 'FRAME_UNSUPPORTED') continue;
        throw new Error(`seed ${seed}: ${JSON.stringify(spec)}`, { cause: error });
      }
    }
    expect(rendered).toBeGreaterThan(SEEDS.length / 2);
  });

  it.each(RANGES)('are refused outside the range of %s', (field, { min, max, isPowerOfTwo }) => {
    const wrong = [min - 1, max + 1, min + 0.5, Number.NaN, Infinity, undefined, null, '8'];
    if (isPowerOfTwo) wrong.push(3 * Math.max(1, min));
    for (const value of wrong) {
      // Without defineChipletSpec, as a caller may construct one.
      const spec = { ...DEFAULT_CHIPLET_SPEC, [field]: value } as ChipletSpec;
      expect(() => new LocalGpu({ chipletCount: 1, spec }), `${field}: ${value}`).toThrowError(
        new RegExp(`^${field}: ${value} is not `),
      );
    }
  });
});
