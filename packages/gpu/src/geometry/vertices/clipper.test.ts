import { defaultPipelineState } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEEDS_CLIPPING } from './clip-codes.ts';
import {
  type ClipPlane,
  type ClipVertex,
  clipPolygon,
  clipSegment,
  planesForCodes,
  planesForLines,
} from './clipper.ts';
import { makeViewportTransform } from './viewport-transform.ts';

const viewport = makeViewportTransform(defaultPipelineState(640, 480));
const allPlanes = planesForCodes(NEEDS_CLIPPING, viewport);
/** Steps of 1/64, so that shrinking finishes soon. */
const number = fc.integer({ min: -6400, max: 6400 }).map((step) => step / 64);
const position = fc.tuple(number, number, number, number);
type Position = readonly [number, number, number, number];

function corner([x, y, z, w]: Position, index: number): ClipVertex {
  return { x, y, z, w, weights: [index === 0 ? 1 : 0, index === 1 ? 1 : 0, index === 2 ? 1 : 0] };
}

function distance(plane: ClipPlane, v: ClipVertex): number {
  return plane.x * v.x + plane.y * v.y + plane.z * v.z + plane.w * v.w + plane.constant;
}

describe('clipPolygon', () => {
  it('leaves a polygon inside as it is', () => {
    const triangle = [corner([0, 0, 0, 1], 0), corner([1, 0, 0, 1], 1), corner([0, 1, 0, 1], 2)];
    expect(clipPolygon(triangle, allPlanes)).toEqual(triangle);
  });

  it('drops a polygon that lies behind the near plane', () => {
    const triangle = [corner([0, 0, -2, 1], 0), corner([1, 0, -3, 1], 1), corner([0, 1, -2, 1], 2)];
    expect(clipPolygon(triangle, allPlanes)).toEqual([]);
  });

  it('makes vertices that are inside all planes and on the triangle', () => {
    fc.assert(
      fc.property(position, position, position, (a, b, c) => {
        const corners = [a, b, c];
        for (const v of clipPolygon(corners.map(corner), allPlanes)) {
          for (const plane of allPlanes) {
            expect(distance(plane, v)).toBeGreaterThan(-1e-9 * viewport.guardX * 100);
          }
          const mix = (k: 0 | 1 | 2 | 3): number =>
            v.weights.reduce((sum, weight, i) => sum + weight * corners[i]![k], 0);
          expect(v.x).toBeCloseTo(mix(0), 8);
          expect(v.w).toBeCloseTo(mix(3), 8);
          expect(v.weights[0] + v.weights[1] + v.weights[2]).toBeCloseTo(1, 10);
        }
      }),
    );
  });

  it('gives two triangles that share an edge the same points on it', () => {
    fc.assert(
      fc.property(position, position, position, position, (a, b, c, d) => {
        const one = clipPolygon([a, b, c].map(corner), allPlanes);
        const other = clipPolygon([b, a, d].map(corner), allPlanes);
        // Points on the edge have no weight on the third corner.
        const onEdge = (polygon: readonly ClipVertex[]): string[] =>
          // Clipping at several planes that meet in one point produces the point more than once.
          [
            ...new Set(
              polygon
                .filter(({ weights }) => weights[2] === 0)
                .map(({ x, y, z, w }) => [x, y, z, w].join()),
            ),
          ].sort();
        fc.pre(one.length > 0 && other.length > 0);
        expect(onEdge(one)).toEqual(onEdge(other));
      }),
    );
  });
});

describe('clipSegment', () => {
  it('cuts a line at the view volume', () => {
    const clipped = clipSegment(
      corner([-3, 0, 0, 1], 0),
      corner([1, 0, 0, 1], 1),
      planesForLines(viewport),
    );
    expect(clipped?.[0]).toMatchObject({ x: -1, y: 0, z: 0, w: 1, weights: [0.5, 0.5, 0] });
    expect(clipped?.[1].x).toBe(1);
  });

  it('drops a line that passes by', () => {
    expect(
      clipSegment(corner([-3, 0, 0, 1], 0), corner([0, 3, 0, 1], 1), planesForLines(viewport)),
    ).toBeNull();
  });
});
