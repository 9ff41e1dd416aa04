/**
 * Compressed textures (WebGL 1.0, section 5.14.8). No extension provides a format, so every call
 * raises an error.
 */
import { CORE, type ContextObject } from '../../context/call-table.ts';

/**
 * @param dataIndex Index of the data argument. With more arguments after it, WebGL 2 reads the data
 *   from a buffer.
 */
function refuse(caller: string, formatIndex: number, dataIndex: number) {
  return function (this: ContextObject, ...given: unknown[]): void {
    const core = this[CORE];
    const isFromBuffer = core.rules.hasPixelBuffers && given.length > dataIndex + 1;
    if (!isFromBuffer && !ArrayBuffer.isView(given[dataIndex])) {
      throw new TypeError(`${caller}: the data is not an ArrayBufferView`);
    }
    core.rejectEnum(caller, 'format', Number(given[formatIndex]));
  };
}

/** WebGL calls for compressed textures. */
export const compressedCalls = {
  compressedTexImage2D: refuse('compressedTexImage2D', 2, 6),
  compressedTexSubImage2D: refuse('compressedTexSubImage2D', 6, 7),
  compressedTexImage3D: refuse('compressedTexImage3D', 2, 7),
  compressedTexSubImage3D: refuse('compressedTexSubImage3D', 8, 9),
};
