/** The largest vertex numbers of indices, kept as long as their bytes are: most frames draw the same ones again. */
import { COMPONENT_TYPES, type ComponentType } from './frame.ts';

export class IndexRanges {
  /** By bytes, then by type and place. */
  readonly #known = new WeakMap<Uint8Array, Map<string, number>>();

  /** The largest of `count` indices, −1 for none. @param bytes They do not change. */
  largest(
    bytes: Uint8Array,
    componentType: ComponentType,
    startBytes: number,
    count: number,
  ): number {
    let ranges = this.#known.get(bytes);
    if (ranges === undefined) {
      ranges = new Map();
      this.#known.set(bytes, ranges);
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
  // Words are read where they lie, or from a copy if they lie askew in memory.
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
  let largest = -1;
  for (let i = 0; i < indices.length; i++) if (indices[i]! > largest) largest = indices[i]!;
  return largest;
}
