/**
 * Reads the size of the primary image of an AVIF file (AV1 Image File Format 1.1, over ISO/IEC
 * 23008-12 and 14496-12) from its properties.
 */
import { RenderError } from '@tessera/frame';
import type { ImageHeader } from './image-header.ts';

/** Properties that turn or cut the image after it was decoded. */
const TRANSFORMS = ['irot', 'imir', 'clap'];
const MAX_BOXES = 1000;

/** Box of a file. */
interface Box {
  readonly type: string;
  readonly content: Reader;
}

/** Returns whether the bytes begin as an AVIF file. */
export function isAvif(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(4, 11)) === 'ftypavi';
}

/**
 * Reads the header of a file.
 *
 * @param path Path of the image in the JSON, for messages.
 * @throws {RenderError} MODEL_INVALID, or MODEL_UNSUPPORTED for a sequence or for an image that is
 *   turned or cut.
 */
export function readAvifHeader(path: string, bytes: Uint8Array): ImageHeader {
  try {
    return readHeader(path, bytes);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = `${path}: the AVIF is damaged: ${cause.message}`;
    throw new RenderError('MODEL_INVALID', message, { cause });
  }
}

/** @throws {RangeError} If a box is missing or cut off. */
function readHeader(path: string, bytes: Uint8Array): ImageHeader {
  const boxes = listBoxes(new Reader(bytes));
  if (find(boxes, 'ftyp').content.text() !== 'avif') {
    throw new RenderError('MODEL_UNSUPPORTED', `${path}: sequences of AVIF are not supported`);
  }
  const meta = listBoxes(find(boxes, 'meta').content.skip(4));
  const primary = find(meta, 'pitm').content;
  const itemIndex = primary.number(1) === 0 ? primary.skip(3).number(2) : primary.skip(3).number(4);
  const properties = listBoxes(find(meta, 'iprp').content);
  const all = listBoxes(find(properties, 'ipco').content);
  const used = listProperties(find(properties, 'ipma').content, itemIndex).map((index) => {
    const property = all[index - 1];
    if (property === undefined) throw new RangeError(`property ${index} is missing`);
    return property;
  });
  const transform = used.find(({ type }) => TRANSFORMS.includes(type));
  if (transform !== undefined) {
    const what = `AVIF with the property ${transform.type}`;
    throw new RenderError('MODEL_UNSUPPORTED', `${path}: ${what} is not supported`);
  }
  const size = find(used, 'ispe').content.skip(4);
  const [widthPx, heightPx] = [size.number(4), size.number(4)];
  if (widthPx === 0 || heightPx === 0) throw new RangeError(`size ${widthPx}×${heightPx}`);
  return { kind: 'avif', widthPx, heightPx };
}

/** Lists the positions of the properties of an item, from 1. */
function listProperties(box: Reader, itemIndex: number): number[] {
  const version = box.number(1);
  const isLong = (box.skip(2).number(1) & 1) === 1;
  const entryCount = box.number(4);
  for (let entry = 0; entry < entryCount; entry++) {
    const item = box.number(version === 0 ? 2 : 4);
    const count = box.number(1);
    const positions = Array.from({ length: count }, () =>
      isLong ? box.number(2) & 0x7fff : box.number(1) & 0x7f,
    );
    // Position 0 stands for no property.
    if (item === itemIndex) return positions.filter((position) => position !== 0);
  }
  throw new RangeError(`item ${itemIndex} has no properties`);
}

function find(boxes: readonly Box[], type: string): Box {
  const box = boxes.find((one) => one.type === type);
  if (box === undefined) throw new RangeError(`box ${type} is missing`);
  return box;
}

function listBoxes(reader: Reader): Box[] {
  const boxes: Box[] = [];
  while (!reader.isAtEnd && boxes.length < MAX_BOXES) {
    const size = reader.number(4);
    const type = reader.text();
    // Size 0: the box ends with the file. Size 1: its size has 64 bits.
    const length =
      size === 0
        ? null
        : size === 1
          ? reader.number(4) * 2 ** 32 + reader.number(4) - 16
          : size - 8;
    boxes.push({ type, content: reader.take(length) });
  }
  return boxes;
}

/** Reads big-endian numbers; past the end it throws a RangeError. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(byteCount: 1 | 2 | 4): number {
    return this.#next(byteCount).reduce((value, byte) => value * 256 + byte, 0);
  }

  text(): string {
    return String.fromCharCode(...this.#next(4));
  }

  skip(byteCount: number): this {
    this.#next(byteCount);
    return this;
  }

  /** @param byteCount Number of bytes, `null` for all that are left. */
  take(byteCount: number | null): Reader {
    return new Reader(this.#next(byteCount ?? this.#bytes.length - this.#at));
  }

  #next(byteCount: number): Uint8Array {
    if (byteCount < 0 || this.#at + byteCount > this.#bytes.length) {
      throw new RangeError('a box is cut off');
    }
    this.#at += byteCount;
    return this.#bytes.subarray(this.#at - byteCount, this.#at);
  }
}
