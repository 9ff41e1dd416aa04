/** Compressed textures: no extension brings a format, so every format is an unknown one (WebGL 1.0, 5.14.8). */
import { CORE, type ContextObject } from '../../context/call-table.ts';
import { enumName, GL } from '../../interface/constants.ts';

/** @param dataIndex Of the argument that the texels are in; WebGL 2 takes them from a buffer if more follow a number. */
function refuse(caller: string, formatIndex: number, dataIndex: number) {
  return function (this: ContextObject, ...given: unknown[]): void {
    const core = this[CORE];
    const isFromBuffer = core.isWebGL2 && given.length > dataIndex + 1;
    if (!isFromBuffer && !ArrayBuffer.isView(given[dataIndex])) {
      throw new TypeError(`${caller}: no view is given`);
    }
    core.raise(GL.INVALID_ENUM, caller, `format ${enumName(Number(given[formatIndex]))}`);
  };
}

export const compressedCalls = {
  compressedTexImage2D: refuse('compressedTexImage2D', 2, 6),
  compressedTexSubImage2D: refuse('compressedTexSubImage2D', 6, 7),
  compressedTexImage3D: refuse('compressedTexImage3D', 2, 7),
  compressedTexSubImage3D: refuse('compressedTexSubImage3D', 8, 9),
};
