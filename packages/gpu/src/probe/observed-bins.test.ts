/**
 * Random small frames under observation: pixels and counters equal those of unobserved bins, counts
 * by pixel add up to the counters, and histories end with the pixels of the bin.
 */
import { defineChipletSpec } from '@tessera/chiplet-spec';
import {
  type BlendState,
  defaultPipelineState,
  PIXEL_COUNTS,
  type PipelineState,
} from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import type { FragmentObserver } from '../modes/fragment-probe.ts';
import { type HarnessDraw, makeFrame, rectangle, vertexAt } from '../testing/chiplet-harness.ts';
import { DrawTotals } from './draw-totals.ts';
import { PixelCounts } from './pixel-counts.ts';
import { PixelRecorder } from './pixel-recorder.ts';

const SIZE = { widthPx: 43, heightPx: 29 };
const SPEC = defineChipletSpec({
  maxBinPixels: 2 ** 14,
  texturePoolBytes: 2 ** 20,
  quadListQuads: 2048,
});
const COUNTERS = {
  fragmentsCovered: 'raster.fragmentsCovered',
  fragmentsEarlyKilled: 'raster.fragmentsEarlyKilled',
  fragmentsShaded: 'shading.fragmentsShaded',
  helperLanes: 'shading.helperLanes',
  fragmentsDiscarded: 'shading.fragmentsDiscarded',
  fragmentsLateKilled: 'output.fragmentsLateKilled',
  fragmentsWritten: 'output.fragmentsWritten',
} as const;

const INITIAL = defaultPipelineState(SIZE.widthPx, SIZE.heightPx);
const CHANNEL = { equation: 'add', source: 'src-alpha', destination: 'one' } as const;
const BLEND: BlendState = {
  isEnabled: true,
  color: CHANNEL,
  alpha: CHANNEL,
  constant: [0, 0, 0, 0],
};

const compare = fc.constantFrom('less', 'greater-equal', 'always', 'not-equal' as const);
const operation = fc.constantFrom('keep', 'replace', 'increment-wrap', 'invert' as const);
const face = fc.record({
  compare,
  reference: fc.integer({ min: 0, max: 3 }),
  readMask: fc.constantFrom(255, 1),
  writeMask: fc.constantFrom(255, 2),
  onStencilFail: operation,
  onDepthFail: operation,
  onPass: operation,
});
const state: fc.Arbitrary<Partial<PipelineState>> = fc
  .record({
    isDepthTested: fc.boolean(),
    isDepthWritten: fc.boolean(),
    depthCompare: compare,
    isStencilTested: fc.boolean(),
    front: face,
    back: face,
    isBlended: fc.boolean(),
    multisample: fc.record({
      isAlphaToCoverage: fc.boolean(),
      sampleMask: fc.constantFrom(15, 15, 6),
    }),
  })
  .map((of) => ({
    depth: {
      ...INITIAL.depth,
      isTestEnabled: of.isDepthTested,
      isWriteEnabled: of.isDepthWritten,
      compare: of.depthCompare,
    },
    stencil: { isTestEnabled: of.isStencilTested, front: of.front, back: of.back },
    ...(of.isBlended ? { blend: BLEND } : {}),
    multisample: of.multisample,
  }));

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const color = fc.tuple(unit, unit, unit, unit);
const place = fc.tuple(
  fc.double({ min: -9, max: SIZE.widthPx + 9, noNaN: true }),
  fc.double({ min: -9, max: SIZE.heightPx + 9, noNaN: true }),
);
const vertex = fc
  .tuple(place, fc.double({ min: -1.1, max: 1.1, noNaN: true }), color)
  .map(([[x, y], z, rgba]) => vertexAt(SIZE, x, y, z, rgba));
const draw: fc.Arbitrary<HarnessDraw> = fc.record({
  topology: fc.constantFrom('triangles', 'triangles', 'lines', 'points' as const),
  vertices: fc
    .array(vertex, { minLength: 6, maxLength: 12 })
    .map((vertices) => vertices.slice(0, 6 * Math.floor(vertices.length / 6)).flat()),
  fragment: fc.constantFrom(
    ...(['smooth', 'flat', 'discard-low-red', 'depth-from-alpha', 'loop-by-red'] as const),
    ...(['at-samples', 'discard-at-samples', 'add-sample', 'loop-by-sample'] as const),
    ...(['mask-by-alpha', 'covered-as-red'] as const),
  ),
  state,
});

/** Renders the only bin of a frame, observed or not. */
function renderBin(
  draws: readonly HarnessDraw[],
  sampleCount: number,
  observer?: FragmentObserver | null,
) {
  const chiplet = chiplets.get(sampleCount) ?? new SimulatedChiplet(SPEC);
  chiplets.set(sampleCount, chiplet);
  const frame = makeFrame(draws, { ...SIZE, sampleCount, spec: SPEC });
  const resident = chiplet.admitFrame(frame);
  const { stream } = chiplet.computeVisibility(resident, 0);
  const { grid } = frame.commands;
  const bin =
    observer === undefined
      ? chiplet.renderBin(resident, 0, 0, stream.bins[0]!)
      : chiplet.observeBin(resident, 0, 0, stream.bins[0]!, { observer });
  return { bin, grid };
}
const chiplets = new Map<number, SimulatedChiplet>();

describe.each([1, 4])('bins of %i samples per pixel under observation', (sampleCount) => {
  it('have the pixels and counters of unobserved bins, and counts by pixel add up', () => {
    fc.assert(
      fc.property(fc.array(draw, { minLength: 1, maxLength: 4 }), (draws) => {
        const { bin, grid } = renderBin(draws, sampleCount);
        const counts = new PixelCounts(grid, PIXEL_COUNTS);
        const observed = renderBin(draws, sampleCount, counts).bin;
        expect(observed).toEqual(bin);
        const totals = new DrawTotals();
        expect(renderBin(draws, sampleCount, totals).bin).toEqual(bin);
        const sums = Object.fromEntries(
          PIXEL_COUNTS.map((name) => [name, counts.values(name).reduce((a, b) => a + b, 0)]),
        );
        const ofDraws = draws.map((_, index) => totals.countsOf(index));
        for (const [name, counter] of Object.entries(COUNTERS)) {
          expect(sums[name], name).toBe(bin.counters[counter]);
          const key = name as keyof typeof COUNTERS;
          expect(ofDraws.reduce((sum, of) => sum + of[key], 0)).toBe(bin.counters[counter]);
        }
        expect(ofDraws.reduce((sum, of) => sum + of.instructions, 0)).toBe(sums.instructions);
        expect(sums.depthTests).toBeGreaterThanOrEqual(sums.fragmentsEarlyKilled!);
      }),
      { numRuns: 60 },
    );
  });

  it('have histories that lead from the clear to their pixels', () => {
    const pixel = fc.record({
      x: fc.integer({ min: 0, max: SIZE.widthPx - 1 }),
      y: fc.integer({ min: 0, max: SIZE.heightPx - 1 }),
      sample: fc.integer({ min: 0, max: sampleCount - 1 }),
    });
    fc.assert(
      fc.property(fc.array(draw, { minLength: 1, maxLength: 6 }), pixel, (draws, at) => {
        const { bin } = renderBin(draws, sampleCount);
        const history = new PixelRecorder(at.x, at.y, at.sample);
        expect(renderBin(draws, sampleCount, history).bin).toEqual(bin);
        const { initial, events, omitted, final } = history.result();
        expect(omitted).toBe(0);
        expect(initial).toEqual({ colors: [[0, 0, 0, 0]], depth: 2 ** 24 - 1, stencil: 0 });
        const word = ((at.y * SIZE.widthPx + at.x) * sampleCount + at.sample) * 4;
        expect(final.colors[0]).toEqual([...bin.colors[0]!.subarray(word, word + 4)]);
        let before = initial;
        let last = { draw: 0, primitive: -1 };
        for (const event of events) {
          const isLater = event.draw === last.draw && event.primitive > last.primitive;
          expect(isLater || event.draw > last.draw).toBe(true);
          last = event;
          expect(event.before).toEqual(before);
          if (event.depthTest !== null) expect(event.depthTest.stored).toBe(before.depth);
          if (event.outcome === 'written') {
            if (event.stencilTest !== null) expect(event.stencilTest.isPassed).toBe(true);
            if (event.depthTest !== null) expect(event.depthTest.isPassed).toBe(true);
          } else {
            expect(event.after.colors).toEqual(before.colors);
            expect(event.after.depth).toBe(before.depth);
          }
          before = event.after;
        }
        expect(before).toEqual(final);
      }),
      { numRuns: 300 },
    );
  });
});

describe('history of a pixel', () => {
  it('names draws, primitives, tests and outputs', () => {
    const depth = { ...INITIAL.depth, isTestEnabled: true };
    const draws: HarnessDraw[] = [
      { vertices: rectangle(SIZE, 0, 0, 43, 29, 0.5, [1, 0, 0, 1]), state: { depth } },
      { vertices: rectangle(SIZE, 0, 0, 43, 29, 0.75, [0, 1, 0, 1]), state: { depth } },
      {
        vertices: rectangle(SIZE, 0, 0, 43, 29, 0, [0, 0, 1, 1]),
        fragment: 'discard-low-red',
        state: { depth },
      },
      { vertices: rectangle(SIZE, 0, 0, 43, 29, 0, [0, 0.2, 1, 1]), state: { depth } },
    ];
    const history = new PixelRecorder(5, 20, 0);
    renderBin(draws, 1, history);
    const { events } = history.result();
    expect(events.map(({ draw, primitive, outcome }) => [draw, primitive, outcome])).toEqual([
      [0, 0, 'written'],
      [1, 0, 'early-depth-failed'],
      [2, 0, 'discarded'],
      [3, 0, 'written'],
    ]);
    expect(events[1]!.depthTest).toEqual({
      depth: Math.round(0.875 * (2 ** 24 - 1)),
      stored: Math.round(0.75 * (2 ** 24 - 1)),
      compare: 'less',
      isPassed: false,
    });
    expect(events[1]!.outputs).toBeNull();
    expect(events[3]!.outputs?.map(({ slot }) => slot)).toEqual([0, 1, 2, 3]);
    expect(events[3]!.outputs?.[2]?.value).toBe(1);
    expect(events[3]!.before.colors).toEqual([[255, 0, 0, 255]]);
    expect(events[3]!.after.colors).toEqual([[0, 51, 255, 255]]);
  });

  it('has the mask of samples that a shader wrote', () => {
    const vertices = rectangle(SIZE, 0, 0, 43, 29, 0.5, [0, 0, 0, 1]);
    const history = new PixelRecorder(5, 20, 1);
    renderBin([{ vertices, fragment: 'mask-by-alpha' }], 4, history);
    const [event] = history.result().events;
    expect(event!.outcome).toBe('written');
    expect(event!.outputs!.at(-1)).toEqual({ slot: 33, value: 0b1110 });
  });
});
