/**
 * Values of uniforms (WebGL 1.0, section 5.14.10; WebGL 2.0, section 3.7.8). They are called more often than all else,
 * so scalars go through lists that the module keeps, and the state machine copies what it is given.
 */

import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { GL } from '../../interface/constants.ts';
import { WebGLUniformLocation } from '../../objects/webgl-program.ts';

type Location = WebGLUniformLocation | null;
type List = ArrayLike<number>;

/** By length; each call fills one and hands it on at once. */
const FLOATS = [1, 2, 3, 4].map((length) => new Float32Array(length));
const INTEGERS = [1, 2, 3, 4].map((length) => new Int32Array(length));
const UNSIGNED = [1, 2, 3, 4].map((length) => new Uint32Array(length));

/** Whether a location is of the program in use as it is linked now; `null` is passed over silently. */
function isUsable(
  core: ContextCore,
  where: string,
  location: Location,
): location is WebGLUniformLocation {
  if (location === null || location === undefined) return false;
  if (!(location instanceof WebGLUniformLocation)) {
    throw new TypeError(`${where}: the argument is not a WebGLUniformLocation`);
  }
  const { program } = location;
  if (program === core.program && program.linkCount === location.linkCount) return true;
  core.raise(GL.INVALID_OPERATION, where, 'the location is not of the program in use');
  return false;
}

/** The elements of a list that a call means; `null` after an error. */
function takeList(
  core: ContextCore,
  where: string,
  list: List,
  size: number,
  offset: number | undefined,
  length: number | undefined,
): List | null {
  if (list === null || typeof list !== 'object') throw new TypeError(`${where}: no list is given`);
  let taken = list;
  if (core.isWebGL2 && offset !== undefined) {
    const start = offset >>> 0;
    const count = (length ?? 0) >>> 0;
    const end = count === 0 ? list.length : start + count;
    if (start > list.length || end > list.length) {
      core.raise(GL.INVALID_VALUE, where, `elements ${start} to ${end} of ${list.length}`);
      return null;
    }
    taken = Array.prototype.slice.call(list, start, end);
  }
  if (taken.length >= size && taken.length % size === 0) return taken;
  core.raise(GL.INVALID_VALUE, where, `${taken.length} numbers for elements of ${size}`);
  return null;
}

function setFloats(core: ContextCore, where: string, location: Location, values: List): void {
  if (isUsable(core, where, location)) {
    core.gl.uniformf(location.glLocation, values.length, values);
  }
}

function setIntegers(core: ContextCore, where: string, location: Location, values: List): void {
  if (isUsable(core, where, location)) {
    core.gl.uniformi(location.glLocation, values.length, values);
  }
}

function setUnsigned(core: ContextCore, where: string, location: Location, values: List): void {
  if (isUsable(core, where, location)) {
    core.gl.uniformui(location.glLocation, values.length, values);
  }
}

type ListCall = (
  this: ContextObject,
  location: Location,
  list: List,
  offset?: number,
  length?: number,
) => void;

/** `uniform{1234}{f,i,ui}v`. */
function listCall(where: string, size: number, kind: 'f' | 'i' | 'ui'): ListCall {
  return function (location, list, offset, length) {
    const core = this[CORE];
    if (!isUsable(core, where, location)) return;
    const values = takeList(core, where, list, size, offset, length);
    if (values === null) return;
    if (kind === 'f') core.gl.uniformf(location.glLocation, size, values);
    else if (kind === 'i') core.gl.uniformi(location.glLocation, size, toIntegers(values));
    else core.gl.uniformui(location.glLocation, size, values);
  };
}

/** Lists that are no typed arrays may hold any number. */
function toIntegers(values: List): List {
  return ArrayBuffer.isView(values) ? values : Int32Array.from(values);
}

/** `uniformMatrix…fv`. */
function matrixCall(where: string, columns: number, rows: number) {
  return function (
    this: ContextObject,
    location: Location,
    transpose: boolean,
    list: List,
    offset?: number,
    length?: number,
  ): void {
    const core = this[CORE];
    if (!isUsable(core, where, location)) return;
    if (transpose && !core.isWebGL2) {
      core.raise(GL.INVALID_VALUE, where, 'transpose is true');
      return;
    }
    const values = takeList(core, where, list, columns * rows, offset, length);
    if (values === null) return;
    core.gl.uniformMatrix(location.glLocation, columns, rows, Boolean(transpose), values);
  };
}

export const uniformCalls = {
  uniform1f(this: ContextObject, location: Location, x: number): void {
    const values = FLOATS[0]!;
    values[0] = x;
    setFloats(this[CORE], 'uniform1f', location, values);
  },
  uniform2f(this: ContextObject, location: Location, x: number, y: number): void {
    const values = FLOATS[1]!;
    values[0] = x;
    values[1] = y;
    setFloats(this[CORE], 'uniform2f', location, values);
  },
  uniform3f(this: ContextObject, location: Location, x: number, y: number, z: number): void {
    const values = FLOATS[2]!;
    values[0] = x;
    values[1] = y;
    values[2] = z;
    setFloats(this[CORE], 'uniform3f', location, values);
  },
  uniform4f(
    this: ContextObject,
    location: Location,
    x: number,
    y: number,
    z: number,
    w: number,
  ): void {
    const values = FLOATS[3]!;
    values[0] = x;
    values[1] = y;
    values[2] = z;
    values[3] = w;
    setFloats(this[CORE], 'uniform4f', location, values);
  },
  uniform1i(this: ContextObject, location: Location, x: number): void {
    const values = INTEGERS[0]!;
    values[0] = x;
    setIntegers(this[CORE], 'uniform1i', location, values);
  },
  uniform2i(this: ContextObject, location: Location, x: number, y: number): void {
    const values = INTEGERS[1]!;
    values[0] = x;
    values[1] = y;
    setIntegers(this[CORE], 'uniform2i', location, values);
  },
  uniform3i(this: ContextObject, location: Location, x: number, y: number, z: number): void {
    const values = INTEGERS[2]!;
    values[0] = x;
    values[1] = y;
    values[2] = z;
    setIntegers(this[CORE], 'uniform3i', location, values);
  },
  uniform4i(
    this: ContextObject,
    location: Location,
    x: number,
    y: number,
    z: number,
    w: number,
  ): void {
    const values = INTEGERS[3]!;
    values[0] = x;
    values[1] = y;
    values[2] = z;
    values[3] = w;
    setIntegers(this[CORE], 'uniform4i', location, values);
  },
  uniform1ui(this: ContextObject, location: Location, x: number): void {
    const values = UNSIGNED[0]!;
    values[0] = x;
    setUnsigned(this[CORE], 'uniform1ui', location, values);
  },
  uniform2ui(this: ContextObject, location: Location, x: number, y: number): void {
    const values = UNSIGNED[1]!;
    values[0] = x;
    values[1] = y;
    setUnsigned(this[CORE], 'uniform2ui', location, values);
  },
  uniform3ui(this: ContextObject, location: Location, x: number, y: number, z: number): void {
    const values = UNSIGNED[2]!;
    values[0] = x;
    values[1] = y;
    values[2] = z;
    setUnsigned(this[CORE], 'uniform3ui', location, values);
  },
  uniform4ui(
    this: ContextObject,
    location: Location,
    x: number,
    y: number,
    z: number,
    w: number,
  ): void {
    const values = UNSIGNED[3]!;
    values[0] = x;
    values[1] = y;
    values[2] = z;
    values[3] = w;
    setUnsigned(this[CORE], 'uniform4ui', location, values);
  },
  uniform1fv: listCall('uniform1fv', 1, 'f'),
  uniform2fv: listCall('uniform2fv', 2, 'f'),
  uniform3fv: listCall('uniform3fv', 3, 'f'),
  uniform4fv: listCall('uniform4fv', 4, 'f'),
  uniform1iv: listCall('uniform1iv', 1, 'i'),
  uniform2iv: listCall('uniform2iv', 2, 'i'),
  uniform3iv: listCall('uniform3iv', 3, 'i'),
  uniform4iv: listCall('uniform4iv', 4, 'i'),
  uniform1uiv: listCall('uniform1uiv', 1, 'ui'),
  uniform2uiv: listCall('uniform2uiv', 2, 'ui'),
  uniform3uiv: listCall('uniform3uiv', 3, 'ui'),
  uniform4uiv: listCall('uniform4uiv', 4, 'ui'),
  uniformMatrix2fv: matrixCall('uniformMatrix2fv', 2, 2),
  uniformMatrix3fv: matrixCall('uniformMatrix3fv', 3, 3),
  uniformMatrix4fv: matrixCall('uniformMatrix4fv', 4, 4),
  uniformMatrix2x3fv: matrixCall('uniformMatrix2x3fv', 2, 3),
  uniformMatrix2x4fv: matrixCall('uniformMatrix2x4fv', 2, 4),
  uniformMatrix3x2fv: matrixCall('uniformMatrix3x2fv', 3, 2),
  uniformMatrix3x4fv: matrixCall('uniformMatrix3x4fv', 3, 4),
  uniformMatrix4x2fv: matrixCall('uniformMatrix4x2fv', 4, 2),
  uniformMatrix4x3fv: matrixCall('uniformMatrix4x3fv', 4, 3),
};
