/**
 * Clears of single buffers, and invalidation of contents (WebGL 2.0, sections 3.7.4 and 3.7.11).
 */
import { toFinite } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import { attachedImage, framebufferOf, isComplete } from '../../rules/framebuffer-state.ts';
import type { FormatKind } from '../../rules/internal-formats.ts';

type List = ArrayLike<number>;

/** Reads and converts the values of a call. Returns `null` after an error. */
function readValues(
  core: ContextCore,
  caller: string,
  list: List,
  offset: number,
  count: number,
  toNumber: (value: number) => number,
): number[] | null {
  if (list === null || typeof list !== 'object')
    throw new TypeError(`${caller}: the values are not an array`);
  const first = offset >>> 0;
  if (first + count > list.length) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `the array has ${list.length} elements, but ${first + count} are needed`,
    );
    return null;
  }
  return Array.from({ length: count }, (_, i) => toNumber(list[first + i]!));
}

// A program can pass an array of another type than the call expects.
const toInt = (value: number): number => value | 0;
const toUint = (value: number): number => value >>> 0;

/**
 * Returns the component type of the color buffer that an output writes, or `null` if there is none.
 */
function colorKind(core: ContextCore, drawBuffer: number): FormatKind | null {
  const { drawFramebuffer } = core;
  if (drawFramebuffer === null) return drawBuffer === 0 ? 'unorm' : null;
  const point = drawFramebuffer.drawBuffers[drawBuffer] ?? GL.NONE;
  const attachment = drawFramebuffer.attachments.get(point);
  return (attachment && attachedImage(attachment)?.format.kind) ?? null;
}

/**
 * Returns whether values of these component types can clear the color buffer. Raises the error
 * otherwise.
 */
function isClearable(
  core: ContextCore,
  caller: string,
  drawBuffer: number,
  kinds: readonly FormatKind[],
): boolean {
  if (drawBuffer < 0 || drawBuffer >= LIMITS.colorAttachments) {
    core.raise(GL.INVALID_VALUE, caller, `draw buffer ${drawBuffer} is out of range`);
    return false;
  }
  if (!isComplete(core, caller, core.drawFramebuffer)) return false;
  const kind = colorKind(core, drawBuffer);
  if (kind === null || kinds.includes(kind)) return true;
  core.raise(
    GL.INVALID_OPERATION,
    caller,
    `draw buffer ${drawBuffer} has components of type ${kind}, which this call does not clear`,
  );
  return false;
}

/**
 * Returns whether a draw buffer has an integer format, which `clear` cannot clear. Raises the error
 * then.
 */
export function rejectsIntegerClear(core: ContextCore, caller: string): boolean {
  const { drawFramebuffer } = core;
  if (drawFramebuffer === null) return false;
  for (const drawBuffer of drawFramebuffer.drawBuffers.keys()) {
    const kind = colorKind(core, drawBuffer);
    if (kind !== 'int' && kind !== 'uint') continue;
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      `draw buffer ${drawBuffer} has an integer format; use clearBufferiv or clearBufferuiv`,
    );
    return true;
  }
  return false;
}

function clearColor(core: ContextCore, drawBuffer: number, value: readonly number[]): void {
  if (colorKind(core, drawBuffer) === null) return;
  const [red, green, blue, alpha] = value.map(toFinite) as [number, number, number, number];
  core.gl.clears.clearColor(drawBuffer, [red, green, blue, alpha]);
}

function clearDepthStencil(core: ContextCore, depth: number | null, stencil: number | null): void {
  const before = { depth: core.gl.raster.clearDepth, stencil: core.gl.raster.clearStencil };
  let mask = 0;
  if (depth !== null) {
    core.gl.raster.setClearDepth(depth);
    mask |= GL.DEPTH_BUFFER_BIT;
  }
  if (stencil !== null) {
    core.gl.raster.setClearStencil(stencil);
    mask |= GL.STENCIL_BUFFER_BIT;
  }
  core.gl.clears.clear(mask);
  core.gl.raster.setClearDepth(before.depth);
  core.gl.raster.setClearStencil(before.stencil);
}

/** Returns whether the index of a depth or stencil buffer is 0. Raises the error otherwise. */
function isFirstDrawBuffer(core: ContextCore, caller: string, drawBuffer: number): boolean {
  if (drawBuffer !== 0) {
    core.raise(GL.INVALID_VALUE, caller, `draw buffer ${drawBuffer} is out of range`);
    return false;
  }
  return isComplete(core, caller, core.drawFramebuffer);
}

function invalidate(
  core: ContextCore,
  caller: string,
  target: number,
  attachments: Iterable<number>,
): void {
  const found = framebufferOf(core, target);
  if (found === null) {
    core.rejectEnum(caller, 'target', target);
    return;
  }
  for (const point of attachments) {
    const isOfDefault = point === GL.COLOR || point === GL.DEPTH || point === GL.STENCIL;
    const isOfOthers =
      (point >= GL.COLOR_ATTACHMENT0 && point < GL.COLOR_ATTACHMENT0 + LIMITS.colorAttachments) ||
      point === GL.DEPTH_ATTACHMENT ||
      point === GL.STENCIL_ATTACHMENT ||
      point === GL.DEPTH_STENCIL_ATTACHMENT;
    if (found.framebuffer === null ? isOfDefault : isOfOthers) continue;
    const isBeyond = point > GL.COLOR_ATTACHMENT0 && point < GL.DEPTH_ATTACHMENT;
    const error = isBeyond && found.framebuffer !== null ? GL.INVALID_OPERATION : GL.INVALID_ENUM;
    core.raise(error, caller, enumName(point));
    return;
  }
}

/** WebGL calls that clear or invalidate single buffers. */
export const clearBufferCalls = {
  clearBufferfv(
    this: ContextObject,
    buffer: number,
    drawBuffer: number,
    list: List,
    offset = 0,
  ): void {
    const core = this[CORE];
    const caller = 'clearBufferfv';
    if (buffer !== GL.COLOR && buffer !== GL.DEPTH) {
      core.rejectEnum(caller, 'buffer', buffer);
      return;
    }
    const value = readValues(core, caller, list, offset, buffer === GL.COLOR ? 4 : 1, Math.fround);
    if (value === null) return;
    if (buffer === GL.COLOR) {
      const kinds = ['unorm', 'snorm', 'float'] as const;
      if (isClearable(core, caller, drawBuffer, kinds)) clearColor(core, drawBuffer, value);
    } else if (isFirstDrawBuffer(core, caller, drawBuffer)) {
      clearDepthStencil(core, value[0]!, null);
    }
  },
  clearBufferiv(
    this: ContextObject,
    buffer: number,
    drawBuffer: number,
    list: List,
    offset = 0,
  ): void {
    const core = this[CORE];
    const caller = 'clearBufferiv';
    if (buffer !== GL.COLOR && buffer !== GL.STENCIL) {
      core.rejectEnum(caller, 'buffer', buffer);
      return;
    }
    const value = readValues(core, caller, list, offset, buffer === GL.COLOR ? 4 : 1, toInt);
    if (value === null) return;
    if (buffer === GL.COLOR) {
      if (isClearable(core, caller, drawBuffer, ['int'])) clearColor(core, drawBuffer, value);
    } else if (isFirstDrawBuffer(core, caller, drawBuffer)) {
      clearDepthStencil(core, null, value[0]!);
    }
  },
  clearBufferuiv(
    this: ContextObject,
    buffer: number,
    drawBuffer: number,
    list: List,
    offset = 0,
  ): void {
    const core = this[CORE];
    const caller = 'clearBufferuiv';
    if (buffer !== GL.COLOR) {
      core.rejectEnum(caller, 'buffer', buffer);
      return;
    }
    const value = readValues(core, caller, list, offset, 4, toUint);
    if (value !== null && isClearable(core, caller, drawBuffer, ['uint'])) {
      clearColor(core, drawBuffer, value);
    }
  },
  clearBufferfi(
    this: ContextObject,
    buffer: number,
    drawBuffer: number,
    depth: number,
    stencil: number,
  ): void {
    const core = this[CORE];
    const caller = 'clearBufferfi';
    if (buffer !== GL.DEPTH_STENCIL) {
      core.rejectEnum(caller, 'buffer', buffer);
      return;
    }
    if (isFirstDrawBuffer(core, caller, drawBuffer)) clearDepthStencil(core, depth, stencil | 0);
  },

  // Invalidated contents can stay unchanged, so these calls only check their arguments.
  invalidateFramebuffer(this: ContextObject, target: number, attachments: Iterable<number>): void {
    invalidate(this[CORE], 'invalidateFramebuffer', target, attachments);
  },
  invalidateSubFramebuffer(
    this: ContextObject,
    target: number,
    attachments: Iterable<number>,
    _x: number,
    _y: number,
    width: number,
    height: number,
  ): void {
    const core = this[CORE];
    if (width < 0 || height < 0) {
      core.raise(
        GL.INVALID_VALUE,
        'invalidateSubFramebuffer',
        `size ${width}×${height} is negative`,
      );
      return;
    }
    invalidate(core, 'invalidateSubFramebuffer', target, attachments);
  },
};
