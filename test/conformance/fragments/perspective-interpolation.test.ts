/**
 * Interpolation of varyings, f = Σ (bᵢ fᵢ / wᵢ) / Σ (bᵢ / wᵢ) (GL ES 3.0, section 3.6.1), and their
 * derivatives match double precision. The image's pixels are the bits of the floats.
 */

import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import { type ClipTriangle, isPixelInside, projectAt } from '../primitives/project-triangle.ts';
import { type ClipPosition, type DrawnImage, drawScene, ENCODE_BITS } from '../scene/draw-scene.ts';

const SIZE_PX = 64;
const VIEWPORT = { x: 0, y: 0, width: SIZE_PX, height: SIZE_PX };

const VERTEX = `#version 300 es
in vec4 position;
in float value;
out float varying_;
void main() { gl_Position = position; varying_ = value; }`;

const fragment = (expression: string) => `#version 300 es
precision highp float;
in float varying_;
out vec4 result;
${ENCODE_BITS}
void main() { result = encodeBits(${expression}); }`;

interface Interpolated {
  readonly corners: ClipTriangle;
  readonly values: readonly [number, number, number];
}

async function drawTriangle({ corners, values }: Interpolated, expression: string) {
  const attributes = { value: { floats: values, componentCount: 1 } };
  const fragmentSource = fragment(expression);
  return drawScene({
    widthPx: SIZE_PX,
    heightPx: SIZE_PX,
    draws: [{ clipPositions: corners, attributes, vertexSource: VERTEX, fragmentSource }],
  });
}

/** Returns the varying at a point, y down. */
function valueAt({ corners, values }: Interpolated, x: number, y: number): number {
  const { weights } = projectAt(corners, VIEWPORT, x, y);
  return weights[0] * values[0] + weights[1] * values[1] + weights[2] * values[2];
}

/** Calls `check` for each pixel at least two pixels inside, so that its whole quad is inside. */
function forInnerPixels(corners: ClipTriangle, check: (x: number, y: number) => void): number {
  let count = 0;
  for (let y = 0; y < SIZE_PX; y++) {
    for (let x = 0; x < SIZE_PX; x++) {
      if (isPixelInside(corners, VIEWPORT, x, y, 2) !== true) continue;
      check(x, y);
      count++;
    }
  }
  return count;
}

/** Returns the largest error over the inner pixels. */
function largestError(
  image: DrawnImage,
  corners: ClipTriangle,
  reference: (x: number, y: number) => number,
): number {
  let largest = 0;
  const count = forInnerPixels(corners, (x, y) => {
    largest = Math.max(largest, Math.abs(image.float(x, y) - reference(x, y)));
  });
  expect(count).toBeGreaterThan(300);
  return largest;
}

/** Returns a corner on the subpixel grid of a 64 pixel target, which snapping does not move. */
function gridCorner(xPx: number, yPx: number, w: number): ClipPosition {
  return [(xPx / 32 - 1) * w, (1 - yPx / 32) * w, 0, w];
}

const FLAT_ON: Interpolated = {
  corners: [gridCorner(0, 0, 1), gridCorner(8, 64, 1), gridCorner(64, 16, 1)],
  values: [3, -5, 11],
};
/** Triangle whose w are powers of two, which are exact. */
const IN_DEPTH: Interpolated = {
  corners: [gridCorner(0, 0, 1), gridCorner(8, 64, 8), gridCorner(64, 16, 0.5)],
  values: [3, -5, 11],
};

describe('perspective interpolation', () => {
  it('gives a constant varying everywhere as it is (control)', async () => {
    const image = await drawTriangle({ ...FLAT_ON, values: [7.25, 7.25, 7.25] }, 'varying_');
    expect(largestError(image, FLAT_ON.corners, () => 7.25)).toBe(0);
  });

  it.each([
    { what: 'with w = 1 throughout', triangle: FLAT_ON },
    { what: 'in perspective', triangle: IN_DEPTH },
  ])('is within 2^-20 of the range of values, $what', async ({ triangle }) => {
    const image = await drawTriangle(triangle, 'varying_');
    const error = largestError(image, triangle.corners, (x, y) =>
      valueAt(triangle, x + 0.5, y + 0.5),
    );
    expect(error).toBeLessThan(16 * 2 ** -20);
  });

  it.each([1, 2, 3, 4])('is right for random triangles: seed %i', async (seed) => {
    const random = seededRandom(seed);
    const corner = (x: number, y: number) =>
      gridCorner(x + random.integer(0, 8), y + random.integer(0, 8), 2 ** random.integer(-3, 3));
    const triangle: Interpolated = {
      corners: [corner(0, 0), corner(0, 52), corner(54, random.integer(0, 50))],
      values: [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)],
    };
    const image = await drawTriangle(triangle, 'varying_');
    const error = largestError(image, triangle.corners, (x, y) =>
      valueAt(triangle, x + 0.5, y + 0.5),
    );
    expect(error, `seed ${seed}`).toBeLessThan(2 ** -18);
  });

  it('is not linear on the screen', async () => {
    const image = await drawTriangle(IN_DEPTH, 'varying_');
    const middle = (image.float(8, 16) + image.float(24, 16)) / 2;
    expect(Math.abs(image.float(16, 16) - middle)).toBeGreaterThan(0.01);
  });
});

describe('derivatives', () => {
  it.each([
    { name: 'dFdx', step: { x: 1, y: 0 } },
    { name: 'dFdy', step: { x: 0, y: -1 } },
  ])('$name of a linear varying is its slope, with y up', async ({ name, step }) => {
    const image = await drawTriangle(FLAT_ON, `${name}(varying_)`);
    const slope = valueAt(FLAT_ON, 20 + step.x, 20 + step.y) - valueAt(FLAT_ON, 20, 20);
    expect(Math.abs(slope)).toBeGreaterThan(0.01);
    expect(largestError(image, FLAT_ON.corners, () => slope)).toBeLessThan(2 ** -18);
  });

  it.each([
    { name: 'dFdx', dx: 1, dy: 0, sign: 1 },
    { name: 'dFdy', dx: 0, dy: 1, sign: -1 },
  ])('$name of a varying in perspective is a difference within its quad', async (testCase) => {
    const { name, dx, dy, sign } = testCase;
    const image = await drawTriangle(IN_DEPTH, `${name}(varying_)`);
    let largest = 0;
    forInnerPixels(IN_DEPTH.corners, (x, y) => {
      const [quadX, quadY] = [x & ~1, y & ~1];
      // Either pair of the quad may be used (GLSL ES 3.00, section 8.9).
      const errors = [0, 1].map((other) => {
        const [fromX, fromY] = [quadX + 0.5 + other * dy, quadY + 0.5 + other * dx];
        const from = valueAt(IN_DEPTH, fromX, fromY);
        const to = valueAt(IN_DEPTH, fromX + dx, fromY + dy);
        return Math.abs(image.float(x, y) - sign * (to - from));
      });
      largest = Math.max(largest, Math.min(...errors));
    });
    expect(largest).toBeLessThan(2 ** -16);
  });

  it('fwidth is the sum of the absolute values of both', async () => {
    const x = await drawTriangle(FLAT_ON, 'dFdx(varying_)');
    const y = await drawTriangle(FLAT_ON, 'dFdy(varying_)');
    const width = await drawTriangle(FLAT_ON, 'fwidth(varying_)');
    forInnerPixels(FLAT_ON.corners, (px, py) => {
      const sum = Math.fround(Math.abs(x.float(px, py)) + Math.abs(y.float(px, py)));
      expect(width.float(px, py)).toBe(sum);
    });
  });
});
