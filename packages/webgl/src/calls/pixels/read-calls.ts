/** Reads from the framebuffer (WebGL 1.0, section 5.14.12; WebGL 2.0, section 3.7.10). */
import { toLongLong } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { isUsable } from '../../rules/feedback-conflicts.ts';
import { isComplete } from '../../rules/framebuffer-state.ts';
import { hasOneView } from '../../rules/view-rules.ts';
import { sliceView } from '../buffers/buffer-calls.ts';
import { isViewOf } from './texture-upload.ts';

/** Formats in which all versions read. */
const FORMATS: readonly number[] = [GL.ALPHA, GL.RGB, GL.RGBA];
const FORMATS_OF_WEBGL2: readonly number[] = [
  GL.RED,
  GL.RG,
  GL.RED_INTEGER,
  GL.RG_INTEGER,
  GL.RGB_INTEGER,
  GL.RGBA_INTEGER,
];
/** Types of uploads that no color buffer can be read in. */
const DEPTH_TYPES: readonly number[] = [GL.UNSIGNED_INT_24_8, GL.FLOAT_32_UNSIGNED_INT_24_8_REV];

/** Returns whether format and type are enumerations that some color buffer can be read in. */
function isReadEnum({ rules, extensions }: ContextCore, format: number, type: number): boolean {
  const isFormat =
    FORMATS.includes(format) || (rules.hasPixelBuffers && FORMATS_OF_WEBGL2.includes(format));
  if (!isFormat || DEPTH_TYPES.includes(type)) return false;
  // With either extension, WebGL 1 has targets that are read as floats.
  const isFloat = type === GL.FLOAT && extensions.isEnabled('OES_texture_half_float');
  const extension = rules.uploadTypes.get(type);
  const isType = extension === null || (extension !== undefined && extensions.isEnabled(extension));
  return isType || isFloat;
}

/** WebGL calls that read pixels. */
export const readCalls = {
  readPixels(
    this: ContextObject,
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    destination: ArrayBufferView | number | null,
    offset?: number,
  ): void {
    const core = this[CORE];
    const caller = 'readPixels';
    if (!isReadEnum(core, format >>> 0, type >>> 0)) {
      core.raise(
        GL.INVALID_ENUM,
        caller,
        `format ${enumName(format)} with type ${enumName(type)} is not accepted`,
      );
      return;
    }
    const isIntoBuffer = core.rules.hasPixelBuffers && core.boundBuffers.has(GL.PIXEL_PACK_BUFFER);
    let target: Uint8Array | number;
    if (typeof destination === 'number' && core.rules.hasPixelBuffers) {
      if (!isIntoBuffer) {
        core.raise(GL.INVALID_OPERATION, caller, 'no buffer is bound to PIXEL_PACK_BUFFER');
        return;
      }
      target = toLongLong(destination);
      if (target < 0) {
        core.raise(GL.INVALID_VALUE, caller, `offset ${target} is negative`);
        return;
      }
    } else if (destination === null || destination === undefined) {
      core.raise(GL.INVALID_VALUE, caller, 'the destination is null');
      return;
    } else {
      if (!ArrayBuffer.isView(destination))
        throw new TypeError(`${caller}: the destination is not an ArrayBufferView`);
      if (isIntoBuffer) {
        core.raise(GL.INVALID_OPERATION, caller, 'a buffer is bound to PIXEL_PACK_BUFFER');
        return;
      }
      if (!isComplete(core, caller, core.readFramebuffer) || !hasOneView(core, caller)) return;
      if (!isViewOf(core, caller, destination, type >>> 0, GL.INVALID_ENUM)) return;
      const bytes = sliceView(core, caller, destination, offset, undefined);
      if (bytes === null) return;
      target = bytes;
    }
    if (!isComplete(core, caller, core.readFramebuffer) || !hasOneView(core, caller)) return;
    const packed = core.boundBuffers.get(GL.PIXEL_PACK_BUFFER);
    if (packed !== undefined && !isUsable(core, caller, packed)) return;
    const { readFramebuffer, defaultReadBuffer } = core;
    if ((readFramebuffer?.readBuffer ?? defaultReadBuffer) === GL.NONE) {
      core.raise(GL.INVALID_OPERATION, caller, 'the read buffer is NONE');
      return;
    }
    const { alignment, rowLength, skipRows, skipPixels } = core.pixelStorage.pack;
    const widthPx = width | 0;
    if (widthPx + skipPixels > (rowLength || widthPx)) {
      core.raise(
        GL.INVALID_OPERATION,
        caller,
        `PACK_ROW_LENGTH ${rowLength} is less than PACK_SKIP_PIXELS ${skipPixels} + width ${widthPx}`,
      );
      return;
    }
    core.gl.reads.read(x | 0, y | 0, widthPx, height | 0, format >>> 0, type >>> 0, target, {
      alignmentBytes: alignment,
      rowLengthPx: rowLength,
      skipRows,
      skipPx: skipPixels,
    });
  },
};
