/** Scalars of the decompressed stream; values run across the borders of the pieces it comes in. */
import { RenderError } from '@tessera/frame';

export class TraceBytes {
  readonly #pieces: Iterator<Uint8Array>;
  readonly #maxBytes: number;
  #piece: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Position of the current piece's first byte in the decompressed stream. */
  #pieceStart = 0;
  /** What is being read, for messages. */
  #place = 'header';

  /** @param maxBytes No announced length may be larger. */
  constructor(pieces: Iterator<Uint8Array>, maxBytes: number) {
    this.#pieces = pieces;
    this.#maxBytes = maxBytes;
  }

  setPlace(place: string): void {
    this.#place = place;
  }

  fail(what: string): never {
    throw new RenderError(
      'FRAME_INVALID',
      `capture, ${this.#place}, decompressed byte ${this.#pieceStart + this.#at}: ${what}`,
    );
  }

  /** Whether nothing follows. */
  isAtEnd(): boolean {
    return !this.#fill(1);
  }

  byte(): number {
    if (this.#at >= this.#piece.length) this.#require(1);
    return this.#piece[this.#at++]!;
  }

  /** An unsigned number of up to 64 bits; a bigint when a number cannot hold it. */
  wideUint(): number | bigint {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 7; i++) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    let wide = BigInt(value);
    for (let shift = 49n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      wide |= BigInt(byte & 127) << shift;
      if (byte < 128) {
        if (wide >> 64n !== 0n) this.fail('a number is wider than 64 bits');
        return wide <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(wide) : wide;
      }
    }
    return this.fail('a number is longer than 10 bytes');
  }

  /** An unsigned number that is an id, a length or an index. */
  uint(): number {
    const value = this.wideUint();
    if (typeof value === 'bigint') return this.fail(`${value} is out of range`);
    return value;
  }

  float32(): number {
    const bytes = this.bytes(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getFloat32(0, true);
  }

  float64(): number {
    const bytes = this.bytes(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  string(): string {
    return new TextDecoder().decode(this.bytes(this.uint()));
  }

  /** Shared with the reader's input; valid as long as it is held. */
  bytes(count: number): Uint8Array {
    if (count > this.#maxBytes) this.fail(`a length of ${count} passes the limit`);
    this.#require(count);
    this.#at += count;
    return this.#piece.subarray(this.#at - count, this.#at);
  }

  #require(count: number): void {
    if (!this.#fill(count)) this.fail('the capture ends early');
  }

  /** Makes `count` bytes available in the current piece; false if the stream ends before. */
  #fill(count: number): boolean {
    let available = this.#piece.length - this.#at;
    if (available >= count) return true;
    const parts = [this.#piece.subarray(this.#at)];
    while (available < count) {
      const next = this.#pieces.next();
      if (next.done === true) break;
      parts.push(next.value);
      available += next.value.length;
    }
    this.#pieceStart += this.#at;
    this.#at = 0;
    this.#piece = parts.length === 1 ? parts[0]! : concatenate(parts, available);
    return available >= count;
  }
}

function concatenate(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
