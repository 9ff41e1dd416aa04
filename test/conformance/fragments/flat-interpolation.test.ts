/**
 * Flat varyings come from the provoking vertex, the last one of a primitive (GL ES 3.0, section
 * 2.13 and table 2.12).
 */
import type { Topology } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { drawScene, ENCODE_BITS, type PixelPosition } from '../scene/draw-scene.ts';

const VERTEX = `#version 300 es
in vec4 position;
flat out uint provoking;
void main() {
  gl_Position = position;
  gl_PointSize = 1.0;
  provoking = uint(gl_VertexID) + 0x80000001u;
}`;
const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
flat in uint provoking;
out vec4 result;
${ENCODE_BITS}
void main() { result = encodeBits(provoking); }`;

/**
 * Returns the vertex numbers in the image, without the bits that distinguish them from the
 * background.
 */
async function seenVertices(
  topology: Topology,
  positions: readonly PixelPosition[],
  indices?: Uint16Array,
): Promise<number[]> {
  const draw = { topology, positions, vertexSource: VERTEX, fragmentSource: FRAGMENT };
  const image = await drawScene({
    widthPx: 64,
    heightPx: 64,
    draws: [indices === undefined ? draw : { ...draw, indices }],
  });
  const seen = new Set<number>();
  for (let y = 0; y < 64; y++) {
    for (let x = 0; x < 64; x++) if (image.word(x, y) !== 0) seen.add(image.word(x, y));
  }
  return [...seen].map((word) => word - 0x80000001).sort((a, b) => a - b);
}

/** Six points of a zigzag, no three on a line. */
const ZIGZAG: readonly PixelPosition[] = [
  [4, 8],
  [6, 40],
  [20, 6],
  [26, 42],
  [40, 8],
  [48, 44],
];
/** A convex hexagon, so that a fan does not overlap. */
const HEXAGON: readonly PixelPosition[] = [
  [4, 32],
  [16, 8],
  [40, 6],
  [58, 30],
  [42, 56],
  [14, 54],
];

describe('flat interpolation', () => {
  it.each([
    { topology: 'points', positions: ZIGZAG, provoking: [0, 1, 2, 3, 4, 5] },
    { topology: 'lines', positions: ZIGZAG, provoking: [1, 3, 5] },
    { topology: 'line-strip', positions: ZIGZAG, provoking: [1, 2, 3, 4, 5] },
    { topology: 'line-loop', positions: HEXAGON, provoking: [0, 1, 2, 3, 4, 5] },
    { topology: 'triangles', positions: ZIGZAG, provoking: [2, 5] },
    { topology: 'triangle-strip', positions: ZIGZAG, provoking: [2, 3, 4, 5] },
    { topology: 'triangle-fan', positions: HEXAGON, provoking: [2, 3, 4, 5] },
  ] as const)('$topology: from the last vertex', async ({ topology, positions, provoking }) => {
    expect(await seenVertices(topology, positions)).toEqual(provoking);
  });

  it.each([
    [[0, 1, 2], 2],
    [[1, 2, 0], 0],
    [[2, 0, 1], 1],
    [[2, 1, 0], 0],
  ])('follows the indices %j', async (indices, provoking) => {
    const seen = await seenVertices('triangles', ZIGZAG, Uint16Array.from(indices));
    expect(seen).toEqual([provoking]);
  });

  it.each([
    { what: 'before the near plane', depth: -0.5, w: 1 },
    { what: 'behind the eye', depth: 0.5, w: -1 },
  ])('comes from the last vertex even if that is clipped away, $what', async ({ depth, w }) => {
    const positions: PixelPosition[] = [
      [4, 8],
      [6, 40],
      [40, 20, depth, w],
    ];
    expect(await seenVertices('triangles', positions)).toEqual([2]);
    expect(await seenVertices('lines', [positions[0]!, positions[2]!])).toEqual([1]);
  });

  it('keeps integers whose bits are no number as they are', async () => {
    // As a float, 0x80000001 is denormal and 0xffffffff is NaN: neither may pass through
    // arithmetic.
    const fragmentSource = FRAGMENT.replace('encodeBits(provoking)', 'encodeBits(provoking - 2u)');
    const vertexSource = VERTEX.replace('uint(gl_VertexID) + 0x80000001u', '0xffffffffu');
    const draws = [{ positions: ZIGZAG.slice(0, 3), vertexSource, fragmentSource }];
    const image = await drawScene({ widthPx: 64, heightPx: 64, draws });
    expect(image.word(8, 20)).toBe(0xfffffffd);
  });
});
