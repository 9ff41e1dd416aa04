/** Buffer objects (OpenGL ES 2.0, section 2.9; mapping: OpenGL 2.1, section 2.9; ES 3.0 for ranges). */
import { GL } from '../constants.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { GlErrors } from './gl-errors.ts';
import type { ObjectTable } from './object-table.ts';

/** Bytes that draws read. A draw keeps the bytes as they were: the next write goes to a copy. */
export class BufferObject {
  readonly name: number;
  usage: number = GL.STATIC_DRAW;
  #bytes = new Uint8Array(0);
  #isShared = false;
  /** First byte and writable bytes of the live mapping. */
  mapping: { readonly offsetBytes: number; readonly bytes: Uint8Array } | null = null;

  constructor(name: number) {
    this.name = name;
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  /** The contents; they never change once they were given out. */
  share(): Uint8Array {
    this.#isShared = true;
    return this.#bytes;
  }

  replace(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#isShared = false;
  }

  write(offsetBytes: number, source: Uint8Array): void {
    if (this.#isShared) this.replace(this.#bytes.slice());
    this.#bytes.set(source, offsetBytes);
  }
}

/** Where buffers can be bound besides the index binding, which belongs to the vertex array. */
const PLAIN_TARGETS: readonly number[] = [
  GL.ARRAY_BUFFER,
  GL.PIXEL_PACK_BUFFER,
  GL.PIXEL_UNPACK_BUFFER,
];

/** The index binding, kept by the current vertex array. */
export interface ElementBinding {
  elementBuffer: BufferObject | null;
}

export class BufferState {
  readonly #errors: GlErrors;
  readonly #table: ObjectTable<BufferObject>;
  readonly #bound = new Map<number, BufferObject>();
  readonly #budget: ByteBudget;
  readonly #vertexArray: () => ElementBinding;

  constructor(
    errors: GlErrors,
    table: ObjectTable<BufferObject>,
    budget: ByteBudget,
    vertexArray: () => ElementBinding,
  ) {
    this.#errors = errors;
    this.#table = table;
    this.#budget = budget;
    this.#vertexArray = vertexArray;
  }

  generate(count: number): number[] {
    return this.#table.reserve(count);
  }

  isBuffer(name: number): boolean {
    return this.#table.get(name) !== null;
  }

  bind(target: number, name: number): void {
    const buffer = name === 0 ? null : this.#table.obtain(name, (made) => new BufferObject(made));
    if (target === GL.ELEMENT_ARRAY_BUFFER) {
      this.#vertexArray().elementBuffer = buffer;
    } else if (!PLAIN_TARGETS.includes(target)) {
      this.#errors.raise(GL.INVALID_ENUM, `bindBuffer: target ${target}`);
    } else if (buffer === null) {
      this.#bound.delete(target);
    } else {
      this.#bound.set(target, buffer);
    }
  }

  /** The bound buffer, or `null`; an unknown target has none. */
  bound(target: number): BufferObject | null {
    if (target === GL.ELEMENT_ARRAY_BUFFER) return this.#vertexArray().elementBuffer;
    return this.#bound.get(target) ?? null;
  }

  /** Frees names and takes the buffers off the current bindings; draws and vertex arrays keep theirs. */
  remove(names: readonly number[]): readonly BufferObject[] {
    const removed: BufferObject[] = [];
    for (const name of names) {
      const buffer = name === 0 ? null : this.#table.remove(name);
      if (buffer === null) continue;
      removed.push(buffer);
      this.#budget.exchange(buffer.sizeBytes, 0);
      for (const [target, bound] of this.#bound) if (bound === buffer) this.#bound.delete(target);
      const vertexArray = this.#vertexArray();
      if (vertexArray.elementBuffer === buffer) vertexArray.elementBuffer = null;
    }
    return removed;
  }

  /** @param source Initial bytes, copied; `null` for zeros. */
  allocate(target: number, sizeBytes: number, source: Uint8Array | null, usage: number): void {
    const buffer = this.#require('bufferData', target);
    if (buffer === null) return;
    const isUsage = usage >= GL.STREAM_DRAW && usage <= GL.DYNAMIC_COPY && (usage & 3) !== 3;
    if (!isUsage) {
      this.#errors.raise(GL.INVALID_ENUM, `bufferData: usage ${usage}`);
      return;
    }
    if (sizeBytes < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `bufferData: ${sizeBytes} bytes`);
      return;
    }
    if (source !== null && source.length < sizeBytes) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `bufferData: ${sizeBytes} bytes announced, ${source.length} given`,
      );
      return;
    }
    if (!this.#budget.exchange(buffer.sizeBytes, sizeBytes)) {
      this.#errors.raise(GL.OUT_OF_MEMORY, `bufferData: ${sizeBytes} bytes`);
      return;
    }
    const bytes = new Uint8Array(sizeBytes);
    if (source !== null) bytes.set(source.subarray(0, sizeBytes));
    buffer.mapping = null;
    buffer.usage = usage;
    buffer.replace(bytes);
  }

  update(target: number, offsetBytes: number, source: Uint8Array): void {
    const buffer = this.#require('bufferSubData', target);
    if (buffer === null) return;
    if (offsetBytes < 0 || offsetBytes + source.length > buffer.sizeBytes) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `bufferSubData: bytes ${offsetBytes} to ${offsetBytes + source.length} of ${buffer.sizeBytes}`,
      );
      return;
    }
    if (buffer.mapping !== null) {
      this.#errors.raise(GL.INVALID_OPERATION, 'bufferSubData: the buffer is mapped');
      return;
    }
    buffer.write(offsetBytes, source);
  }

  /** Maps the bytes from `offsetBytes`; `lengthBytes` `null` means to the end. They are a copy until `unmap`. */
  map(target: number, offsetBytes: number, lengthBytes: number | null): Uint8Array | null {
    const buffer = this.#require('mapBuffer', target);
    if (buffer === null) return null;
    const length = lengthBytes ?? buffer.sizeBytes;
    if (offsetBytes < 0 || length < 0 || offsetBytes + length > buffer.sizeBytes) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `mapBufferRange: bytes ${offsetBytes} to ${offsetBytes + length} of ${buffer.sizeBytes}`,
      );
      return null;
    }
    if (buffer.mapping !== null) {
      this.#errors.raise(GL.INVALID_OPERATION, 'mapBuffer: the buffer is mapped');
      return null;
    }
    const bytes = buffer.share().slice(offsetBytes, offsetBytes + length);
    buffer.mapping = { offsetBytes, bytes };
    return bytes;
  }

  /** Ends the mapping: what was written to it becomes the buffer's contents. */
  unmap(target: number): boolean {
    const buffer = this.#require('unmapBuffer', target);
    if (buffer === null) return false;
    if (buffer.mapping === null) {
      this.#errors.raise(GL.INVALID_OPERATION, 'unmapBuffer: the buffer is not mapped');
      return false;
    }
    buffer.write(buffer.mapping.offsetBytes, buffer.mapping.bytes);
    buffer.mapping = null;
    return true;
  }

  #require(where: string, target: number): BufferObject | null {
    if (target !== GL.ELEMENT_ARRAY_BUFFER && !PLAIN_TARGETS.includes(target)) {
      this.#errors.raise(GL.INVALID_ENUM, `${where}: target ${target}`);
      return null;
    }
    const buffer = this.bound(target);
    if (buffer === null) this.#errors.raise(GL.INVALID_OPERATION, `${where}: no buffer is bound`);
    return buffer;
  }
}
