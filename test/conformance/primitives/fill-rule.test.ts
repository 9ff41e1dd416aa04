/**
 * Each sample of a region tiled by triangles is drawn exactly once. On an edge the top-left rule
 * decides.
 */
import type { BlendState } from '@tessera/frame';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import { drawScene, type PixelPosition, rectangle } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';
import { coversSample, type PointPx } from './sample-coverage.ts';

const ADD: BlendState = {
  isEnabled: true,
  color: { equation: 'add', source: 'one', destination: 'one' },
  alpha: { equation: 'add', source: 'one', destination: 'one' },
  constant: [0, 0, 0, 0],
};
/** Number of steps that a fragment adds to each component of its pixel. */
const STEP = 5;
const STEP_COLOR = [STEP / 255, STEP / 255, STEP / 255, STEP / 255] as const;

/**
 * Returns a grid of jittered points over the target and a border around it, with each cell cut by a
 * random diagonal.
 *
 * @param grainPx Coordinates are `offset` plus multiples of this.
 */
function randomMesh(seed: number, sizePx: number, cellPx: number, grainPx: number, offset: number) {
  const random = seededRandom(seed);
  const cells = Math.ceil(sizePx / cellPx) + 2;
  const pointAt: PointPx[][] = [];
  for (let row = 0; row <= cells; row++) {
    pointAt.push([]);
    for (let column = 0; column <= cells; column++) {
      const jitter = () => Math.round(random.between(-0.24, 0.24) * (cellPx / grainPx)) * grainPx;
      const place = (index: number) =>
        Math.round(((index - 1) * cellPx) / grainPx) * grainPx + offset;
      pointAt[row]!.push([place(column) + jitter(), place(row) + jitter()]);
    }
  }
  const positions: PixelPosition[] = [];
  for (let row = 0; row < cells; row++) {
    for (let column = 0; column < cells; column++) {
      const a = pointAt[row]![column]!;
      const b = pointAt[row]![column + 1]!;
      const c = pointAt[row + 1]![column + 1]!;
      const d = pointAt[row + 1]![column]!;
      positions.push(...(random.integer(0, 1) === 0 ? [a, b, c, a, d, c] : [b, c, d, b, a, d]));
    }
  }
  return positions;
}

describe('fill rule', () => {
  it('draws the samples inside of a rectangle once (control)', async () => {
    const draws = [
      { positions: rectangle(3, 5, 40, 61), color: STEP_COLOR, state: { blend: ADD } },
    ];
    const image = await drawScene({ widthPx: 64, heightPx: 64, draws });
    expectPixels(image, (x, y) =>
      x >= 3 && x < 40 && y >= 5 && y < 61 ? [STEP, STEP, STEP, STEP] : [0, 0, 0, 0],
    );
  });

  it.each([
    { seed: 1, cellPx: 16, grainPx: 1 / 256, offset: 0 },
    { seed: 2, cellPx: 16, grainPx: 1, offset: 0.5 },
    { seed: 3, cellPx: 16, grainPx: 0.5, offset: 0 },
    { seed: 4, cellPx: 8, grainPx: 1, offset: 0.5 },
    { seed: 5, cellPx: 3, grainPx: 1 / 256, offset: 0 },
    { seed: 6, cellPx: 4, grainPx: 0.5, offset: 0 },
    { seed: 7, cellPx: 1, grainPx: 1 / 256, offset: 0 },
    { seed: 8, cellPx: 50, grainPx: 1, offset: 0.5 },
    { seed: 9, cellPx: 100, grainPx: 1 / 256, offset: 0 },
  ])('assigns every sample of a random mesh to one triangle: $seed', async (mesh) => {
    const sizePx = mesh.cellPx < 4 ? 64 : 256;
    const positions = randomMesh(mesh.seed, sizePx, mesh.cellPx, mesh.grainPx, mesh.offset);
    const draws = [{ positions, color: STEP_COLOR, state: { blend: ADD } }];
    const image = await drawScene({ widthPx: sizePx, heightPx: sizePx, draws }, 3);
    expectPixels(image, () => [STEP, STEP, STEP, STEP], 0, `seed ${mesh.seed}`);
  });

  it.each([
    { seed: 11, grainPx: 1 / 256, offset: 0 },
    { seed: 12, grainPx: 1, offset: 0.5 },
    { seed: 13, grainPx: 0.5, offset: 0 },
    { seed: 14, grainPx: 4, offset: 0.5 },
  ])('covers the samples that the definition names: $seed', async ({ seed, grainPx, offset }) => {
    const random = seededRandom(seed);
    const coordinate = () => Math.round(random.between(-16, 144) / grainPx) * grainPx + offset;
    const triangles = Array.from({ length: 48 }, (): [PointPx, PointPx, PointPx] => [
      [coordinate(), coordinate()],
      [coordinate(), coordinate()],
      [coordinate(), coordinate()],
    ]);
    const draws = [{ positions: triangles.flat(), color: STEP_COLOR, state: { blend: ADD } }];
    const image = await drawScene({ widthPx: 128, heightPx: 128, draws });
    expectPixels(
      image,
      (x, y) => {
        const times = triangles.filter(([a, b, c]) => coversSample(a, b, c, x, y)).length;
        const value = Math.min(255, times * STEP);
        return [value, value, value, value];
      },
      0,
      `seed ${seed}`,
    );
  });

  const CENTRE = 8.5;
  it.each([
    { edge: 'left', at: CENTRE - 1 / 256, isDrawn: true },
    { edge: 'left', at: CENTRE, isDrawn: true },
    { edge: 'left', at: CENTRE + 1 / 256, isDrawn: false },
    { edge: 'right', at: CENTRE - 1 / 256, isDrawn: false },
    { edge: 'right', at: CENTRE, isDrawn: false },
    { edge: 'right', at: CENTRE + 1 / 256, isDrawn: true },
    { edge: 'top', at: CENTRE - 1 / 256, isDrawn: true },
    { edge: 'top', at: CENTRE, isDrawn: true },
    { edge: 'top', at: CENTRE + 1 / 256, isDrawn: false },
    { edge: 'bottom', at: CENTRE - 1 / 256, isDrawn: false },
    { edge: 'bottom', at: CENTRE, isDrawn: false },
    { edge: 'bottom', at: CENTRE + 1 / 256, isDrawn: true },
  ])('$edge edge at $at: the sample at 8.5 is drawn: $isDrawn', async ({ edge, at, isDrawn }) => {
    const box = { left: 2, top: 2, right: 14, bottom: 14, [edge]: at };
    const positions = rectangle(box.left, box.top, box.right, box.bottom);
    const image = await drawScene({ widthPx: 16, heightPx: 16, draws: [{ positions }] }, 1);
    expect(image.isLit(8, 8)).toBe(isDrawn);
  });

  it('draws nothing of a triangle without area', async () => {
    const positions: PixelPosition[] = [
      [0.5, 0.5],
      [8.5, 8.5],
      [14.5, 14.5],
    ];
    const image = await drawScene({ widthPx: 16, heightPx: 16, draws: [{ positions }] }, 1);
    expectPixels(image, () => [0, 0, 0, 0]);
  });
});
