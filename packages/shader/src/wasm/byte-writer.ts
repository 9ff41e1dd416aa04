/**
 * Growing byte buffer with the number formats of the WebAssembly binary format: LEB128 integers
 * (unsigned and signed), little-endian floats, length-prefixed UTF-8 names.
 */

/** Size of a length field that is written before the length is known: a padded LEB128. */
const PADDED_LENGTH_BYTES = 5;

/** Appends bytes to one buffer, which doubles when it is full. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  /** @param capacityBytes Initial size of the buffer; a positive integer. */
  constructor(capacityBytes = 4096) {
    this.#bytes = new Uint8Array(capacityBytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Number of bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Returns a copy of the bytes written so far. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Appends the low 8 bits of `value`. */
  writeByte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** Appends raw bytes. */
  writeBytes(bytes: ArrayLike<number>): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends an unsigned LEB128. `value` is an integer from 0 to 2^32 − 1. */
  writeU32(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.writeByte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.writeByte(rest);
  }

  /** Appends a signed LEB128. `value` is an integer from −2^31 to 2^31 − 1. */
  writeS32(value: number): void {
    let rest = value | 0;
    // Six bits and their sign fit into the last byte: its bit 6 is the sign that the decoder
    // extends.
    while (rest < -64 || rest > 63) {
      this.writeByte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.writeByte(rest & 0x7f);
  }

  /** Appends a signed LEB128 of the low 64 bits of `value`. */
  writeS64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    while (rest < -64n || rest > 63n) {
      this.writeByte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.writeByte(Number(rest & 0x7fn));
  }

  /** Appends `value` rounded to 32-bit floating point. */
  writeF32(value: number): void {
    this.#reserve(4);
    this.#view.setFloat32(this.#length, value, true);
    this.#length += 4;
  }

  /** Appends a 64-bit floating-point number. */
  writeF64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Appends a name: its length in bytes, then UTF-8. */
  writeName(name: string): void {
    const encoded = new TextEncoder().encode(name);
    this.writeU32(encoded.length);
    this.writeBytes(encoded);
  }

  /**
   * Runs `writeContent` and stores the number of bytes it wrote in front of them.
   *
   * The length always takes five bytes, so that the content need not be moved.
   */
  writeSized(writeContent: () => void): void {
    this.#reserve(PADDED_LENGTH_BYTES);
    const lengthAt = this.#length;
    this.#length += PADDED_LENGTH_BYTES;
    writeContent();
    let rest = this.#length - lengthAt - PADDED_LENGTH_BYTES;
    for (let index = 0; index < PADDED_LENGTH_BYTES - 1; index++) {
      this.#bytes[lengthAt + index] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[lengthAt + PADDED_LENGTH_BYTES - 1] = rest;
  }

  #reserve(byteCount: number): void {
    if (this.#length + byteCount > this.#bytes.length) this.#grow(byteCount);
  }

  #grow(byteCount: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + byteCount));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
