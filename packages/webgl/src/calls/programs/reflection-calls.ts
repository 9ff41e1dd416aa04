/**
 * Queries about linked programs: active attributes, uniforms and blocks (WebGL 1.0, section
 * 5.14.10).
 */

import { requireObject } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { GL } from '../../interface/constants.ts';
import {
  type ActiveUniform,
  findUniform,
  type ProgramInterface,
} from '../../objects/program-interface.ts';
import {
  WebGLActiveInfo,
  WebGLProgram,
  WebGLUniformLocation,
} from '../../objects/webgl-program.ts';
import { isName, isReservedName, requireLinked } from './program-calls.ts';

/**
 * Returns the active uniforms and blocks of a program. A program whose last link failed has none
 * (OpenGL ES 3.0, section 2.12.6).
 */
function activeLists({
  isLinked,
  interface: described,
}: WebGLProgram): Pick<ProgramInterface, 'uniforms' | 'blocks'> {
  return isLinked ? described! : { uniforms: [], blocks: [] };
}

function activeInfo<T>(
  core: ContextCore,
  caller: string,
  list: readonly T[],
  index: number,
  describe: (active: T) => WebGLActiveInfo,
): WebGLActiveInfo | null {
  const found = list[index >>> 0];
  if (found !== undefined) return describe(found);
  core.raise(GL.INVALID_VALUE, caller, `index ${index} is not less than ${list.length}`);
  return null;
}

/** Readers of the parameters of `getActiveUniforms`. */
const UNIFORM_READERS: ReadonlyMap<number, (uniform: ActiveUniform) => number | boolean> = new Map<
  number,
  (uniform: ActiveUniform) => number | boolean
>([
  [GL.UNIFORM_TYPE, ({ type }) => type],
  [GL.UNIFORM_SIZE, ({ arrayLength }) => arrayLength],
  [GL.UNIFORM_BLOCK_INDEX, ({ blockIndex }) => blockIndex],
  [GL.UNIFORM_OFFSET, ({ offsetBytes }) => offsetBytes],
  [GL.UNIFORM_ARRAY_STRIDE, ({ arrayStrideBytes }) => arrayStrideBytes],
  [GL.UNIFORM_MATRIX_STRIDE, ({ matrixStrideBytes }) => matrixStrideBytes],
  [GL.UNIFORM_IS_ROW_MAJOR, ({ isRowMajor }) => isRowMajor],
]);

/** WebGL calls that query linked programs. */
export const reflectionCalls = {
  getActiveAttrib(
    this: ContextObject,
    program: WebGLProgram,
    index: number,
  ): WebGLActiveInfo | null {
    const core = this[CORE];
    const caller = 'getActiveAttrib';
    const found = requireObject(core, caller, program, WebGLProgram);
    if (found === null) return null;
    const list = found.isLinked ? found.interface!.attributes : [];
    return activeInfo(core, caller, list, index, ({ name, type }) => {
      return new WebGLActiveInfo(1, type, name);
    });
  },

  getActiveUniform(
    this: ContextObject,
    program: WebGLProgram,
    index: number,
  ): WebGLActiveInfo | null {
    const core = this[CORE];
    const caller = 'getActiveUniform';
    const found = requireObject(core, caller, program, WebGLProgram);
    if (found === null) return null;
    const list = found.isLinked ? found.interface!.uniforms : [];
    return activeInfo(core, caller, list, index, ({ name, type, arrayLength }) => {
      return new WebGLActiveInfo(arrayLength, type, name);
    });
  },

  getAttribLocation(this: ContextObject, program: WebGLProgram, name: string): number {
    const core = this[CORE];
    const caller = 'getAttribLocation';
    const found = requireObject(core, caller, program, WebGLProgram);
    const attribute = String(name);
    if (found === null || !isName(core, caller, attribute)) return -1;
    if (requireLinked(core, caller, found) === null || isReservedName(attribute)) return -1;
    return core.gl.programs.attributeLocation(found.glName, attribute);
  },

  getUniformLocation(
    this: ContextObject,
    program: WebGLProgram,
    name: string,
  ): WebGLUniformLocation | null {
    const core = this[CORE];
    const caller = 'getUniformLocation';
    const found = requireObject(core, caller, program, WebGLProgram);
    const uniformName = String(name);
    if (found === null || !isName(core, caller, uniformName)) return null;
    if (requireLinked(core, caller, found) === null || isReservedName(uniformName)) return null;
    const active = findUniform(found.interface!, uniformName);
    if (active === null) return null;
    const glLocation = core.gl.programs.uniformLocation(found.glName, uniformName);
    return new WebGLUniformLocation(found, active.uniform, active.element, glLocation);
  },

  getUniform(this: ContextObject, program: WebGLProgram, location: WebGLUniformLocation): unknown {
    const core = this[CORE];
    const caller = 'getUniform';
    if (!(location instanceof WebGLUniformLocation)) {
      throw new TypeError(`${caller}: the argument is not a WebGLUniformLocation`);
    }
    const found = requireLinked(core, caller, program);
    if (found === null) return null;
    if (location.program !== found || location.linkCount !== found.linkCount) {
      core.raise(
        GL.INVALID_OPERATION,
        caller,
        'the location belongs to another program or an earlier link',
      );
      return null;
    }
    const { linked } = core.gl.programs.find(caller, found.glName)!;
    const values = linked?.uniforms.get(location.glLocation) ?? null;
    return values === null ? null : toUniformValue(location.uniform, values);
  },

  getUniformIndices(
    this: ContextObject,
    program: WebGLProgram,
    names: Iterable<string>,
  ): number[] | null {
    const found = requireObject(this[CORE], 'getUniformIndices', program, WebGLProgram);
    if (found === null) return null;
    const { uniforms } = activeLists(found);
    return Array.from(names, (name) => {
      const index = uniforms.findIndex(
        (uniform) =>
          uniform.name === String(name) || (uniform.isArray && uniform.name === `${name}[0]`),
      );
      return index === -1 ? GL.INVALID_INDEX : index;
    });
  },

  getActiveUniforms(
    this: ContextObject,
    program: WebGLProgram,
    indices: Iterable<number>,
    parameter: number,
  ): unknown[] | null {
    const core = this[CORE];
    const caller = 'getActiveUniforms';
    const found = requireObject(core, caller, program, WebGLProgram);
    if (found === null) return null;
    const read = UNIFORM_READERS.get(parameter);
    if (read === undefined) {
      core.rejectEnum(caller, 'parameter', parameter);
      return null;
    }
    const { uniforms: active } = activeLists(found);
    const uniforms = Array.from(indices, (index) => active[index >>> 0]);
    if (!uniforms.every((uniform) => uniform !== undefined)) {
      core.raise(GL.INVALID_VALUE, caller, `an index is not less than ${active.length}`);
      return null;
    }
    return uniforms.map(read);
  },

  getUniformBlockIndex(this: ContextObject, program: WebGLProgram, name: string): number {
    const found = requireObject(this[CORE], 'getUniformBlockIndex', program, WebGLProgram);
    if (found === null) return GL.INVALID_INDEX;
    const { blocks } = activeLists(found);
    const index = blocks.findIndex(
      (block) => block.name === String(name) || block.name === `${name}[0]`,
    );
    return index === -1 ? GL.INVALID_INDEX : index;
  },

  getActiveUniformBlockName(
    this: ContextObject,
    program: WebGLProgram,
    index: number,
  ): string | null {
    const core = this[CORE];
    const found = requireLinked(core, 'getActiveUniformBlockName', program);
    if (found === null) return null;
    const block = found.interface!.blocks[index >>> 0];
    if (block !== undefined) return block.name;
    core.raise(GL.INVALID_VALUE, 'getActiveUniformBlockName', `there is no uniform block ${index}`);
    return null;
  },
};

/** Converts a value to the form that `getUniform` returns: a number, a boolean or an array. */
function toUniformValue(
  { kind, rows, columns }: ActiveUniform,
  values: readonly number[],
): unknown {
  const isScalar = rows * columns === 1;
  switch (kind) {
    case 'bool':
      return isScalar ? values[0] !== 0 : values.map((value) => value !== 0);
    case 'sampler':
      return values[0];
    case 'int':
      return isScalar ? values[0] : Int32Array.from(values);
    case 'uint':
      return isScalar ? values[0]! >>> 0 : Uint32Array.from(values);
    case 'float':
      return isScalar ? values[0] : Float32Array.from(values);
  }
}
