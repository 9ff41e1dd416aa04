/**
 * Queries about the context (WebGL 1.0, section 5.14.3) and about the precision of numeric types in
 * shaders.
 */

import { CORE, type ContextObject } from '../../context/call-table.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { WebGLShaderPrecisionFormat } from '../../objects/webgl-program.ts';
import { readParameter } from './parameters.ts';

const FLOATS: readonly number[] = [GL.LOW_FLOAT, GL.MEDIUM_FLOAT, GL.HIGH_FLOAT];
const INTEGERS: readonly number[] = [GL.LOW_INT, GL.MEDIUM_INT, GL.HIGH_INT];

/** WebGL calls that query the context. */
export const parameterCalls = {
  getParameter(this: ContextObject, parameter: number): unknown {
    const core = this[CORE];
    const value = readParameter(core, parameter >>> 0);
    if (value !== undefined) return value;
    core.rejectEnum('getParameter', 'parameter', parameter >>> 0);
    return null;
  },

  /** Returns 32-bit precision for every qualifier, because chiplets compute with 32 bits. */
  getShaderPrecisionFormat(
    this: ContextObject,
    shaderType: number,
    precisionType: number,
  ): WebGLShaderPrecisionFormat | null {
    const isShader = shaderType === GL.VERTEX_SHADER || shaderType === GL.FRAGMENT_SHADER;
    if (isShader && FLOATS.includes(precisionType)) {
      return new WebGLShaderPrecisionFormat(127, 127, 23);
    }
    if (isShader && INTEGERS.includes(precisionType)) {
      return new WebGLShaderPrecisionFormat(31, 30, 0);
    }
    const message = `${enumName(shaderType)} with ${enumName(precisionType)} is not accepted`;
    this[CORE].raise(GL.INVALID_ENUM, 'getShaderPrecisionFormat', message);
    return null;
  },
};
