/** Primitive restart of OpenGL ES 3.0. */
import type { Elements } from './elements.ts';

/** Returns the pieces of indexed elements between restarts, or `null` if there is no restart. */
export function cutAtRestarts(elements: Elements): readonly Uint32Array[] | null {
  if (elements.kind === 'row') return null;
  // The largest value of the index type restarts the primitive.
  const restart = 2 ** (8 * elements.type.bytes) - 1;
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
  return [...pieces, vertices.subarray(start)];
}
