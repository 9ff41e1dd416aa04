/**
 * Calls that define and update compressed textures (WebGL 1.0, section 5.14.8; WebGL 2.0, section
 * 3.7.6).
 */
import { toLongLong } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { type BlockSource, defineBlocks, replaceBlocks } from './compressed-upload.ts';

/**
 * Reads the data of a call: a view, in WebGL 2 with an element offset and a length, or in WebGL 2 a
 * size and an offset in PIXEL_UNPACK_BUFFER.
 *
 * @throws {TypeError} If the data are neither.
 */
function readSource(core: ContextCore, caller: string, data: readonly unknown[]): BlockSource {
  const [first, offset, length] = data;
  if (ArrayBuffer.isView(first)) {
    return core.rules.hasArrayOffsets
      ? { kind: 'view', view: first, offset, length }
      : { kind: 'view', view: first };
  }
  if (core.rules.hasPixelBuffers && data.length === 2) {
    return { kind: 'buffer', sizeBytes: Number(first) | 0, offsetBytes: toLongLong(offset) };
  }
  throw new TypeError(`${caller}: the data are not an ArrayBufferView`);
}

/** WebGL calls for compressed textures. */
export const compressedCalls = {
  compressedTexImage2D(
    this: ContextObject,
    target: number,
    level: number,
    format: number,
    widthPx: number,
    heightPx: number,
    border: number,
    ...data: unknown[]
  ): void {
    const core = this[CORE];
    const caller = 'compressedTexImage2D';
    const source = readSource(core, caller, data);
    const call = { caller, target, level, format, widthPx, heightPx, depthPx: 1 };
    defineBlocks(core, call, [border, '2d'], source);
  },

  compressedTexImage3D(
    this: ContextObject,
    target: number,
    level: number,
    format: number,
    widthPx: number,
    heightPx: number,
    depthPx: number,
    border: number,
    ...data: unknown[]
  ): void {
    const core = this[CORE];
    const caller = 'compressedTexImage3D';
    const source = readSource(core, caller, data);
    const call = { caller, target, level, format, widthPx, heightPx, depthPx };
    defineBlocks(core, call, [border, '3d'], source);
  },

  compressedTexSubImage2D(
    this: ContextObject,
    target: number,
    level: number,
    x: number,
    y: number,
    widthPx: number,
    heightPx: number,
    format: number,
    ...data: unknown[]
  ): void {
    const core = this[CORE];
    const caller = 'compressedTexSubImage2D';
    const source = readSource(core, caller, data);
    const call = { caller, target, level, format, widthPx, heightPx, depthPx: 1 };
    replaceBlocks(core, call, [x, y, 0, '2d'], source);
  },

  compressedTexSubImage3D(
    this: ContextObject,
    target: number,
    level: number,
    x: number,
    y: number,
    z: number,
    widthPx: number,
    heightPx: number,
    depthPx: number,
    format: number,
    ...data: unknown[]
  ): void {
    const core = this[CORE];
    const caller = 'compressedTexSubImage3D';
    const source = readSource(core, caller, data);
    const call = { caller, target, level, format, widthPx, heightPx, depthPx };
    replaceBlocks(core, call, [x, y, z, '3d'], source);
  },
};
