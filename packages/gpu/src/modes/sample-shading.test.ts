/** Shading of each covered sample, against the samples that a triangle covers. */
import { defineChipletSpec } from '@tessera/chiplet-spec';
import {
  type BlendState,
  defaultPipelineState,
  samplePatternOf,
  type Timing,
} from '@tessera/frame';
import { findLogSites } from '@tessera/shader/codegen';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import {
  colorProgram,
  type FragmentKind,
  type HarnessOptions,
  makeFrame,
  render,
  renderFrameOnChiplet,
  vertexAt,
} from '../testing/chiplet-harness.ts';

const SIZE = { widthPx: 40, heightPx: 30 };
const SPEC = defineChipletSpec({ maxBinPixels: 2 ** 17, texturePoolBytes: 2 ** 20 });

const INITIAL = defaultPipelineState(SIZE.widthPx, SIZE.heightPx);
const ADD: BlendState = {
  ...INITIAL.blend,
  isEnabled: true,
  color: { equation: 'add', source: 'one', destination: 'one' },
  alpha: { equation: 'add', source: 'one', destination: 'one' },
};

/** Triangle with red rising along x from 0 to 1 over the width, green along y. */
const SLOPES = [
  ...vertexAt(SIZE, 0, 0, 0, [0, 0, 0, 1]),
  ...vertexAt(SIZE, 0, 60, 0, [0, 2, 0, 1]),
  ...vertexAt(SIZE, 80, 0, 0, [2, 0, 0, 1]),
];
/** Triangle that covers the target. */
const covering = (alpha: number) => [
  ...vertexAt(SIZE, 0, 0, 0, [0, 0, 0, alpha]),
  ...vertexAt(SIZE, 0, 60, 0, [0, 0, 0, alpha]),
  ...vertexAt(SIZE, 80, 0, 0, [0, 0, 0, alpha]),
];
const WHOLE = covering(1);

describe.each([4, 8])('shading at %i samples', (samples) => {
  const pattern = samplePatternOf(samples);
  const base: HarnessOptions = { ...SIZE, sampleCount: samples, spec: SPEC };

  function draw(fragment: FragmentKind, vertices: number[], options: Partial<HarnessOptions> = {}) {
    return render([{ vertices, fragment }], { ...base, ...options });
  }

  it.each(['functional', 'cycle'] as const)('has the number of the sample, %s', (timing) => {
    const { rgba, counters } = draw('loop-by-sample', WHOLE, { timing });
    for (let sample = 0; sample < rgba.length / 4; sample++) {
      expect(rgba[4 * sample]).toBe(sample % samples === 0 ? 0 : 255);
    }
    expect(counters['shading.fragmentsShaded']).toBe(samples * 40 * 30);
  });

  it('interpolates at the place of the sample', () => {
    const { rgba } = draw('add-sample', SLOPES);
    for (let at = 0; at < rgba.length / 4; at++) {
      const sample = at % samples;
      const pixel = Math.floor(at / samples);
      const y = Math.floor(pixel / SIZE.widthPx) + 0.5 + pattern.y[sample]! / 16;
      expect(rgba[4 * at + 1]).toBe(Math.round((255 * y) / SIZE.heightPx));
      const x = (pixel % SIZE.widthPx) + 0.5 + pattern.x[sample]! / 16;
      if (sample === 0) expect(rgba[4 * at]).toBe(Math.round((255 * x) / SIZE.widthPx));
    }
  });

  it('runs for the covered samples only', () => {
    const corners = [
      vertexAt(SIZE, 3.3, 2.1, 0),
      vertexAt(SIZE, 9, 25, 0),
      vertexAt(SIZE, 33, 4, 0),
    ];
    const perPixel = draw('smooth', corners.flat());
    const perSample = draw('add-sample', corners.flat());
    const covered = new Uint32Array(perPixel.rgba.buffer).filter((word) => word !== 0).length;
    expect(new Uint32Array(perSample.rgba.buffer).filter((word) => word !== 0).length).toBe(
      covered,
    );
    expect(perSample.counters['shading.fragmentsShaded']).toBe(covered);
    expect(perPixel.counters['shading.fragmentsShaded']).toBeLessThan(covered);
  });

  it('has the samples of frames whose geometry is moved by the sample', () => {
    const chiplet = new SimulatedChiplet(SPEC);
    const number = (min: number, max: number) => fc.integer({ min: 256 * min, max: 256 * max });
    const corner = fc.record({
      x: number(-8, SIZE.widthPx + 8),
      y: number(-8, SIZE.heightPx + 8),
      z: fc.integer({ min: -9, max: 9 }),
      w: fc.constantFrom(1, 2, 0.5),
      color: fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 8 }))),
    });
    const drawn = fc.record({
      corners: fc.array(corner, { minLength: 3, maxLength: 9 }),
      fragment: fc.constantFrom('at-samples' as const, 'discard-at-samples' as const),
      isDepthTested: fc.boolean(),
      isBlended: fc.boolean(),
    });
    type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;
    /** Places corners so that a sample lies on the center of its pixel. */
    const move = ({ corners, fragment, isDepthTested, isBlended }: Drawn, sample: number) => {
      const [dx, dy] = sample < 0 ? [0, 0] : [pattern.x[sample]!, pattern.y[sample]!];
      const whole = corners.slice(0, corners.length - (corners.length % 3));
      const vertices = whole.flatMap(({ x, y, z, w, color }) => {
        const [left, top] = [(x - 16 * dx) / 256, (y - 16 * dy) / 256];
        const [px, py, pz] = vertexAt(SIZE, left, top, z / 10);
        return [px! * w, py! * w, pz! * w, w, ...color.map((value) => value / 8)];
      });
      const depth = { ...INITIAL.depth, isTestEnabled: isDepthTested };
      return { vertices, fragment, state: { depth, ...(isBlended ? { blend: ADD } : {}) } };
    };
    const imageOf = (draws: readonly Drawn[], sample: number, timing: Timing) => {
      const options = { ...base, timing, sampleCount: sample < 0 ? samples : 1 };
      const moved = draws.map((each) => move(each, sample));
      return renderFrameOnChiplet(makeFrame(moved, options), chiplet);
    };
    fc.assert(
      fc.property(
        fc.array(drawn, { minLength: 1, maxLength: 4 }),
        fc.constantFrom<Timing>('functional', 'cycle'),
        (draws, timing) => {
          const shaded = imageOf(draws, -1, timing).rgba;
          for (let sample = 0; sample < samples; sample++) {
            const plain = imageOf(draws, sample, 'functional').rgba;
            // Planes that start elsewhere round differently, also at the discard's limit of red.
            let different = 0;
            for (let at = 0; at < plain.length; at++) {
              const pixel = at >> 2;
              const mine = shaded[4 * (samples * pixel + sample) + (at & 3)]!;
              if (Math.abs(mine - plain[at]!) > 2) different++;
            }
            expect(different).toBeLessThanOrEqual(plain.length / 1000);
          }
        },
      ),
      { numRuns: 40, seed: 25 },
    );
  });

  it.each(['add-sample', 'at-samples', 'discard-at-samples'] as const)(
    'issues the instructions of %s once for each sample of a warp',
    (fragment) => {
      const counters = (sampleCount: number) =>
        draw(fragment, WHOLE, { sampleCount, timing: 'cycle' }).counters;
      const [one, four] = [counters(1), counters(samples)];
      const { cost } = findLogSites(colorProgram(fragment).fragment);
      const warps = one['warpPacking.warps']!;
      expect(four['warpPacking.warps']).toBe(warps);
      const instructions = 'shaderCore.warpInstructions';
      expect(four[instructions]! - one[instructions]!).toBe(
        (samples - 1) * warps * cost.instructions,
      );
    },
  );

  it('interpolates varyings once for each sample', () => {
    const spec = defineChipletSpec({ maxBinPixels: 2 ** 17, interpolatedComponentsPerCycle: 4 });
    const cycles = (fragment: FragmentKind, sampleCount: number) =>
      draw(fragment, WHOLE, { spec, sampleCount, timing: 'cycle' }).counters[
        'interpolator.cyclesBusy'
      ]!;
    // The four components of a quad take a cycle.
    expect(cycles('at-samples', 1)).toBe((SIZE.widthPx * SIZE.heightPx) / 4);
    expect(cycles('at-samples', samples)).toBe(samples * cycles('at-samples', 1));
    expect(cycles('smooth', samples)).toBe(cycles('smooth', 1));
  });

  it('takes longer for loops that last longer at some samples', () => {
    const instructions = (fragment: FragmentKind) =>
      draw(fragment, WHOLE, { timing: 'cycle' }).counters['shaderCore.warpInstructions']!;
    const rounds = (samples * (samples - 1)) / 2;
    const warps = draw('add-sample', WHOLE, { timing: 'cycle' }).counters['warpPacking.warps']!;
    const loops = instructions('loop-by-sample') - instructions('add-sample');
    expect(loops).toBeGreaterThanOrEqual(warps * rounds * 5);
  });

  it('has rounds only for samples that a quad of the warp covers', () => {
    // From the top of a pixel down, there is one sample in each part.
    const above = (rows: number) => [
      ...vertexAt(SIZE, -100, rows, 0, [0, 0, 0, 1]),
      ...vertexAt(SIZE, 140, rows, 0, [0, 0, 0, 1]),
      ...vertexAt(SIZE, 20, -100, 0, [0, 0, 0, 1]),
    ];
    const warps = Math.ceil(SIZE.widthPx / 2 / 8);
    const instructions = (rows: number) => {
      const { counters } = draw('add-sample', above(rows), { timing: 'cycle' });
      expect(counters['warpPacking.warps']).toBe(warps);
      return counters['shaderCore.warpInstructions']!;
    };
    const { cost } = findLogSites(colorProgram('add-sample').fragment);
    const [one, two, all] = [1 / samples, 2 / samples, 1].map(instructions);
    expect(two! - one!).toBe(warps * cost.instructions);
    expect(all! - two!).toBe((samples - 2) * warps * cost.instructions);
  });

  it('writes the samples of a mask', () => {
    for (const [alpha, mask] of [
      [0.25, 0b0101],
      [1, 0b1110],
    ] as const) {
      const { rgba, counters } = draw('mask-by-alpha', covering(alpha));
      for (let sample = 0; sample < rgba.length / 4; sample++) {
        const isWritten = ((mask >> (sample % samples)) & 1) === 1;
        expect(rgba[4 * sample + 3]).toBe(isWritten ? Math.round(255 * alpha) : 0);
      }
      expect(counters['shading.fragmentsShaded']).toBe(40 * 30);
    }
  });

  it('tells the shader which samples are covered', () => {
    const coveredOf = (sampleMask: number) => {
      const multisample = { isAlphaToCoverage: false, sampleMask };
      const red = { vertices: WHOLE, fragment: 'covered-as-red', state: { multisample } } as const;
      const { rgba } = render([red], base);
      return [...rgba.subarray(0, 4 * samples)].filter((_, at) => at % 4 === 0);
    };
    const reds = (mask: number) =>
      pattern.x.map((_, sample) =>
        (mask >> sample) & 1 ? Math.min(255, Math.round((255 * mask) / 16)) : 0,
      );
    for (const mask of [2 ** samples - 1, 6, 1 << (samples - 1)]) {
      expect(coveredOf(mask)).toEqual(reds(mask));
    }
  });

  it('runs once in a target of one sample', () => {
    const { rgba, counters } = draw('add-sample', SLOPES, { sampleCount: 1 });
    expect(rgba[4 * 5]).toBe(Math.round((255 * 5.5) / SIZE.widthPx));
    expect(counters['shading.fragmentsShaded']).toBe(40 * 30);
  });
});
