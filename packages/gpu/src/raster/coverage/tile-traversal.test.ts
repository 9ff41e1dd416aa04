import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FACE_CULLED, NO_SAMPLE, SET_UP, ZERO_AREA } from '../../records/raster-record.ts';
import { coverByBruteForce, type Point, RasterHarness } from '../../testing/raster-harness.ts';

const WIDTH = 150;
const HEIGHT = 70;
const harness = new RasterHarness(WIDTH, HEIGHT);

/** Points on samples and between them, inside, around and far outside of the target. */
const coordinate = (sizePx: number) =>
  fc.oneof(
    fc.integer({ min: -40 * 256, max: (sizePx + 40) * 256 }),
    fc.integer({ min: -2, max: sizePx + 2 }).map((px) => px * 256 + 128),
    fc.integer({ min: -2, max: sizePx + 2 }).map((px) => px * 256),
    fc.integer({ min: -(2 ** 22), max: 2 ** 22 }),
  );
const point = fc.tuple(coordinate(WIDTH), coordinate(HEIGHT));

/** Three points within a few pixels. */
const smallTriangle = fc
  .tuple(point, fc.array(fc.integer({ min: -900, max: 900 }), { minLength: 4, maxLength: 4 }))
  .map(([[x, y], [ax, ay, bx, by]]): [Point, Point, Point] => [
    [x, y],
    [x + ax!, y + ay!],
    [x + bx!, y + by!],
  ]);

describe('tile traversal', () => {
  it('covers what evaluating every sample covers', () => {
    const triangle = fc.oneof(fc.tuple(point, point, point), smallTriangle);
    fc.assert(
      fc.property(triangle, (points) => {
        expect(harness.cover(points)).toEqual(coverByBruteForce(points, WIDTH, HEIGHT));
      }),
      { numRuns: 250 },
    );
  });

  it('gives every sample around a shared edge to exactly one of the two triangles', () => {
    fc.assert(
      fc.property(point, point, point, point, (a, b, c, d) => {
        const side = (p: Point): number =>
          Math.sign((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]));
        fc.pre(side(c) * side(d) < 0);
        const one = harness.cover([a, b, c]);
        const other = harness.cover([b, a, d]);
        expect(one.every((count, i) => count + other[i]! <= 1)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['falling', [10, 10], [90, 60]],
    ['rising', [10, 60], [90, 10]],
    ['on the samples', [10.5, 10.5], [60.5, 60.5]],
  ] as const)('covers a square split along its %s diagonal exactly once', (_, from, to) => {
    const [x0, y0, x1, y1] = [...from, ...to].map((px) => px * 256) as [
      number,
      number,
      number,
      number,
    ];
    const one = harness.cover([
      [x0, y0],
      [x1, y0],
      [x1, y1],
    ]);
    const other = harness.cover([
      [x0, y0],
      [x1, y1],
      [x0, y1],
    ]);
    const total = one.map((count, i) => count + other[i]!);
    expect(Math.max(...total)).toBe(1);
    const width = Math.abs(x1 - x0) / 256;
    const height = Math.abs(y1 - y0) / 256;
    expect(total.reduce((sum, count) => sum + count, 0)).toBe(width * height);
  });

  it('leaves out samples on the right and bottom edge and takes those on the left and top', () => {
    const at = (px: number): number => px * 256 + 128;
    const covered = harness.cover([
      [at(4), at(4)],
      [at(8), at(4)],
      [at(4), at(8)],
    ]);
    expect(covered[4 * WIDTH + 4]).toBe(1);
    expect(covered[4 * WIDTH + 8]).toBe(0);
    expect(covered[8 * WIDTH + 4]).toBe(0);
    expect(covered[4 * WIDTH + 7]).toBe(1);
  });
});

describe('triangle setup', () => {
  const triangle: Point[] = [
    [0, 0],
    [2560, 0],
    [0, 2560],
  ];
  const turned: Point[] = [
    [0, 0],
    [0, 2560],
    [2560, 0],
  ];

  it.each([
    ['none', 'counter-clockwise', SET_UP, SET_UP],
    ['back', 'counter-clockwise', FACE_CULLED, SET_UP],
    ['front', 'counter-clockwise', SET_UP, FACE_CULLED],
    ['back', 'clockwise', SET_UP, FACE_CULLED],
    ['front', 'clockwise', FACE_CULLED, SET_UP],
    ['front-and-back', 'clockwise', FACE_CULLED, FACE_CULLED],
  ] as const)(
    'culls %s faces with %s fronts',
    (cullMode, frontFace, clockwise, counterClockwise) => {
      const culling = new RasterHarness(64, 64, { cullMode, frontFace });
      expect(culling.setUp(triangle)).toBe(clockwise);
      expect(culling.setUp(turned)).toBe(counterClockwise);
    },
  );

  it('drops triangles without area, and those between the samples', () => {
    expect(
      harness.setUp([
        [0, 0],
        [256, 256],
        [512, 512],
      ]),
    ).toBe(ZERO_AREA);
    expect(
      harness.setUp([
        [130, 130],
        [380, 130],
        [130, 380],
      ]),
    ).toBe(NO_SAMPLE);
    expect(
      harness.setUp([
        [128, 128],
        [380, 130],
        [130, 380],
      ]),
    ).toBe(SET_UP);
  });

  it('keeps to the scissor and the viewport', () => {
    const cut = new RasterHarness(64, 64, {
      scissor: { x: 3, y: 5, width: 10, height: 20 },
      viewport: { x: 0, y: 0, width: 9, height: 64 },
    });
    const covered = cut.cover([
      [-9999, -9999],
      [99999, -9999],
      [-9999, 99999],
    ]);
    expect(covered.reduce((sum, count) => sum + count, 0)).toBe(6 * 20);
    expect(covered[5 * 64 + 3]).toBe(1);
    expect(covered[24 * 64 + 8]).toBe(1);
  });
});

describe('line setup', () => {
  const sum = (counts: Uint8Array): number => counts.reduce((total, count) => total + count, 0);

  it('covers one sample in each column or row of a thin line', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        const inside = ([x, y]: Point): boolean =>
          x > 512 && x < (WIDTH - 2) * 256 && y > 512 && y < (HEIGHT - 2) * 256;
        fc.pre(inside(a) && inside(b));
        const isFlat = Math.abs(b[0] - a[0]) >= Math.abs(b[1] - a[1]);
        const covered = harness.cover([a, b]);
        const perLine = new Array<number>(isFlat ? WIDTH : HEIGHT).fill(0);
        covered.forEach((count, i) => {
          perLine[isFlat ? i % WIDTH : Math.floor(i / WIDTH)]! += count;
        });
        expect(Math.max(...perLine)).toBeLessThanOrEqual(1);
        const [from, to] = isFlat ? [a[0], b[0]] : [a[1], b[1]];
        const samples = Math.abs(Math.ceil((to - 128) / 256) - Math.ceil((from - 128) / 256));
        expect(Math.abs(sum(covered) - samples)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['to the right', [2.5, 9.5], [12.5, 9.5], [2, 9], [12, 9]],
    ['to the left', [12.5, 9.5], [2.5, 9.5], [12, 9], [2, 9]],
    ['down', [9.5, 2.5], [9.5, 12.5], [9, 2], [9, 12]],
    ['up', [9.5, 12.5], [9.5, 2.5], [9, 12], [9, 2]],
    ['along a diagonal', [2.5, 2.5], [12.5, 12.5], [2, 2], [12, 12]],
  ] as const)('draws the first sample and not the last of a line %s', (_, a, b, first, last) => {
    const covered = harness.cover([
      [a[0] * 256, a[1] * 256],
      [b[0] * 256, b[1] * 256],
    ]);
    expect(sum(covered)).toBe(10);
    expect(covered[first[1] * WIDTH + first[0]]).toBe(1);
    expect(covered[last[1] * WIDTH + last[0]]).toBe(0);
  });

  it('makes a line as many samples thick as it is wide', () => {
    const wide = new RasterHarness(64, 64, { lineWidthPx: 5 });
    expect(
      sum(
        wide.cover([
          [2560, 5000],
          [7680, 6000],
        ]),
      ),
    ).toBe(20 * 5);
  });
});
