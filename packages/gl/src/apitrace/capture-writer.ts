/** Writes captures in memory: examples, and inputs of tests. */
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { decompressCapture } from './format/capture-container.ts';
import { CapturedPointer, type CapturedValue } from './format/captured-value.ts';

/** Container formats of a capture. */
export type CaptureContainer = 'snappy' | 'gzip' | 'brotli' | 'zstandard';

/** Writer of captures in memory. */
export class CaptureWriter {
  /** Bytes written before `#bytes`. */
  readonly #parts: Uint8Array[] = [];
  #bytes: number[] = [];
  readonly #functionIds = new Map<string, number>();
  #callCount = 0;
  readonly #version: number;

  constructor(version = 6) {
    this.#version = version;
    this.#uint(version);
    if (version >= 6) {
      this.#uint(6);
      this.#string('process.name');
      this.#string('test');
      this.#string('');
    }
  }

  /** Appends a complete call: its inputs, then its result and outputs. */
  call(
    name: string,
    args: Readonly<Record<string, CapturedValue>> = {},
    result: CapturedValue = null,
    flags = 0,
  ): this {
    const number = this.enter(name, args, flags);
    return this.leave(number, result);
  }

  /** Appends the entry of a call and returns the call's number. */
  enter(name: string, args: Readonly<Record<string, CapturedValue>> = {}, flags = 0): number {
    this.#bytes.push(0);
    if (this.#version >= 4) this.#uint(0);
    const names = Object.keys(args);
    const key = `${name}(${names.join()})`;
    let id = this.#functionIds.get(key);
    if (id === undefined) {
      id = this.#functionIds.size;
      this.#functionIds.set(key, id);
      this.#uint(id);
      this.#string(name);
      this.#uint(names.length);
      for (const argument of names) this.#string(argument);
    } else {
      this.#uint(id);
    }
    names.forEach((argument, index) => {
      this.#bytes.push(1);
      this.#uint(index);
      this.#value(args[argument]!);
    });
    if (flags !== 0) {
      this.#bytes.push(5);
      this.#uint(flags);
    }
    this.#bytes.push(0);
    return this.#callCount++;
  }

  leave(number: number, result: CapturedValue = null): this {
    this.#bytes.push(1);
    this.#uint(number);
    if (result !== null) {
      this.#bytes.push(2);
      this.#value(result);
    }
    this.#bytes.push(0);
    return this;
  }

  /** Appends bytes unchanged. */
  raw(...bytes: number[]): this {
    this.#bytes.push(...bytes);
    return this;
  }

  /**
   * Returns the capture so far.
   *
   * @param chunkBytes Decompressed bytes per snappy chunk.
   */
  finish(container: CaptureContainer = 'snappy', chunkBytes = 1 << 20): Uint8Array {
    const stream = this.takeStream();
    this.#parts.push(stream);
    if (container === 'gzip') return gzipSync(stream);
    if (container === 'brotli') return brotliCompressSync(stream);
    if (container === 'zstandard') return zstdCompressSync(stream);
    const file = [0x61, 0x74];
    for (let at = 0; at < stream.length; at += chunkBytes) {
      const block = packLiterals(stream.subarray(at, at + chunkBytes));
      file.push(block.length & 255, (block.length >> 8) & 255, (block.length >> 16) & 255, 0);
      for (const byte of block) file.push(byte);
    }
    return Uint8Array.from(file);
  }

  /**
   * Returns the decompressed stream since the last call and removes it, for captures that should
   * not be in memory in full.
   */
  takeStream(): Uint8Array {
    this.#closePart();
    const stream = Uint8Array.from(Buffer.concat(this.#parts));
    this.#parts.length = 0;
    return stream;
  }

  #closePart(): void {
    this.#parts.push(Uint8Array.from(this.#bytes));
    this.#bytes = [];
  }

  #uint(value: number | bigint): void {
    for (const byte of encodeVarint(value)) this.#bytes.push(byte);
  }

  #string(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.#uint(bytes.length);
    for (const byte of bytes) this.#bytes.push(byte);
  }

  #value(value: CapturedValue): void {
    if (value === null) this.#bytes.push(0);
    else if (typeof value === 'boolean') this.#bytes.push(value ? 2 : 1);
    else if (typeof value === 'string') {
      this.#bytes.push(7);
      this.#string(value);
    } else if (typeof value === 'number' && !Number.isInteger(value)) {
      this.#bytes.push(6, ...new Uint8Array(Float64Array.of(value).buffer));
    } else if (typeof value === 'number' || typeof value === 'bigint') {
      this.#bytes.push(value < 0 ? 3 : 4);
      this.#uint(value < 0 ? -value : value);
    } else if (value instanceof Uint8Array) {
      this.#bytes.push(8);
      this.#uint(value.length);
      this.#closePart();
      this.#parts.push(value);
    } else if (value instanceof CapturedPointer) {
      this.#bytes.push(13);
      this.#uint(value.address);
    } else if (Array.isArray(value)) {
      this.#bytes.push(11);
      this.#uint(value.length);
      for (const member of value as CapturedValue[]) this.#value(member);
    } else {
      throw new Error('the writer has no structures; write them with raw');
    }
  }
}

/** Decompresses the complete content of a capture's container. */
export function decompressStream(file: Uint8Array): Uint8Array {
  return Uint8Array.from(Buffer.concat([...decompressCapture(file, 2 ** 30)]));
}

/** Yields a file in chunks of a few bytes, as a disk or a connection delivers it. */
export async function* inChunks(file: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += chunkBytes) yield file.subarray(at, at + chunkBytes);
}

/** Encodes an unsigned number as a variable-length integer. */
export function encodeVarint(value: number | bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return bytes;
}

/** Encodes a chunk of the snappy container with its length, as one literal. */
export function packChunk(bytes: Uint8Array): Uint8Array {
  const size = encodeVarint(bytes.length);
  const literal = [0xfc, ...new Uint8Array(Uint32Array.of(bytes.length - 1).buffer)];
  const length = new Uint8Array(Uint32Array.of(size.length + literal.length + bytes.length).buffer);
  return Uint8Array.from(Buffer.concat([length, Uint8Array.from([...size, ...literal]), bytes]));
}

/** Encodes a raw snappy block of literals only. */
export function packLiterals(bytes: Uint8Array): number[] {
  const block = encodeVarint(bytes.length);
  for (let at = 0; at < bytes.length; at += 60) {
    const part = bytes.subarray(at, at + 60);
    block.push((part.length - 1) << 2, ...part);
  }
  return block;
}
