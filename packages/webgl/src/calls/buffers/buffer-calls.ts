/** Buffer objects (WebGL 1.0, section 5.14.5; WebGL 2.0, section 3.7.1). */

import {
  bytesOf,
  checkObject,
  isArrayBuffer,
  isDeletable,
  isLiving,
  toLongLong,
} from '../../context/arguments.ts';
import type { ContextObject } from '../../context/call-table.ts';
import { CORE } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { WebGLBuffer } from '../../objects/webgl-object.ts';
import { isUsable } from '../../rules/feedback-conflicts.ts';

const WEBGL2_TARGETS: readonly number[] = [
  GL.COPY_READ_BUFFER,
  GL.COPY_WRITE_BUFFER,
  GL.PIXEL_PACK_BUFFER,
  GL.PIXEL_UNPACK_BUFFER,
  GL.TRANSFORM_FEEDBACK_BUFFER,
  GL.UNIFORM_BUFFER,
];

/** Copy targets take buffers of both kinds; one that was bound to no other target holds no indices. */
const COPY_TARGETS: readonly number[] = [GL.COPY_READ_BUFFER, GL.COPY_WRITE_BUFFER];

const WEBGL1_USAGES: readonly number[] = [GL.STREAM_DRAW, GL.STATIC_DRAW, GL.DYNAMIC_DRAW];
const WEBGL2_USAGES: readonly number[] = [
  GL.STREAM_READ,
  GL.STREAM_COPY,
  GL.STATIC_READ,
  GL.STATIC_COPY,
  GL.DYNAMIC_READ,
  GL.DYNAMIC_COPY,
];

function isBufferTarget(core: ContextCore, target: number): boolean {
  return (
    target === GL.ARRAY_BUFFER ||
    target === GL.ELEMENT_ARRAY_BUFFER ||
    (core.isWebGL2 && WEBGL2_TARGETS.includes(target))
  );
}

/** The buffer bound to a target, `null` for none. */
export function boundBuffer(core: ContextCore, target: number): WebGLBuffer | null {
  if (target === GL.ELEMENT_ARRAY_BUFFER) return core.vertexArray.elementBuffer;
  return core.boundBuffers.get(target) ?? null;
}

/** The buffer bound to a target, or `null` after an error. */
export function requireBuffer(
  core: ContextCore,
  caller: string,
  target: number,
): WebGLBuffer | null {
  if (!isBufferTarget(core, target)) {
    core.raise(GL.INVALID_ENUM, caller, `target ${enumName(target)}`);
    return null;
  }
  const buffer = boundBuffer(core, target);
  if (buffer === null) {
    core.raise(GL.INVALID_OPERATION, caller, `no buffer is bound to ${enumName(target)}`);
  }
  return buffer;
}

/** The buffer bound to a target, if what it holds may be read or changed, or `null` after an error. */
export function requireUsable(
  core: ContextCore,
  caller: string,
  target: number,
): WebGLBuffer | null {
  const buffer = requireBuffer(core, caller, target);
  return buffer !== null && isUsable(core, caller, buffer) ? buffer : null;
}

/** Whether a buffer may be bound to a target: one with indices takes nothing else, and the other way round. */
export function canHold(
  core: ContextCore,
  caller: string,
  target: number,
  buffer: WebGLBuffer,
): boolean {
  if (COPY_TARGETS.includes(target) && buffer.contentKind !== null) return true;
  const content = target === GL.ELEMENT_ARRAY_BUFFER ? 'indices' : 'other';
  if (buffer.contentKind !== null && buffer.contentKind !== content) {
    core.raise(GL.INVALID_OPERATION, caller, 'a buffer holds either indices or other data');
    return false;
  }
  buffer.contentKind = content;
  return true;
}

/** Views that `srcOffset` and `length` count in elements of. */
type ElementView = ArrayBufferView & {
  readonly length?: number;
  readonly BYTES_PER_ELEMENT?: number;
};

/** Elements of a view from `offset` on, `length` of them or (0) all; `null` after an error, INVALID_VALUE if not told. */
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
  const start = (Number(offset) >>> 0) * elementBytes;
  const given = (Number(length ?? 0) >>> 0) * elementBytes;
  const end = given === 0 ? bytes.length : start + given;
  if (start > bytes.length || end > bytes.length) {
    core.raise(error, caller, `bytes ${start} to ${end} of ${bytes.length} are given`);
    return null;
  }
  return bytes.subarray(start, end);
}

export const bufferCalls = {
  createBuffer(this: ContextObject): WebGLBuffer {
    const core = this[CORE];
    return new WebGLBuffer(core, core.gl.genBuffers(1)[0]!);
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
    core.gl.deleteBuffers([buffer.glName]);
  },

  isBuffer(this: ContextObject, buffer: WebGLBuffer | null): boolean {
    return isLiving(this[CORE], 'isBuffer', buffer, WebGLBuffer) && buffer.wasBound;
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
    if (!isBufferTarget(core, bindTarget)) {
      core.raise(GL.INVALID_ENUM, caller, `target ${enumName(bindTarget)}`);
      return;
    }
    if (buffer === null || buffer === undefined) {
      if (bindTarget === GL.ELEMENT_ARRAY_BUFFER) core.vertexArray.elementBuffer = null;
      else core.boundBuffers.delete(bindTarget);
      core.gl.bindBuffer(bindTarget, 0);
      return;
    }
    if (!canHold(core, caller, bindTarget, buffer)) return;
    buffer.wasBound = true;
    if (bindTarget === GL.ELEMENT_ARRAY_BUFFER) core.vertexArray.elementBuffer = buffer;
    else core.boundBuffers.set(bindTarget, buffer);
    core.gl.bindBuffer(bindTarget, buffer.glName);
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
    if (requireUsable(core, caller, target >>> 0) === null) return;
    const bufferUsage = usage >>> 0;
    const isUsage =
      WEBGL1_USAGES.includes(bufferUsage) || (core.isWebGL2 && WEBGL2_USAGES.includes(bufferUsage));
    if (!isUsage) {
      core.raise(GL.INVALID_ENUM, caller, `usage ${enumName(bufferUsage)}`);
      return;
    }
    if (ArrayBuffer.isView(source)) {
      const isCut = core.isWebGL2 && sourceOffset !== undefined;
      const bytes = isCut ? sliceView(core, caller, source, sourceOffset, length) : bytesOf(source);
      if (bytes !== null) core.gl.bufferData(target >>> 0, bytes, bufferUsage);
      return;
    }
    if (isArrayBuffer(source)) {
      core.gl.bufferData(target >>> 0, new Uint8Array(source), bufferUsage);
      return;
    }
    if (source === null || source === undefined) {
      core.raise(GL.INVALID_VALUE, caller, 'no data is given');
      return;
    }
    const size = toLongLong(source);
    if (size < 0) {
      core.raise(GL.INVALID_VALUE, caller, `${size} bytes`);
      return;
    }
    core.gl.bufferData(target >>> 0, size, bufferUsage);
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
      throw new TypeError(`${caller}: the data is neither a buffer nor a view of one`);
    }
    if (requireUsable(core, caller, target >>> 0) === null) return;
    const offsetBytes = toLongLong(offset);
    if (offsetBytes < 0) {
      core.raise(GL.INVALID_VALUE, caller, `offset ${offsetBytes}`);
      return;
    }
    let bytes: Uint8Array | null;
    if (ArrayBuffer.isView(source)) {
      bytes =
        core.isWebGL2 && sourceOffset !== undefined
          ? sliceView(core, caller, source, sourceOffset, length)
          : bytesOf(source);
    } else {
      bytes = new Uint8Array(source);
    }
    if (bytes !== null) core.gl.bufferSubData(target >>> 0, offsetBytes, bytes);
  },

  getBufferParameter(this: ContextObject, target: number, parameter: number): number | null {
    const core = this[CORE];
    const caller = 'getBufferParameter';
    if (requireBuffer(core, caller, target >>> 0) === null) return null;
    const { sizeBytes, usage } = core.gl.buffers.bound(target >>> 0)!;
    if (parameter === GL.BUFFER_SIZE) return sizeBytes;
    if (parameter === GL.BUFFER_USAGE) return usage;
    core.raise(GL.INVALID_ENUM, caller, enumName(parameter));
    return null;
  },
};
