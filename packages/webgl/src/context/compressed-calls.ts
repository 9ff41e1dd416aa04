/** Compressed textures: no extension brings a format, so every format is an unknown one (WebGL 1.0, 5.14.8). */
import { CORE, type ContextObject } from './call-table.ts';
import { enumName, GL } from './constants.ts';

function refuse(where: string, formatIndex: number) {
  return function (this: ContextObject, ...given: number[]): void {
    this[CORE].raise(GL.INVALID_ENUM, where, `format ${enumName(given[formatIndex]!)}`);
  };
}

export const compressedCalls = {
  compressedTexImage2D: refuse('compressedTexImage2D', 2),
  compressedTexSubImage2D: refuse('compressedTexSubImage2D', 6),
  compressedTexImage3D: refuse('compressedTexImage3D', 2),
  compressedTexSubImage3D: refuse('compressedTexSubImage3D', 8),
};
