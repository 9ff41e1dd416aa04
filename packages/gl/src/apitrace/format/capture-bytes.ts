/**
 * Scalars of the decompressed stream, which comes in pieces. Values run across the borders of pieces: a read
 * that passes the end of what has come throws {@link STARVED}, and the reader starts its event again later.
 */
import { RenderError } from '@tessera/frame';

/** Thrown when more of the stream has to come first; never leaves the reader. */
export const STARVED = Symbol('starved');

export class CaptureBytes {
  readonly #maxCallBytes: number;
  /** What has come and is not read for good, but for the pieces that wait. */
  #window: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Position of the window's first byte in the decompressed stream. */
  #windowStart = 0;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Bytes after the event's start without which it is no use to begin it again. */
  #wantedBytes = 1;
  /** Bytes that the read which was starved asked for. */
  #missingBytes = 0;
  #hasEnded = false;
  readonly #decoder = new TextDecoder();
  /** What is being read, for messages. */
  #place = 'header';

  /** @param maxCallBytes No length, and nothing that is read at a time, may be larger. */
  constructor(maxCallBytes: number) {
    this.#maxCallBytes = maxCallBytes;
  }

  setPlace(place: string): void {
    this.#place = place;
  }

  fail(what: string): never {
    throw new RenderError(
      'FRAME_INVALID',
      `capture, ${this.#place}, decompressed byte ${this.position}: ${what}`,
    );
  }

  /** Of the next byte, in the decompressed stream. */
  get position(): number {
    return this.#windowStart + this.#at;
  }

  /** Takes the next piece of the stream; it is not to be written to any more. */
  append(piece: Uint8Array): void {
    // Node's buffers are arrays of bytes of another class, whose `slice` does not copy.
    this.#waiting.push(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
    this.#waitingBytes += piece.length;
  }

  /** Says that no piece follows: from now on a read past the end is damage. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Whether an event can be begun with what has come. What was read before is given up. */
  canBegin(): boolean {
    const available = this.#window.length - this.#at + this.#waitingBytes;
    if (available === 0 || (available < this.#wantedBytes && !this.#hasEnded)) return false;
    this.#wantedBytes = 1;
    if (this.#waitingBytes > 0) this.#join();
    return true;
  }

  /** Whether all that has come is read. */
  isDrained(): boolean {
    return this.#at === this.#window.length;
  }

  /** Goes back to a position since the last {@link canBegin}, after the stream ran out. */
  rewind(position: number): void {
    const missingFrom = this.position;
    this.#at = position - this.#windowStart;
    const available = this.#window.length - this.#at;
    // At least twice as much as was in vain, so that long events are not begun again and again.
    this.#wantedBytes = Math.max(missingFrom - position + this.#missingBytes, 2 * available);
    if (this.#wantedBytes > 2 * this.#maxCallBytes) {
      this.fail(`more than ${this.#maxCallBytes} bytes belong together`);
    }
  }

  byte(): number {
    if (this.#at >= this.#window.length) this.#require(1);
    return this.#window[this.#at++]!;
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
    const bytes = this.#view(4);
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getFloat32(0, true);
  }

  float64(): number {
    const bytes = this.#view(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  string(): string {
    return this.#decoder.decode(this.#view(this.uint()));
  }

  /** Valid as long as it is held; it holds at most twice as much memory as it has bytes. */
  bytes(count: number): Uint8Array {
    const view = this.#view(count);
    return 2 * count >= view.buffer.byteLength ? view : new Uint8Array(view);
  }

  /** Shared with the window. */
  #view(count: number): Uint8Array {
    if (count > this.#maxCallBytes) this.fail(`a length of ${count} passes the limit`);
    if (this.#window.length - this.#at < count) this.#require(count);
    this.#at += count;
    return this.#window.subarray(this.#at - count, this.#at);
  }

  #require(count: number): never {
    if (this.#hasEnded && this.#waitingBytes === 0) this.fail('the capture ends early');
    this.#missingBytes = count;
    throw STARVED;
  }

  #join(): void {
    const rest = this.#window.subarray(this.#at);
    this.#windowStart += this.#at;
    this.#at = 0;
    const parts = rest.length === 0 ? this.#waiting : [rest, ...this.#waiting];
    if (parts.length === 1) {
      this.#window = parts[0]!;
    } else {
      this.#window = new Uint8Array(rest.length + this.#waitingBytes);
      let to = 0;
      for (const part of parts) {
        this.#window.set(part, to);
        to += part.length;
      }
    }
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
  }
}
