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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = startBytes + count * indexBytes;
  let largest = -1;
  for (let offset = startBytes; offset < end; offset += indexBytes) {
    const index =
      indexBytes === 1
        ? view.getUint8(offset)
        : indexBytes === 2
          ? view.getUint16(offset, true)
          : view.getUint32(offset, true);
    if (index > largest) largest = index;
  }
  return largest;
}
