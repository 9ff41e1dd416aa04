/**
 * Buffer ranges that vertex fetch reads. Attributes that are adjacent in one record of a buffer
 * form one array.
 */
import type { FetchPlan } from '../geometry/vertices/vertex-fetch.ts';

/**
 * Range of a buffer with one record per element: `bytes` bytes at
 * `offsetBytes + element × strideBytes`.
 */
export interface AttributeArray {
  readonly bufferIndex: number;
  readonly offsetBytes: number;
  readonly strideBytes: number;
  readonly bytes: number;
  /** Instance divisor. 0: one element per vertex; n: one element per n instances. */
  readonly divisor: number;
}

/** Returns the arrays that a fetch plan reads, in the order of their attributes. */
export function findAttributeArrays({ buffers }: FetchPlan): readonly AttributeArray[] {
  const arrays: AttributeArray[] = [];
  for (const fetch of buffers) {
    const read = fetch.components.map(({ component }) => component).filter((c) => c >= 0);
    if (read.length === 0) continue;
    const first = fetch.offsetBytes + Math.min(...read) * fetch.componentBytes;
    const end = fetch.offsetBytes + (Math.max(...read) + 1) * fetch.componentBytes;
    const { bufferIndex, strideBytes, instanceDivisor } = fetch;
    const joined = arrays.findIndex((array) => {
      const low = Math.min(array.offsetBytes, first);
      const high = Math.max(array.offsetBytes + array.bytes, end);
      return (
        array.bufferIndex === bufferIndex &&
        array.strideBytes === strideBytes &&
        array.divisor === instanceDivisor &&
        high - low <= strideBytes
      );
    });
    const before = arrays[joined];
    const low = Math.min(before?.offsetBytes ?? first, first);
    const high = Math.max(before === undefined ? end : before.offsetBytes + before.bytes, end);
    const array = {
      bufferIndex,
      offsetBytes: low,
      strideBytes,
      bytes: high - low,
      divisor: instanceDivisor,
    };
    if (before === undefined) arrays.push(array);
    else arrays[joined] = array;
  }
  return arrays;
}
