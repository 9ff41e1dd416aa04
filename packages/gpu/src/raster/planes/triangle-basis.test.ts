import { defineChipletSpec } from '@tessera/chiplet-spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VertexStore } from '../../geometry/vertices/vertex-store.ts';
import { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { TriangleBasis } from './triangle-basis.ts';

const vertices = new VertexStore(
  new ChipletMemory(defineChipletSpec({ maxBinPixels: 2 ** 20, texturePoolBytes: 2 ** 20 })),
);

interface Corner {
  /** Horizontal position in subpixels. */
  readonly x: number;
  readonly y: number;
  readonly w: number;
}

/** Returns the basis of a triangle, or `null` if its rounded corners span no area. */
function basisOf(corners: readonly Corner[]): TriangleBasis | null {
  for (const [vertex, { x, y, w }] of corners.entries()) {
    vertices.exactX[vertex] = x;
    vertices.exactY[vertex] = y;
    vertices.windowX[vertex] = Math.floor(x + 0.5);
    vertices.windowY[vertex] = Math.floor(y + 0.5);
    vertices.reciprocalW[vertex] = 1 / w;
  }
  const { windowX, windowY } = vertices;
  const area =
    (windowX[1]! - windowX[0]!) * (windowY[2]! - windowY[0]!) -
    (windowX[2]! - windowX[0]!) * (windowY[1]! - windowY[0]!);
  if (area === 0) return null;
  const basis = new TriangleBasis();
  basis.set(vertices, 0, 1, 2);
  return basis;
}

/** Returns the weights of the three corners at a position in subpixels. */
function weightsAt(basis: TriangleBasis, x: number, y: number): readonly number[] {
  const fromX = x / 256 - basis.x0;
  const fromY = y / 256 - basis.y0;
  const first = basis.dx1 * fromX + basis.dy1 * fromY;
  const second = basis.dx2 * fromX + basis.dy2 * fromY;
  return [1 - first - second, first, second];
}

function expectUnitWeights(basis: TriangleBasis, x: number, y: number, corner: number): void {
  for (const [i, weight] of weightsAt(basis, x, y).entries()) {
    expect(weight).toBeCloseTo(i === corner ? 1 : 0, 6);
  }
}

const coordinate = fc.double({ min: -4096, max: 4096, noNaN: true });
const corner = fc.record({ x: coordinate, y: coordinate, w: fc.constantFrom(0.01, 0.5, 1, 1000) });
/** Thin triangles whose third corner is near the middle of the others. */
const sliver = fc
  .tuple(corner, corner, fc.double({ min: -20, max: 20, noNaN: true }))
  .map(([a, b, off]) => [a, b, { x: (a.x + b.x) / 2 + off, y: (a.y + b.y) / 2 - off, w: 1 }]);
const triangle = fc.oneof(fc.tuple(corner, corner, corner), sliver);

describe('TriangleBasis', () => {
  it('has the weights 0 and 1 at the corners before rounding', () => {
    const corners = [
      { x: 10.3, y: 20.4, w: 1 },
      { x: 700.45, y: 33.2, w: 2 },
      { x: 123.4, y: 512.3, w: 3 },
    ];
    const basis = basisOf(corners)!;
    for (const [i, { x, y }] of corners.entries()) expectUnitWeights(basis, x, y, i);
  });

  it('has the weights of the rounded corners for a sliver', () => {
    // Rounding makes it a hundred times wider.
    const basis = basisOf([
      { x: 0, y: 0.495, w: 1 },
      { x: 25_600, y: 0.495, w: 1 },
      { x: 12_800, y: 0.505, w: 1 },
    ])!;
    expectUnitWeights(basis, 0, 0, 0);
    expectUnitWeights(basis, 25_600, 0, 1);
    expectUnitWeights(basis, 12_800, 1, 2);
  });

  it('keeps weights within 1/4 of 0 to 1, and 1 / w positive, wherever a sample can be covered', () => {
    fc.assert(
      fc.property(triangle, (corners) => {
        const basis = basisOf(corners);
        if (basis === null) return;
        // Weights are extreme at the rounded corners. All covered samples are between these.
        for (let i = 0; i < 3; i++) {
          const weights = weightsAt(basis, vertices.windowX[i]!, vertices.windowY[i]!);
          for (const weight of weights) {
            expect(weight).toBeGreaterThan(-1 / 4 - 1e-6);
            expect(weight).toBeLessThan(5 / 4 + 1e-6);
          }
          const reciprocalW = weights.reduce((sum, weight, k) => sum + weight / corners[k]!.w, 0);
          const least = Math.min(...corners.map(({ w }) => 1 / w));
          expect(reciprocalW).toBeGreaterThan(least * 0.499);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
