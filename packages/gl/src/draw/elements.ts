/** Elements of a draw: consecutive vertices, or indices in a buffer or client memory. */

import { GL } from '../api/constants.ts';
import type { BufferObject, IndexList } from '../objects/buffers/buffer-objects.ts';

/** Elements that a draw call selects. */
export type Elements =
  | { readonly kind: 'row'; readonly first: number; readonly count: number }
  | {
      readonly kind: 'indices';
      readonly bytes: Uint8Array;
      readonly offsetBytes: number;
      readonly type: IndexType;
      readonly vertices: Uint32Array;
      /** Largest vertex index. */
      readonly largest: number;
    };

/** Component type of an index. */
export interface IndexType {
  readonly bytes: 1 | 2 | 4;
  readonly componentType: 'uint8' | 'uint16' | 'uint32';
}

/** Index types by API enumeration. */
export const INDEX_TYPE_BY_ENUM: ReadonlyMap<number, IndexType> = new Map([
  [GL.UNSIGNED_BYTE, { bytes: 1, componentType: 'uint8' }],
  [GL.UNSIGNED_SHORT, { bytes: 2, componentType: 'uint16' }],
  [GL.UNSIGNED_INT, { bytes: 4, componentType: 'uint32' }],
]);

/** Returns `count` indices from an offset that the caller has validated. */
function readIndices(
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

/** Returns indices of a buffer. The buffer caches them until its contents change. */
function readBufferIndices(
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

/** Returns the largest number in a list, or 0 for an empty list. */
export function findLargest(numbers: Uint32Array): number {
  let largest = 0;
  for (const number of numbers) if (number > largest) largest = number;
  return largest;
}

/**
 * Reads the indices of a draw.
 *
 * @param source Bound index buffer, or indices in client memory.
 * @returns The elements, or the reason why they cannot be read.
 */
export function readElements(
  source: BufferObject | Uint8Array | null,
  offsetBytes: number,
  count: number,
  type: IndexType,
): Elements | string {
  if (source === null) return 'no index buffer is bound';
  const isClient = source instanceof Uint8Array;
  const bytes = isClient ? source : source.share();
  const endBytes = offsetBytes + count * type.bytes;
  if (offsetBytes < 0 || offsetBytes % type.bytes !== 0 || endBytes > bytes.length) {
    return `indices in bytes ${offsetBytes} to ${endBytes} are outside the index buffer of ${bytes.length} bytes`;
  }
  if (isClient) {
    const vertices = readIndices(bytes, offsetBytes, count, type);
    return { kind: 'indices', bytes, offsetBytes, type, vertices, largest: findLargest(vertices) };
  }
  const { list, largest } = readBufferIndices(source, offsetBytes, count, type);
  return { kind: 'indices', bytes, offsetBytes, type, vertices: list, largest };
}
