/** What makes pictures: clears and draws (WebGL 1.0, sections 5.14.11, 6.4 to 6.10; WebGL 2.0, section 3.7.9). */
import { toLongLong } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { canDrawBesideFeedback } from '../../rules/feedback-conflicts.ts';
import { isComplete } from '../../rules/framebuffer-state.ts';
import { clearsIntegers } from '../framebuffers/clear-buffer-calls.ts';

const MAX_MODE = GL.TRIANGLE_FAN;
const CLEARABLE = GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT;

/** Whether a draw can be made with the state as it is; raises the error where it cannot. */
function isDrawable(core: ContextCore, caller: string, mode: number, isEmpty: boolean): boolean {
  if (mode > MAX_MODE) {
    core.raise(GL.INVALID_ENUM, caller, `mode ${enumName(mode)}`);
    return false;
  }
  const { program, vertexArray } = core;
  if (program === null) {
    core.raise(GL.INVALID_OPERATION, caller, 'no program is in use');
    return false;
  }
  if (!program.isLinked) {
    core.raise(GL.INVALID_OPERATION, caller, 'the program in use was linked again and failed');
    return false;
  }
  // What draws nothing needs no vertices.
  if (!isEmpty && (vertexArray.enabledMask & ~vertexArray.bufferMask) !== 0) {
    core.raise(GL.INVALID_OPERATION, caller, 'an array is on that has no buffer');
    return false;
  }
  if (core.isWebGL2) {
    if (!isEmpty && !haveFittingTypes(core, caller)) return false;
    if (!canDrawBesideFeedback(core, caller)) return false;
  }
  if (!isComplete(core, caller, core.drawFramebuffer)) return false;
  if (core.gl.capabilities.has(GL.STENCIL_TEST) && !haveSameStencil(core, caller)) return false;
  return true;
}

/** Whether both faces have the references and masks that WebGL wants to be the same; raises the error if not. */
function haveSameStencil(core: ContextCore, caller: string): boolean {
  const { drawFramebuffer, attributes } = core;
  const hasStencil =
    drawFramebuffer === null
      ? attributes.stencil
      : drawFramebuffer.attachments.has(GL.STENCIL_ATTACHMENT) ||
        drawFramebuffer.attachments.has(GL.DEPTH_STENCIL_ATTACHMENT);
  if (!hasStencil) return true;
  const { front, back } = core.stencil;
  // Chiplets and OpenGL keep as many bits as the stencil buffer has; WebGL compares those.
  const isSame =
    ((front.readMask ^ back.readMask) & 0xff) === 0 &&
    ((front.writeMask ^ back.writeMask) & 0xff) === 0 &&
    clampStencil(front.reference) === clampStencil(back.reference);
  if (!isSame) {
    core.raise(GL.INVALID_OPERATION, caller, 'stencil references or masks of the faces differ');
  }
  return isSame;
}

/** Whether integers are given to attributes that are integers (WebGL 2.0, section 4.2); raises the error if not. */
function haveFittingTypes(core: ContextCore, caller: string): boolean {
  const { program, vertexArray, currentValueTypes } = core;
  for (const { location, scalar } of program!.attributeScalars) {
    const isOn = (vertexArray.enabledMask & (1 << location)) !== 0;
    const given = isOn ? vertexArray.arrays[location]!.scalar : currentValueTypes[location]!;
    if (given === scalar) continue;
    const message = `attribute ${location} takes ${enumName(scalar)}, not ${enumName(given)}`;
    core.raise(GL.INVALID_OPERATION, caller, message);
    return false;
  }
  return true;
}

function clampStencil(reference: number): number {
  return Math.min(255, Math.max(0, reference));
}

/** `drawArrays` and its forms with instances. */
export function drawArrays(
  core: ContextCore,
  caller: string,
  mode: number,
  first: number,
  count: number,
  instanceCount: number,
): void {
  if (!isDrawable(core, caller, mode, count === 0 || instanceCount === 0)) return;
  if (first < 0 || count < 0 || instanceCount < 0) {
    core.raise(GL.INVALID_VALUE, caller, `${count} from ${first}, ${instanceCount} instances`);
    return;
  }
  core.gl.drawArrays(mode, first, count, instanceCount);
}

/** `drawElements` and its forms with instances. */
export function drawElements(
  core: ContextCore,
  caller: string,
  mode: number,
  count: number,
  type: number,
  offset: number,
  instanceCount: number,
): void {
  if (!isDrawable(core, caller, mode, count === 0 || instanceCount === 0)) return;
  const isWide =
    type === GL.UNSIGNED_INT &&
    (core.isWebGL2 || core.extensions.isEnabled('OES_element_index_uint'));
  if (type !== GL.UNSIGNED_BYTE && type !== GL.UNSIGNED_SHORT && !isWide) {
    core.raise(GL.INVALID_ENUM, caller, `type ${enumName(type)}`);
    return;
  }
  if (count < 0 || offset < 0 || instanceCount < 0) {
    core.raise(GL.INVALID_VALUE, caller, `${count} from ${offset}, ${instanceCount} instances`);
    return;
  }
  if (core.vertexArray.elementBuffer === null) {
    core.raise(GL.INVALID_OPERATION, caller, 'no buffer is bound to ELEMENT_ARRAY_BUFFER');
    return;
  }
  const { isActive, isPaused } = core.transformFeedback;
  if (isActive && !isPaused) {
    core.raise(GL.INVALID_OPERATION, caller, 'transform feedback takes no indices');
    return;
  }
  core.gl.drawElements(mode, count, type, offset, instanceCount);
}

export const drawCalls = {
  clear(this: ContextObject, mask: number): void {
    const core = this[CORE];
    const bits = mask >>> 0;
    if ((bits & ~CLEARABLE) !== 0) {
      core.raise(GL.INVALID_VALUE, 'clear', `mask ${enumName(bits)}`);
      return;
    }
    if (!isComplete(core, 'clear', core.drawFramebuffer)) return;
    if ((bits & GL.COLOR_BUFFER_BIT) !== 0 && clearsIntegers(core, 'clear')) return;
    core.gl.clear(bits);
  },

  drawArrays(this: ContextObject, mode: number, first: number, count: number): void {
    drawArrays(this[CORE], 'drawArrays', mode >>> 0, first | 0, count | 0, 1);
  },

  drawElements(
    this: ContextObject,
    mode: number,
    count: number,
    type: number,
    offset: number,
  ): void {
    const core = this[CORE];
    drawElements(core, 'drawElements', mode >>> 0, count | 0, type, toLongLong(offset), 1);
  },

  drawArraysInstanced(
    this: ContextObject,
    mode: number,
    first: number,
    count: number,
    instanceCount: number,
  ): void {
    const core = this[CORE];
    const instances = instanceCount | 0;
    drawArrays(core, 'drawArraysInstanced', mode >>> 0, first | 0, count | 0, instances);
  },

  drawElementsInstanced(
    this: ContextObject,
    mode: number,
    count: number,
    type: number,
    offset: number,
    instanceCount: number,
  ): void {
    const core = this[CORE];
    const caller = 'drawElementsInstanced';
    const instances = instanceCount | 0;
    drawElements(core, caller, mode >>> 0, count | 0, type, toLongLong(offset), instances);
  },

  drawRangeElements(
    this: ContextObject,
    mode: number,
    start: number,
    end: number,
    count: number,
    type: number,
    offset: number,
  ): void {
    const core = this[CORE];
    const caller = 'drawRangeElements';
    if (end >>> 0 < start >>> 0) {
      core.raise(GL.INVALID_VALUE, caller, `from ${start} to ${end}`);
      return;
    }
    drawElements(core, caller, mode >>> 0, count | 0, type, toLongLong(offset), 1);
  },
};
