/**
 * Rules for buffers that transform feedback writes (WebGL 2.0, section 5.1). A buffer bound to the
 * current transform feedback object cannot be used for anything else, even while feedback is
 * inactive. The generic binding point TRANSFORM_FEEDBACK_BUFFER does not count as another use.
 */

import type { ContextCore } from '../context/context-core.ts';
import { GL } from '../interface/constants.ts';
import type { WebGLBuffer } from '../objects/webgl-object.ts';

function isCaptured({ transformFeedback }: ContextCore, buffer: WebGLBuffer | null): boolean {
  return buffer !== null && transformFeedback.buffers.some((point) => point?.buffer === buffer);
}

/** Returns whether a buffer that feedback writes is also bound to another target. */
function isDoublyBound(core: ContextCore, buffer: WebGLBuffer): boolean {
  for (const [target, bound] of core.boundBuffers) {
    if (bound === buffer && target !== GL.TRANSFORM_FEEDBACK_BUFFER) return true;
  }
  return (
    core.uniformBuffers.some((point) => point?.buffer === buffer) ||
    core.vertexArray.arrays.some((array) => array.buffer === buffer)
  );
}

/** Returns whether the contents of a buffer can be read or changed. Raises the error otherwise. */
export function isUsable(core: ContextCore, caller: string, buffer: WebGLBuffer): boolean {
  if (!isCaptured(core, buffer) || !isDoublyBound(core, buffer)) return true;
  core.raise(
    GL.INVALID_OPERATION,
    caller,
    'the buffer is bound for transform feedback and to another target',
  );
  return false;
}

/**
 * Returns whether the storage of a buffer can be replaced, which it cannot while transform feedback
 * with it is active, bound or not. Raises the error otherwise.
 */
export function isBufferReplaceable(
  core: ContextCore,
  caller: string,
  buffer: WebGLBuffer,
): boolean {
  for (const { buffers } of core.activeFeedbacks) {
    if (!buffers.some((point) => point?.buffer === buffer)) continue;
    core.raise(GL.INVALID_OPERATION, caller, 'active transform feedback writes the buffer');
    return false;
  }
  return true;
}

/**
 * Returns whether a draw reads no feedback buffer, and no feedback buffer is bound to another
 * target. Raises the error otherwise.
 */
export function canDrawWithFeedback(core: ContextCore, caller: string): boolean {
  const { transformFeedback, vertexArray, uniformBuffers, program } = core;
  if (transformFeedback.buffers.length === 0) return true;
  const isArrayCaptured = vertexArray.arrays.some(
    ({ buffer }, index) =>
      (vertexArray.enabledMask & (1 << index)) !== 0 && isCaptured(core, buffer),
  );
  const linked = core.gl.programs.linkedOf(program!.glName);
  const isBlockCaptured =
    linked?.blocks.blocks.some(({ binding }) =>
      isCaptured(core, uniformBuffers[binding]?.buffer ?? null),
    ) === true;
  const isWritten = transformFeedback.isActive && !transformFeedback.isPaused;
  const isDouble =
    isWritten &&
    transformFeedback.buffers.some((point) => point !== null && isDoublyBound(core, point.buffer));
  if (!isArrayCaptured && !isBlockCaptured && !isDouble) return true;
  core.raise(
    GL.INVALID_OPERATION,
    caller,
    'a transform feedback buffer is also bound to another target',
  );
  return false;
}

/**
 * Returns whether each feedback buffer is bound to one binding point only. Raises the error
 * otherwise.
 */
export function areBuffersDistinct(core: ContextCore, caller: string): boolean {
  const buffers = core.transformFeedback.buffers.flatMap((point) => point?.buffer ?? []);
  if (new Set(buffers).size === buffers.length) return true;
  core.raise(GL.INVALID_OPERATION, caller, 'a buffer is bound to two binding points');
  return false;
}
