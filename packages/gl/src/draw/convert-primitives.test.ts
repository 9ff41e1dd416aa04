import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import {
  convertPieces,
  fillPrimitives,
  listPrimitives,
  outlinePrimitives,
} from './convert-primitives.ts';

const ALL = () => true;

function row(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}

/** Returns the flagged edges of triangles as `from-to`, in order of their names. */
function edgesOf({ vertices, edgeFlags }: ReturnType<typeof outlinePrimitives>): string[] {
  const edges: string[] = [];
  edgeFlags!.forEach((flags, triangle) => {
    for (let i = 0; i < 3; i++) {
      if ((flags & (1 << i)) === 0) continue;
      edges.push(`${vertices[3 * triangle + i]}-${vertices[3 * triangle + ((i + 1) % 3)]}`);
    }
  });
  return edges.sort();
}

describe('outlines', () => {
  it.each([
    ['triangles', GL.TRIANGLES, 6, ['0-1', '1-2', '2-0', '3-4', '4-5', '5-3']],
    ['quads', GL.QUADS, 5, ['0-1', '1-2', '2-3', '3-0']],
    ['a polygon', GL.POLYGON, 5, ['0-1', '1-2', '2-3', '3-4', '4-0']],
    ['a quad strip', GL.QUAD_STRIP, 6, ['0-1', '1-3', '2-0', '2-3', '3-2', '3-5', '4-2', '5-4']],
    ['a triangle fan', GL.TRIANGLE_FAN, 4, ['0-1', '0-2', '1-2', '2-0', '2-3', '3-0']],
    ['a triangle strip', GL.TRIANGLE_STRIP, 4, ['0-1', '1-2', '1-3', '2-0', '2-1', '3-2']],
  ])('of %s are the edges of its polygons', (_name, mode, count, edges) => {
    expect(edgesOf(outlinePrimitives(mode, row(count), ALL, 'last'))).toEqual(edges);
  });

  it('leave out edges whose first vertex has no flag, except in strips and fans', () => {
    const isEdge = (vertex: number) => vertex !== 1;
    const count = (mode: number) => edgesOf(outlinePrimitives(mode, row(4), isEdge, 'last')).length;
    expect([GL.QUADS, GL.POLYGON, GL.TRIANGLES].map(count)).toEqual([3, 3, 2]);
    expect([GL.QUAD_STRIP, GL.TRIANGLE_STRIP, GL.TRIANGLE_FAN].map(count)).toEqual([4, 6, 6]);
  });

  it('split polygons into the triangles that fill them', () => {
    for (const mode of [GL.QUADS, GL.QUAD_STRIP, GL.POLYGON]) {
      const outlined = outlinePrimitives(mode, row(8), ALL, 'last');
      expect([mode, ...outlined.vertices]).toEqual([
        mode,
        ...fillPrimitives(mode, row(8), 'last').vertices,
      ]);
    }
  });

  it('of pieces keep the flags of each piece', () => {
    const pieces = [row(4), row(3)];
    const joined = convertPieces(pieces, (piece) =>
      outlinePrimitives(GL.POLYGON, piece, ALL, 'last'),
    );
    expect([...joined.edgeFlags!]).toEqual([0b101, 0b011, 0b111]);
    expect(joined.vertices.length).toBe(9);
  });
});

describe('triangles by the first vertex', () => {
  // Vertices that ARB_provoking_vertex, table 2.12, names for each polygon, counted from 0.
  it.each([
    ['triangles', GL.TRIANGLES, 6, [0, 3]],
    ['a triangle strip', GL.TRIANGLE_STRIP, 5, [0, 1, 2]],
    ['a triangle fan', GL.TRIANGLE_FAN, 5, [1, 2, 3]],
    ['quads', GL.QUADS, 8, [0, 0, 4, 4]],
    ['a quad strip', GL.QUAD_STRIP, 6, [0, 0, 2, 2]],
    ['a polygon', GL.POLYGON, 5, [0, 0, 0]],
  ])('start with the first vertex of %s, and keep the winding', (_name, mode, count, provoking) => {
    const { vertices } = fillPrimitives(mode, row(count), 'first');
    expect([...vertices].filter((_, i) => i % 3 === 0)).toEqual(provoking);
    const turn = (list: Uint32Array) => {
      const triangles = Array.from({ length: list.length / 3 }, (_, i) => [
        ...list.subarray(3 * i, 3 * i + 3),
      ]);
      const start = (triangle: number[]) => triangle.indexOf(Math.min(...triangle));
      return triangles.map((triangle) =>
        [0, 1, 2].map((i) => triangle[(start(triangle) + i) % 3]).join('-'),
      );
    };
    const byLast = fillPrimitives(mode, row(count), 'last').vertices;
    const isSplit = mode === GL.QUADS || mode === GL.QUAD_STRIP || mode === GL.POLYGON;
    if (!isSplit) expect(turn(vertices).sort()).toEqual(turn(byLast).sort());
    expect(vertices).toHaveLength(byLast.length);
    const outlined = outlinePrimitives(mode, row(count), ALL, 'first');
    expect(outlined.vertices).toEqual(vertices);
    expect(edgesOf(outlined)).toEqual(edgesOf(outlinePrimitives(mode, row(count), ALL, 'last')));
  });

  it('leave lines and points in their order', () => {
    for (const mode of [GL.POINTS, GL.LINES, GL.LINE_STRIP, GL.LINE_LOOP]) {
      const [first, last] = (['first', 'last'] as const).map((one) =>
        listPrimitives(mode, row(6), one),
      );
      expect(first).toEqual(last);
    }
  });
});
