/**
 * Indexed binding points, copies between buffers, and reads from buffers (WebGL 2.0, sections 3.7.1
 * and 3.7.16).
 */

import { readTargetParameter } from '@tessera/gl';
import { bytesOf, checkObject, toLongLong } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import { type IndexedBuffer, WebGLBuffer } from '../../objects/webgl-object.ts';
import { isDrawBuffer } from '../../rules/blend-rules.ts';
import { canBindBuffer, requireUsable } from './buffer-calls.ts';

/** Returns the number of indexed binding points of a target, 0 if it has none. */
function countPoints(target: number): number {
  if (target === GL.UNIFORM_BUFFER) return LIMITS.uniformBufferBindings;
  return target === GL.TRANSFORM_FEEDBACK_BUFFER ? LIMITS.transformFeedbackBindings : 0;
}

function bindIndexed(
  core: ContextCore,
  caller: string,
  target: number,
  index: number,
  buffer: WebGLBuffer | null,
  offsetBytes: number,
  sizeBytes: number | null,
): void {
  const isNone = buffer === null || buffer === undefined;
  if (!isNone && !checkObject(core, caller, buffer, WebGLBuffer)) return;
  const count = countPoints(target);
  if (count === 0 || index >= count) {
    const code = count === 0 ? GL.INVALID_ENUM : GL.INVALID_VALUE;
    core.raise(code, caller, `target ${enumName(target)} has no binding point ${index}`);
    return;
  }
  if (target === GL.TRANSFORM_FEEDBACK_BUFFER && core.transformFeedback.isActive) {
    core.raise(GL.INVALID_OPERATION, caller, 'transform feedback is active');
    return;
  }
  if (!isNone && !canBindBuffer(core, caller, target, buffer)) return;
  const before = core.errorCount;
  const glName = isNone ? 0 : buffer.glName;
  if (sizeBytes === null) core.gl.buffers.bindIndexed(target, index, glName);
  else core.gl.buffers.bindIndexed(target, index, glName, offsetBytes, sizeBytes);
  if (core.errorCount !== before) return;
  if (isNone) core.boundBuffers.delete(target);
  else core.boundBuffers.set(target, buffer);
  if (!isNone) buffer.wasBound = true;
  const points = pointsOf(core, target);
  points[index] = isNone ? null : { buffer, offsetBytes, sizeBytes: sizeBytes ?? 0 };
}

function pointsOf(core: ContextCore, target: number): (IndexedBuffer | null)[] {
  return target === GL.UNIFORM_BUFFER ? core.uniformBuffers : core.transformFeedback.buffers;
}

/**
 * Targets of the parameters of `getIndexedParameter`, with the field of the binding point that each
 * parameter reads.
 */
const READERS: ReadonlyMap<number, readonly [target: number, read: keyof IndexedBuffer]> = new Map<
  number,
  readonly [number, keyof IndexedBuffer]
>([
  [GL.UNIFORM_BUFFER_BINDING, [GL.UNIFORM_BUFFER, 'buffer']],
  [GL.UNIFORM_BUFFER_START, [GL.UNIFORM_BUFFER, 'offsetBytes']],
  [GL.UNIFORM_BUFFER_SIZE, [GL.UNIFORM_BUFFER, 'sizeBytes']],
  [GL.TRANSFORM_FEEDBACK_BUFFER_BINDING, [GL.TRANSFORM_FEEDBACK_BUFFER, 'buffer']],
  [GL.TRANSFORM_FEEDBACK_BUFFER_START, [GL.TRANSFORM_FEEDBACK_BUFFER, 'offsetBytes']],
  [GL.TRANSFORM_FEEDBACK_BUFFER_SIZE, [GL.TRANSFORM_FEEDBACK_BUFFER, 'sizeBytes']],
]);

/** WebGL calls for indexed binding points, buffer copies and buffer reads. */
export const indexedBufferCalls = {
  bindBufferBase(
    this: ContextObject,
    target: number,
    index: number,
    buffer: WebGLBuffer | null,
  ): void {
    bindIndexed(this[CORE], 'bindBufferBase', target >>> 0, index >>> 0, buffer, 0, null);
  },
  bindBufferRange(
    this: ContextObject,
    target: number,
    index: number,
    buffer: WebGLBuffer | null,
    offset: number,
    size: number,
  ): void {
    const core = this[CORE];
    const caller = 'bindBufferRange';
    const [start, length] = [toLongLong(offset), toLongLong(size)];
    if (buffer !== null && buffer !== undefined && (start < 0 || length <= 0)) {
      core.raise(
        GL.INVALID_VALUE,
        caller,
        `offset ${start} must not be negative and size ${length} must be positive`,
      );
      return;
    }
    bindIndexed(core, caller, target >>> 0, index >>> 0, buffer, start, length);
  },
  getIndexedParameter(this: ContextObject, parameter: number, index: number): unknown {
    const core = this[CORE];
    const caller = 'getIndexedParameter';
    const reader = READERS.get(parameter);
    if (reader === undefined && core.extensions.isEnabled('OES_draw_buffers_indexed')) {
      const value = readTargetParameter(core.gl, parameter, index >>> 0);
      if (value !== null) return isDrawBuffer(core, caller, index >>> 0) ? value : null;
    }
    if (reader === undefined) {
      core.rejectEnum(caller, 'parameter', parameter);
      return null;
    }
    const [target, field] = reader;
    if (index >>> 0 >= countPoints(target)) {
      core.raise(GL.INVALID_VALUE, caller, `there is no binding point ${index}`);
      return null;
    }
    const found = pointsOf(core, target)[index] ?? null;
    if (found === null) return field === 'buffer' ? null : 0;
    return found[field];
  },

  copyBufferSubData(
    this: ContextObject,
    readTarget: number,
    writeTarget: number,
    readOffset: number,
    writeOffset: number,
    size: number,
  ): void {
    const core = this[CORE];
    const caller = 'copyBufferSubData';
    const from = requireUsable(core, caller, readTarget);
    const to = from && requireUsable(core, caller, writeTarget);
    if (from === null || to === null) return;
    if (
      from.contentKind !== to.contentKind &&
      from.contentKind !== null &&
      to.contentKind !== null
    ) {
      core.raise(GL.INVALID_OPERATION, caller, 'only one of the buffers contains indices');
      return;
    }
    core.gl.buffers.copy(
      readTarget,
      writeTarget,
      toLongLong(readOffset),
      toLongLong(writeOffset),
      toLongLong(size),
    );
  },
  getBufferSubData(
    this: ContextObject,
    target: number,
    offset: number,
    destination: ArrayBufferView,
    destinationOffset = 0,
    length = 0,
  ): void {
    const core = this[CORE];
    const caller = 'getBufferSubData';
    if (!ArrayBuffer.isView(destination))
      throw new TypeError(`${caller}: the destination is not an ArrayBufferView`);
    if (requireUsable(core, caller, target) === null) return;
    if (target === GL.TRANSFORM_FEEDBACK_BUFFER && core.transformFeedback.isActive) {
      core.raise(GL.INVALID_OPERATION, caller, 'transform feedback is active');
      return;
    }
    const { BYTES_PER_ELEMENT: elementBytes = 1 } = destination as { BYTES_PER_ELEMENT?: number };
    const bytes = bytesOf(destination);
    const start = destinationOffset * elementBytes;
    const count = length === 0 ? bytes.length - start : length * elementBytes;
    if (start > bytes.length || start + count > bytes.length || toLongLong(offset) < 0) {
      core.raise(
        GL.INVALID_VALUE,
        caller,
        `offset ${offset} is negative, or ${count} bytes at ${start} exceed the array of ${bytes.length} bytes`,
      );
      return;
    }
    const read = core.gl.buffers.read(target, toLongLong(offset), count);
    if (read !== null) bytes.set(read, start);
  },
};
