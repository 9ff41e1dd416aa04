/** Buffer objects (WebGL 1.0, section 5.14.5; WebGL 2.0, section 3.7.1). */

import {
  bytesOf,
  checkObject,
  isAlive,
  isArrayBuffer,
  isDeletable,
  toLongLong,
} from '../../context/arguments.ts';
import type { ContextObject } from '../../context/call-table.ts';
import { CORE } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { WebGLBuffer } from '../../objects/webgl-object.ts';
import { isBufferReplaceable, isUsable } from '../../rules/feedback-conflicts.ts';

/**
 * Copy targets, which accept index buffers and other buffers alike. A buffer bound only to copy
 * targets counts as a buffer of other data.
 */
const COPY_TARGETS: readonly number[] = [GL.COPY_READ_BUFFER, GL.COPY_WRITE_BUFFER];

/** Returns the buffer bound to a target, or `null`. */
export function boundBuffer(core: ContextCore, target: number): WebGLBuffer | null {
  if (target === GL.ELEMENT_ARRAY_BUFFER) return core.vertexArray.elementBuffer;
  return core.boundBuffers.get(target) ?? null;
}

/** Returns the buffer bound to a target, or `null` after an error. */
export function requireBuffer(
  core: ContextCore,
  caller: string,
  target: number,
): WebGLBuffer | null {
  if (!core.rules.bufferTargets.includes(target)) {
    core.rejectEnum(caller, 'target', target);
    return null;
  }
  const buffer = boundBuffer(core, target);
  if (buffer === null) {
    core.raise(GL.INVALID_OPERATION, caller, `no buffer is bound to ${enumName(target)}`);
  }
  return buffer;
}

/**
 * Returns the buffer bound to a target if its contents can be read or changed. Returns `null` after
 * an error.
 */
export function requireUsable(
  core: ContextCore,
  caller: string,
  target: number,
): WebGLBuffer | null {
  const buffer = requireBuffer(core, caller, target);
  return buffer !== null && isUsable(core, caller, buffer) ? buffer : null;
}

/**
 * Returns whether a buffer can be bound to a target. A buffer contains either indices or other
 * data, depending on its first binding.
 */
export function canBindBuffer(
  core: ContextCore,
  caller: string,
  target: number,
  buffer: WebGLBuffer,
): boolean {
  if (COPY_TARGETS.includes(target) && buffer.contentKind !== null) return true;
  const content = target === GL.ELEMENT_ARRAY_BUFFER ? 'indices' : 'other';
  if (buffer.contentKind !== null && buffer.contentKind !== content) {
    core.raise(GL.INVALID_OPERATION, caller, 'a buffer cannot contain both indices and other data');
    return false;
  }
  buffer.contentKind = content;
  return true;
}

/** View whose elements are the unit of `srcOffset` and `length`. */
type ElementView = ArrayBufferView & {
  readonly length?: number;
  readonly BYTES_PER_ELEMENT?: number;
};

/**
 * Returns the bytes of `length` elements from element `offset`, or of all remaining elements if
 * `length` is 0. Returns `null` after an error.
 *
 * @param error GL error for a range outside the view.
 */
export function sliceView(
  core: ContextCore,
  caller: string,
  view: ArrayBufferView,
  offset: unknown,
  length: unknown,
  error: number = GL.INVALID_VALUE,
): Uint8Array | null {
  const bytes = bytesOf(view);
  if (offset === undefined && length === undefined) return bytes;
  const { BYTES_PER_ELEMENT: elementBytes = 1 } = view as ElementView;
  const first = toLongLong(offset ?? 0);
  // As `unsigned long long`, a negative offset is behind the end of every array.
  const start = (first < 0 ? first + 2 ** 64 : first) * elementBytes;
  const given = (Number(length ?? 0) >>> 0) * elementBytes;
  const end = given === 0 ? bytes.length : start + given;
  if (start > bytes.length || end > bytes.length) {
    core.raise(error, caller, `bytes ${start} to ${end} exceed the array of ${bytes.length} bytes`);
    return null;
  }
  return bytes.subarray(start, end);
}

/** WebGL calls for buffer objects. */
export const bufferCalls = {
  createBuffer(this: ContextObject): WebGLBuffer {
    const core = this[CORE];
    return new WebGLBuffer(core, core.gl.buffers.generate(1)[0]!);
  },

  deleteBuffer(this: ContextObject, buffer: WebGLBuffer | null): void {
    const core = this[CORE];
    if (!isDeletable(core, 'deleteBuffer', buffer, WebGLBuffer)) return;
    buffer.isDeleted = true;
    for (const [target, bound] of core.boundBuffers) {
      if (bound === buffer) core.boundBuffers.delete(target);
    }
    core.vertexArray.detachBuffer(buffer);
    for (const points of [core.uniformBuffers, core.transformFeedback.buffers]) {
      points.forEach((point, index) => {
        if (point?.buffer === buffer) points[index] = null;
      });
    }
    core.gl.buffers.remove([buffer.glName]);
  },

  isBuffer(this: ContextObject, buffer: WebGLBuffer | null): boolean {
    return isAlive(this[CORE], 'isBuffer', buffer, WebGLBuffer) && buffer.wasBound;
  },

  bindBuffer(this: ContextObject, target: number, buffer: WebGLBuffer | null): void {
    const core = this[CORE];
    const caller = 'bindBuffer';
    const bindTarget = target >>> 0;
    if (
      buffer !== null &&
      buffer !== undefined &&
      !checkObject(core, caller, buffer, WebGLBuffer)
    ) {
      return;
    }
    if (!core.rules.bufferTargets.includes(bindTarget)) {
      core.rejectEnum(caller, 'target', bindTarget);
      return;
    }
    if (buffer === null || buffer === undefined) {
      if (bindTarget === GL.ELEMENT_ARRAY_BUFFER) core.vertexArray.elementBuffer = null;
      else core.boundBuffers.delete(bindTarget);
      core.gl.buffers.bind(bindTarget, 0);
      return;
    }
    if (!canBindBuffer(core, caller, bindTarget, buffer)) return;
    buffer.wasBound = true;
    if (bindTarget === GL.ELEMENT_ARRAY_BUFFER) core.vertexArray.elementBuffer = buffer;
    else core.boundBuffers.set(bindTarget, buffer);
    core.gl.buffers.bind(bindTarget, buffer.glName);
  },

  bufferData(
    this: ContextObject,
    target: number,
    source: number | ArrayBufferLike | ArrayBufferView | null,
    usage: number,
    sourceOffset?: number,
    length?: number,
  ): void {
    const core = this[CORE];
    const caller = 'bufferData';
    const buffer = requireUsable(core, caller, target >>> 0);
    if (buffer === null || !isBufferReplaceable(core, caller, buffer)) return;
    const bufferUsage = usage >>> 0;
    if (!core.rules.bufferUsages.includes(bufferUsage)) {
      core.rejectEnum(caller, 'usage', bufferUsage);
      return;
    }
    if (ArrayBuffer.isView(source)) {
      const isCut = core.rules.hasArrayOffsets && sourceOffset !== undefined;
      const bytes = isCut ? sliceView(core, caller, source, sourceOffset, length) : bytesOf(source);
      if (bytes !== null) core.gl.buffers.define(target >>> 0, bytes, bufferUsage);
      return;
    }
    if (isArrayBuffer(source)) {
      core.gl.buffers.define(target >>> 0, new Uint8Array(source), bufferUsage);
      return;
    }
    if (source === null || source === undefined) {
      core.raise(GL.INVALID_VALUE, caller, 'the data is null');
      return;
    }
    const size = toLongLong(source);
    if (size < 0) {
      core.raise(GL.INVALID_VALUE, caller, `size ${size} is negative`);
      return;
    }
    core.gl.buffers.define(target >>> 0, size, bufferUsage);
  },

  bufferSubData(
    this: ContextObject,
    target: number,
    offset: number,
    source: ArrayBufferLike | ArrayBufferView,
    sourceOffset?: number,
    length?: number,
  ): void {
    const core = this[CORE];
    const caller = 'bufferSubData';
    if (!ArrayBuffer.isView(source) && !isArrayBuffer(source)) {
      throw new TypeError(`${caller}: the data is neither an ArrayBuffer nor an ArrayBufferView`);
    }
    if (requireUsable(core, caller, target >>> 0) === null) return;
    const offsetBytes = toLongLong(offset);
    if (offsetBytes < 0) {
      core.raise(GL.INVALID_VALUE, caller, `offset ${offsetBytes} is negative`);
      return;
    }
    let bytes: Uint8Array | null;
    if (ArrayBuffer.isView(source)) {
      bytes =
        core.rules.hasArrayOffsets && sourceOffset !== undefined
          ? sliceView(core, caller, source, sourceOffset, length)
          : bytesOf(source);
    } else {
      bytes = new Uint8Array(source);
    }
    if (bytes !== null) core.gl.buffers.update(target >>> 0, offsetBytes, bytes);
  },

  getBufferParameter(this: ContextObject, target: number, parameter: number): number | null {
    const core = this[CORE];
    const caller = 'getBufferParameter';
    if (parameter !== GL.BUFFER_SIZE && parameter !== GL.BUFFER_USAGE) {
      core.rejectEnum(caller, 'parameter', parameter);
      return null;
    }
    if (requireBuffer(core, caller, target >>> 0) === null) return null;
    const { sizeBytes, usage } = core.gl.buffers.bound(target >>> 0)!;
    return parameter === GL.BUFFER_SIZE ? sizeBytes : usage;
  },
};
