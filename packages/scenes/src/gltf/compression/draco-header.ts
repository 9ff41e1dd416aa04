/**
 * Reads the numbers of faces and vertices at the start of a Draco stream (Draco bitstream
 * specification 2.2, sections 4 to 7). The decoder allocates memory for them before it reads the
 * content, so they are compared with the accessors first.
 */

/** Numbers that a stream declares. */
export interface DracoHeader {
  readonly faceCount: number;
  /** Largest number of vertices that the stream can have. */
  readonly maxVertexCount: number;
}

const MAGIC = 'DRACO';
const TRIANGULAR_MESH = 1;
const SEQUENTIAL = 0;
const EDGEBREAKER = 1;
const HAS_METADATA = 0x8000;
/** Depth of nested metadata, beyond which no writer goes. */
const MAX_METADATA_DEPTH = 8;

/** Reason for which a stream cannot be decoded. */
export class DracoHeaderError extends Error {
  override readonly name = 'DracoHeaderError';
}

/**
 * Reads the header of a stream.
 *
 * @throws {DracoHeaderError} If the stream is not a mesh of version 2.2 or its header is cut off.
 */
export function readDracoHeader(bytes: Uint8Array): DracoHeader {
  const reader = new HeaderReader(bytes);
  if (String.fromCharCode(...bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw new DracoHeaderError('the bytes do not begin with DRACO');
  }
  reader.skip(MAGIC.length);
  const version = `${reader.byte()}.${reader.byte()}`;
  if (version !== '2.2') throw new DracoHeaderError(`version ${version} is not 2.2`);
  const geometry = reader.byte();
  if (geometry !== TRIANGULAR_MESH) throw new DracoHeaderError('it is not a triangular mesh');
  const method = reader.byte();
  const flags = reader.byte() | (reader.byte() << 8);
  if ((flags & HAS_METADATA) !== 0) skipAllMetadata(reader);
  if (method === SEQUENTIAL) {
    const faceCount = reader.varint();
    return { faceCount, maxVertexCount: reader.varint() };
  }
  if (method !== EDGEBREAKER) throw new DracoHeaderError(`encoding method ${method} is unknown`);
  reader.skip(1); // traversal
  const encodedVertexCount = reader.varint();
  const faceCount = reader.varint();
  // Seams of attributes split vertices, at most one for each corner.
  return { faceCount, maxVertexCount: Math.max(encodedVertexCount, 3 * faceCount) };
}

function skipAllMetadata(reader: HeaderReader): void {
  const attributeCount = reader.varint();
  for (let i = 0; i < attributeCount; i++) {
    reader.varint(); // identity of the attribute
    skipMetadata(reader, 0);
  }
  skipMetadata(reader, 0);
}

function skipMetadata(reader: HeaderReader, depth: number): void {
  if (depth > MAX_METADATA_DEPTH) throw new DracoHeaderError('metadata is nested too deeply');
  const entryCount = reader.varint();
  for (let i = 0; i < entryCount; i++) {
    reader.skip(reader.byte()); // name
    reader.skip(reader.varint()); // value
  }
  const childCount = reader.varint();
  for (let i = 0; i < childCount; i++) {
    reader.skip(reader.byte()); // name
    skipMetadata(reader, depth + 1);
  }
}

class HeaderReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    if (this.#at >= this.#bytes.length) throw new DracoHeaderError('the stream is cut off');
    return this.#bytes[this.#at++];
  }

  skip(count: number): void {
    this.#at += count;
    if (this.#at > this.#bytes.length) throw new DracoHeaderError('the stream is cut off');
  }

  /** Reads an unsigned integer of 7 bits per byte, least significant first, below 2^32. */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0xffffffff) break;
        return value;
      }
    }
    throw new DracoHeaderError('a number exceeds 32 bits');
  }
}
