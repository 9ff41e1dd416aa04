import { defineChipletSpec } from '@tessera/chiplet-spec';
import { COMPARE_FUNCTIONS, type Counters, type DepthState, POLYGON_MODES } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import {
  BLACK,
  type HarnessDraw,
  makeFrame,
  pixelAt,
  rectangle,
  render,
  renderFrameOnChiplet,
  vertexAt,
} from '../testing/chiplet-harness.ts';

const SMALL = defineChipletSpec({ maxBinPixels: 2 ** 18, texturePoolBytes: 2 ** 20 });
const TARGET = { widthPx: 150, heightPx: 100 };
const OPTIONS = { ...TARGET, spec: SMALL };
const LESS: DepthState = { isTestEnabled: true, isWriteEnabled: true, compare: 'less' };
const RED = [1, 0, 0, 1] as const;
const GREEN = [0, 1, 0, 1] as const;

/**
 * Draws of random triangles, lines and points in clip coordinates, some behind the eye, with depth
 * and blending.
 */
const clipCoordinate = fc.oneof(
  fc.double({ min: -1.2, max: 1.2, noNaN: true }),
  fc.double({ min: -30, max: 30, noNaN: true }),
);
const vertex = fc
  .tuple(
    clipCoordinate,
    clipCoordinate,
    fc.double({ min: -1.3, max: 1.3, noNaN: true }),
    fc.oneof(fc.constant(1), fc.double({ min: -2, max: 4, noNaN: true })),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  )
  .map(([x, y, z, w, red, alpha]) => [x, y, z, w, red, 1 - red, 0.5, alpha]);
const randomDraw: fc.Arbitrary<HarnessDraw> = fc.record({
  topology: fc.constantFrom('triangles', 'triangle-strip', 'lines', 'line-loop', 'points'),
  vertices: fc.array(vertex, { minLength: 3, maxLength: 24 }).map((list) => list.flat()),
  fragment: fc.constantFrom('smooth', 'flat', 'discard-low-red', 'depth-from-alpha'),
  state: fc.record({
    depth: fc.record({
      isTestEnabled: fc.boolean(),
      isWriteEnabled: fc.boolean(),
      compare: fc.constantFrom(...COMPARE_FUNCTIONS),
    }),
    cullMode: fc.constantFrom('none', 'back', 'front'),
    lineWidthPx: fc.constantFrom(1, 3),
    polygonMode: fc.option(
      fc.record({
        front: fc.constantFrom(...POLYGON_MODES),
        back: fc.constantFrom(...POLYGON_MODES),
        isLineOffset: fc.boolean(),
        isPointOffset: fc.boolean(),
      }),
      { nil: undefined, freq: 2 },
    ),
    polygonOffset: fc.record({
      isEnabled: fc.boolean(),
      factor: fc.constantFrom(0, 1, -2),
      units: fc.constantFrom(0, 4),
    }),
    polygonOffsetClamp: fc.constantFrom(undefined, 0.125, -0.125),
    isDepthClamped: fc.constantFrom(undefined, true),
    depthRange: fc.constantFrom([0, 1], [0.25, 0.75]),
    clipOrigin: fc.constantFrom(undefined, 'upper-left'),
    clipDepth: fc.constantFrom(undefined, 'zero-to-one'),
  }),
});
const randomDraws = fc.array(randomDraw, { minLength: 1, maxLength: 4 });

const wholeBins = new SimulatedChiplet(SMALL);
const smallBatches = new SimulatedChiplet(
  defineChipletSpec({
    fineBinPx: 16,
    batchPrimitives: 3,
    batchStates: 2,
    quadListQuads: 2048,
    maxBinPixels: 2 ** 18,
    texturePoolBytes: 2 ** 20,
  }),
);

describe('a pixel', () => {
  it('is the same for any grid, batch size and visibility shader', () => {
    fc.assert(
      fc.property(randomDraws, (draws) => {
        const whole = renderFrameOnChiplet(makeFrame(draws, TARGET), wholeBins);
        const cut = { ...TARGET, columns: 5, rows: 4, fineBinPx: 16 };
        const parts = renderFrameOnChiplet(
          makeFrame(draws, { ...cut, visibilityShader: 'full' }),
          smallBatches,
        );
        expect(Buffer.compare(parts.rgba, whole.rgba)).toBe(0);
        for (const name of [
          'raster.fragmentsCovered',
          'raster.quadsCovered',
          'raster.fragmentsEarlyKilled',
          'shading.fragmentsShaded',
          'shading.fragmentsDiscarded',
          'output.fragmentsLateKilled',
          'output.fragmentsWritten',
        ] as const) {
          expect([name, parts.counters[name]]).toEqual([name, whole.counters[name]]);
        }
      }),
      { numRuns: 80 },
    );
  });

  it('conserves fragments and primitives in the counters', () => {
    fc.assert(
      fc.property(randomDraws, (draws) => {
        const { counters, visibility } = renderFrameOnChiplet(makeFrame(draws, TARGET), wholeBins);
        const count = (name: keyof Counters): number => counters[name] ?? 0;
        expect(count('raster.fragmentsCovered')).toBe(
          count('raster.fragmentsEarlyKilled') + count('shading.fragmentsShaded'),
        );
        expect(count('shading.fragmentsShaded')).toBe(
          count('shading.fragmentsDiscarded') +
            count('output.fragmentsLateKilled') +
            count('output.fragmentsWritten'),
        );
        expect((count('shading.fragmentsShaded') + count('shading.helperLanes')) % 4).toBe(0);
        expect(count('geometry.primitivesIn')).toBe(
          visibility.summary.counters['visibility.primitivesListed'],
        );
        expect(count('raster.primitivesCovered')).toBeLessThanOrEqual(
          count('geometry.primitivesIn'),
        );
        expect(count('output.binPixels')).toBe(TARGET.widthPx * TARGET.heightPx);
      }),
      { numRuns: 60 },
    );
  });
});

describe('bin render mode', () => {
  it('clears to the color of the pass where nothing is drawn', () => {
    const clear = { ...BLACK, color: [1, 0.5, 0, 0.25] as const };
    const result = render([], { ...OPTIONS, clear });
    expect(pixelAt(result, 0, 0)).toEqual([255, 128, 0, 64]);
    expect(pixelAt(result, 149, 99)).toEqual([255, 128, 0, 64]);
  });

  it('draws a rectangle over exactly its pixels', () => {
    const result = render([{ vertices: rectangle(TARGET, 10, 20, 90, 70, 0, RED) }], OPTIONS);
    expect(pixelAt(result, 10, 20)).toEqual([255, 0, 0, 255]);
    expect(pixelAt(result, 89, 69)).toEqual([255, 0, 0, 255]);
    expect(pixelAt(result, 9, 20)).toEqual([0, 0, 0, 0]);
    expect(pixelAt(result, 90, 69)).toEqual([0, 0, 0, 0]);
    expect(result.counters['output.fragmentsWritten']).toBe(80 * 50);
  });

  it('lets later primitives win without a depth test', () => {
    const draws = [
      { vertices: rectangle(TARGET, 0, 0, 50, 50, -0.5, RED) },
      { vertices: rectangle(TARGET, 25, 25, 75, 75, 0.5, GREEN) },
    ];
    expect(pixelAt(render(draws, OPTIONS), 30, 30)).toEqual([0, 255, 0, 255]);
  });

  // Stored depth is that of the first rectangle. The second is in front of it, on it or behind it.
  it.each([
    ['never', false, false, false],
    ['less', true, false, false],
    ['equal', false, true, false],
    ['less-equal', true, true, false],
    ['greater', false, false, true],
    ['not-equal', true, false, true],
    ['greater-equal', false, true, true],
    ['always', true, true, true],
  ] as const)('tests depth with %s, early and late', (compare, before, on, behind) => {
    for (const fragment of ['smooth', 'discard-low-red'] as const) {
      for (const [z, isDrawn] of [
        [-0.25, before],
        [0, on],
        [0.25, behind],
      ] as const) {
        const first = rectangle(TARGET, 0, 0, 50, 50, 0, [1, 0, 0, 1]);
        const second = rectangle(TARGET, 0, 0, 50, 50, z, [1, 1, 0, 1]);
        const always = { isTestEnabled: true, isWriteEnabled: true, compare: 'always' } as const;
        const draws: HarnessDraw[] = [
          { vertices: first, state: { depth: always } },
          { vertices: second, fragment, state: { depth: { ...LESS, compare } } },
        ];
        const expected = isDrawn ? [255, 255, 0, 255] : [255, 0, 0, 255];
        expect(pixelAt(render(draws, OPTIONS), 20, 20)).toEqual(expected);
      }
    }
  });

  it('interpolates with perspective', () => {
    // Strip from w = 1 on the left to w = 4 on the right; red increases from 0 to 1 along it.
    const corner = (x: number, y: number, w: number, red: number): number[] => [
      x * w,
      y * w,
      0,
      w,
      red,
      0,
      0,
      1,
    ];
    const vertices = [
      ...corner(-1, -1, 1, 0),
      ...corner(1, -1, 4, 1),
      ...corner(1, 1, 4, 1),
      ...corner(-1, -1, 1, 0),
      ...corner(1, 1, 4, 1),
      ...corner(-1, 1, 1, 0),
    ];
    const result = render([{ vertices }], OPTIONS);
    for (let x = 0; x < TARGET.widthPx; x += 7) {
      const t = (x + 0.5) / TARGET.widthPx;
      const expected = t / 4 / ((1 - t) / 1 + t / 4);
      expect(Math.abs(pixelAt(result, x, 50)[0]! - 255 * expected)).toBeLessThanOrEqual(0.51);
    }
  });

  it('takes flat varyings from the last vertex of each triangle', () => {
    const quad = [
      vertexAt(TARGET, 0, 0, 0, RED),
      vertexAt(TARGET, 0, 100, 0, RED),
      vertexAt(TARGET, 150, 0, 0, GREEN),
      vertexAt(TARGET, 150, 100, 0, [0, 0, 1, 1]),
    ];
    const draw: HarnessDraw = {
      topology: 'triangle-strip',
      vertices: quad.flat(),
      fragment: 'flat',
    };
    const result = render([draw], OPTIONS);
    expect(pixelAt(result, 10, 10)).toEqual([0, 255, 0, 255]);
    expect(pixelAt(result, 140, 90)).toEqual([0, 0, 255, 255]);
  });

  it('cuts a triangle at the near plane and keeps its flat color and depth', () => {
    const vertices = [
      [-1, -1, -3, 1, ...RED],
      [1, -1, 1, 1, ...RED],
      [1, 1, 1, 1, ...GREEN],
    ].flat();
    const result = render([{ vertices, fragment: 'flat', state: { depth: LESS } }], OPTIONS);
    expect(result.counters['geometry.primitivesClipped']).toBe(1);
    expect(pixelAt(result, 10, 95)).toEqual([0, 0, 0, 0]);
    expect(pixelAt(result, 130, 60)).toEqual([0, 255, 0, 255]);
  });

  it.each([
    ['near', -1],
    ['far', 1],
  ] as const)('cuts a triangle where it passes the %s plane', (_, side) => {
    // Depth increases from 0 at the left edge of the target to twice the plane's at the right edge.
    const vertices = [
      [-1, -1, 0, 1, ...RED],
      [1, -1, 2 * side, 1, ...RED],
      [-1, 1, 0, 1, ...RED],
      [1, -1, 2 * side, 1, ...RED],
      [1, 1, 2 * side, 1, ...RED],
      [-1, 1, 0, 1, ...RED],
    ].flat();
    const result = render([{ vertices }], OPTIONS);
    expect(pixelAt(result, 74, 50)).toEqual([255, 0, 0, 255]);
    expect(pixelAt(result, 75, 50)).toEqual([0, 0, 0, 0]);
    expect(result.counters['output.fragmentsWritten']).toBe(75 * 100);
    expect(result.counters['geometry.primitivesClipped']).toBe(2);
  });

  it('draws points as squares of their size', () => {
    const point = (x: number, y: number, sizePx: number): number[] =>
      vertexAt(TARGET, x, y, 0, [sizePx, 1, 1, 1]);
    const draw: HarnessDraw = {
      topology: 'points',
      vertices: [...point(20, 20, 6), ...point(60.5, 60.5, 1), ...point(149, 99, 8)],
      isPointSized: true,
    };
    const result = render([draw], OPTIONS);
    // The last one crosses two edges of the target.
    expect(result.counters['output.fragmentsWritten']).toBe(36 + 1 + 25);
    expect(pixelAt(result, 17, 17)[3]).toBe(255);
    expect(pixelAt(result, 22, 22)[3]).toBe(255);
    expect(pixelAt(result, 23, 22)[3]).toBe(0);
    expect(pixelAt(result, 60, 60)[3]).toBe(255);
  });

  it('moves polygons away by the polygon offset', () => {
    const stored = { vertices: rectangle(TARGET, 0, 0, 50, 50, 0, RED), state: { depth: LESS } };
    const offset = (units: number): HarnessDraw => ({
      vertices: rectangle(TARGET, 0, 0, 50, 50, 0, GREEN),
      state: { depth: LESS, polygonOffset: { isEnabled: true, factor: 0, units } },
    });
    expect(pixelAt(render([stored, offset(-2)], OPTIONS), 9, 9)).toEqual([0, 255, 0, 255]);
    expect(pixelAt(render([stored, offset(2)], OPTIONS), 9, 9)).toEqual([255, 0, 0, 255]);
  });

  it('chooses the stencil state by the facing of the triangle', () => {
    const face = {
      compare: 'always',
      reference: 7,
      readMask: 255,
      writeMask: 255,
      onStencilFail: 'keep',
      onDepthFail: 'keep',
      onPass: 'keep',
    } as const;
    const front = { ...face, compare: 'never' } as const;
    const state = { stencil: { isTestEnabled: true, front, back: face } };
    const facing = rectangle(TARGET, 0, 0, 50, 50, 0, RED);
    const corners = [0, 1, 2, 3, 4, 5].map((k) => facing.slice(8 * k, 8 * k + 8));
    const turned = [...corners].reverse().flat();
    expect(render([{ vertices: facing, state }], OPTIONS).counters['output.fragmentsWritten']).toBe(
      0,
    );
    expect(render([{ vertices: turned, state }], OPTIONS).counters['output.fragmentsWritten']).toBe(
      2500,
    );
  });

  it('says why each batch was closed', () => {
    const spec = defineChipletSpec({
      batchPrimitives: 4,
      batchStates: 2,
      maxBinPixels: 2 ** 18,
      texturePoolBytes: 2 ** 20,
    });
    const two = rectangle(TARGET, 0, 0, 9, 9, 0);
    const ten = [two, two, two, two, two].flat();
    const one = two.slice(0, 24);
    expect(render([{ vertices: ten }], { ...OPTIONS, spec }).counters).toMatchObject({
      'binning.batchesFull': 2,
      'binning.batchesStateFull': 0,
      'binning.batchesEnd': 1,
    });
    const draws = [one, one, one].map((vertices) => ({ vertices }));
    expect(render(draws, { ...OPTIONS, spec }).counters).toMatchObject({
      'binning.batchesFull': 0,
      'binning.batchesStateFull': 1,
      'binning.batchesEnd': 1,
    });
  });

  it('refuses a bin that its target memory does not hold', () => {
    const frame = makeFrame([], { widthPx: 2048, heightPx: 2048 });
    expect(() => renderFrameOnChiplet(frame, wholeBins)).toThrowError(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
  });
});
