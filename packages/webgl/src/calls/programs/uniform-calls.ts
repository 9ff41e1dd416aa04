/** Calls that set uniforms (WebGL 1.0, section 5.14.10; WebGL 2.0, section 3.7.8). */

import { type CallTable, CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { GL } from '../../interface/constants.ts';
import { WebGLUniformLocation } from '../../objects/webgl-program.ts';

type Location = WebGLUniformLocation | null;
type List = ArrayLike<number>;
/** Suffix of a call: float, int or unsigned int. */
type Scalar = 'f' | 'i' | 'ui';

const LIST_OF_SCALAR = { f: Float32Array, i: Int32Array, ui: Uint32Array };

/** Returns whether a location belongs to the current link of the program in use. Ignores `null`. */
function isUsable(
  core: ContextCore,
  caller: string,
  location: Location,
): location is WebGLUniformLocation {
  if (location === null || location === undefined) return false;
  if (!(location instanceof WebGLUniformLocation)) {
    throw new TypeError(`${caller}: the argument is not a WebGLUniformLocation`);
  }
  const { program } = location;
  if (program === core.program && program.linkCount === location.linkCount) return true;
  const cause =
    program === core.program ? 'the program was linked again' : 'its program is not in use';
  core.raise(GL.INVALID_OPERATION, caller, `the uniform location is invalid: ${cause}`);
  return false;
}

/** Returns the elements of a list that a call selects, or `null` after an error. */
function selectElements(
  core: ContextCore,
  caller: string,
  list: List,
  size: number,
  offset: number | undefined,
  length: number | undefined,
): List | null {
  if (list === null || typeof list !== 'object') {
    throw new TypeError(`${caller}: the values are not an array`);
  }
  let selected = list;
  if (core.rules.hasArrayOffsets && offset !== undefined) {
    const start = offset >>> 0;
    const count = (length ?? 0) >>> 0;
    const end = count === 0 ? list.length : start + count;
    if (start > list.length || end > list.length) {
      const message = `elements ${start} to ${end} exceed the array of ${list.length} elements`;
      core.raise(GL.INVALID_VALUE, caller, message);
      return null;
    }
    selected = Array.prototype.slice.call(list, start, end);
  }
  if (selected.length >= size && selected.length % size === 0) return selected;
  const message = `the array length ${selected.length} is not a positive multiple of ${size}`;
  core.raise(GL.INVALID_VALUE, caller, message);
  return null;
}

function setUniform(
  { gl }: ContextCore,
  { glLocation }: WebGLUniformLocation,
  scalar: Scalar,
  size: number,
  values: List,
): void {
  if (scalar === 'f') gl.programs.setFloats(glLocation, size, values);
  else if (scalar === 'i') gl.programs.setInts(glLocation, size, values);
  else gl.programs.setUints(glLocation, size, values);
}

/**
 * Returns `uniform{1234}{f,i,ui}`. These are the most frequent calls of a program, so each one
 * reuses its own list. `GlContext` copies the values.
 */
function scalarCall(caller: string, size: number, scalar: Scalar): CallTable[string] {
  const values = new LIST_OF_SCALAR[scalar](size);
  return function (location: Location, x: number, y: number, z: number, w: number): void {
    values[0] = x;
    if (size > 1) values[1] = y;
    if (size > 2) values[2] = z;
    if (size > 3) values[3] = w;
    const core = this[CORE];
    if (isUsable(core, caller, location)) setUniform(core, location, scalar, size, values);
  };
}

/** Returns `uniform{1234}{f,i,ui}v`. */
function listCall(caller: string, size: number, scalar: Scalar): CallTable[string] {
  return function (location: Location, list: List, offset?: number, length?: number): void {
    const core = this[CORE];
    if (!isUsable(core, caller, location)) return;
    const selected = selectElements(core, caller, list, size, offset, length);
    if (selected === null) return;
    const values = scalar === 'i' ? toIntegers(selected) : selected;
    setUniform(core, location, scalar, size, values);
  };
}

/** Converts the values of plain arrays, which can contain any number, to integers. */
function toIntegers(values: List): List {
  return ArrayBuffer.isView(values) ? values : Int32Array.from(values);
}

/** Returns `uniformMatrix…fv`. */
function matrixCall(caller: string, columns: number, rows: number): CallTable[string] {
  return function (
    this: ContextObject,
    location: Location,
    transpose: boolean,
    list: List,
    offset?: number,
    length?: number,
  ): void {
    const core = this[CORE];
    if (!isUsable(core, caller, location)) return;
    if (transpose && !core.gl.rules.canTransposeUniforms) {
      core.raise(GL.INVALID_VALUE, caller, 'transpose must be false in WebGL 1');
      return;
    }
    const values = selectElements(core, caller, list, columns * rows, offset, length);
    if (values === null) return;
    core.gl.programs.setMatrix(location.glLocation, columns, rows, Boolean(transpose), values);
  };
}

function makeUniformCalls(): CallTable {
  const calls: Record<string, CallTable[string]> = {};
  for (const size of [1, 2, 3, 4]) {
    for (const scalar of ['f', 'i', 'ui'] as const) {
      const name = `uniform${size}${scalar}`;
      calls[name] = scalarCall(name, size, scalar);
      calls[`${name}v`] = listCall(`${name}v`, size, scalar);
    }
  }
  for (const columns of [2, 3, 4]) {
    for (const rows of [2, 3, 4]) {
      const name = `uniformMatrix${columns === rows ? columns : `${columns}x${rows}`}fv`;
      calls[name] = matrixCall(name, columns, rows);
    }
  }
  return calls;
}

/** WebGL calls that set uniforms. */
export const uniformCalls = makeUniformCalls();
