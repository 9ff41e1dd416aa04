import { describe, expect, it } from 'vitest';
import { composeMatrix, type Matrix4, multiplyMatrices, transformPoint } from '../math/matrix.ts';
import { lowestPoint } from './lowest-point.ts';

const POSITIONS = Float32Array.of(0, 0, 0, 1, 2, -1, -2, 1, 3, 0.5, -1, 0.25);
const VERTICES = [0, 1, 2, 3];
const TURNED = composeMatrix([1, 2, 3], [0.5, 0.5, 0.5, 0.5], [1, 2, 3]);
const MOVED = composeMatrix([0, -5, 0], [0, 0, Math.SQRT1_2, Math.SQRT1_2], [1, 1, 2]);
const PLAIN = {
  positions: POSITIONS,
  displacements: [],
  instances: null,
  toWorld: TURNED,
  skin: null,
};

function pointOf(values: Float32Array, vertex: number): [number, number, number] {
  return [values[3 * vertex]!, values[3 * vertex + 1]!, values[3 * vertex + 2]!];
}

function lowestOf(matrix: Matrix4, positions = POSITIONS): number {
  return Math.min(
    ...VERTICES.map((vertex) => transformPoint(matrix, pointOf(positions, vertex))[1]),
  );
}

describe('lowestPoint', () => {
  it('is the smallest height of the placed vertices', () => {
    expect(lowestPoint(PLAIN)).toBeCloseTo(lowestOf(TURNED), 12);
  });

  it('adds morph targets by their weights', () => {
    const values = Float32Array.from(POSITIONS, (_value, i) => ((i * 7) % 5) - 2);
    const moved = POSITIONS.map((value, i) => value - 0.75 * values[i]!);
    const displacements = [{ values, weight: -0.75 }];
    expect(lowestPoint({ ...PLAIN, displacements })).toBeCloseTo(lowestOf(TURNED, moved), 6);
  });

  it('is that of the lowest instance', () => {
    const instances = [composeMatrix([0, 0, 0], [0, 0, 0, 1], [1, 1, 1]), MOVED];
    expect(lowestPoint({ ...PLAIN, instances })).toBeCloseTo(
      Math.min(lowestOf(TURNED), lowestOf(multiplyMatrices(TURNED, MOVED))),
      12,
    );
  });

  it('blends the joints of each vertex', () => {
    const matrices = [TURNED, MOVED];
    const joints = VERTICES.flatMap(() => [0, 1, 0, 0]);
    const shares = [0, 0.25, 0.5, 1];
    const weights = Float32Array.from(VERTICES.flatMap((i) => [1 - shares[i]!, shares[i]!, 0, 0]));
    const heights = VERTICES.map((vertex) => {
      const [a, b] = matrices.map((matrix) => transformPoint(matrix, pointOf(POSITIONS, vertex)));
      return a![1] * (1 - shares[vertex]!) + b![1] * shares[vertex]!;
    });
    const skin = { matrices, joints, weights };
    expect(lowestPoint({ ...PLAIN, toWorld: null, skin })).toBeCloseTo(Math.min(...heights), 6);
  });
});
