/**
 * Groups vertices into points, lines and triangles (GL ES 3.0, section 2.9.1).
 *
 * A primitive's corners are element positions of its instance, 0 to count − 1. Flat varyings come
 * from the provoking corner, the last one (section 2.13) or the first one (ARB_provoking_vertex,
 * table 2.12). Every triangle has the winding that its strip or fan defines. The corners may
 * therefore be rotated or swapped, but the provoking vertex of the specification's table is the
 * last or first.
 */
import type { ProvokingVertex, Topology } from '@tessera/frame';

/** Returns the number of corners of a primitive. */
export function cornersPerPrimitive(topology: Topology): 1 | 2 | 3 {
  switch (topology) {
    case 'points':
      return 1;
    case 'lines':
    case 'line-strip':
    case 'line-loop':
      return 2;
    case 'triangles':
    case 'triangle-strip':
    case 'triangle-fan':
      return 3;
  }
}

/** Returns whether no two primitives share an element. */
export function isListTopology(topology: Topology): boolean {
  return topology === 'triangles' || topology === 'lines' || topology === 'points';
}

/**
 * Writes the element positions of primitive `k`'s corners to `corners[at…]`.
 *
 * @param k Index from 0 to primitivesPerInstance(topology, count) − 1.
 * @param count Elements per instance. A line loop closes with its first.
 * @param provoking Corner that is the provoking vertex.
 */
export function assemblePrimitive(
  topology: Topology,
  k: number,
  count: number,
  corners: Int32Array,
  at: number,
  provoking: ProvokingVertex = 'last',
): void {
  switch (topology) {
    case 'points':
      corners[at] = k;
      break;
    case 'lines':
      corners[at] = 2 * k;
      corners[at + 1] = 2 * k + 1;
      break;
    case 'line-strip':
      corners[at] = k;
      corners[at + 1] = k + 1;
      break;
    case 'line-loop':
      corners[at] = k;
      corners[at + 1] = k + 1 < count ? k + 1 : 0;
      break;
    case 'triangles':
      corners[at] = 3 * k;
      corners[at + 1] = 3 * k + 1;
      corners[at + 2] = 3 * k + 2;
      break;
    case 'triangle-strip': {
      // Every second triangle is reversed. Swapping the corners that do not provoke keeps the
      // winding of the strip.
      const isTurned = k & 1;
      const first = provoking === 'first' ? 0 : isTurned;
      const last = isTurned - first;
      corners[at] = k + first;
      corners[at + 1] = k + 1 - first + last;
      corners[at + 2] = k + 2 - last;
      break;
    }
    case 'triangle-fan': {
      const isFirst = provoking === 'first';
      corners[at] = isFirst ? k + 1 : 0;
      corners[at + 1] = isFirst ? k + 2 : k + 1;
      corners[at + 2] = isFirst ? 0 : k + 2;
      break;
    }
  }
}
