import { type Frame, primitivesPerInstance, validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { cubeFrame } from './cube-frame.ts';
import { firstFrame } from './first-frame.ts';
import { type Mesh, makeCube, makeFloor, makeSphere, makeTorusKnot } from './mesh.ts';
import { hashGridPoint, valueNoise } from './noise.ts';
import { randomTrianglesFrame } from './random-triangles-frame.ts';
import { seededRandom } from './seeded-random.ts';
import { terrainFrame } from './terrain-frame.ts';
import { texturedQuadFrame } from './textured-quad-frame.ts';

const SIZE = { widthPx: 320, heightPx: 180 };

const FRAMES: { name: string; make: () => Frame; triangles: number }[] = [
  { name: 'terrain', make: () => terrainFrame(SIZE), triangles: 100_352 },
  { name: 'small terrain', make: () => terrainFrame({ ...SIZE, triangles: 200 }), triangles: 200 },
  {
    name: 'terrain in patches',
    make: () => terrainFrame({ ...SIZE, triangles: 200, patches: 4 }),
    triangles: 200,
  },
  { name: 'cube', make: () => cubeFrame(SIZE), triangles: 12 },
  { name: 'quad', make: () => texturedQuadFrame(SIZE), triangles: 2 },
  {
    name: 'random triangles',
    make: () => randomTrianglesFrame({ ...SIZE, seed: 5, count: 1000 }),
    triangles: 1000,
  },
  { name: 'first image', make: () => firstFrame(SIZE), triangles: 33_152 },
];

describe.each(FRAMES)('the frame of the $name', ({ make, triangles }) => {
  it('is valid and has its number of triangles', () => {
    const frame = make();
    validateFrame(frame);
    const sum = frame.passes[0].draws.reduce(
      (count, draw) => count + primitivesPerInstance(draw.topology, draw.count),
      0,
    );
    expect(sum).toBe(triangles);
  });

  it('is the same every time', () => {
    expect(make()).toEqual(make());
  });
});

describe('terrainFrame', () => {
  it('has 50,625 vertices by default', () => {
    expect(terrainFrame(SIZE).buffers[0].bytes.length).toBe(50_625 * 32);
  });

  it('refuses numbers of triangles that make no grid', () => {
    expect(() => terrainFrame({ ...SIZE, triangles: 0 })).toThrow('triangles: 0');
    expect(() => terrainFrame({ ...SIZE, triangles: Number.NaN })).toThrow('triangles: NaN');
  });

  it('draws the same triangles in patches, each of neighboring cells', () => {
    const [whole, cut] = [1, 4].map((patches) =>
      terrainFrame({ ...SIZE, triangles: 200, patches }),
    );
    const drawn = (frame: Frame) =>
      frame.passes[0].draws.map(({ first, count, indices }) => {
        const { bytes } = frame.buffers[indices!.bufferIndex];
        const all = new Uint32Array(bytes.slice().buffer).subarray(first, first + count);
        return Array.from({ length: count / 3 }, (_, i) => [...all.subarray(3 * i, 3 * i + 3)]);
      });
    const patches = drawn(cut);
    expect(patches).toHaveLength(16);
    const names = (triangles: number[][]) => triangles.map((each) => each.join()).sort();
    expect(names(patches.flat())).toEqual(names(drawn(whole).flat()));
    for (const triangles of patches) {
      // The grid has 10 × 10 cells, so 4 patches along an edge have 2 or 3 cells.
      for (const axis of [(vertex: number) => vertex % 11, (vertex: number) => vertex / 11]) {
        const places = triangles.flat().map((vertex) => Math.floor(axis(vertex)));
        expect([2, 3]).toContain(Math.max(...places) - Math.min(...places));
      }
    }
  });

  it('draws patches in an order of the seed', () => {
    const ordersBySeed = [1, 1, 2].map((seed) =>
      terrainFrame({ ...SIZE, triangles: 200, patches: 4, seed }).passes[0].draws.map(
        ({ first }) => first,
      ),
    );
    expect(ordersBySeed[0]).toEqual(ordersBySeed[1]);
    expect(ordersBySeed[0]).not.toEqual(ordersBySeed[2]);
    expect(ordersBySeed[0]).not.toEqual([...ordersBySeed[0]].sort((a, b) => a - b));
  });

  it.each([0, 1.5, 11, Number.NaN])('refuses %d patches along an edge of 10 cells', (patches) => {
    expect(() => terrainFrame({ ...SIZE, triangles: 200, patches })).toThrow(`patches: ${patches}`);
  });
});

describe('randomTrianglesFrame', () => {
  it('draws the blended share last', () => {
    const frame = randomTrianglesFrame({ ...SIZE, seed: 1, count: 100, blendedShare: 0.4 });
    const [opaque, blended] = frame.passes[0].draws;
    expect([opaque.count, blended.first, blended.count]).toEqual([180, 180, 120]);
    expect([opaque.state.blend.isEnabled, blended.state.blend.isEnabled]).toEqual([false, true]);
  });

  it('differs from seed to seed', () => {
    const [a, b] = [1, 2].map((seed) => randomTrianglesFrame({ ...SIZE, seed, count: 3 }));
    expect(a.buffers[0].sha256).not.toBe(b.buffers[0].sha256);
  });
});

describe('meshes', () => {
  const MESHES: { name: string; mesh: Mesh }[] = [
    { name: 'sphere', mesh: makeSphere(12, 8) },
    { name: 'torus knot', mesh: makeTorusKnot(2, 3, 0.26, 96, 12) },
    { name: 'floor', mesh: makeFloor(3, 2, 4) },
    { name: 'cube', mesh: makeCube() },
  ];

  it.each(MESHES)('wind the triangles of the $name as their normals point', ({ mesh }) => {
    const { vertices, indices } = mesh;
    const vector = (vertex: number, first: number): number[] =>
      [0, 1, 2].map((c) => vertices[8 * vertex + first + c]);
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => vector(indices[t + k], 0));
      const ab = b.map((value, i) => value - a[i]);
      const ac = c.map((value, i) => value - a[i]);
      const cross = [
        ab[1] * ac[2] - ab[2] * ac[1],
        ab[2] * ac[0] - ab[0] * ac[2],
        ab[0] * ac[1] - ab[1] * ac[0],
      ];
      const isDegenerate = cross.every((value) => Math.abs(value) < 1e-9); // at the poles
      const normal = vector(indices[t], 3);
      const facing = cross.reduce((sum, value, i) => sum + value * normal[i], 0);
      if (!isDegenerate) expect(facing).toBeGreaterThan(0);
    }
  });

  it.each(MESHES)('have normals of length 1 on the $name', ({ mesh }) => {
    for (let at = 0; at < mesh.vertices.length; at += 8) {
      const [x, y, z] = mesh.vertices.subarray(at + 3, at + 6);
      expect(x * x + y * y + z * z).toBeCloseTo(1, 5);
    }
  });
});

describe('random numbers', () => {
  it('give the published sequence of mulberry32', () => {
    const random = seededRandom(1).next;
    const first = [random(), random(), random()].map((value) => Math.floor(value * 2 ** 32));
    expect(first).toEqual([2693262067, 11749833, 2265367787]);
  });

  it('stay within 0 and 1 and fill it', () => {
    const random = seededRandom(99).next;
    const values = Array.from({ length: 10_000 }, random);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 1);
  });

  it('meet the grid points in smooth noise', () => {
    expect(valueNoise(3, -2, 7)).toBe(hashGridPoint(3, -2, 7));
  });
});
