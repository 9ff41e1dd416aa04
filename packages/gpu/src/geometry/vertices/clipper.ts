/**
 * Clipping in clip coordinates (GL ES 3.0, section 2.17). Triangles are clipped by
 * Sutherland–Hodgman against near, far, w > 0 and the guard band, lines against the whole view
 * volume.
 *
 * Where an edge crosses a plane, the point is computed from the vertex inside to the one outside.
 * Two triangles that share the edge therefore get the same point, whichever way they walk it. A
 * clip vertex keeps its weights on the primitive's corners. Varyings are interpolated with them in
 * doubles.
 */
import { POSITION_SLOT } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import {
  MIN_CLIP_W,
  OUTSIDE_FAR,
  OUTSIDE_GUARD_BOTTOM,
  OUTSIDE_GUARD_LEFT,
  OUTSIDE_GUARD_RIGHT,
  OUTSIDE_GUARD_TOP,
  OUTSIDE_NEAR,
  OUTSIDE_W,
} from './clip-codes.ts';
import type { VertexStore } from './vertex-store.ts';
import type { ViewportTransform } from './viewport-transform.ts';

/** Vertex during clipping: position and weights on the primitive's corners. */
export interface ClipVertex {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly w: number;
  readonly weights: readonly [number, number, number];
}

/** Half-space `x X + y Y + z Z + w W + constant ≥ 0`. */
export interface ClipPlane {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly w: number;
  readonly constant: number;
}

const FAR: ClipPlane = { x: 0, y: 0, z: -1, w: 1, constant: 0 };
const POSITIVE_W: ClipPlane = { x: 0, y: 0, z: 0, w: 1, constant: -MIN_CLIP_W };

const SIDES: readonly ClipPlane[] = [
  { x: 1, y: 0, z: 0, w: 1, constant: 0 },
  { x: -1, y: 0, z: 0, w: 1, constant: 0 },
  { x: 0, y: 1, z: 0, w: 1, constant: 0 },
  { x: 0, y: -1, z: 0, w: 1, constant: 0 },
];

function nearPlane({ nearW }: ViewportTransform): ClipPlane {
  return { x: 0, y: 0, z: 1, w: nearW, constant: 0 };
}

/** Returns the planes that lines are clipped to: w > 0 and the view volume, or only its sides. */
export function planesForLines(viewport: ViewportTransform): readonly ClipPlane[] {
  const depths = viewport.isDepthClipped ? [nearPlane(viewport), FAR] : [];
  return [POSITIVE_W, ...depths, ...SIDES];
}

/** Returns the planes for triangles outside of `codes`, always in the same order. */
export function planesForCodes(codes: number, viewport: ViewportTransform): ClipPlane[] {
  const { guardX, guardY } = viewport;
  const planes: ClipPlane[] = [];
  if ((codes & OUTSIDE_W) !== 0) planes.push(POSITIVE_W);
  if ((codes & OUTSIDE_NEAR) !== 0) planes.push(nearPlane(viewport));
  if ((codes & OUTSIDE_FAR) !== 0) planes.push(FAR);
  if ((codes & OUTSIDE_GUARD_LEFT) !== 0) planes.push({ x: 1, y: 0, z: 0, w: guardX, constant: 0 });
  if ((codes & OUTSIDE_GUARD_RIGHT) !== 0) {
    planes.push({ x: -1, y: 0, z: 0, w: guardX, constant: 0 });
  }
  if ((codes & OUTSIDE_GUARD_BOTTOM) !== 0) {
    planes.push({ x: 0, y: 1, z: 0, w: guardY, constant: 0 });
  }
  if ((codes & OUTSIDE_GUARD_TOP) !== 0) {
    planes.push({ x: 0, y: -1, z: 0, w: guardY, constant: 0 });
  }
  return planes;
}

function distance(plane: ClipPlane, v: ClipVertex): number {
  return plane.x * v.x + plane.y * v.y + plane.z * v.z + plane.w * v.w + plane.constant;
}

/** Returns the point where the edge from `inside` to `outside` meets the plane. */
function crossing(
  inside: ClipVertex,
  outside: ClipVertex,
  insideDistance: number,
  outsideDistance: number,
): ClipVertex {
  const t = insideDistance / (insideDistance - outsideDistance);
  const mix = (from: number, to: number): number => from + t * (to - from);
  return {
    x: mix(inside.x, outside.x),
    y: mix(inside.y, outside.y),
    z: mix(inside.z, outside.z),
    w: mix(inside.w, outside.w),
    weights: [
      mix(inside.weights[0], outside.weights[0]),
      mix(inside.weights[1], outside.weights[1]),
      mix(inside.weights[2], outside.weights[2]),
    ],
  };
}

/**
 * Returns the part of a convex polygon inside all planes, in the same winding; empty if there is
 * none.
 */
export function clipPolygon(
  polygon: readonly ClipVertex[],
  planes: readonly ClipPlane[],
): readonly ClipVertex[] {
  let current = polygon;
  for (const plane of planes) {
    const next: ClipVertex[] = [];
    for (let i = 0; i < current.length; i++) {
      const from = current[i]!;
      const to = current[(i + 1) % current.length]!;
      const fromDistance = distance(plane, from);
      const toDistance = distance(plane, to);
      if (fromDistance >= 0) next.push(from);
      if (fromDistance >= 0 && toDistance < 0) {
        next.push(crossing(from, to, fromDistance, toDistance));
      } else if (fromDistance < 0 && toDistance >= 0) {
        next.push(crossing(to, from, toDistance, fromDistance));
      }
    }
    current = next;
    if (current.length < 3) return [];
  }
  return current;
}

/** Returns the part of the segment a→b inside all planes, or `null`. */
export function clipSegment(
  a: ClipVertex,
  b: ClipVertex,
  planes: readonly ClipPlane[],
): readonly [ClipVertex, ClipVertex] | null {
  let from = a;
  let to = b;
  for (const plane of planes) {
    const fromDistance = distance(plane, from);
    const toDistance = distance(plane, to);
    if (fromDistance < 0 && toDistance < 0) return null;
    if (toDistance < 0) to = crossing(from, to, fromDistance, toDistance);
    else if (fromDistance < 0) from = crossing(to, from, toDistance, fromDistance);
  }
  return [from, to];
}

/**
 * Returns the clip vertex of a primitive's corner.
 *
 * @param corner Index of the corner, 0 to 2.
 */
export function clipVertexOf(vertices: VertexStore, vertex: number, corner: number): ClipVertex {
  return {
    x: vertices.readFloat(vertex, POSITION_SLOT, 0),
    y: vertices.readFloat(vertex, POSITION_SLOT + 1, 0),
    z: vertices.readFloat(vertex, POSITION_SLOT + 2, 0),
    w: vertices.readFloat(vertex, POSITION_SLOT + 3, 0),
    weights: [corner === 0 ? 1 : 0, corner === 1 ? 1 : 0, corner === 2 ? 1 : 0],
  };
}

/**
 * Stores a clip vertex in the vertex store as vertex `to`: interpolates outputs and places the
 * position in the window. Clipping bounds the position. A vertex that rounding leaves outside a
 * plane is therefore not clipped again.
 */
export function storeClipVertex(
  memory: ChipletMemory,
  vertices: VertexStore,
  viewport: ViewportTransform,
  clipped: ClipVertex,
  corners: readonly number[],
  to: number,
): void {
  const { f32 } = memory;
  const at = vertices.outputIndex(to);
  for (let word = 0; word < 4 * vertices.outputCount; word += 4) {
    let sum = 0;
    for (let corner = 0; corner < corners.length; corner++) {
      // A corner without weight must not add an infinity to the sum.
      const weight = clipped.weights[corner]!;
      if (weight !== 0) sum += weight * f32[vertices.outputIndex(corners[corner]!) + word]!;
    }
    f32[at + word] = sum;
  }
  // Rounding may leave w slightly below its plane.
  const w = Math.max(clipped.w, MIN_CLIP_W);
  vertices.placeClipped(to, clipped.x, clipped.y, clipped.z, w, viewport);
}
