/**
 * Decodes MessagePack (specification of 2013-09) from untrusted bytes. It has no types that
 * construct code, no references, and no way to claim more elements than there are bytes. msgpackr's
 * reader builds functions from the keys of its records, and regular expressions and errors by name;
 * none of that is needed here.
 *
 * Maps are objects with unique text keys. `bin` is a view into the bytes. Two extensions are
 * supported. Typed arrays (0x74) have a byte for the type, followed by little-endian elements, and
 * are read as an aligned copy. `undefined` is 0x00, as msgpackr writes it. Integers beyond 2^53 are
 * rejected because a number cannot represent them.
 */

/** Error for bytes that are not MessagePack or use an unsupported type. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError';
}

/** Maximum nesting of arrays and maps; the deepest message has about ten levels. */
const MAX_DEPTH = 64;
const TYPED_ARRAY_EXTENSION = 0x74;
const UNDEFINED_EXTENSION = 0;
const UNDEFINED = 0;
/** Constructors by the type byte in front of the elements. */
const TYPED_ARRAYS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
] as const;

const utf8 = new TextDecoder('utf-8', { fatal: true });
/**
 * Maximum length of text that is built character by character, which is faster than calling a
 * decoder.
 */
const SHORT_TEXT_BYTES = 24;

/**
 * Table of expected keys. It finds a key by its bytes, so that the string need not be built again
 * for each message.
 */
export class KeyTable {
  readonly #keys: readonly (string | undefined)[];
  readonly #bytes: readonly (Uint8Array | undefined)[];

  constructor(keys: Iterable<string>) {
    const texts = new Array<string | undefined>(KEY_SLOTS).fill(undefined);
    const encoder = new TextEncoder();
    for (const key of keys) {
      const bytes = encoder.encode(key);
      // After a collision only one key is in the table. The other is decoded like an unexpected
      // key.
      texts[slotOf(bytes, 0, bytes.length)] = key;
    }
    this.#keys = texts;
    this.#bytes = texts.map((key) => (key === undefined ? undefined : encoder.encode(key)));
  }

  find(bytes: Uint8Array, from: number, length: number): string | undefined {
    const slot = slotOf(bytes, from, length);
    const expected = this.#bytes[slot];
    if (expected === undefined || expected.length !== length) return undefined;
    for (let i = 0; i < length; i++) if (expected[i] !== bytes[from + i]) return undefined;
    return this.#keys[slot];
  }
}

/** Number of slots, a power of two and many times the number of keys. */
const KEY_SLOTS = 8192;

function slotOf(bytes: Uint8Array, from: number, length: number): number {
  let hash = length;
  for (let i = from; i < from + length; i++) hash = (Math.imul(hash, 31) + bytes[i]!) | 0;
  return (hash ^ (hash >>> 13)) & (KEY_SLOTS - 1);
}

const NO_KEYS = new KeyTable([]);

/**
 * Returns the single value that `encoded` contains.
 *
 * @throws {UnpackError} If the bytes are not exactly one supported value.
 */
export function unpack(encoded: Uint8Array, expectedKeys: KeyTable = NO_KEYS): unknown {
  const reader = new Reader(encoded, expectedKeys);
  const value = reader.readValue(0);
  reader.expectEnd();
  return value;
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #expectedKeys: KeyTable;
  #at = 0;

  constructor(bytes: Uint8Array, expectedKeys: KeyTable) {
    this.#expectedKeys = expectedKeys;
    // Convert a Buffer, because its slices are views and its subarrays are Buffers.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  expectEnd(): void {
    const rest = this.#bytes.length - this.#at;
    if (rest > 0) throw new UnpackError(`${rest} unexpected bytes after the value`);
  }

  readValue(depth: number): unknown {
    const token = this.#unsigned(1);
    if (token < 0x80) return token;
    if (token < 0x90) return this.#map(token & 0x0f, depth);
    if (token < 0xa0) return this.#array(token & 0x0f, depth);
    if (token < 0xc0) return this.#text(token & 0x1f);
    if (token >= 0xe0) return token - 0x100;
    switch (token) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#bytesOf(this.#unsigned(1 << (token - 0xc4)));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#extension(this.#unsigned(1 << (token - 0xc7)));
      case 0xca:
        return this.#view.getFloat32(this.#skip(4));
      case 0xcb:
        return this.#view.getFloat64(this.#skip(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (token - 0xcc));
      case 0xcf:
        return toNumber(this.#view.getBigUint64(this.#skip(8)));
      case 0xd0:
        return this.#view.getInt8(this.#skip(1));
      case 0xd1:
        return this.#view.getInt16(this.#skip(2));
      case 0xd2:
        return this.#view.getInt32(this.#skip(4));
      case 0xd3:
        return toNumber(this.#view.getBigInt64(this.#skip(8)));
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#extension(1 << (token - 0xd4));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (token - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#unsigned(token === 0xdc ? 2 : 4), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(token === 0xde ? 2 : 4), depth);
      default:
        throw new UnpackError(
          `byte ${this.#at - 1}: 0x${token.toString(16)} does not start a value`,
        );
    }
  }

  #array(length: number, depth: number): unknown[] {
    this.#expectElements(length, depth);
    const array: unknown[] = [];
    for (let i = 0; i < length; i++) array.push(this.readValue(depth + 1));
    return array;
  }

  #map(size: number, depth: number): Record<string, unknown> {
    this.#expectElements(2 * size, depth);
    const map: Record<string, unknown> = {};
    for (let i = 0; i < size; i++) {
      const start = this.#at;
      const key = this.#key(depth + 1);
      if (typeof key !== 'string') throw new UnpackError(`byte ${start}: a key is not text`);
      // This key would set the object's prototype.
      if (key === '__proto__')
        throw new UnpackError(`byte ${start}: the key __proto__ is not permitted`);
      if (Object.hasOwn(map, key)) throw new UnpackError(`byte ${start}: duplicate key`);
      map[key] = this.readValue(depth + 1);
    }
    return map;
  }

  /**
   * Checks the number of elements. Each takes at least one byte, so nothing is allocated for more
   * than there are.
   */
  #expectElements(count: number, depth: number): void {
    if (depth >= MAX_DEPTH)
      throw new UnpackError(`values are nested more than ${MAX_DEPTH} levels deep`);
    const rest = this.#bytes.length - this.#at;
    if (count > rest)
      throw new UnpackError(`${count} elements claimed, but only ${rest} bytes are left`);
  }

  #key(depth: number): unknown {
    const token = this.#bytes[this.#at] ?? 0;
    const isShort = token >= 0xa0 && token < 0xc0;
    if (!isShort && token !== 0xd9) return this.readValue(depth);
    const from = this.#at + (isShort ? 1 : 2);
    const length = isShort ? token & 0x1f : (this.#bytes[from - 1] ?? 0);
    if (from + length > this.#bytes.length) return this.readValue(depth);
    const key = this.#expectedKeys.find(this.#bytes, from, length);
    if (key === undefined) return this.readValue(depth);
    this.#at = from + length;
    return key;
  }

  #text(length: number): string {
    const start = this.#skip(length);
    if (length <= SHORT_TEXT_BYTES) {
      let text = '';
      let i = start;
      for (; i < this.#at; i++) {
        const byte = this.#bytes[i]!;
        if (byte >= 0x80) break;
        text += String.fromCharCode(byte);
      }
      if (i === this.#at) return text;
    }
    try {
      return utf8.decode(this.#bytes.subarray(start, this.#at));
    } catch (error) {
      throw new UnpackError(`byte ${start}: text is not UTF-8`, { cause: error });
    }
  }

  #extension(length: number): unknown {
    const type = this.#view.getInt8(this.#skip(1));
    const content = this.#bytesOf(length);
    if (type === UNDEFINED_EXTENSION && length === 1 && content[0] === UNDEFINED) return undefined;
    const TypedArray = type === TYPED_ARRAY_EXTENSION ? TYPED_ARRAYS[content[0] ?? -1] : undefined;
    if (TypedArray === undefined) throw new UnpackError(`extension type ${type} is not supported`);
    const elements = content.slice(1);
    if (elements.length % TypedArray.BYTES_PER_ELEMENT !== 0) {
      throw new UnpackError(
        `${elements.length} bytes are not whole elements of a ${TypedArray.name}`,
      );
    }
    return new TypedArray(elements.buffer);
  }

  #bytesOf(length: number): Uint8Array {
    const start = this.#skip(length);
    return this.#bytes.subarray(start, this.#at);
  }

  #unsigned(byteCount: number): number {
    const start = this.#skip(byteCount);
    if (byteCount === 1) return this.#bytes[start]!;
    return byteCount === 2 ? this.#view.getUint16(start) : this.#view.getUint32(start);
  }

  /** Skips bytes and returns the index of the first. */
  #skip(byteCount: number): number {
    const start = this.#at;
    if (byteCount > this.#bytes.length - start) {
      throw new UnpackError(
        `the message ends at byte ${this.#bytes.length}, in the middle of a value`,
      );
    }
    this.#at += byteCount;
    return start;
  }
}

function toNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new UnpackError(`integer ${value} is not below 2^53 in magnitude`);
  return number;
}
