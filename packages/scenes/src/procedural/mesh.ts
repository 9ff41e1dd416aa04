/** Procedural triangle meshes: interleaved vertices and 32-bit indices. */
import type { AttributeSource, IndexSource } from '@tessera/frame';
import { bytesOf, type FrameBuilder } from '../build/frame-builder.ts';
import { cos, PI, sin } from '../math/deterministic-math.ts';
import {
  addVec3,
  crossVec3,
  normalizeVec3,
  scaleVec3,
  subtractVec3,
  type Vec3,
} from '../math/vector.ts';

/**
 * Mesh with vertices of 8 floats: position, normal, texture coordinates. Triangles wind
 * counter-clockwise.
 */
export interface Mesh {
  readonly vertices: Float32Array;
  readonly indices: Uint32Array;
}

const VERTEX_FLOATS = 8;

/** Vertex of a surface over a parameter square. */
export interface SurfacePoint {
  readonly position: Vec3;
  readonly normal: Vec3;
  readonly texCoord: readonly [number, number];
}

/**
 * Returns a grid of `columns` × `rows` cells, two triangles each, over u and v in 0…1.
 *
 * @param pointAt Surface; ∂u × ∂v points to its front.
 */
export function makeGridMesh(
  columns: number,
  rows: number,
  pointAt: (u: number, v: number) => SurfacePoint,
): Mesh {
  const vertices = new Float32Array((columns + 1) * (rows + 1) * VERTEX_FLOATS);
  let at = 0;
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const { position, normal, texCoord } = pointAt(column / columns, row / rows);
      vertices.set([...position, ...normal, ...texCoord], at);
      at += VERTEX_FLOATS;
    }
  }
  const indices = new Uint32Array(columns * rows * 6);
  let next = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const corner = row * (columns + 1) + column;
      const above = corner + columns + 1;
      indices.set([corner, corner + 1, above + 1, corner, above + 1, above], next);
      next += 6;
    }
  }
  return { vertices, indices };
}

/** Returns a sphere of radius 1 with its poles on the y axis. */
export function makeSphere(columns: number, rows: number): Mesh {
  return makeGridMesh(columns, rows, (u, v) => {
    const polar = PI * (1 - v);
    const azimuth = 2 * PI * u;
    const normal: Vec3 = [sin(polar) * sin(azimuth), cos(polar), sin(polar) * cos(azimuth)];
    return { position: normal, normal, texCoord: [u, 1 - v] };
  });
}

/**
 * Returns a torus knot that winds `p` times around the y axis and `q` times around its own tube.
 */
export function makeTorusKnot(
  p: number,
  q: number,
  tubeRadius: number,
  columns: number,
  rows: number,
): Mesh {
  const center = (u: number): Vec3 => {
    const angle = 2 * PI * u;
    const radius = 1 + 0.4 * cos(q * angle);
    return [radius * cos(p * angle), 0.4 * sin(q * angle), radius * sin(p * angle)];
  };
  return makeGridMesh(columns, rows, (u, v) => {
    const here = center(u);
    const tangent = normalizeVec3(subtractVec3(center(u + 1e-4), center(u - 1e-4)));
    const side = normalizeVec3(crossVec3(tangent, [here[0], 0, here[2]]));
    const out = crossVec3(side, tangent);
    const angle = -2 * PI * v;
    const normal = addVec3(scaleVec3(out, cos(angle)), scaleVec3(side, sin(angle)));
    return {
      position: addVec3(here, scaleVec3(normal, tubeRadius)),
      normal,
      texCoord: [u * 4 * p, v],
    };
  });
}

/**
 * Returns a square of edge 2 × `halfEdge` in the plane y = 0, visible from above. Its texture
 * repeats `repeats` times.
 */
export function makeFloor(halfEdge: number, cells: number, repeats: number): Mesh {
  return makeGridMesh(cells, cells, (u, v) => ({
    position: [(2 * u - 1) * halfEdge, 0, (1 - 2 * v) * halfEdge],
    normal: [0, 1, 0],
    texCoord: [u * repeats, v * repeats],
  }));
}

/** Returns a cube of edge 2 with flat faces, each with the whole texture. */
export function makeCube(): Mesh {
  const faces: readonly (readonly [normal: Vec3, right: Vec3])[] = [
    [
      [0, 0, 1],
      [1, 0, 0],
    ],
    [
      [0, 0, -1],
      [-1, 0, 0],
    ],
    [
      [1, 0, 0],
      [0, 0, -1],
    ],
    [
      [-1, 0, 0],
      [0, 0, 1],
    ],
    [
      [0, 1, 0],
      [1, 0, 0],
    ],
    [
      [0, -1, 0],
      [1, 0, 0],
    ],
  ];
  const meshes = faces.map(([normal, right]) => {
    const up = crossVec3(normal, right);
    return makeGridMesh(1, 1, (u, v) => ({
      position: addVec3(normal, addVec3(scaleVec3(right, 2 * u - 1), scaleVec3(up, 2 * v - 1))),
      normal,
      texCoord: [u, 1 - v],
    }));
  });
  return joinMeshes(meshes);
}

function joinMeshes(meshes: readonly Mesh[]): Mesh {
  const vertices: number[] = [];
  const indices: number[] = [];
  for (const mesh of meshes) {
    const first = vertices.length / VERTEX_FLOATS;
    vertices.push(...mesh.vertices);
    for (const index of mesh.indices) indices.push(first + index);
  }
  return { vertices: Float32Array.from(vertices), indices: Uint32Array.from(indices) };
}

/** Parts of a draw that come from its mesh. */
export interface MeshSources {
  readonly topology: 'triangles';
  readonly first: 0;
  readonly count: number;
  readonly indices: IndexSource;
  readonly attributes: Readonly<Record<string, AttributeSource>>;
}

/** Adds the mesh to a frame; inputs are `a_position`, `a_normal`, `a_texCoord0`. */
export function addMesh(builder: FrameBuilder, mesh: Mesh): MeshSources {
  const bufferIndex = builder.addBuffer(bytesOf(mesh.vertices));
  const floats = (firstFloat: number, componentCount: number): AttributeSource => ({
    kind: 'buffer',
    bufferIndex,
    offsetBytes: firstFloat * 4,
    strideBytes: VERTEX_FLOATS * 4,
    componentType: 'float32',
    componentCount,
    isNormalized: false,
    instanceDivisor: 0,
  });
  return {
    topology: 'triangles',
    first: 0,
    count: mesh.indices.length,
    indices: {
      bufferIndex: builder.addBuffer(bytesOf(mesh.indices)),
      offsetBytes: 0,
      componentType: 'uint32',
    },
    attributes: { a_position: floats(0, 3), a_normal: floats(3, 3), a_texCoord0: floats(6, 2) },
  };
}
