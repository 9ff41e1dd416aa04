/** Clears and draws (WebGL 1.0, sections 5.14.11 and 6.4 to 6.10; WebGL 2.0, section 3.7.9). */
import type { DrawOptions } from '@tessera/gl';
import { toLongLong } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { areTargetFactorsCompatible } from '../../rules/blend-rules.ts';
import { canDrawWithFeedback } from '../../rules/feedback-conflicts.ts';
import { isComplete } from '../../rules/framebuffer-state.ts';
import { canDrawViews, isTimingViews } from '../../rules/view-rules.ts';
import { rejectsIntegerClear } from '../framebuffers/clear-buffer-calls.ts';

const MAX_MODE = GL.TRIANGLE_FAN;
/** Largest number of a vertex. */
const MAX_VERTEX = 2 ** 31 - 1;
const CLEARABLE = GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT;

/**
 * Returns whether a program is in use. Raises the error otherwise. Like Chromium, draws check this
 * before their arguments.
 */
function hasProgram(core: ContextCore, caller: string): boolean {
  if (core.program !== null) return true;
  core.raise(GL.INVALID_OPERATION, caller, 'no program is in use');
  return false;
}

/**
 * Returns whether the program has an active attribute that advances per vertex. Raises the error
 * otherwise.
 */
export function hasVertexAttribute(core: ContextCore, caller: string): boolean {
  const { program, vertexArray } = core;
  // A disabled array has the same value for all vertices and instances, so it does not count.
  const vertexMask = vertexArray.enabledMask & ~vertexArray.instancedMask;
  if (program === null || (program.attributeMask & vertexMask) !== 0) return true;
  core.raise(
    GL.INVALID_OPERATION,
    caller,
    'no enabled attribute array of the program has divisor 0',
  );
  return false;
}

/** Returns whether the current state permits a draw. Raises the error otherwise. */
function canDraw(core: ContextCore, caller: string, mode: number, isEmpty: boolean): boolean {
  const { vertexArray } = core;
  if (!isComplete(core, caller, core.drawFramebuffer)) return false;
  if (core.gl.capabilities.has(GL.STENCIL_TEST) && !hasEqualStencilFaces(core, caller))
    return false;
  if (core.gl.raster.hasTargetStates) {
    const buffers = core.drawFramebuffer?.drawBuffers ?? core.defaultDrawBuffers;
    if (!areTargetFactorsCompatible(core, caller, buffers)) return false;
  }
  if (!core.program!.isLinked) {
    core.raise(GL.INVALID_OPERATION, caller, 'the last link of the program in use failed');
    return false;
  }
  if (!canDrawViews(core, caller)) return false;
  const { hasIntegerAttributes, hasBlocksAndFeedback } = core.rules;
  if (hasBlocksAndFeedback && !canDrawWithFeedback(core, caller)) return false;
  if (hasIntegerAttributes && !isEmpty && !haveMatchingTypes(core, caller)) return false;
  if (mode > MAX_MODE) {
    core.rejectEnum(caller, 'mode', mode);
    return false;
  }
  // A draw without vertices needs no buffers.
  const missingMask = vertexArray.enabledMask & ~vertexArray.bufferMask;
  if (isEmpty || missingMask === 0) return true;
  const attribute = 31 - Math.clz32(missingMask & -missingMask);
  const message = `vertex attribute ${attribute} is enabled but has no buffer bound`;
  core.raise(GL.INVALID_OPERATION, caller, message);
  return false;
}

/**
 * Returns whether front and back stencil references and masks are equal, as WebGL requires. Raises
 * the error otherwise.
 */
function hasEqualStencilFaces(core: ContextCore, caller: string): boolean {
  const { drawFramebuffer, attributes } = core;
  const hasStencil =
    drawFramebuffer === null
      ? attributes.stencil
      : drawFramebuffer.attachments.has(GL.STENCIL_ATTACHMENT) ||
        drawFramebuffer.attachments.has(GL.DEPTH_STENCIL_ATTACHMENT);
  if (!hasStencil) return true;
  const isEqual = core.gl.raster.areStencilFacesEqual;
  if (!isEqual) {
    core.raise(GL.INVALID_OPERATION, caller, 'front and back stencil references or masks differ');
  }
  return isEqual;
}

/**
 * Returns whether integer attributes receive integers of the same signedness (WebGL 2.0, section
 * 4.2). Raises the error otherwise.
 */
function haveMatchingTypes(core: ContextCore, caller: string): boolean {
  const { program, vertexArray, currentValueTypes } = core;
  for (const { location, scalar } of program!.attributeScalars) {
    const isOn = (vertexArray.enabledMask & (1 << location)) !== 0;
    const given = isOn ? vertexArray.arrays[location]!.scalar : currentValueTypes[location]!;
    if (given === scalar) continue;
    const message = `vertex attribute ${location} has type ${enumName(scalar)}, but its array or value has ${enumName(given)}`;
    core.raise(GL.INVALID_OPERATION, caller, message);
    return false;
  }
  return true;
}

/** Implements `drawArrays` and its instanced forms. */
export function drawArrays(
  core: ContextCore,
  caller: string,
  mode: number,
  first: number,
  count: number,
  instanceCount: number,
  options?: DrawOptions,
): void {
  if (!hasProgram(core, caller)) return;
  if (first < 0 || count < 0 || instanceCount < 0) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `first ${first}, count ${count} or instance count ${instanceCount} is negative`,
    );
    return;
  }
  const isEmpty = count === 0 || instanceCount === 0;
  if (!canDraw(core, caller, mode, isEmpty)) return;
  if (!isEmpty && first + count - 1 > MAX_VERTEX) {
    core.raise(GL.INVALID_OPERATION, caller, `first ${first} + count ${count} is out of range`);
    return;
  }
  core.gl.draws.drawArrays(mode, first, count, instanceCount, options);
}

/** Implements `drawElements` and its instanced forms. */
export function drawElements(
  core: ContextCore,
  caller: string,
  mode: number,
  count: number,
  type: number,
  offset: number,
  instanceCount: number,
  options?: DrawOptions,
): void {
  if (offset < 0) {
    core.raise(GL.INVALID_VALUE, caller, `offset ${offset} is negative`);
    return;
  }
  if (!hasProgram(core, caller)) return;
  if (count < 0 || instanceCount < 0) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `count ${count} or instance count ${instanceCount} is negative`,
    );
    return;
  }
  const isWide = type === GL.UNSIGNED_INT && core.hasFeature('wideIndices');
  if (type !== GL.UNSIGNED_BYTE && type !== GL.UNSIGNED_SHORT && !isWide) {
    core.rejectEnum(caller, 'type', type);
    return;
  }
  if (core.vertexArray.elementBuffer === null) {
    core.raise(GL.INVALID_OPERATION, caller, 'no buffer is bound to ELEMENT_ARRAY_BUFFER');
    return;
  }
  const { isActive, isPaused } = core.transformFeedback;
  if (isActive && !isPaused) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      'indexed draws are not allowed while transform feedback is active',
    );
    return;
  }
  if (!canDraw(core, caller, mode, count === 0 || instanceCount === 0)) return;
  core.gl.draws.drawElements(mode, count, type, offset, instanceCount, options);
}

/** WebGL calls that clear and draw. */
export const drawCalls = {
  clear(this: ContextObject, mask: number): void {
    const core = this[CORE];
    const bits = mask >>> 0;
    if ((bits & ~CLEARABLE) !== 0) {
      core.raise(
        GL.INVALID_VALUE,
        'clear',
        `mask ${enumName(bits)} has bits other than COLOR, DEPTH and STENCIL_BUFFER_BIT`,
      );
      return;
    }
    if (!isComplete(core, 'clear', core.drawFramebuffer) || isTimingViews(core, 'clear')) return;
    if ((bits & GL.COLOR_BUFFER_BIT) !== 0 && rejectsIntegerClear(core, 'clear')) return;
    core.gl.clears.clear(bits);
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
    if (!hasProgram(core, caller)) return;
    if (end >>> 0 < start >>> 0) {
      core.raise(GL.INVALID_VALUE, caller, `end ${end} is less than start ${start}`);
      return;
    }
    drawElements(core, caller, mode >>> 0, count | 0, type, toLongLong(offset), 1);
  },
};
