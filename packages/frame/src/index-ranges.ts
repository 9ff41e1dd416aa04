/**
 * Cache of the largest vertex number in ranges of index buffers, because most frames draw the same
 * indices again.
 */
import { COMPONENT_TYPES, type ComponentType } from './frame.ts';

/**
 * Cache of the largest vertex number of index ranges. An entry lives as long as the bytes it was
 * computed from.
 */
export class IndexRanges {
  /** Largest vertex number by bytes, then by component type and range. */
  readonly #largestByRange = new WeakMap<Uint8Array, Map<string, number>>();

  /**
   * Returns the largest of `count` indices, or −1 if `count` is 0.
   *
   * @param bytes Contents of the index buffer; must not change.
   */
  largest(
    bytes: Uint8Array,
    componentType: ComponentType,
    startBytes: number,
    count: number,
  ): number {
    let ranges = this.#largestByRange.get(bytes);
    if (ranges === undefined) {
      ranges = new Map();
      this.#largestByRange.set(bytes, ranges);
    }
    const place = `${componentType} ${startBytes} ${count}`;
    let largest = ranges.get(place);
    if (largest === undefined) {
      largest = findLargest(bytes, componentType, startBytes, count);
      ranges.set(place, largest);
    }
    return largest;
  }
}

function findLargest(
  bytes: Uint8Array,
  componentType: ComponentType,
  startBytes: number,
  count: number,
): number {
  const indexBytes = COMPONENT_TYPES[componentType].bytes;
  const end = startBytes + count * indexBytes;
  // Read the words in place, or from a copy if they are not aligned.
  const start = bytes.byteOffset + startBytes;
  const isAligned = start % indexBytes === 0;
  const source = isAligned ? bytes.subarray(startBytes, end) : bytes.slice(startBytes, end);
  const { buffer, byteOffset } = source;
  switch (componentType) {
    case 'uint16':
      return largestOf(new Uint16Array(buffer, byteOffset, count));
    case 'uint32':
      return largestOf(new Uint32Array(buffer, byteOffset, count));
    default:
      return largestOf(source);
  }
}

function largestOf(indices: Uint8Array | Uint16Array | Uint32Array): number {
  const { length } = indices;
  if (length === 0) return -1;
  // Four independent maxima, so that a comparison does not wait for the previous one.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    const p = indices[i]!;
    const q = indices[i + 1]!;
    const r = indices[i + 2]!;
    const s = indices[i + 3]!;
    if (p > a) a = p;
    if (q > b) b = q;
    if (r > c) c = r;
    if (s > d) d = s;
  }
  for (; i < length; i++) if (indices[i]! > a) a = indices[i]!;
  return Math.max(a, b, c, d);
}
