/** Proves that no switch of the visibility phase changes the image. */

import { defineChipletSpec } from '@tessera/chiplet-spec';
import type { VisibilityShader, VisibilitySwitches } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import {
  BLACK,
  type HarnessDraw,
  type HarnessOptions,
  makeFrame,
  rectangle,
  renderFrameOnChiplet,
  vertexAt,
} from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 150, heightPx: 101 };
const GRID = { ...TARGET, columns: 3, rows: 2, fineBinPx: 32 };
const SMALL = { maxBinPixels: 2 ** 18, texturePoolBytes: 2 ** 20 } as const;
const chiplet = new SimulatedChiplet(defineChipletSpec(SMALL));
const smallBatches = new SimulatedChiplet(defineChipletSpec({ ...SMALL, batchPrimitives: 4 }));
const LESS = { isTestEnabled: true, isWriteEnabled: true, compare: 'less' } as const;

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const color = fc.tuple(number(0, 1), number(0, 1), number(0, 1), number(0, 1));
const stencilFace = {
  compare: 'always',
  reference: 3,
  readMask: 255,
  writeMask: 255,
  onStencilFail: 'keep',
  onDepthFail: 'increment-wrap',
  onPass: 'replace',
} as const;
const state = fc.record({
  depth: fc.record({
    isTestEnabled: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    isWriteEnabled: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    compare: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('less', 'less-equal') },
      fc.constantFrom('greater', 'always', 'equal'),
    ),
  }),
  cullMode: fc.constantFrom('none', 'none', 'back', 'front'),
  stencil: fc.constantFrom(
    { isTestEnabled: false, front: stencilFace, back: stencilFace },
    { isTestEnabled: false, front: stencilFace, back: stencilFace },
    { isTestEnabled: true, front: stencilFace, back: stencilFace },
    {
      isTestEnabled: true,
      front: { ...stencilFace, compare: 'less' },
      back: { ...stencilFace, compare: 'greater' },
    },
  ),
  polygonOffset: fc.record({
    isEnabled: fc.boolean(),
    factor: fc.constantFrom(0, 1, -2),
    units: fc.constantFrom(0, 4, -900_000),
  }),
  scissor: fc.constantFrom(null, null, { x: 17, y: 9, width: 100, height: 60 }),
  lineWidthPx: fc.constantFrom(1, 3),
  isDepthClamped: fc.constantFrom(undefined, undefined, true),
  depthRange: fc.constantFrom([0, 1], [0, 1], [0.25, 0.75]),
  clipDepth: fc.constantFrom(undefined, 'zero-to-one'),
});
/**
 * Triangles of all sizes and slopes, cut by the near and far plane, many on the edges of others.
 */
const corner = fc.tuple(fc.integer({ min: -40, max: 340 }), fc.integer({ min: -40, max: 240 }));
const soup = fc
  .array(fc.tuple(corner, number(-1.1, 1.1), color), { minLength: 3, maxLength: 24 })
  .map((vertices) =>
    vertices.flatMap(([[x, y], z, rgba]) => vertexAt(TARGET, x / 2, y / 2, z, rgba)),
  );
/** Rectangles that occlude everything behind them, cut into small pieces or not. */
const walls = fc
  .array(fc.tuple(corner, corner, number(-1, 1), color, fc.constantFrom(1, 5)), { maxLength: 4 })
  .map((list) =>
    list.flatMap(([[xa, ya], [xb, yb], z, rgba, pieces]) => {
      const [x0, x1] = [Math.min(xa, xb) / 2, Math.max(xa, xb) / 2];
      const [y0, y1] = [Math.min(ya, yb) / 2, Math.max(ya, yb) / 2];
      const at = (from: number, to: number, i: number) => from + ((to - from) * i) / pieces;
      return Array.from({ length: pieces * pieces }, (_, i) => {
        const [column, row] = [i % pieces, Math.floor(i / pieces)];
        const [left, right] = [at(x0, x1, column), at(x0, x1, column + 1)];
        return rectangle(TARGET, left, at(y0, y1, row), right, at(y0, y1, row + 1), z, rgba);
      }).flat();
    }),
  );
const fragment = fc.constantFrom(
  ...(['smooth', 'smooth', 'flat', 'discard-low-red', 'depth-from-alpha'] as const),
);
const randomDraw: fc.Arbitrary<HarnessDraw> = fc.oneof(
  fc.record({ vertices: walls, fragment, state }),
  fc.record({
    vertices: soup,
    topology: fc.constantFrom('triangles', 'triangle-strip', 'triangle-fan', 'lines', 'points'),
    fragment,
    state,
  }),
) as fc.Arbitrary<HarnessDraw>;
const randomDraws = fc.array(randomDraw, { minLength: 1, maxLength: 5 });
const clearDepth = fc.constantFrom(1, 1, 0.6, 0);

function renderWith(
  draws: readonly HarnessDraw[],
  visibilitySwitches: Partial<VisibilitySwitches>,
  options: Partial<HarnessOptions> = {},
) {
  const frame = makeFrame(draws, { ...GRID, ...options, visibilitySwitches });
  return renderFrameOnChiplet(frame, chiplet);
}

describe('culling in the visibility phase', () => {
  it('changes no image when it is switched off, and then drops nothing', () => {
    fc.assert(
      fc.property(randomDraws, (draws) => {
        const on = renderWith(draws, {});
        const off = renderWith(draws, { cullsPrimitives: false });
        expect(Buffer.compare(on.rgba, off.rgba)).toBe(0);
        const counters = off.visibility.summary.counters;
        for (const name of ['OutsideView', 'FaceCulled', 'ZeroArea', 'NoSample'] as const) {
          expect(counters[`visibility.primitives${name}`]).toBe(0);
        }
        expect(counters['visibility.primitivesListed']).toBeGreaterThanOrEqual(
          on.visibility.summary.counters['visibility.primitivesListed']!,
        );
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['FaceCulled', [10, 10, 20, 10, 10, 20], { cullMode: 'back' }],
    ['ZeroArea', [10, 10, 20, 20, 30, 30], {}],
    ['OutsideView', [-10, 10, -10, 20, -20, 10], {}],
    ['NoSample', [10.6, 10.6, 10.6, 11.4, 11.4, 10.6], {}],
  ] as const)('counts a triangle as %s, in no bin', (name, points, drawState) => {
    const vertices = [0, 2, 4].flatMap((i) => vertexAt(TARGET, points[i]!, points[i + 1]!, 0));
    const draws = [{ vertices, state: drawState }];
    const { counters } = renderWith(draws, {}).visibility.summary;
    expect(counters[`visibility.primitives${name}`]).toBe(1);
    expect(counters['visibility.primitivesListed']).toBe(0);
    const off = renderWith(draws, { cullsPrimitives: false }).visibility.summary.counters;
    expect(off[`visibility.primitives${name}`]).toBe(0);
    expect(off['visibility.primitivesListed']).toBeGreaterThanOrEqual(1);
  });
});

describe('coarse depth', () => {
  const wall = (z: number, pieces = 1): number[] =>
    Array.from({ length: pieces * pieces }, (_, i) => {
      const [w, h] = [TARGET.widthPx / pieces, TARGET.heightPx / pieces];
      const [x, y] = [(i % pieces) * w, Math.floor(i / pieces) * h];
      return rectangle(TARGET, x, y, x + w, y + h, z);
    }).flat();
  const occluded = (draws: readonly HarnessDraw[], options: Partial<HarnessOptions> = {}) => {
    const result = renderWith(draws, { cullsOccluded: true }, options);
    return result.visibility.summary.counters['visibility.primitivesOccluded'];
  };
  const near = { vertices: wall(-0.5), state: { depth: LESS } };
  const far = { vertices: rectangle(TARGET, 20, 20, 90, 60, 0.5), state: { depth: LESS } };

  it('leaves out what lies behind earlier primitives, and nothing that lies before them', () => {
    expect(occluded([near, far])).toBe(2);
    expect(occluded([far, near])).toBe(0);
  });

  it('is closed by many small triangles together', () => {
    expect(occluded([{ ...near, vertices: wall(-0.5, 40) }, far])).toBe(2);
  });

  it('starts from the depth that the pass is cleared to', () => {
    expect(occluded([far], { clear: { ...BLACK, depth: 0.5 } })).toBe(2);
    expect(occluded([far], { clear: { ...BLACK, depth: 0.8 } })).toBe(0);
  });

  it.each([
    ['discards', { ...near, fragment: 'discard-low-red' }],
    ['writes its own depth', { ...near, fragment: 'depth-from-alpha' }],
    ['does not write depth', { ...near, state: { depth: { ...LESS, isWriteEnabled: false } } }],
    ['does not test depth', { ...near, state: { depth: { ...LESS, isTestEnabled: false } } }],
    ['tests greater', { ...near, state: { depth: { ...LESS, compare: 'greater' } } }],
    [
      'may fail the stencil test',
      {
        ...near,
        state: {
          depth: LESS,
          stencil: { isTestEnabled: true, front: stencilFace, back: stencilFace },
        },
      },
    ],
  ] as const)('is not lowered by a draw that %s', (_name, first) => {
    expect(occluded([first as HarnessDraw, far])).toBe(0);
  });

  it('is raised by a draw that may store what lies behind', () => {
    const reset = { ...far, state: { depth: { ...LESS, compare: 'always' } } } as const;
    expect(occluded([near, reset, far])).toBe(0);
  });

  it.each([
    ['its depth is its own', { ...far, fragment: 'depth-from-alpha' }],
    [
      'it passes where it lies behind',
      { ...far, state: { depth: { ...LESS, compare: 'always' } } },
    ],
    ['it tests no depth', { ...far, state: {} }],
    [
      'a failed depth test counts in the stencil',
      {
        ...far,
        state: {
          depth: LESS,
          stencil: { isTestEnabled: true, front: stencilFace, back: stencilFace },
        },
      },
    ],
  ] as const)('hides no primitive when %s', (_name, second) => {
    expect(occluded([near, second as HarnessDraw])).toBe(0);
  });

  it('changes no image', () => {
    let hidden = 0;
    fc.assert(
      fc.property(randomDraws, clearDepth, (draws, depth) => {
        const options = { clear: { ...BLACK, depth } };
        const without = renderWith(draws, {}, options);
        const withDepth = renderWith(draws, { cullsOccluded: true }, options);
        expect(Buffer.compare(without.rgba, withDepth.rgba)).toBe(0);
        hidden += withDepth.visibility.summary.counters['visibility.entriesOccluded']!;
      }),
      { numRuns: 150, seed: 34 },
    );
    expect(hidden).toBeGreaterThan(75);
  });
});

describe('the early bin', () => {
  const early = (visibilityShader: VisibilityShader, options: Partial<HarnessOptions> = {}) => ({
    ...GRID,
    visibilityShader,
    earlyBinId: 4,
    ...options,
  });

  it('is the image that its bin gives when it is rendered from its stream', () => {
    fc.assert(
      fc.property(randomDraws, fc.nat(5), fc.boolean(), (draws, earlyBinId, isSmall) => {
        const gpu = isSmall ? smallBatches : chiplet;
        const resident = gpu.admitFrame(makeFrame(draws, early('full', { earlyBinId })));
        const { stream, earlyBin, summary } = gpu.computeVisibility(resident, 0);
        const later = gpu.renderBin(resident, 0, earlyBinId, stream.bins[earlyBinId]!);
        expect(earlyBin!.binId).toBe(earlyBinId);
        expect(earlyBin!.rect).toEqual(later.rect);
        expect(Buffer.compare(earlyBin!.colors[0]!, later.colors[0]!)).toBe(0);
        expect(summary.counters['visibility.earlyBins']).toBe(1);
        // Its vertices come from the phase. Everything after them is as in any bin.
        expect(earlyBin!.counters['geometry.verticesFetched']).toBe(0);
        for (const name of [
          'geometry.primitivesIn',
          'raster.primitivesSetUp',
          'raster.primitivesCovered',
          'raster.fragmentsCovered',
          'shading.fragmentsShaded',
          'output.fragmentsWritten',
        ] as const) {
          expect(earlyBin!.counters[name], name).toBe(later.counters[name]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('leaves stream and culling as they are', () => {
    fc.assert(
      fc.property(randomDraws, (draws) => {
        const run = (earlyBinId: number | null) => {
          const resident = chiplet.admitFrame(makeFrame(draws, early('full', { earlyBinId })));
          return chiplet.computeVisibility(resident, 0);
        };
        const [without, withBin] = [run(null), run(4)];
        expect(withBin.stream).toEqual(without.stream);
        const { 'visibility.earlyBins': _, ...counters } = withBin.summary.counters;
        expect(without.summary.counters).toMatchObject(counters);
      }),
      { numRuns: 15 },
    );
  });

  const draws = [
    { vertices: rectangle(TARGET, 3, 3, 140, 90, 0.4), state: { depth: LESS } },
    { vertices: rectangle(TARGET, 30, 20, 99, 99, 0.1), state: { depth: LESS } },
  ];
  const hasEarlyBin = (gpu: SimulatedChiplet, options: HarnessOptions) =>
    gpu.computeVisibility(gpu.admitFrame(makeFrame(draws, options)), 0).earlyBin !== null;

  it('needs the full shader, a bin to render and the switch', () => {
    expect(hasEarlyBin(chiplet, early('full'))).toBe(true);
    expect(hasEarlyBin(chiplet, early('minimal'))).toBe(false);
    expect(hasEarlyBin(chiplet, early('full', { earlyBinId: null }))).toBe(false);
    const visibilitySwitches = { rendersEarlyBin: false };
    expect(hasEarlyBin(chiplet, early('full', { visibilitySwitches }))).toBe(false);
  });

  it('draws after the phase what it had no memory for', () => {
    const gpu = new SimulatedChiplet(defineChipletSpec({ ...SMALL, earlyBinPrimitives: 12 }));
    let fetched = 0;
    fc.assert(
      fc.property(randomDraws, fc.nat(5), (draws, earlyBinId) => {
        const options = early('full', { earlyBinId, timing: 'cycle' });
        const resident = gpu.admitFrame(makeFrame(draws, options));
        const { stream, earlyBin } = gpu.computeVisibility(resident, 0);
        const later = gpu.renderBin(resident, 0, earlyBinId, stream.bins[earlyBinId]!);
        expect(Buffer.compare(earlyBin!.colors[0]!, later.colors[0]!)).toBe(0);
        for (const name of ['geometry.primitivesIn', 'raster.fragmentsCovered'] as const) {
          expect(earlyBin!.counters[name], name).toBe(later.counters[name]);
        }
        fetched += earlyBin!.counters['geometry.verticesFetched']!;
      }),
      { numRuns: 20 },
    );
    expect(fetched).toBeGreaterThan(0);
  });

  it('needs memory for its primitives', () => {
    const gpu = new SimulatedChiplet(defineChipletSpec({ ...SMALL, earlyBinPrimitives: 0 }));
    expect(hasEarlyBin(gpu, early('full'))).toBe(false);
  });

  it('takes part in the phase’s time: pixels overlap visibility, the sum is less than both', () => {
    const timing = 'cycle';
    const run = (earlyBinId: number | null) => {
      const resident = chiplet.admitFrame(makeFrame(draws, early('full', { earlyBinId, timing })));
      return { resident, ...chiplet.computeVisibility(resident, 0) };
    };
    const without = run(null);
    const alone = chiplet.renderBin(without.resident, 0, 4, without.stream.bins[4]!);
    const { summary, earlyBin } = run(4);
    expect(summary.cycles!).toBeGreaterThan(0);
    expect(earlyBin!.cycles!).toBeGreaterThan(0);
    expect(summary.cycles! + earlyBin!.cycles!).toBeLessThan(
      without.summary.cycles! + alone.cycles!,
    );
    // Cycles of units cover the whole run once.
    const { counters, spans } = summary;
    const unit = 'outputMerger';
    const of = (part: 'Busy' | 'Starved' | 'Stalled') => counters[`${unit}.cycles${part}`]!;
    expect(of('Busy')).toBeGreaterThan(0);
    expect(of('Busy') + of('Starved') + of('Stalled')).toBe(summary.cycles! + earlyBin!.cycles!);
    expect(Math.max(...spans.map(({ endCycle }) => endCycle))).toBe(
      summary.cycles! + earlyBin!.cycles!,
    );
    expect(earlyBin!.counters['outputMerger.cyclesBusy']).toBeUndefined();
  });
});

describe('visibility=auto', () => {
  const draws = [{ vertices: rectangle(TARGET, 3, 3, 140, 90, 0.4) }];
  // The full shader has 16 instructions, the minimal one 8.
  it.each([
    [1, 1, 0, 'Full'],
    [2, 1, 0, 'Full'],
    [3, 1, 0, 'Minimal'],
    [2, 1, null, 'Minimal'],
  ] as const)('over %i × %i bins, early bin %s: %s', (columns, rows, earlyBinId, name) => {
    const visibilityShader = 'auto';
    const frame = makeFrame(draws, { ...GRID, columns, rows, visibilityShader, earlyBinId });
    const resident = chiplet.admitFrame(frame);
    const { summary, earlyBin } = chiplet.computeVisibility(resident, 0);
    expect(summary.counters[`visibility.draws${name}`]).toBe(1);
    expect(earlyBin !== null).toBe(name === 'Full');
  });

  it('gives the visibility of either shader, the minimal one for fewer instructions', () => {
    const run = (visibilityShader: VisibilityShader) =>
      chiplet.computeVisibility(
        chiplet.admitFrame(makeFrame(draws, { ...GRID, visibilityShader, earlyBinId: 2 })),
        0,
      );
    const [minimal, full, auto] = [run('minimal'), run('full'), run('auto')];
    expect(full.stream).toEqual(minimal.stream);
    expect(auto.stream).toEqual(minimal.stream);
    const instructions = 'visibility.instructionsExecuted';
    expect(minimal.summary.counters[instructions]).toBeLessThan(
      full.summary.counters[instructions]!,
    );
  });
});
