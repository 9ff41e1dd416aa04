import { describe, expect, it } from 'vitest';
import type { Mesh } from '../mesh.ts';
import { MeshWriter, makeLathe, makeRock } from './mesh-writer.ts';

const TURN = 0.7;

function makeBox(): Mesh {
  const writer = new MeshWriter();
  writer.addBox([-1, 0, -2], [1, 3, 2], 0.5);
  return writer.build();
}

function makeTurned(): Mesh {
  const writer = new MeshWriter();
  writer.addMesh(makeBox(), { position: [5, 6, 7], scale: [2, 1, 3], turn: TURN });
  return writer.build();
}

const LATHE = makeLathe(
  [
    [0.5, 0],
    [1, 1],
    [0.7, 2],
  ],
  12,
);

const MESHES: { name: string; mesh: Mesh }[] = [
  { name: 'box', mesh: makeBox() },
  { name: 'scaled and turned box', mesh: makeTurned() },
  { name: 'surface of revolution', mesh: LATHE },
  { name: 'rock', mesh: makeRock(24, 16, 3, 0.4) },
];

function vectorAt({ vertices }: Mesh, vertex: number, first: number): number[] {
  return [0, 1, 2].map((i) => vertices[8 * vertex + first + i]);
}

describe('meshes of the benchmark set', () => {
  it.each(MESHES)('wind the triangles of the $name as their normals point', ({ mesh }) => {
    for (let t = 0; t < mesh.indices.length; t += 3) {
      const corners = [0, 1, 2].map((k) => mesh.indices[t + k]);
      const [a, b, c] = corners.map((corner) => vectorAt(mesh, corner, 0));
      const [ab, ac] = [b, c].map((to) => to.map((value, i) => value - a[i]));
      const cross = [
        ab[1] * ac[2] - ab[2] * ac[1],
        ab[2] * ac[0] - ab[0] * ac[2],
        ab[0] * ac[1] - ab[1] * ac[0],
      ];
      if (cross.every((value) => Math.abs(value) < 1e-6)) continue; // at the poles
      // Normals are smooth, so those of the corners count together.
      const normals = corners.map((corner) => vectorAt(mesh, corner, 3));
      const facing = normals.flatMap((normal) => normal.map((value, i) => value * cross[i]));
      expect(facing.reduce((sum, value) => sum + value, 0)).toBeGreaterThan(0);
    }
  });

  it.each(MESHES)('have normals of length 1 on the $name', ({ mesh }) => {
    for (let vertex = 0; vertex < mesh.vertices.length / 8; vertex++) {
      const length = vectorAt(mesh, vertex, 3).reduce((sum, value) => sum + value * value, 0);
      expect(length).toBeCloseTo(1, 5);
    }
  });

  it('turn about the y axis', () => {
    const [first] = [makeTurned()];
    const [x, y, z] = vectorAt(first, 0, 0); // corner -1, 0, 2 of the box
    expect(x).toBeCloseTo(5 - 2 * Math.cos(TURN) + 6 * Math.sin(TURN), 5);
    expect(y).toBeCloseTo(6, 5);
    expect(z).toBeCloseTo(7 + 6 * Math.cos(TURN) + 2 * Math.sin(TURN), 5);
  });

  it('repeat a texture by length, or take one coordinate', () => {
    const writer = new MeshWriter();
    writer.addQuad([0, 0, 0], [4, 0, 0], [0, 2, 0], 0.5);
    writer.addQuad([0, 0, 0], [4, 0, 0], [0, 2, 0], [0.25, 0.75]);
    const { vertices } = writer.build();
    const texCoords = Array.from({ length: 8 }, (_, i) => [
      ...vertices.slice(8 * i + 6, 8 * i + 8),
    ]);
    expect(texCoords.slice(0, 4)).toEqual([
      [0, 0],
      [2, 0],
      [2, 1],
      [0, 1],
    ]);
    expect(texCoords.slice(4)).toEqual(new Array(4).fill([0.25, 0.75]));
  });
});
