import { type ProvokingVertex, primitivesPerInstance, type Topology } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { assemblePrimitive, cornersPerPrimitive } from './primitive-assembly.ts';

function assembleAll(topology: Topology, count: number, provoking?: ProvokingVertex): number[][] {
  const corners = new Int32Array(3);
  return Array.from({ length: primitivesPerInstance(topology, count) }, (_, k) => {
    assemblePrimitive(topology, k, count, corners, 0, provoking);
    return [...corners.subarray(0, cornersPerPrimitive(topology))];
  });
}

describe('primitive assembly', () => {
  it.each([
    ['points', 3, [[0], [1], [2]]],
    [
      'lines',
      5,
      [
        [0, 1],
        [2, 3],
      ],
    ],
    [
      'line-strip',
      4,
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
    ],
    [
      'line-loop',
      4,
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 0],
      ],
    ],
    [
      'line-loop',
      2,
      [
        [0, 1],
        [1, 0],
      ],
    ],
    [
      'triangles',
      7,
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
    ],
    // Every second triangle of a strip starts with its second vertex, so that all have the same
    // winding.
    [
      'triangle-strip',
      6,
      [
        [0, 1, 2],
        [2, 1, 3],
        [2, 3, 4],
        [4, 3, 5],
      ],
    ],
    [
      'triangle-fan',
      5,
      [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 4],
      ],
    ],
    ['triangle-strip', 2, []],
    ['line-strip', 1, []],
  ] as const)('groups %s of %i elements', (topology, count, expected) => {
    expect(assembleAll(topology, count)).toEqual(expected);
  });

  // Vertices that ARB_provoking_vertex, table 2.12, names for each primitive, counted from 0.
  it.each([
    ['points', 3, [0, 1, 2]],
    ['lines', 4, [0, 2]],
    ['line-strip', 4, [0, 1, 2]],
    ['line-loop', 4, [0, 1, 2, 3]],
    ['triangles', 7, [0, 3]],
    ['triangle-strip', 6, [0, 1, 2, 3]],
    ['triangle-fan', 5, [1, 2, 3]],
  ] as const)('starts primitives with the first vertex of %s', (topology, count, provoking) => {
    const primitives = assembleAll(topology, count, 'first');
    expect(primitives.map(([first]) => first)).toEqual(provoking);
    const turned = (corners: number[]) => {
      const start = corners.indexOf(Math.min(...corners));
      return corners.map((_, i) => corners[(start + i) % corners.length]);
    };
    const byLast = assembleAll(topology, count, 'last');
    if (topology.startsWith('triangle')) {
      expect(primitives.map(turned)).toEqual(byLast.map(turned));
    } else expect(primitives).toEqual(byLast);
  });
});
