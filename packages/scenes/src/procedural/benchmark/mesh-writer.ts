/** Meshes that consist of many quads, boxes and smaller meshes. */
import { cos, PI, sin } from '../../math/deterministic-math.ts';
import { crossVec3, normalizeVec3, type Vec3 } from '../../math/vector.ts';
import { type Mesh, makeGridMesh } from '../mesh.ts';
import { valueNoise } from '../noise.ts';

/**
 * Texture coordinates of a face: repeats of the texture per unit of length, or one coordinate for
 * the whole face, such as a color of a palette.
 */
export type FaceTexture = number | readonly [u: number, v: number];

/** Place of a mesh within a larger one. */
export interface MeshPlace {
  readonly position: Vec3;
  readonly scale: Vec3;
  /** Angle about the y axis in radians; 0 by default. */
  readonly turn?: number;
  /** Texture coordinate of all vertices; those of the mesh by default. */
  readonly texCoord?: readonly [u: number, v: number] | undefined;
}

/** Collects the triangles of a mesh. */
export class MeshWriter {
  readonly #vertices: number[] = [];
  readonly #indices: number[] = [];

  /** Adds a parallelogram that is seen from the side to which `right` × `up` points. */
  addQuad(corner: Vec3, right: Vec3, up: Vec3, texture: FaceTexture): void {
    const normal = normalizeVec3(crossVec3(right, up));
    const isFixed = typeof texture !== 'number';
    const [originU, originV] = isFixed ? texture : [0, 0];
    const width = isFixed ? 0 : Math.sqrt(right[0] ** 2 + right[1] ** 2 + right[2] ** 2) * texture;
    const height = isFixed ? 0 : Math.sqrt(up[0] ** 2 + up[1] ** 2 + up[2] ** 2) * texture;
    const first = this.#vertices.length / 8;
    for (const [a, b] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const) {
      this.#vertices.push(
        corner[0] + a * right[0] + b * up[0],
        corner[1] + a * right[1] + b * up[1],
        corner[2] + a * right[2] + b * up[2],
        ...normal,
        originU + a * width,
        originV + b * height,
      );
    }
    this.#indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }

  /** Adds a box between two corners, without its bottom. */
  addBox(min: Vec3, max: Vec3, texture: FaceTexture): void {
    const [x, y, z] = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
    this.addQuad([min[0], min[1], max[2]], [x, 0, 0], [0, y, 0], texture);
    this.addQuad([max[0], min[1], max[2]], [0, 0, -z], [0, y, 0], texture);
    this.addQuad([max[0], min[1], min[2]], [-x, 0, 0], [0, y, 0], texture);
    this.addQuad([min[0], min[1], min[2]], [0, 0, z], [0, y, 0], texture);
    this.addQuad([min[0], max[1], max[2]], [x, 0, 0], [0, 0, -z], texture);
  }

  /** Adds a copy of a mesh. */
  addMesh({ vertices, indices }: Mesh, { position, scale, turn = 0, texCoord }: MeshPlace): void {
    const first = this.#vertices.length / 8;
    const [c, s] = [cos(turn), sin(turn)];
    for (let at = 0; at < vertices.length; at += 8) {
      const [x, y, z] = [0, 1, 2].map((i) => vertices[at + i]! * scale[i]!) as [
        number,
        number,
        number,
      ];
      const [nx, ny, nz] = normalizeVec3([
        vertices[at + 3]! / scale[0],
        vertices[at + 4]! / scale[1],
        vertices[at + 5]! / scale[2],
      ]);
      this.#vertices.push(
        position[0] + c * x + s * z,
        position[1] + y,
        position[2] + c * z - s * x,
        ...[c * nx + s * nz, ny, c * nz - s * nx],
        ...(texCoord ?? [vertices[at + 6]!, vertices[at + 7]!]),
      );
    }
    for (const index of indices) this.#indices.push(first + index);
  }

  /** Returns the mesh of everything added so far. */
  build(): Mesh {
    return {
      vertices: Float32Array.from(this.#vertices),
      indices: Uint32Array.from(this.#indices),
    };
  }
}

/**
 * Returns a surface of revolution about the y axis with smooth normals.
 *
 * @param profile Radius and height of points from the bottom to the top.
 */
export function makeLathe(
  profile: readonly (readonly [radius: number, y: number])[],
  columns: number,
): Mesh {
  const rows = profile.length - 1;
  return makeGridMesh(columns, rows, (u, v) => {
    const row = Math.round(v * rows);
    const [radius, y] = profile[row]!;
    const [below, above] = [profile[Math.max(0, row - 1)]!, profile[Math.min(rows, row + 1)]!];
    const [outward, upward] = [above[1] - below[1], below[0] - above[0]];
    const angle = 2 * PI * u;
    const [x, z] = [sin(angle), cos(angle)];
    return {
      position: [radius * x, y, radius * z],
      normal: normalizeVec3([outward * x, upward, outward * z]),
      texCoord: [u, v],
    };
  });
}

/** Returns a sphere of a radius of about 1 that noise dents, with its poles on the y axis. */
export function makeRock(columns: number, rows: number, seed: number, roughness: number): Mesh {
  const pointAt = (u: number, v: number): Vec3 => {
    const [polar, azimuth] = [PI * (1 - v), 2 * PI * u];
    const x = sin(polar) * sin(azimuth);
    const y = cos(polar);
    const z = sin(polar) * cos(azimuth);
    let radius = 1;
    for (const [scale, height] of [
      [1.3, 0.9],
      [3.1, 0.35],
      [7.3, 0.12],
    ] as const) {
      const [sx, sy, sz] = [x * scale + 50, y * scale + 70, z * scale + 90];
      const dent = valueNoise(sx, sy, seed) + valueNoise(sy, sz, seed) + valueNoise(sz, sx, seed);
      radius += roughness * height * (dent / 1.5 - 1);
    }
    return [x * radius, y * radius, z * radius];
  };
  const STEP = 1e-3;
  return makeGridMesh(columns, rows, (u, v) => {
    const position = pointAt(u, v);
    const inner = Math.min(1 - STEP, Math.max(STEP, v));
    const [left, right] = [pointAt(u - STEP, inner), pointAt(u + STEP, inner)];
    const [below, above] = [pointAt(u, inner - STEP), pointAt(u, inner + STEP)];
    const isPole = v === 0 || v === 1;
    const slope = crossVec3(
      [right[0] - left[0], right[1] - left[1], right[2] - left[2]],
      [above[0] - below[0], above[1] - below[1], above[2] - below[2]],
    );
    return {
      position,
      normal: isPole ? [0, 2 * v - 1, 0] : normalizeVec3(slope),
      texCoord: [4 * u, 2 * v],
    };
  });
}
