/**
 * What WebGL refuses of buffers that transform feedback writes (WebGL 2.0, section 5.1): one that is bound to the
 * current transform feedback object is used for nothing else, be that active or not. The binding point
 * TRANSFORM_FEEDBACK_BUFFER itself is no other use.
 */

import type { ContextCore } from '../context/context-core.ts';
import { GL } from '../interface/constants.ts';
import type { WebGLBuffer } from '../objects/webgl-object.ts';

function isCaptured({ transformFeedback }: ContextCore, buffer: WebGLBuffer | null): boolean {
  return buffer !== null && transformFeedback.buffers.some((point) => point?.buffer === buffer);
}

/** Whether a buffer that feedback writes is bound for something else too. */
function isDoublyBound(core: ContextCore, buffer: WebGLBuffer): boolean {
  for (const [target, bound] of core.boundBuffers) {
    if (bound === buffer && target !== GL.TRANSFORM_FEEDBACK_BUFFER) return true;
  }
  return (
    core.uniformBuffers.some((point) => point?.buffer === buffer) ||
    core.vertexArray.arrays.some((array) => array.buffer === buffer)
  );
}

/** Whether what a buffer holds may be read or changed; raises the error if not. */
export function isUsable(core: ContextCore, caller: string, buffer: WebGLBuffer): boolean {
  if (!isCaptured(core, buffer) || !isDoublyBound(core, buffer)) return true;
  core.raise(GL.INVALID_OPERATION, caller, 'transform feedback has the buffer, and another target');
  return false;
}

/** Whether a draw reads nothing that feedback has, and feedback nothing that is bound elsewhere; raises the error. */
export function canDrawBesideFeedback(core: ContextCore, caller: string): boolean {
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
    'transform feedback has a buffer that is bound elsewhere',
  );
  return false;
}

/** Whether all buffers that feedback would write are different ones; raises the error if not. */
export function areDifferent(core: ContextCore, caller: string): boolean {
  const buffers = core.transformFeedback.buffers.flatMap((point) => point?.buffer ?? []);
  if (new Set(buffers).size === buffers.length) return true;
  core.raise(GL.INVALID_OPERATION, caller, 'a buffer is bound to two points');
  return false;
}
