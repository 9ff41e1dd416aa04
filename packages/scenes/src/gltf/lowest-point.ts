/** Height of the lowest vertex of a posed surface. */
import type { Matrix4 } from '../math/matrix.ts';

/** Vertices of a surface and the steps that place them in the world. */
export interface PosedVertices {
  /** Positions, three numbers a vertex. */
  readonly positions: Float32Array;
  /** Displacements by morph targets, three numbers a vertex, with the weights of the targets. */
  readonly displacements: readonly { readonly values: Float32Array; readonly weight: number }[];
  /** Matrices of the instances; `null` without instancing. */
  readonly instances: readonly Matrix4[] | null;
  /** Matrix to the world; `null` for skinned vertices. */
  readonly toWorld: Matrix4 | null;
  /**
   * Joints that lead to the world, four joints and four weights a vertex; `null` without a skin.
   */
  readonly skin: {
    readonly matrices: readonly Matrix4[];
    readonly joints: ArrayLike<number>;
    readonly weights: Float32Array;
  } | null;
}

/** Returns the height of the lowest vertex, and infinity if there is none. */
export function lowestPoint(vertices: PosedVertices): number {
  const { positions, displacements, instances, toWorld } = vertices;
  const fixed = toWorld && heightsOf(toWorld, instances);
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < positions.length; i += 3) {
    let x = positions[i]!;
    let y = positions[i + 1]!;
    let z = positions[i + 2]!;
    for (const { values, weight } of displacements) {
      x += weight * values[i]!;
      y += weight * values[i + 1]!;
      z += weight * values[i + 2]!;
    }
    for (const [a, b, c, d] of fixed ?? heightsOf(blendJoints(vertices, i / 3), instances)) {
      lowest = Math.min(lowest, a * x + b * y + c * z + d);
    }
  }
  return lowest;
}

/** Factors of x, y and z and the constant of a height. */
type HeightFactors = readonly [number, number, number, number];

/** Returns how the height of each instance depends on the position of a vertex. */
function heightsOf(m: Matrix4, instances: readonly Matrix4[] | null): HeightFactors[] {
  const row = [m[1]!, m[5]!, m[9]!, m[13]!] as const;
  if (instances === null) return [row];
  return instances.map((instance) => {
    const factor = (column: number): number =>
      row[0] * instance[4 * column]! +
      row[1] * instance[4 * column + 1]! +
      row[2] * instance[4 * column + 2]!;
    return [factor(0), factor(1), factor(2), factor(3) + row[3]];
  });
}

function blendJoints({ skin }: PosedVertices, vertex: number): Matrix4 {
  if (skin === null) throw new Error('the vertices have neither a matrix nor a skin');
  const blended = new Array<number>(16).fill(0);
  for (let k = 4 * vertex; k < 4 * vertex + 4; k++) {
    const weight = skin.weights[k]!;
    if (weight === 0) continue;
    const matrix = skin.matrices[skin.joints[k]!]!;
    for (const i of [1, 5, 9, 13]) blended[i]! += weight * matrix[i]!; // the row of heights
  }
  return blended;
}
