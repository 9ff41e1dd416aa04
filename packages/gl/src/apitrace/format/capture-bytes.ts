/**
 * Reads scalars of the decompressed stream, which arrives in pieces. A value may cross the border
 * between pieces. A read past the available data throws {@link STARVED}, and the reader retries its
 * event later.
 */
import { RenderError } from '@tessera/frame';

/** Thrown when a read needs more of the stream. It never leaves the reader. */
export const STARVED = Symbol('starved');

/** Reader of scalars in a decompressed stream. */
export class CaptureBytes {
  readonly #maxCallBytes: number;
  /** Available bytes that are not consumed yet, except those of waiting pieces. */
  #window: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Position of the window's first byte in the decompressed stream. */
  #windowStart = 0;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Number of bytes after the event's start below which a retry is pointless. */
  #wantedBytes = 1;
  /** Number of bytes that the starved read requested. */
  #missingBytes = 0;
  #hasEnded = false;
  readonly #decoder = new TextDecoder();
  /** Name of the structure in progress, for messages. */
  #place = 'header';

  /** @param maxCallBytes Upper bound on every length and on the bytes of one read. */
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

  /** Position of the next byte in the decompressed stream. */
  get position(): number {
    return this.#windowStart + this.#at;
  }

  /** Appends the next piece of the stream. The caller must not write to it afterwards. */
  append(piece: Uint8Array): void {
    // A Node `Buffer` is a subclass whose `slice` does not copy.
    this.#waiting.push(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
    this.#waitingBytes += piece.length;
  }

  /** Marks the end of the stream. From then on, a read past the end means damage. */
  end(): void {
    this.#hasEnded = true;
  }

  /**
   * Returns whether enough bytes are available to read an event. Releases everything read before.
   */
  canBegin(): boolean {
    const available = this.#window.length - this.#at + this.#waitingBytes;
    if (available === 0 || (available < this.#wantedBytes && !this.#hasEnded)) return false;
    this.#wantedBytes = 1;
    if (this.#waitingBytes > 0) this.#join();
    return true;
  }

  /** Returns whether all available bytes are read. */
  isDrained(): boolean {
    return this.#at === this.#window.length;
  }

  /** Returns to a position since the last {@link canBegin}, after the stream was starved. */
  rewind(position: number): void {
    const missingFrom = this.position;
    this.#at = position - this.#windowStart;
    const available = this.#window.length - this.#at;
    // Waits for at least twice the bytes available now, so that a long event is not retried at
    // every piece.
    this.#wantedBytes = Math.max(missingFrom - position + this.#missingBytes, 2 * available);
    if (this.#wantedBytes > 2 * this.#maxCallBytes) {
      this.fail(`more than ${this.#maxCallBytes} bytes belong together`);
    }
  }

  byte(): number {
    if (this.#at >= this.#window.length) this.#require(1);
    return this.#window[this.#at++]!;
  }

  /** Reads an unsigned integer of up to 64 bits; a bigint if a number cannot hold it. */
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

  /** Reads an unsigned integer that is an id, a length or an index. */
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

  /**
   * Reads bytes. The result stays valid while it is held, and holds at most twice its size in
   * memory.
   */
  bytes(count: number): Uint8Array {
    const view = this.#view(count);
    return 2 * count >= view.buffer.byteLength ? view : new Uint8Array(view);
  }

  /** Returns a view that shares the window's memory. */
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
