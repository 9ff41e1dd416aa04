import type { BufferResource, PreparedDraw } from '@tessera/frame';

/** Edge flags of a triangle whose edges are all drawn. */
export const ALL_EDGES = 7;

/**
 * Returns the edge flags of the triangles of an instance, or `null` if all edges are drawn. Bit i
 * of a byte is the edge from corner i to the next one.
 */
export function readEdgeFlags(
  { edgeFlags }: PreparedDraw,
  buffers: readonly BufferResource[],
): Uint8Array | null {
  if (edgeFlags === undefined) return null;
  const { bufferIndex, offsetBytes } = edgeFlags;
  const buffer = buffers[bufferIndex];
  if (buffer === undefined) throw new Error(`edge flags: buffer ${bufferIndex} does not exist`);
  return buffer.bytes.subarray(offsetBytes);
}
