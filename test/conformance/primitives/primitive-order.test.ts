/**
 * Primitives reach a pixel in submission order: within a draw, across draws, across coarse bins,
 * and across the batches in which a chiplet processes them (at most 1024 primitives or 64 draws).
 */
import type { BlendState } from '@tessera/frame';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, it } from 'vitest';
import {
  type DrawnImage,
  drawScene,
  type Rgba,
  rectangle,
  type SceneDraw,
} from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';

const SIZE_PX = 160;

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Color in bytes. */
  readonly color: Rgba;
}

function randomRectangles(seed: number, count: number): Rectangle[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => {
    const [left, top] = [random.integer(-20, SIZE_PX - 5), random.integer(-20, SIZE_PX - 5)];
    const byte = () => random.integer(0, 255);
    return {
      left,
      top,
      right: left + random.integer(1, 60),
      bottom: top + random.integer(1, 60),
      color: [byte(), byte(), byte(), 255],
    };
  });
}

/** Returns draws of `perDraw` rectangles each, with colors as constant varyings. */
function drawsOf(
  rectangles: readonly Rectangle[],
  perDraw: number,
  blend?: BlendState,
): SceneDraw[] {
  const draws: SceneDraw[] = [];
  for (let first = 0; first < rectangles.length; first += perDraw) {
    const members = rectangles.slice(first, first + perDraw);
    draws.push({
      positions: members.flatMap(({ left, top, right, bottom }) =>
        rectangle(left, top, right, bottom),
      ),
      colors: members.flatMap(({ color }) => {
        const unit = color.map((byte) => byte / 255) as unknown as Rgba;
        return [unit, unit, unit, unit, unit, unit];
      }),
      state: blend === undefined ? {} : { blend },
    });
  }
  return draws;
}

/**
 * Replays the rectangles in order, each component separately. `merge` returns the contents of a
 * pixel after one rectangle.
 */
function replay(
  rectangles: readonly Rectangle[],
  merge: (stored: number, source: number) => number,
): (x: number, y: number) => Rgba {
  const painted = new Float64Array(4 * SIZE_PX * SIZE_PX);
  for (const { left, top, right, bottom, color } of rectangles) {
    for (let y = Math.max(0, top); y < Math.min(SIZE_PX, bottom); y++) {
      for (let x = Math.max(0, left); x < Math.min(SIZE_PX, right); x++) {
        const at = 4 * (y * SIZE_PX + x);
        for (let c = 0; c < 4; c++) painted[at + c] = merge(painted[at + c]!, color[c]!);
      }
    }
  }
  return (x, y) => {
    const at = 4 * (y * SIZE_PX + x);
    return [painted[at]!, painted[at + 1]!, painted[at + 2]!, painted[at + 3]!];
  };
}

/**
 * Half of both colors: each later rectangle counts twice as much, and a rounding error fades out.
 */
const HALF: BlendState = {
  isEnabled: true,
  color: { equation: 'add', source: 'constant-alpha', destination: 'one-minus-constant-alpha' },
  alpha: { equation: 'add', source: 'constant-alpha', destination: 'one-minus-constant-alpha' },
  constant: [0, 0, 0, 0.5],
};

function render(draws: readonly SceneDraw[], chipletCount: number): Promise<DrawnImage> {
  return drawScene({ widthPx: SIZE_PX, heightPx: SIZE_PX, draws }, chipletCount);
}

describe('primitive order', () => {
  it.each([
    { count: 2, perDraw: 1, chipletCount: 1, what: 'two draws (control)' },
    { count: 300, perDraw: 300, chipletCount: 2, what: 'one draw' },
    { count: 600, perDraw: 600, chipletCount: 3, what: 'one draw of more than one batch' },
    { count: 2500, perDraw: 2500, chipletCount: 1, what: 'one draw of several batches' },
    { count: 300, perDraw: 1, chipletCount: 2, what: 'many draws' },
    { count: 1500, perDraw: 37, chipletCount: 3, what: 'draws that batches cut' },
  ])('the last one wins, $what', async ({ count, perDraw, chipletCount }) => {
    const rectangles = randomRectangles(count + perDraw, count);
    const image = await render(drawsOf(rectangles, perDraw), chipletCount);
    expectPixels(
      image,
      replay(rectangles, (_, source) => source),
      0,
      `seed ${count + perDraw}`,
    );
  });

  it.each([
    { count: 600, perDraw: 600, chipletCount: 2 },
    { count: 1500, perDraw: 37, chipletCount: 3 },
  ])('blends $count in turn, $perDraw per draw', async ({ count, perDraw, chipletCount }) => {
    const rectangles = randomRectangles(count, count);
    const image = await render(drawsOf(rectangles, perDraw, HALF), chipletCount);
    const merge = (stored: number, source: number) => (stored + source) / 2;
    // Rounding adds at most ½ + ¼ + … to the result without it.
    expectPixels(image, replay(rectangles, merge), 1, `seed ${count}`);
  });

  it('keeps the order of states that differ from draw to draw', async () => {
    const rectangles = randomRectangles(77, 400);
    const draws = drawsOf(rectangles, 1).map((draw, index) => ({
      ...draw,
      // No effect on the image, but a different kernel.
      state: index % 2 === 0 ? {} : { stencil: STENCIL_ON },
    }));
    const oracle = replay(rectangles, (_, source) => source);
    expectPixels(await render(draws, 3), oracle, 0, 'seed 77');
  });
});

const FACE = {
  compare: 'always',
  reference: 1,
  readMask: 255,
  writeMask: 255,
  onStencilFail: 'keep',
  onDepthFail: 'keep',
  onPass: 'increment-wrap',
} as const;
const STENCIL_ON = { isTestEnabled: true, front: FACE, back: FACE };
