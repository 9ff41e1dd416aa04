/**
 * Calls that define and update compressed textures (WebGL 1.0, section 5.14.8; WebGL 2.0, section
 * 3.7.6).
 */
import { toLongLong } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import {
  type BlockSource,
  type CompressedCall,
  defineBlocks,
  replaceBlocks,
} from './compressed-upload.ts';

/**
 * Reads the arguments of a call from its data on. WebGL 2 also accepts a size and an offset in
 * PIXEL_UNPACK_BUFFER instead of a view with an element offset and a length.
 *
 * @throws {TypeError} If the data are neither.
 */
function readSource(core: ContextCore, caller: string, rest: readonly unknown[]): BlockSource {
  const [data, offset, length] = rest;
  if (ArrayBuffer.isView(data)) {
    return core.rules.hasArrayOffsets
      ? { kind: 'view', view: data, offset, length }
      : { kind: 'view', view: data };
  }
  if (core.rules.hasPixelBuffers && rest.length === 2) {
    return { kind: 'buffer', sizeBytes: Number(data) | 0, offsetBytes: toLongLong(offset) };
  }
  throw new TypeError(`${caller}: the data are not an ArrayBufferView`);
}

/** Converts arguments to 32-bit integers. */
const integers = (given: readonly unknown[]): number[] => given.map((value) => Number(value) | 0);

function callOf(
  caller: string,
  [target, level, format]: readonly unknown[],
  [widthPx, heightPx, depthPx]: readonly number[],
): CompressedCall {
  const ids = { target: Number(target) >>> 0, level: Number(level) | 0 };
  const size = { widthPx: widthPx!, heightPx: heightPx!, depthPx: depthPx! };
  return { caller, ...ids, ...size, format: Number(format) >>> 0 };
}

/** WebGL calls for compressed textures. */
export const compressedCalls = {
  compressedTexImage2D(this: ContextObject, ...given: unknown[]): void {
    const core = this[CORE];
    const caller = 'compressedTexImage2D';
    const [width, height, border] = integers(given.slice(3, 6));
    const source = readSource(core, caller, given.slice(6));
    const call = callOf(caller, given, [width!, height!, 1]);
    defineBlocks(core, call, [border!, '2d'], source);
  },

  compressedTexImage3D(this: ContextObject, ...given: unknown[]): void {
    const core = this[CORE];
    const caller = 'compressedTexImage3D';
    const [width, height, depth, border] = integers(given.slice(3, 7));
    const source = readSource(core, caller, given.slice(7));
    const call = callOf(caller, given, [width!, height!, depth!]);
    defineBlocks(core, call, [border!, '3d'], source);
  },

  compressedTexSubImage2D(this: ContextObject, ...given: unknown[]): void {
    const core = this[CORE];
    const caller = 'compressedTexSubImage2D';
    const [target, level] = given;
    const [x, y, width, height] = integers(given.slice(2, 6));
    const source = readSource(core, caller, given.slice(7));
    const call = callOf(caller, [target, level, given[6]], [width!, height!, 1]);
    replaceBlocks(core, call, [x!, y!, 0, '2d'], source);
  },

  compressedTexSubImage3D(this: ContextObject, ...given: unknown[]): void {
    const core = this[CORE];
    const caller = 'compressedTexSubImage3D';
    const [target, level] = given;
    const [x, y, z, width, height, depth] = integers(given.slice(2, 8));
    const source = readSource(core, caller, given.slice(9));
    const call = callOf(caller, [target, level, given[8]], [width!, height!, depth!]);
    replaceBlocks(core, call, [x!, y!, z!, '3d'], source);
  },
};
