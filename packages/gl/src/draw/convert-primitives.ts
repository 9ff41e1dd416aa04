/** Converts modes without a frame topology into lists of triangles, lines or points. */
import type { ProvokingVertex, Topology } from '@tessera/frame';
import { GL } from '../api/constants.ts';

/** List of independent primitives. */
export interface ConvertedPrimitives {
  readonly topology: Topology;
  readonly vertices: Uint32Array<ArrayBuffer>;
  /** Edge flags of triangles that are drawn as lines or points. */
  readonly edgeFlags?: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the triangles of any mode of polygons, with the provoking vertex as their last corner
 * (OpenGL 2.1, section 2.14.7) or as their first (ARB_provoking_vertex, table 2.12). Quads follow
 * either convention, as in Mesa.
 */
export function fillPrimitives(
  mode: number,
  vertices: Uint32Array,
  provoking: ProvokingVertex,
): ConvertedPrimitives {
  if (mode === GL.QUADS && provoking === 'last') {
    return { topology: 'triangles', vertices: splitQuads(vertices) };
  }
  const triangles: number[] = [];
  for (const { polygon, corners } of trianglesOf(mode, vertices, provoking)) {
    for (const corner of corners) triangles.push(polygon[corner]!);
  }
  return { topology: 'triangles', vertices: Uint32Array.from(triangles) };
}

/** Converts each piece between restarts and concatenates the results. */
export function convertPieces(
  pieces: readonly Uint32Array[],
  convert: (vertices: Uint32Array) => ConvertedPrimitives,
): ConvertedPrimitives {
  const converted = pieces.map(convert);
  if (converted.length === 1) return converted[0]!;
  const { topology, edgeFlags } = converted[0]!;
  return {
    topology,
    vertices: joinWords(converted.map(({ vertices }) => vertices)),
    ...(edgeFlags === undefined
      ? {}
      : { edgeFlags: Uint8Array.from(converted.flatMap((each) => [...each.edgeFlags!])) }),
  };
}

function joinWords(parts: readonly Uint32Array[]): Uint32Array<ArrayBuffer> {
  const joined = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * Returns the points, lines or triangles of any mode. The provoking vertex of each primitive stays
 * the last or the first.
 */
export function listPrimitives(
  mode: number,
  vertices: Uint32Array,
  provoking: ProvokingVertex,
): ConvertedPrimitives {
  const { length } = vertices;
  switch (mode) {
    case GL.POINTS:
      return { topology: 'points', vertices: vertices.slice() };
    case GL.LINES:
      return { topology: 'lines', vertices: vertices.slice(0, length - (length % 2)) };
    case GL.LINE_STRIP:
    case GL.LINE_LOOP: {
      const segments = mode === GL.LINE_LOOP && length > 1 ? length : Math.max(0, length - 1);
      const lines = new Uint32Array(segments * 2);
      for (let i = 0; i < segments; i++) {
        lines[2 * i] = vertices[i]!;
        lines[2 * i + 1] = vertices[(i + 1) % length]!;
      }
      return { topology: 'lines', vertices: lines };
    }
    default:
      return fillPrimitives(mode, vertices, provoking);
  }
}

/**
 * Returns the triangles of polygons that are drawn as lines or points, with their edge flags.
 *
 * @param isEdge Returns whether the edge that starts at a vertex is drawn. Strips and fans draw all
 *   edges.
 */
export function outlinePrimitives(
  mode: number,
  vertices: Uint32Array,
  isEdge: (vertex: number) => boolean,
  provoking: ProvokingVertex,
): ConvertedPrimitives {
  const triangles: number[] = [];
  const edgeFlags: number[] = [];
  const isIndependent = mode === GL.TRIANGLES || mode === GL.QUADS || mode === GL.POLYGON;
  const isDrawn = (vertex: number) => !isIndependent || isEdge(vertex);
  for (const { polygon, corners } of trianglesOf(mode, vertices, provoking)) {
    triangles.push(...corners.map((corner) => polygon[corner]!));
    edgeFlags.push(
      corners.reduce((flags, corner, i) => {
        const isOuter = (corner + 1) % polygon.length === corners[(i + 1) % 3];
        return isOuter && isDrawn(polygon[corner]!) ? flags | (1 << i) : flags;
      }, 0),
    );
  }
  return {
    topology: 'triangles',
    vertices: Uint32Array.from(triangles),
    edgeFlags: Uint8Array.from(edgeFlags),
  };
}

interface Triangle {
  readonly polygon: readonly number[];
  /** Corners of the polygon in winding order. */
  readonly corners: readonly number[];
}

/** Yields the triangles of polygons, with the provoking vertex as their last or first corner. */
function* trianglesOf(
  mode: number,
  vertices: Uint32Array,
  provoking: ProvokingVertex,
): Generator<Triangle> {
  let index = 0;
  for (const polygon of polygonsOf(mode, vertices)) {
    const count = polygon.length;
    const all =
      provoking === 'last'
        ? cornersByLast(mode, count)
        : cornersByFirst(count, firstCorner(mode, index++));
    for (const corners of all) yield { polygon, corners };
  }
}

/** Returns the corner of a polygon that provokes by the convention of the first vertex. */
function firstCorner(mode: number, index: number): number {
  const isTurned = mode === GL.TRIANGLE_STRIP && index % 2 === 1;
  return mode === GL.TRIANGLE_FAN || isTurned ? 1 : 0;
}

/** Returns the triangles around a corner of a polygon, which is their first. */
function cornersByFirst(count: number, first: number): readonly (readonly number[])[] {
  const corner = (i: number) => (first + i) % count;
  return Array.from({ length: count - 2 }, (_, i) => [corner(0), corner(i + 1), corner(i + 2)]);
}

/** Returns the triangles of a polygon that end with the provoking vertex of the mode. */
function cornersByLast(mode: number, count: number): readonly (readonly number[])[] {
  if (mode === GL.QUADS) return QUAD_TRIANGLES;
  if (mode === GL.QUAD_STRIP) return STRIP_TRIANGLES;
  if (mode !== GL.POLYGON) return [[0, 1, 2]];
  return Array.from({ length: count - 2 }, (_, i) => [i + 1, i + 2, 0]);
}

const QUAD_TRIANGLES = [
  [0, 1, 3],
  [1, 2, 3],
];
const STRIP_TRIANGLES = [
  [3, 0, 2],
  [0, 1, 2],
];

/** Yields the corners of each polygon in winding order. */
function* polygonsOf(mode: number, vertices: Uint32Array): Generator<readonly number[]> {
  const count = vertices.length;
  const at = (...places: number[]) => places.map((place) => vertices[place]!);
  switch (mode) {
    case GL.TRIANGLES:
      for (let i = 0; i + 2 < count; i += 3) yield at(i, i + 1, i + 2);
      return;
    case GL.TRIANGLE_STRIP:
      for (let i = 0; i + 2 < count; i++)
        yield (i & 1) === 0 ? at(i, i + 1, i + 2) : at(i + 1, i, i + 2);
      return;
    case GL.TRIANGLE_FAN:
      for (let i = 1; i + 1 < count; i++) yield at(0, i, i + 1);
      return;
    case GL.QUADS:
      for (let i = 0; i + 3 < count; i += 4) yield at(i, i + 1, i + 2, i + 3);
      return;
    case GL.QUAD_STRIP:
      for (let i = 0; i + 3 < count; i += 2) yield at(i, i + 1, i + 3, i + 2);
      return;
    default:
      if (count >= 3) yield Array.from(vertices);
  }
}

/**
 * Returns two triangles for each quad. Both end with the quad's last vertex, which is the provoking
 * vertex.
 */
function splitQuads(vertices: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const quadCount = Math.floor(vertices.length / 4);
  const triangles = new Uint32Array(quadCount * 6);
  for (let quad = 0; quad < quadCount; quad++) {
    const corner = (k: number) => vertices[quad * 4 + k]!;
    triangles.set([corner(0), corner(1), corner(3), corner(1), corner(2), corner(3)], quad * 6);
  }
  return triangles;
}
