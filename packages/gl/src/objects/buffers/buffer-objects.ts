/**
 * Buffer objects (OpenGL ES 2.0, section 2.9; mapping: OpenGL 2.1, section 2.9; ES 3.0 for ranges).
 */
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import type { ByteBudget } from '../byte-budget.ts';
import type { ObjectTable } from '../object-table.ts';
import { type IndexedBinding, IndexedBindings } from './indexed-buffers.ts';

/** Bound part of a buffer. Its bytes never change. */
export interface BlockBytes {
  readonly bytes: Uint8Array;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** Indices that draws read from a buffer. */
export interface IndexList {
  readonly componentType: string;
  readonly list: Uint32Array;
  readonly largest: number;
}

/** Mapping of a part of a buffer. */
export interface BufferMapping {
  readonly offsetBytes: number;
  readonly sizeBytes: number;
  /**
   * Bytes that the end of the mapping stores; `null` for a persistent mapping, which stores
   * immediately.
   */
  readonly staged: Uint8Array | null;
}

/** Buffer object. A draw shares its contents, and the next write copies them first. */
export class BufferObject {
  readonly name: number;
  usage: number = GL.STATIC_DRAW;
  #bytes = new Uint8Array(0);
  #isShared = false;
  /** Current mapping; `null` if unmapped. */
  mapping: BufferMapping | null = null;
  /**
   * Index lists read from the current contents, by offset. Most draws use the same indices
   * repeatedly.
   */
  readonly indexLists = new Map<number, IndexList>();

  constructor(name: number) {
    this.name = name;
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  /**
   * Returns the current contents. Later writes go to a copy, so the returned bytes never change.
   */
  share(): Uint8Array {
    this.#isShared = true;
    return this.#bytes;
  }

  replace(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#isShared = false;
    this.indexLists.clear();
  }

  write(offsetBytes: number, source: Uint8Array): void {
    if (this.#isShared) this.replace(this.#bytes.slice());
    this.#bytes.set(source, offsetBytes);
  }

  /** Writes into the current mapping, at an offset from its start. */
  writeMapped(offsetBytes: number, source: Uint8Array): void {
    if (this.mapping === null) throw new Error(`buffer ${this.name} is not mapped`);
    const { staged } = this.mapping;
    if (staged === null) this.write(this.mapping.offsetBytes + offsetBytes, source);
    else staged.set(source, offsetBytes);
  }
}

/** Targets besides the index binding, which belongs to the vertex array. */
const PLAIN_TARGETS: readonly number[] = [
  GL.ARRAY_BUFFER,
  GL.PIXEL_PACK_BUFFER,
  GL.PIXEL_UNPACK_BUFFER,
  GL.UNIFORM_BUFFER,
  GL.TRANSFORM_FEEDBACK_BUFFER,
  GL.COPY_READ_BUFFER,
  GL.COPY_WRITE_BUFFER,
  FIXED.TEXTURE_BUFFER,
];

/**
 * Targets of desktop OpenGL whose buffers nothing here reads: query, atomic counter,
 * shader storage, indirect draw and indirect dispatch buffers. Functions that would read them are
 * refused where they are called.
 */
const DESKTOP_TARGETS: readonly number[] = [0x9192, 0x92c0, 0x90d2, 0x8f3f, 0x90ee];

/** Index binding of the current vertex array. */
export interface ElementBinding {
  elementBuffer: BufferObject | null;
}

/** Bindings of buffers that vertex arrays hold. */
export interface VertexArrayBindings {
  readonly current: ElementBinding;
  /** Detaches a deleted buffer from the current vertex array. */
  detachBuffer(buffer: BufferObject): void;
}

/** Buffer objects and bindings of one context. */
export class BufferState {
  readonly #errors: GlErrors;
  readonly #table: ObjectTable<BufferObject>;
  readonly #bound = new Map<number, BufferObject>();
  readonly #budget: ByteBudget;
  readonly #vertexArrays: VertexArrayBindings;
  readonly #rules: ApiRules;
  readonly #indexed: IndexedBindings;

  constructor(
    errors: GlErrors,
    rules: ApiRules,
    table: ObjectTable<BufferObject>,
    budget: ByteBudget,
    vertexArrays: VertexArrayBindings,
  ) {
    this.#errors = errors;
    this.#table = table;
    this.#budget = budget;
    this.#vertexArrays = vertexArrays;
    this.#rules = rules;
    this.#indexed = new IndexedBindings(errors, rules);
  }

  generate(count: number): number[] {
    return this.#table.reserve(count);
  }

  /** Returns a buffer, or `null` if none has the name. */
  object(name: number): BufferObject | null {
    return this.#table.get(name);
  }

  isBuffer(name: number): boolean {
    return this.#table.get(name) !== null;
  }

  bind(target: number, name: number): void {
    const buffer = name === 0 ? null : this.#table.obtain(name, (made) => new BufferObject(made));
    if (target === GL.ELEMENT_ARRAY_BUFFER) {
      this.#vertexArrays.current.elementBuffer = buffer;
    } else if (!this.#isPlainTarget(target)) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `bindBuffer: target ${nameOfEnum(target)} is not a buffer target`,
      );
    } else if (buffer === null) {
      this.#bound.delete(target);
    } else {
      this.#bound.set(target, buffer);
    }
  }

  /**
   * Binds a part of a buffer to a binding point, and the buffer to the target.
   *
   * @param sizeBytes `null` for all bytes up to the end of the buffer, even if its size changes
   *   later.
   */
  bindIndexed(
    target: number,
    index: number,
    name: number,
    offsetBytes = 0,
    sizeBytes: number | null = null,
  ): void {
    if (!this.#indexed.isAllowed(target, index, name === 0 ? null : { offsetBytes, sizeBytes })) {
      return;
    }
    this.bind(target, name);
    const buffer = this.bound(target);
    this.#indexed.set(target, index, buffer && { buffer, offsetBytes, sizeBytes });
  }

  /** Returns the binding at a binding point of a target. */
  indexed(target: number, index: number): IndexedBinding | null {
    return this.#indexed.get(target, index);
  }

  /** Returns the current contents that a uniform block reads at a binding point. */
  uniformBytes(index: number): BlockBytes | null {
    const binding = this.#indexed.get(GL.UNIFORM_BUFFER, index);
    if (binding === null) return null;
    const bytes = binding.buffer.share();
    const restBytes = Math.max(0, bytes.length - binding.offsetBytes);
    const sizeBytes = Math.min(binding.sizeBytes ?? restBytes, restBytes);
    return { bytes, offsetBytes: binding.offsetBytes, sizeBytes };
  }

  /**
   * Replaces the binding points of transform feedback, which belong to transform feedback objects.
   */
  exchangeFeedback(bindings: (IndexedBinding | null)[]): void {
    this.#indexed.setAll(GL.TRANSFORM_FEEDBACK_BUFFER, bindings);
  }

  /** Returns the buffer bound to a target; `null` if there is none or the target is unknown. */
  bound(target: number): BufferObject | null {
    if (target === GL.ELEMENT_ARRAY_BUFFER) return this.#vertexArrays.current.elementBuffer;
    return this.#bound.get(target) ?? null;
  }

  /**
   * Frees names and removes the buffers from current bindings. Draws and vertex arrays keep theirs.
   */
  remove(names: readonly number[]): void {
    for (const name of names) {
      const buffer = name === 0 ? null : this.#table.remove(name);
      if (buffer === null) continue;
      this.#budget.exchange(buffer.sizeBytes, 0);
      for (const [target, bound] of this.#bound) if (bound === buffer) this.#bound.delete(target);
      this.#indexed.removeBuffer(buffer);
      const vertexArray = this.#vertexArrays.current;
      if (vertexArray.elementBuffer === buffer) vertexArray.elementBuffer = null;
      this.#vertexArrays.detachBuffer(buffer);
    }
  }

  /**
   * Replaces the contents of the bound buffer.
   *
   * @param data Bytes, which are copied, or a number of zero bytes.
   */
  define(target: number, data: Uint8Array | number, usage: number): void {
    const isSize = typeof data === 'number';
    const sizeBytes = isSize ? data : data.length;
    const source = isSize ? null : data;
    const buffer = this.#require('bufferData', target);
    if (buffer === null) return;
    const isUsage = usage >= GL.STREAM_DRAW && usage <= GL.DYNAMIC_COPY && (usage & 3) !== 3;
    const isDrawn = (usage & 3) === 0;
    if (!isUsage || (this.#rules.hasOnlyVertexBuffers && !isDrawn)) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `bufferData: usage ${nameOfEnum(usage)} is not a buffer usage`,
      );
      return;
    }
    if (sizeBytes < 0) {
      this.#errors.raiseCertain(GL.INVALID_VALUE, `bufferData: size ${sizeBytes} is negative`);
      return;
    }
    if (!this.#budget.exchange(buffer.sizeBytes, sizeBytes)) {
      this.#errors.raise(
        GL.OUT_OF_MEMORY,
        `bufferData: ${sizeBytes} bytes exceed the memory limit`,
      );
      return;
    }
    const bytes = new Uint8Array(sizeBytes);
    if (source !== null) bytes.set(source);
    buffer.mapping = null;
    buffer.usage = usage;
    buffer.replace(bytes);
  }

  update(target: number, offsetBytes: number, source: Uint8Array): void {
    const buffer = this.#require('bufferSubData', target);
    if (buffer === null) return;
    if (offsetBytes < 0 || offsetBytes + source.length > buffer.sizeBytes) {
      this.#errors.raiseCertain(
        GL.INVALID_VALUE,
        `bufferSubData: bytes ${offsetBytes} to ${offsetBytes + source.length} are outside the buffer of ${buffer.sizeBytes} bytes`,
      );
      return;
    }
    if (isClosed(buffer)) {
      this.#errors.raiseCertain(GL.INVALID_OPERATION, 'bufferSubData: the buffer is mapped');
      return;
    }
    buffer.write(offsetBytes, source);
  }

  /**
   * Maps the bytes from `offsetBytes`, up to the end if `lengthBytes` is `null`. The returned bytes
   * are a copy that `unmap` writes back.
   */
  map(target: number, offsetBytes = 0, lengthBytes: number | null = null): Uint8Array | null {
    return this.#map(target, offsetBytes, lengthBytes, false)?.staged ?? null;
  }

  /**
   * Maps bytes persistently (ARB_buffer_storage): writes into the mapping are stored immediately,
   * and the buffer may be used meanwhile. Returns `null` in case of an error.
   */
  mapPersistently(target: number, offsetBytes: number, lengthBytes: number): BufferMapping | null {
    return this.#map(target, offsetBytes, lengthBytes, true);
  }

  #map(
    target: number,
    offsetBytes: number,
    lengthBytes: number | null,
    isPersistent: boolean,
  ): BufferMapping | null {
    const buffer = this.#require('mapBuffer', target);
    if (buffer === null) return null;
    const length = lengthBytes ?? buffer.sizeBytes;
    if (offsetBytes < 0 || length < 0 || offsetBytes + length > buffer.sizeBytes) {
      this.#errors.raiseCertain(
        GL.INVALID_VALUE,
        `mapBufferRange: bytes ${offsetBytes} to ${offsetBytes + length} are outside the buffer of ${buffer.sizeBytes} bytes`,
      );
      return null;
    }
    if (buffer.mapping !== null) {
      this.#errors.raiseCertain(GL.INVALID_OPERATION, 'mapBuffer: the buffer is already mapped');
      return null;
    }
    const staged = isPersistent ? null : buffer.share().slice(offsetBytes, offsetBytes + length);
    buffer.mapping = { offsetBytes, sizeBytes: length, staged };
    return buffer.mapping;
  }

  /** Ends the mapping and stores its bytes in the buffer. */
  unmap(target: number): boolean {
    const buffer = this.#require('unmapBuffer', target);
    if (buffer === null) return false;
    if (buffer.mapping === null) {
      this.#errors.raiseCertain(GL.INVALID_OPERATION, 'unmapBuffer: the buffer is not mapped');
      return false;
    }
    const { offsetBytes, staged } = buffer.mapping;
    if (staged !== null) buffer.write(offsetBytes, staged);
    buffer.mapping = null;
    return true;
  }

  /** Copies bytes between buffers. Parts of the same buffer must not overlap. */
  copy(
    readTarget: number,
    writeTarget: number,
    readOffsetBytes: number,
    writeOffsetBytes: number,
    sizeBytes: number,
  ): void {
    const caller = 'copyBufferSubData';
    const from = this.#require(caller, readTarget);
    const to = from === null ? null : this.#require(caller, writeTarget);
    if (from === null || to === null) return;
    const isInside =
      Math.min(readOffsetBytes, writeOffsetBytes, sizeBytes) >= 0 &&
      readOffsetBytes + sizeBytes <= from.sizeBytes &&
      writeOffsetBytes + sizeBytes <= to.sizeBytes;
    const isApart = from !== to || Math.abs(readOffsetBytes - writeOffsetBytes) >= sizeBytes;
    if (!isInside || !isApart) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `${caller}: ${sizeBytes} bytes from offset ${readOffsetBytes} to offset ${writeOffsetBytes} overlap or are outside the buffers`,
      );
      return;
    }
    if (isClosed(from) || isClosed(to)) {
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: a buffer is mapped`);
      return;
    }
    to.write(writeOffsetBytes, from.share().slice(readOffsetBytes, readOffsetBytes + sizeBytes));
  }

  /** Returns a copy of a part of a buffer (`getBufferSubData`); `null` after an error. */
  read(target: number, offsetBytes: number, sizeBytes: number): Uint8Array | null {
    const buffer = this.#require('getBufferSubData', target);
    if (buffer === null) return null;
    if (Math.min(offsetBytes, sizeBytes) < 0 || offsetBytes + sizeBytes > buffer.sizeBytes) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `getBufferSubData: bytes ${offsetBytes} to ${offsetBytes + sizeBytes} are outside the buffer of ${buffer.sizeBytes} bytes`,
      );
      return null;
    }
    return buffer.share().slice(offsetBytes, offsetBytes + sizeBytes);
  }

  #isPlainTarget(target: number): boolean {
    const { hasOnlyVertexBuffers, hasFixedFunctions } = this.#rules;
    if (hasOnlyVertexBuffers) return target === GL.ARRAY_BUFFER;
    return (
      PLAIN_TARGETS.includes(target) || (hasFixedFunctions && DESKTOP_TARGETS.includes(target))
    );
  }

  #require(caller: string, target: number): BufferObject | null {
    if (target !== GL.ELEMENT_ARRAY_BUFFER && !this.#isPlainTarget(target)) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: target ${nameOfEnum(target)} is not a buffer target`,
      );
      return null;
    }
    const buffer = this.bound(target);
    if (buffer === null)
      this.#errors.raiseCertain(GL.INVALID_OPERATION, `${caller}: no buffer is bound`);
    return buffer;
  }
}

/** Returns whether a mapping keeps a buffer from other use. */
function isClosed({ mapping }: BufferObject): boolean {
  return mapping !== null && mapping.staged !== null;
}
