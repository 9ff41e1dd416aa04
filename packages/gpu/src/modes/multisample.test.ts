import { defineChipletSpec } from '@tessera/chiplet-spec';
import {
  type BlendState,
  defaultPipelineState,
  type PipelineState,
  samplePatternOf,
} from '@tessera/frame';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimulatedChiplet } from '../chiplet/simulated-chiplet.ts';
import {
  type HarnessDraw,
  type HarnessOptions,
  makeFrame,
  rectangle,
  render,
  renderFrameOnChiplet,
  vertexAt,
} from '../testing/chiplet-harness.ts';

const SIZE = { widthPx: 90, heightPx: 70 };
const WHITE = [1, 1, 1, 1] as const;
const RED = [1, 0, 0, 1] as const;
const GREEN = [0, 1, 0, 1] as const;
const SPEC = defineChipletSpec({ maxBinPixels: 2 ** 17, texturePoolBytes: 2 ** 20 });

const INITIAL = defaultPipelineState(SIZE.widthPx, SIZE.heightPx);
const DEPTH: Partial<PipelineState> = {
  depth: { ...INITIAL.depth, isTestEnabled: true },
};

type Point = readonly [number, number];

const triangle = (
  points: readonly Point[],
  color: readonly [number, number, number, number],
  z = 0,
) => points.flatMap(([x, y]) => vertexAt(SIZE, x / 256, y / 256, z, color));

const coordinate = (sizePx: number) =>
  fc.oneof(
    fc.integer({ min: -256 * 20, max: 256 * (sizePx + 20) }),
    // On the sixteenths of a pixel where samples are.
    fc.integer({ min: 0, max: 16 * sizePx }).map((sixteenth) => 16 * sixteenth),
  );
const anyPoint: fc.Arbitrary<Point> = fc.tuple(coordinate(SIZE.widthPx), coordinate(SIZE.heightPx));

describe.each([4, 8])('a target of %i samples a pixel', (sampleCount) => {
  const pattern = samplePatternOf(sampleCount);
  const options: HarnessOptions = { ...SIZE, sampleCount, spec: SPEC };

  /** Returns the words of the samples, sample by sample, pixel after pixel. */
  function samplesOf(draws: readonly HarnessDraw[], changes: Partial<HarnessOptions> = {}) {
    const { rgba } = render(draws, { ...options, ...changes });
    return new Uint32Array(rgba.buffer);
  }

  /**
   * Returns the samples that a triangle covers, by exact arithmetic.
   *
   * @param points Corners in 1/256 pixel, y down.
   */
  function coverSamples(points: readonly [Point, Point, Point]): Uint8Array {
    const [a, b, c] = points;
    const cross = (p: Point, q: Point, r: Point): bigint =>
      BigInt(q[0] - p[0]) * BigInt(r[1] - p[1]) - BigInt(q[1] - p[1]) * BigInt(r[0] - p[0]);
    const covered = new Uint8Array(SIZE.widthPx * SIZE.heightPx * sampleCount);
    const area = cross(a, b, c);
    if (area === 0n) return covered;
    const walk = area > 0n ? [a, b, c] : [a, c, b];
    for (let at = 0; at < covered.length; at++) {
      const sample = at % sampleCount;
      const pixel = Math.floor(at / sampleCount);
      const x = 256 * (pixel % SIZE.widthPx) + 128 + 16 * pattern.x[sample]!;
      const y = 256 * Math.floor(pixel / SIZE.widthPx) + 128 + 16 * pattern.y[sample]!;
      const isInside = walk.every((from, i) => {
        const to = walk[(i + 1) % 3]!;
        const edge = cross(from, to, [x, y]);
        const isTopOrLeft = to[1] < from[1] || (to[1] === from[1] && to[0] > from[0]);
        return edge > 0n || (edge === 0n && isTopOrLeft);
      });
      if (isInside) covered[at] = 1;
    }
    return covered;
  }

  it('covers the samples that lie inside of a triangle, in both timings', () => {
    const chiplet = new SimulatedChiplet(SPEC);
    fc.assert(
      fc.property(fc.tuple(anyPoint, anyPoint, anyPoint), fc.boolean(), (points, isTimed) => {
        const frame = makeFrame([{ vertices: triangle(points, WHITE) }], {
          ...options,
          timing: isTimed ? 'cycle' : 'functional',
        });
        const { rgba } = renderFrameOnChiplet(frame, chiplet);
        const drawn = Uint8Array.from(new Uint32Array(rgba.buffer), (word) => (word === 0 ? 0 : 1));
        expect(drawn).toEqual(coverSamples(points));
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  it('has the samples of targets of one sample whose geometry is moved', () => {
    const chiplet = new SimulatedChiplet(SPEC);
    const colors = fc.constantFrom(RED, GREEN, WHITE);
    const drawn = fc.tuple(fc.tuple(anyPoint, anyPoint, anyPoint), colors);
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 6 }), (triangles) => {
        const imageOf = (count: number, dx: number, dy: number) => {
          const draws = triangles.map(([points, color]) => ({
            vertices: triangle(
              points.map(([x, y]) => [x - 16 * dx, y - 16 * dy] as const),
              color,
            ),
          }));
          const frame = makeFrame(draws, { ...options, sampleCount: count });
          return new Uint32Array(renderFrameOnChiplet(frame, chiplet).rgba.buffer);
        };
        const many = imageOf(sampleCount, 0, 0);
        for (let sample = 0; sample < sampleCount; sample++) {
          const one = imageOf(1, pattern.x[sample]!, pattern.y[sample]!);
          expect(many.filter((_, at) => at % sampleCount === sample)).toEqual(one);
        }
      }),
      { numRuns: 25, seed: 12 },
    );
  });

  it('gives every sample of a split rectangle to exactly one of its triangles', () => {
    const half: BlendState = {
      ...INITIAL.blend,
      isEnabled: true,
      color: { equation: 'add', source: 'one', destination: 'one' },
      alpha: { equation: 'add', source: 'one', destination: 'one' },
    };
    const corners: readonly Point[] = [
      [1111, 700],
      [20_001, 1300],
      [18_030, 15_000],
      [640, 16_123],
    ];
    const [a, b, c, d] = corners as [Point, Point, Point, Point];
    const quarter = [0.25, 0.25, 0.25, 0.25] as const;
    const vertices = [...triangle([a, b, c], quarter), ...triangle([a, c, d], quarter)];
    const words = samplesOf([{ vertices, state: { blend: half } }]);
    const first = coverSamples([a, b, c]);
    const second = coverSamples([a, c, d]);
    words.forEach((word, at) => {
      expect(word).toBe(first[at]! + second[at]! === 1 ? 0x40404040 : 0);
      expect(first[at]! + second[at]!).toBeLessThan(2);
    });
  });

  it('covers as many parts of a pixel as an edge leaves of it', () => {
    for (let sixteenth = 0; sixteenth <= 16; sixteenth++) {
      const x = 10 + sixteenth / 16;
      const words = samplesOf([{ vertices: rectangle(SIZE, 0, 0, x, 70, 0) }]);
      const inside = pattern.x.filter((offset) => 8 + offset < sixteenth).length;
      // Samples are at the centers of equal parts, so the count is the area, rounded.
      expect(inside).toBe(Math.floor((sixteenth * sampleCount + 7) / 16));
      const at = (30 * SIZE.widthPx + 10) * sampleCount;
      const drawn = [...words.subarray(at, at + sampleCount)].filter((word) => word !== 0).length;
      expect(drawn).toBe(inside);
      expect([...words.subarray(at - sampleCount, at)]).toEqual(
        Array(sampleCount).fill(0xffffffff),
      );
    }
  });

  it('covers points and lines sample by sample', () => {
    const size = 6.5;
    const point = vertexAt(SIZE, 20.25, 30.5, 0, [size, 1, 1, 1]);
    const words = samplesOf([{ topology: 'points', vertices: point, isPointSized: true }]);
    const edges = (at: number, low: number) => low <= at && at < low + size;
    words.forEach((word, at) => {
      const sample = at % sampleCount;
      const pixel = Math.floor(at / sampleCount);
      const x = (pixel % SIZE.widthPx) + 0.5 + pattern.x[sample]! / 16;
      const y = Math.floor(pixel / SIZE.widthPx) + 0.5 + pattern.y[sample]! / 16;
      const isInside = edges(x, 20.25 - size / 2) && edges(y, 30.5 - size / 2);
      expect(word !== 0).toBe(isInside);
    });
    const line = [...vertexAt(SIZE, 10, 20.5, 0, WHITE), ...vertexAt(SIZE, 40, 20.5, 0, WHITE)];
    const lined = samplesOf([{ topology: 'lines', vertices: line, state: { lineWidthPx: 2 } }]);
    expect(lined.filter((word) => word !== 0)).toHaveLength(30 * 2 * sampleCount);
  });

  it('tests depth by sample: where planes cross, either order of drawing leaves the same', () => {
    const near = [
      ...vertexAt(SIZE, 3.3, 2.1, -0.6, RED),
      ...vertexAt(SIZE, 85.2, 11.7, 0.7, RED),
      ...vertexAt(SIZE, 31.9, 66.6, 0.3, RED),
    ];
    const far = [
      ...vertexAt(SIZE, 5.1, 60.2, 0.4, GREEN),
      ...vertexAt(SIZE, 80.7, 3.4, -0.2, GREEN),
      ...vertexAt(SIZE, 77.7, 64.1, 0.1, GREEN),
    ];
    const [early, swapped] = [
      [near, far],
      [far, near],
    ].map((each) => samplesOf(each.map((vertices) => ({ vertices, state: DEPTH }))));
    expect(swapped).toEqual(early);
    // Pixels along the intersection have both colors. With one depth per pixel, none would be
    // mixed.
    const mixed = early!.filter((word, at) => at % sampleCount > 0 && word !== early![at - 1]);
    expect(mixed.length).toBeGreaterThan(100);
    const late = samplesOf(
      [near, far].map((vertices) => ({
        vertices,
        state: DEPTH,
        fragment: 'discard-low-red' as const,
      })),
    );
    const onlyRed = samplesOf([{ vertices: near, state: DEPTH }]);
    expect(late).toEqual(onlyRed);
    const stencil: PipelineState['stencil'] = { ...INITIAL.stencil, isTestEnabled: true };
    const merged = samplesOf(
      [near, far].map((vertices) => ({ vertices, state: { ...DEPTH, stencil } })),
    );
    expect(merged).toEqual(early);
  });

  it('keeps stencil by sample', () => {
    const face = { ...INITIAL.stencil.front, reference: 1, onPass: 'replace' as const };
    const writes = { isTestEnabled: true, front: face, back: face };
    const tests = { ...face, compare: 'equal' as const, onPass: 'keep' as const };
    const points: readonly [Point, Point, Point] = [
      [500, 600],
      [21_000, 4000],
      [9000, 17_000],
    ];
    const words = samplesOf([
      {
        vertices: triangle(points, RED),
        state: { stencil: writes, colorMask: [false, false, false, false] },
      },
      {
        vertices: rectangle(SIZE, 0, 0, 90, 70, 0, GREEN),
        state: { stencil: { isTestEnabled: true, front: tests, back: tests } },
      },
    ]);
    const covered = coverSamples(points);
    expect(Uint8Array.from(words, (word) => (word === 0 ? 0 : 1))).toEqual(covered);
  });

  it('shades a fragment once, whatever samples it covers', () => {
    const points: readonly [Point, Point, Point] = [
      [500, 600],
      [21_000, 4000],
      [9000, 17_000],
    ];
    const covered = coverSamples(points);
    const pixels = covered.filter(
      (_, at) => at % sampleCount === 0 && covered.subarray(at, at + sampleCount).includes(1),
    );
    const { counters } = render([{ vertices: triangle(points, RED) }], options);
    expect(counters['shading.fragmentsShaded']).toBe(pixels.length);
    expect(counters['raster.fragmentsCovered']).toBe(pixels.length);
    expect(counters['output.fragmentsWritten']).toBe(pixels.length);
  });

  it('cuts coverage by the sample mask and by alpha, depth included', () => {
    const masked = (sampleMask: number, alpha: number, isAlphaToCoverage: boolean) => {
      const multisample = { isAlphaToCoverage, sampleMask };
      const words = samplesOf([
        {
          vertices: rectangle(SIZE, 0, 0, 90, 70, 0, [1, 0, 0, alpha]),
          state: { ...DEPTH, multisample },
        },
        { vertices: rectangle(SIZE, 0, 0, 90, 70, 0.5, GREEN), state: DEPTH },
      ]);
      return [...words.subarray(0, sampleCount)].map((word) => (word & 0xff) === 0xff);
    };
    const kept = (isKept: (sample: number) => boolean) => pattern.x.map((_, s) => isKept(s));
    const partOf = (sample: number) => (sample + 0.5) / sampleCount;
    expect(masked(0b01010101, 1, false)).toEqual(kept((sample) => sample % 2 === 0));
    expect(masked(255, 0.5, true)).toEqual(kept((sample) => sample < sampleCount / 2));
    expect(masked(0b11111110, 0.7, true)).toEqual(
      kept((sample) => sample > 0 && partOf(sample) < 0.7),
    );
    expect(masked(255, 1, true)).toEqual(kept(() => true));
    expect(masked(255, 0, true)).toEqual(kept(() => false));
  });

  it('is the same in any grid of coarse bins, and in both timings', () => {
    const draws: HarnessDraw[] = [];
    for (let k = 0; k < 40; k++) {
      const at = (n: number) => ((k * 7919 + n * 104_729) % 1000) / 1000;
      const z = at(7) - 0.5;
      draws.push({
        vertices: [0, 2, 4].flatMap((n) =>
          vertexAt(SIZE, at(n) * 110 - 10, at(n + 1) * 90 - 10, z + at(n + 9) * 0.3, [
            at(3),
            at(5),
            at(6),
            at(8),
          ]),
        ),
        state: k % 3 === 0 ? { ...DEPTH, blend: { ...INITIAL.blend, isEnabled: true } } : DEPTH,
      });
    }
    const whole = samplesOf(draws);
    expect(samplesOf(draws, { columns: 2, rows: 2, fineBinPx: 32 })).toEqual(whole);
    expect(samplesOf(draws, { timing: 'cycle' })).toEqual(whole);
    expect(samplesOf(draws, { timing: 'cycle', columns: 3, fineBinPx: 16 })).toEqual(whole);
  });

  it('is the same in a bin that is rendered within the visibility phase', () => {
    const chiplet = new SimulatedChiplet(SPEC);
    for (const timing of ['functional', 'cycle'] as const) {
      const vertices = triangle(
        [
          [500, 600],
          [21_000, 4000],
          [9000, 17_000],
        ],
        RED,
      );
      const early = { earlyBinId: 1, visibilityShader: 'full' } as const;
      const frame = makeFrame([{ vertices, state: DEPTH }], {
        ...{ ...options, ...early, timing },
        ...{ columns: 2, fineBinPx: 32 },
      });
      const resident = chiplet.admitFrame(frame);
      const { earlyBin, stream } = chiplet.computeVisibility(resident, 0);
      const bin = chiplet.renderBin(resident, 0, 1, stream.bins[1]!);
      expect(earlyBin!.colors).toEqual(bin.colors);
      expect(bin.colors[0]!.some((byte) => byte > 0)).toBe(true);
    }
  });

  it('costs more cycles and bytes than one sample a pixel', () => {
    const vertices = rectangle(SIZE, 0, 0, 90, 70, 0);
    const state = { ...DEPTH, blend: { ...INITIAL.blend, isEnabled: true } };
    const [one, four] = [1, sampleCount].map((count) => {
      const timed = { ...options, sampleCount: count, timing: 'cycle' as const };
      return render(
        [
          { vertices, state },
          { vertices, state },
        ],
        timed,
      ).counters;
    });
    const busy = 'outputMerger.cyclesBusy';
    expect(four![busy]).toBeGreaterThan(3 * one![busy]!);
    const bytes = 'outputBus.bytesSent';
    expect(four![bytes]).toBe(sampleCount * one![bytes]!);
  });
});
