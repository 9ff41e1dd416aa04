/** Primitive restart of OpenGL ES 3.0. */
import type { Elements } from './elements.ts';

/** Returns the pieces that restarts cut indexed elements into; `null` without any restart. */
export function cutAtRestarts(elements: Elements): readonly Uint32Array[] | null {
  if (elements.kind === 'row') return null;
  // The largest index of the type restarts.
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
