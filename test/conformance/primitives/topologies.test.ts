/**
 * Vertices form the primitives that the specification lists (GL ES 3.0, section 2.9.1), for each
 * number of vertices.
 */
import type { Topology } from '@tessera/frame';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import { drawScene, type PixelPosition, rectangle, type SceneDraw } from '../scene/draw-scene.ts';

const SIZE = { widthPx: 64, heightPx: 64 };
const ADD = { equation: 'add', source: 'one', destination: 'one' } as const;
const BLEND = { isEnabled: true, color: ADD, alpha: ADD, constant: [0, 0, 0, 0] } as const;

const VERTEX = `#version 300 es
in vec4 position;
void main() { gl_Position = position; gl_PointSize = 3.0; }`;
/** Distinguishes front from back faces, so that a reversed triangle is detected. */
const FRAGMENT = `#version 300 es
precision highp float;
out vec4 result;
void main() { result = vec4(20, gl_FrontFacing ? 20 : 40, 0, 20) / 255.0; }`;
const BASIC = { vertexSource: VERTEX, fragmentSource: FRAGMENT, state: { blend: BLEND } };

/** Returns the specification's rules as lists of vertex numbers. */
function primitivesOf(topology: Topology, count: number): number[][] {
  const upTo = (length: number) => Array.from({ length: Math.max(0, length) }, (_, i) => i);
  switch (topology) {
    case 'points':
      return upTo(count).map((i) => [i]);
    case 'lines':
      return upTo(Math.trunc(count / 2)).map((i) => [2 * i, 2 * i + 1]);
    case 'line-strip':
      return upTo(count - 1).map((i) => [i, i + 1]);
    case 'line-loop':
      return count < 2 ? [] : [...upTo(count - 1).map((i) => [i, i + 1]), [count - 1, 0]];
    case 'triangles':
      return upTo(Math.trunc(count / 3)).map((i) => [3 * i, 3 * i + 1, 3 * i + 2]);
    case 'triangle-strip':
      return upTo(count - 2).map((i) => (i % 2 === 0 ? [i, i + 1, i + 2] : [i + 1, i, i + 2]));
    case 'triangle-fan':
      return upTo(count - 2).map((i) => [0, i + 1, i + 2]);
  }
}

const LIST_OF: Readonly<Record<Topology, Topology>> = {
  points: 'points',
  lines: 'lines',
  'line-strip': 'lines',
  'line-loop': 'lines',
  triangles: 'triangles',
  'triangle-strip': 'triangles',
  'triangle-fan': 'triangles',
};

const random = seededRandom(5);
const POSITIONS = Array.from(
  { length: 12 },
  (): PixelPosition => [random.integer(2, 61), random.integer(2, 61)],
);

async function hashOf(draws: readonly SceneDraw[]): Promise<string> {
  return (await drawScene({ ...SIZE, draws })).report.image.sha256;
}

describe('topologies', () => {
  it('draws nothing of no vertices (control)', async () => {
    const empty = await hashOf([]);
    expect(await hashOf([{ ...BASIC, positions: POSITIONS, count: 0 }])).toBe(empty);
    expect(await hashOf([{ ...BASIC, positions: POSITIONS, count: 3 }])).not.toBe(empty);
  });

  const CASES = (Object.keys(LIST_OF) as Topology[]).flatMap((topology) =>
    [1, 2, 3, 4, 5, 7, 12].map((count) => ({ topology, count })),
  );
  it.each(CASES)('$topology of $count vertices', async ({ topology, count }) => {
    const primitives = primitivesOf(topology, count);
    const whole = { ...BASIC, topology, positions: POSITIONS, count };
    const parts = primitives.map((corners) => ({
      ...BASIC,
      topology: LIST_OF[topology],
      positions: corners.map((corner) => POSITIONS[corner]!),
    }));
    const image = await drawScene({ ...SIZE, draws: [whole] });
    expect(image.report.visibility.primitivesIn).toBe(primitives.length);
    expect(image.report.image.sha256, 'seed 5').toBe(await hashOf(parts));
  });

  it.each(['points', 'line-strip', 'triangle-strip', 'triangle-fan'] as const)(
    '%s begins at the first vertex asked for',
    async (topology) => {
      const all = { ...BASIC, topology, positions: POSITIONS };
      const shifted = { ...all, first: 3, count: 6 };
      const taken = { ...all, positions: POSITIONS.slice(3, 9) };
      expect(await hashOf([shifted])).toBe(await hashOf([taken]));
    },
  );

  it.each([
    { what: 'bytes', makeIndices: (list: number[]) => Uint8Array.from(list) },
    { what: 'shorts', makeIndices: (list: number[]) => Uint16Array.from(list) },
    { what: 'words', makeIndices: (list: number[]) => Uint32Array.from(list) },
  ])('takes indices of $what, first and count in indices', async ({ makeIndices }) => {
    const order = [9, 9, 0, 4, 7, 2, 11, 3, 5, 1];
    const draw = {
      ...BASIC,
      topology: 'triangle-strip' as const,
      positions: POSITIONS,
      indices: makeIndices(order),
      first: 2,
      count: 7,
    };
    const positions = order.slice(2, 9).map((index) => POSITIONS[index]!);
    const expected = { ...BASIC, topology: 'triangle-strip' as const, positions };
    expect(await hashOf([draw])).toBe(await hashOf([expected]));
  });

  it.each([
    { what: 'a repeated corner', indices: [0, 1, 1, 2, 3, 3] },
    { what: 'all corners the same', indices: [4, 4, 4, 5, 5, 5] },
  ])('draws nothing of triangles with $what', async ({ indices }) => {
    const draw = { ...BASIC, positions: POSITIONS, indices: Uint8Array.from(indices) };
    expect(await hashOf([draw])).toBe(await hashOf([]));
  });

  it('joins strips by triangles without area', async () => {
    const strip = { ...BASIC, topology: 'triangle-strip' as const, positions: POSITIONS };
    const joined = { ...strip, indices: Uint8Array.from([0, 1, 2, 3, 3, 6, 6, 7, 8, 9]) };
    const apart = [
      [0, 1, 2, 3],
      [6, 7, 8, 9],
    ].map((list) => ({
      ...strip,
      indices: Uint8Array.from(list),
    }));
    expect(await hashOf([joined])).toBe(await hashOf(apart));
  });

  it('has no restart index: 255 is a vertex like any other', async () => {
    const positions: PixelPosition[] = Array.from({ length: 256 }, () => [0, 0]);
    rectangle(8, 8, 40, 40).forEach((corner, i) => {
      positions[250 + i] = corner;
    });
    const indices = Uint8Array.from([250, 251, 252, 253, 254, 255]);
    const image = await drawScene({ ...SIZE, draws: [{ ...BASIC, positions, indices }] });
    expect(image.isLit(38, 10) && image.isLit(10, 38)).toBe(true);
  });
});
