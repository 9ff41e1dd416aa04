/** Primitive restart (OpenGL 3.1, section 2.8; OpenGL ES 3.0, section 2.9.3). */
import type { Elements } from './elements.ts';

/**
 * Returns the pieces of indexed elements between restarts, or `null` if there is no restart.
 *
 * @param index Index that restarts the primitive. Default: the largest value of the index type.
 */
export function cutAtRestarts(
  elements: Elements,
  index: number | null = null,
): readonly Uint32Array[] | null {
  if (elements.kind === 'row') return null;
  const restart = index ?? 2 ** (8 * elements.type.bytes) - 1;
  if (elements.largest < restart) return null;
  const { vertices } = elements;
  const pieces: Uint32Array[] = [];
  let start = 0;
  for (;;) {
    const end = vertices.indexOf(restart, start);
    if (end === -1) break;
    pieces.push(vertices.subarray(start, end));
    start = end + 1;
  }
  return pieces.length === 0 ? null : [...pieces, vertices.subarray(start)];
}

/**
 * Returns pieces with `baseVertex` added to each index (ARB_draw_elements_base_vertex). Sums wrap
 * at 32 bits, so a negative base vertex can reach back.
 */
export function addBaseVertex(
  pieces: readonly Uint32Array[],
  baseVertex: number,
): readonly Uint32Array[] {
  return pieces.map((piece) => piece.map((vertex) => vertex + baseVertex));
}
