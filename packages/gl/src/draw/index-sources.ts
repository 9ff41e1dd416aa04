/** Indices of a draw and the topologies that a frame does not have. */
import type { Topology } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import type { BufferObject, IndexList } from '../objects/buffers/buffer-objects.ts';

/** The topology of a mode; quads become triangles through indices of their own. */
export const TOPOLOGY_BY_MODE: ReadonlyMap<number, Topology> = new Map([
  [GL.POINTS, 'points'],
  [GL.LINES, 'lines'],
  [GL.LINE_LOOP, 'line-loop'],
  [GL.LINE_STRIP, 'line-strip'],
  [GL.TRIANGLES, 'triangles'],
  [GL.TRIANGLE_STRIP, 'triangle-strip'],
  [GL.TRIANGLE_FAN, 'triangle-fan'],
  // Their vertices come in the order of a strip and of a fan (OpenGL 2.1, section 2.6.1).
  [GL.QUAD_STRIP, 'triangle-strip'],
  [GL.POLYGON, 'triangle-fan'],
]);

/** Modes that OpenGL ES has. */
export const MAX_ES_MODE = GL.TRIANGLE_FAN;

export interface IndexType {
  readonly bytes: 1 | 2 | 4;
  readonly componentType: 'uint8' | 'uint16' | 'uint32';
}

export const INDEX_TYPE_BY_ENUM: ReadonlyMap<number, IndexType> = new Map([
  [GL.UNSIGNED_BYTE, { bytes: 1, componentType: 'uint8' }],
  [GL.UNSIGNED_SHORT, { bytes: 2, componentType: 'uint16' }],
  [GL.UNSIGNED_INT, { bytes: 4, componentType: 'uint32' }],
]);

/** `count` indices from an offset, which the caller has checked. */
export function readIndices(
  bytes: Uint8Array,
  offsetBytes: number,
  count: number,
  type: IndexType,
): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const indices = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const at = offsetBytes + i * type.bytes;
    indices[i] =
      type.bytes === 1
        ? view.getUint8(at)
        : type.bytes === 2
          ? view.getUint16(at, true)
          : view.getUint32(at, true);
  }
  return indices;
}

/** As {@link readIndices}, of a buffer, which keeps what was read as long as its contents are the same. */
export function readBufferIndices(
  buffer: BufferObject,
  offsetBytes: number,
  count: number,
  type: IndexType,
): IndexList {
  const known = buffer.indexLists.get(offsetBytes);
  if (known?.componentType === type.componentType && known.list.length === count) return known;
  const list = readIndices(buffer.share(), offsetBytes, count, type);
  const read = { componentType: type.componentType, list, largest: findLargest(list) };
  buffer.indexLists.set(offsetBytes, read);
  return read;
}

/** The largest of a list, 0 of an empty one. */
export function findLargest(numbers: Uint32Array): number {
  let largest = 0;
  for (const number of numbers) if (number > largest) largest = number;
  return largest;
}

/** The index that ends a primitive where restart is on: all bits are ones. */
export function restartIndexOf({ bytes }: IndexType): number {
  return 2 ** (8 * bytes) - 1;
}

/** The pieces between restarts; all of it if there is none. */
export function splitAtRestarts(vertices: Uint32Array, restart: number): Uint32Array[] {
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

/** Two triangles for each four vertices; each ends in the quad's last vertex, which provokes both. */
export function splitQuads(vertices: ArrayLike<number>): Uint32Array<ArrayBuffer> {
  const quadCount = Math.floor(vertices.length / 4);
  const triangles = new Uint32Array(quadCount * 6);
  for (let quad = 0; quad < quadCount; quad++) {
    const corner = (k: number) => vertices[quad * 4 + k]!;
    triangles.set([corner(0), corner(1), corner(3), corner(1), corner(2), corner(3)], quad * 6);
  }
  return triangles;
}
