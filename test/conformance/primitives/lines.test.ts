/**
 * Lines (GL ES 3.0, section 3.5). The specification describes the diamond-exit rule and permits
 * deviations: by one unit in x or y and by one fragment in total. Two fragments in the same column
 * of an x-major line are never permitted, and neither are deviations where collinear segments are
 * joined.
 */

import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import {
  type DrawnImage,
  drawScene,
  type PixelPosition,
  type SceneDraw,
} from '../scene/draw-scene.ts';

const SIZE_PX = 64;
const ADD = { equation: 'add', source: 'one', destination: 'one' } as const;
const STEP = 40;
const STEP_COLOR = [STEP / 255, 0, 0, 1] as const;
const BLEND = { isEnabled: true, color: ADD, alpha: ADD, constant: [0, 0, 0, 0] } as const;

type Line = readonly [PixelPosition, PixelPosition];
interface Pixel {
  readonly x: number;
  readonly y: number;
}

async function drawLines(draw: Omit<SceneDraw, 'color'>, lineWidthPx = 1): Promise<DrawnImage> {
  const state = { lineWidthPx, blend: BLEND, ...draw.state };
  const draws = [{ topology: 'lines' as const, color: STEP_COLOR, ...draw, state }];
  return drawScene({ widthPx: SIZE_PX, heightPx: SIZE_PX, draws });
}

function litPixels(image: DrawnImage): Pixel[] {
  const lit: Pixel[] = [];
  for (let y = 0; y < SIZE_PX; y++) {
    for (let x = 0; x < SIZE_PX; x++) if (image.isLit(x, y)) lit.push({ x, y });
  }
  return lit;
}

/**
 * Returns the part of the segment inside the open diamond |x − cx| + |y − cy| < ½ as parameters, or
 * `null`.
 */
function insideDiamond([[x0, y0], [x1, y1]]: Line, { x, y }: Pixel): [number, number] | null {
  let [enter, leave] = [0, 1];
  for (const [sx, sy] of [
    [1, 1],
    [1, -1],
    [-1, 1],
    [-1, -1],
  ] as const) {
    const from = sx * (x0 - x - 0.5) + sy * (y0 - y - 0.5) - 0.5;
    const to = sx * (x1 - x - 0.5) + sy * (y1 - y - 0.5) - 0.5;
    if (from >= 0 && to >= 0) return null;
    if (from >= 0) enter = Math.max(enter, from / (from - to));
    if (to >= 0) leave = Math.min(leave, from / (from - to));
  }
  return enter < leave ? [enter, leave] : null;
}

/** Returns the pixels whose diamond the line exits. */
function diamondExit(line: Line): Pixel[] {
  const pixels: Pixel[] = [];
  for (let y = 0; y < SIZE_PX; y++) {
    for (let x = 0; x < SIZE_PX; x++) {
      const part = insideDiamond(line, { x, y });
      if (part !== null && part[1] < 1) pixels.push({ x, y });
    }
  }
  return pixels;
}

function isMostlyHorizontal([[x0, y0], [x1, y1]]: Line): boolean {
  return Math.abs(x1 - x0) >= Math.abs(y1 - y0);
}

function expectWithinTolerance(found: readonly Pixel[], line: Line, name: string): void {
  const wanted = diamondExit(line);
  expect(Math.abs(found.length - wanted.length), `${name}: count`).toBeLessThanOrEqual(1);
  for (const pixel of found) {
    const isNear = wanted.some(
      ({ x, y }) => Math.abs(x - pixel.x) <= 1 && Math.abs(y - pixel.y) <= 1,
    );
    expect(isNear, `${name}: (${pixel.x}, ${pixel.y}) is near the line`).toBe(true);
  }
  const major = found.map(({ x, y }) => (isMostlyHorizontal(line) ? x : y));
  expect(new Set(major).size, `${name}: one per step`).toBe(found.length);
  const gaps = Math.max(...major) - Math.min(...major) + 1 - found.length;
  expect(gaps, `${name}: gaps`).toBe(0);
}

const OCTANTS: readonly Line[] = [
  [20, 7],
  [7, 20],
  [-7, 20],
  [-20, 7],
  [-20, -7],
  [-7, -20],
  [7, -20],
  [20, -7],
].map(
  ([dx, dy]): Line => [
    [32.5, 32.5],
    [32.5 + dx!, 32.5 + dy!],
  ],
);

describe('lines', () => {
  it.each([
    { what: 'to the right', to: [14.5, 10.5], first: 4, last: 13 },
    { what: 'to the left', to: [0.5, 10.5], first: 1, last: 4 },
  ] as const)('from center to center $what, without the last (control)', async (testCase) => {
    const { to, first, last } = testCase;
    const image = await drawLines({ positions: [[4.5, 10.5], to] });
    const wanted = Array.from({ length: last - first + 1 }, (_, i) => ({ x: first + i, y: 10 }));
    expect(litPixels(image)).toEqual(wanted);
  });

  it.each(OCTANTS)('in every direction: %j to %j', async (...line) => {
    const image = await drawLines({ positions: line });
    expectWithinTolerance(litPixels(image), line, 'line');
  });

  it.each([1, 2])('at random: seed %i', async (seed) => {
    const random = seededRandom(seed);
    const coordinate = () => random.integer(2 * 256, 62 * 256) / 256;
    for (let k = 0; k < 24; k++) {
      const line: Line = [
        [coordinate(), coordinate()],
        [coordinate(), coordinate()],
      ];
      const image = await drawLines({ positions: line });
      expectWithinTolerance(litPixels(image), line, `seed ${seed}, line ${k}`);
    }
  });

  it.each([1, -1])(
    'has neither gap nor overlap where a strip goes on, direction %i',
    async (sign) => {
      const random = seededRandom(3);
      const place = (x: number): PixelPosition => [
        32 + sign * (x - 32),
        random.integer(5000, 9000) / 256,
      ];
      const positions = [4.25, 15.5, 27.75, 41.125, 60].map(place);
      const image = await drawLines({ topology: 'line-strip', positions });
      const columns = litPixels(image)
        .map(({ x }) => x)
        .sort((a, b) => a - b);
      expect(columns).toEqual(Array.from({ length: columns.length }, (_, i) => columns[0]! + i));
      for (const { x, y } of litPixels(image)) expect(image.pixel(x, y)[0]).toBe(STEP);
    },
  );

  it.each([
    { lineWidthPx: 1, wanted: [1] },
    { lineWidthPx: 1.25, wanted: [1] },
    { lineWidthPx: 1.75, wanted: [2] },
    { lineWidthPx: 2, wanted: [2] },
    { lineWidthPx: 2.5, wanted: [2, 3] },
    { lineWidthPx: 3, wanted: [3] },
    { lineWidthPx: 8, wanted: [8] },
    { lineWidthPx: 16, wanted: [16] },
  ])('$lineWidthPx wide: the nearest whole number of fragments per step', async (testCase) => {
    const { lineWidthPx, wanted } = testCase;
    for (const line of OCTANTS) {
      const image = await drawLines({ positions: line }, lineWidthPx);
      const perStep = new Map<number, number[]>();
      for (const { x, y } of litPixels(image)) {
        const [step, across] = isMostlyHorizontal(line) ? [x, y] : [y, x];
        perStep.set(step, [...(perStep.get(step) ?? []), across]);
      }
      const counts = new Set([...perStep.values()].map((list) => list.length));
      expect(counts.size, `${line}`).toBe(1);
      expect(wanted, `${line}`).toContain([...counts][0]);
      for (const [step, across] of perStep) {
        const [[x0, y0], [x1, y1]] = line;
        const center = isMostlyHorizontal(line)
          ? y0 + ((step + 0.5 - x0) * (y1 - y0)) / (x1 - x0)
          : x0 + ((step + 0.5 - y0) * (x1 - x0)) / (y1 - y0);
        const mean = across.reduce((sum, value) => sum + value + 0.5, 0) / across.length;
        expect(Math.abs(mean - center), `${line}, step ${step}`).toBeLessThanOrEqual(0.5);
      }
    }
  });

  it('draws nothing of a line without length', async () => {
    const image = await drawLines({
      positions: [
        [8.5, 8.5],
        [8.5, 8.5],
      ],
    });
    expect(litPixels(image)).toEqual([]);
  });

  it('is cut where it leaves the target, on the same pixels', async () => {
    const far: Line = [
      [-96.5, 0.5],
      [32 + 128.5, 64.5],
    ];
    const image = await drawLines({ positions: far });
    const found = litPixels(image);
    expect(found.length).toBe(SIZE_PX);
    for (const { x, y } of found) {
      const center = far[0][1] + ((x + 0.5 - far[0][0]) * 64) / 257;
      expect(Math.abs(y + 0.5 - center)).toBeLessThanOrEqual(0.5 + 1 / 128);
    }
  });

  it('interpolates along its length, in perspective', async () => {
    const [w0, w1] = [1, 4];
    const image = await drawScene({
      widthPx: SIZE_PX,
      heightPx: SIZE_PX,
      draws: [
        {
          topology: 'lines',
          positions: [
            [0, 20.5, 0.5, w0],
            [64, 20.5, 0.5, w1],
          ],
          colors: [
            [0, 0, 0, 1],
            [1, 0, 0, 1],
          ],
        },
      ],
    });
    for (let x = 0; x < SIZE_PX; x++) {
      const t = (x + 0.5) / SIZE_PX;
      const value = t / w1 / ((1 - t) / w0 + t / w1);
      expect(Math.abs(image.pixel(x, 20)[0] - 255 * value), `column ${x}`).toBeLessThan(0.51);
    }
  });

  it('is cut at the near plane', async () => {
    // Depth runs from −1 to 1: the second half is behind the near plane.
    const positions: PixelPosition[] = [
      [0, 9.5, -1],
      [64, 9.5, 1],
    ];
    const columns = litPixels(await drawLines({ positions })).map(({ x }) => x);
    expect(columns).toEqual(Array.from({ length: 32 }, (_, i) => 32 + i));
  });
});
