/** Sampler objects (WebGL 2.0, section 3.7.13). */

import { checkObject, isAlive, isDeletable, toFloat } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { TEXTURE_UNIT_COUNT } from '../../context/texture-units.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { WebGLSampler } from '../../objects/webgl-object.ts';
import { checkMaxAnisotropy, isMaxAnisotropy } from './anisotropy.ts';
import { isWrongWrapMode } from './wrap-modes.ts';

const FRACTIONS: readonly number[] = [GL.TEXTURE_MIN_LOD, GL.TEXTURE_MAX_LOD];
const PARAMETERS: readonly number[] = [
  GL.TEXTURE_MAG_FILTER,
  GL.TEXTURE_MIN_FILTER,
  GL.TEXTURE_WRAP_S,
  GL.TEXTURE_WRAP_T,
  GL.TEXTURE_WRAP_R,
  GL.TEXTURE_COMPARE_FUNC,
  GL.TEXTURE_COMPARE_MODE,
  ...FRACTIONS,
];

function setParameter(
  core: ContextCore,
  caller: string,
  sampler: WebGLSampler,
  parameter: number,
  value: number,
): void {
  if (!checkObject(core, caller, sampler, WebGLSampler)) return;
  const isWrong = isWrongWrapMode(core, parameter, value);
  const isAnisotropy = isMaxAnisotropy(core, parameter);
  if (isAnisotropy && !checkMaxAnisotropy(core, caller, value)) return;
  if ((!isAnisotropy && !PARAMETERS.includes(parameter)) || isWrong) {
    core.raise(
      GL.INVALID_ENUM,
      caller,
      `${enumName(parameter)} does not accept ${enumName(value)}`,
    );
    return;
  }
  core.gl.textures.samplers.setParameter(sampler.glName, parameter, value);
}

/** WebGL calls for sampler objects. */
export const samplerCalls = {
  createSampler(this: ContextObject): WebGLSampler {
    const core = this[CORE];
    return new WebGLSampler(core, core.gl.textures.samplers.create());
  },
  deleteSampler(this: ContextObject, sampler: WebGLSampler | null): void {
    const core = this[CORE];
    if (!isDeletable(core, 'deleteSampler', sampler, WebGLSampler)) return;
    sampler.isDeleted = true;
    core.textureUnits.detachSampler(sampler);
    core.gl.textures.samplers.remove(sampler.glName);
  },
  isSampler(this: ContextObject, sampler: WebGLSampler | null): boolean {
    return isAlive(this[CORE], 'isSampler', sampler, WebGLSampler);
  },
  bindSampler(this: ContextObject, unit: number, sampler: WebGLSampler | null): void {
    const core = this[CORE];
    const caller = 'bindSampler';
    const isNone = sampler === null || sampler === undefined;
    if (!isNone && !checkObject(core, caller, sampler, WebGLSampler)) return;
    const index = unit >>> 0;
    if (index >= TEXTURE_UNIT_COUNT) {
      core.raise(
        GL.INVALID_VALUE,
        caller,
        `texture unit ${unit} is not in 0..${TEXTURE_UNIT_COUNT - 1}`,
      );
      return;
    }
    core.textureUnits.samplers[index] = isNone ? null : sampler;
    core.gl.textures.samplers.bind(index, isNone ? 0 : sampler.glName);
  },
  samplerParameteri(
    this: ContextObject,
    sampler: WebGLSampler,
    parameter: number,
    value: number,
  ): void {
    setParameter(this[CORE], 'samplerParameteri', sampler, parameter >>> 0, value | 0);
  },
  samplerParameterf(
    this: ContextObject,
    sampler: WebGLSampler,
    parameter: number,
    value: number,
  ): void {
    const number = toFloat(value);
    const core = this[CORE];
    const isFraction = FRACTIONS.includes(parameter) || isMaxAnisotropy(core, parameter);
    const used = isFraction ? number : Math.round(number);
    setParameter(core, 'samplerParameterf', sampler, parameter >>> 0, used);
  },
  getSamplerParameter(this: ContextObject, sampler: WebGLSampler, parameter: number): unknown {
    const core = this[CORE];
    const caller = 'getSamplerParameter';
    if (!checkObject(core, caller, sampler, WebGLSampler)) return null;
    if (PARAMETERS.includes(parameter) || isMaxAnisotropy(core, parameter)) {
      return core.gl.textures.samplers.parameter(sampler.glName, parameter);
    }
    core.rejectEnum(caller, 'parameter', parameter);
    return null;
  },
};
