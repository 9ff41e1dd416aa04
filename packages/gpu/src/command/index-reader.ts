/** Reads the index buffer of a draw. */
import type { BufferResource, PreparedDraw } from '@tessera/frame';

/** Map from a draw's elements (0 to count − 1) to vertex indices. */
export interface IndexReader {
  /** Offset added to an element: first index, or first vertex without an index array. */
  readonly first: number;
  /** Index array, or `null` for draws without indices. */
  readonly indices: Uint8Array | Uint16Array | Uint32Array | null;
}

const BYTES_PER_INDEX = { uint8: 1, uint16: 2, uint32: 4 } as const;

/** Creates a reader. Copies the indices once if they are not aligned in their buffer. */
export function makeIndexReader(
  draw: PreparedDraw,
  buffers: readonly BufferResource[],
): IndexReader {
  if (draw.indices === null) return { first: draw.first, indices: null };
  const { bufferIndex, offsetBytes, componentType } = draw.indices;
  const bytes = buffers[bufferIndex]?.bytes;
  if (bytes === undefined) throw new Error(`index reader: buffer ${bufferIndex} does not exist`);
  const bytesPerIndex = BYTES_PER_INDEX[componentType];
  const available = Math.max(0, Math.floor((bytes.byteLength - offsetBytes) / bytesPerIndex));
  const length = Math.min(available, draw.first + draw.count);
  const isAligned = (bytes.byteOffset + offsetBytes) % bytesPerIndex === 0;
  const source = isAligned
    ? bytes.subarray(offsetBytes, offsetBytes + length * bytesPerIndex)
    : bytes.slice(offsetBytes, offsetBytes + length * bytesPerIndex);
  const { buffer, byteOffset } = source;
  switch (componentType) {
    case 'uint8':
      return { first: draw.first, indices: source };
    case 'uint16':
      return { first: draw.first, indices: new Uint16Array(buffer, byteOffset, length) };
    case 'uint32':
      return { first: draw.first, indices: new Uint32Array(buffer, byteOffset, length) };
  }
}

/**
 * Returns the vertex index of an element; 0 past the end of the index buffer, as robust access
 * requires.
 */
export function vertexIdOf({ first, indices }: IndexReader, element: number): number {
  return indices === null ? first + element : (indices[first + element] ?? 0);
}
