/** Texture objects and their parameters (WebGL 1.0, section 5.14.8; WebGL 2.0, section 3.7.6). */

import { checkObject, isAlive, isDeletable, toFloat } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { TEXTURE_UNIT_COUNT } from '../../context/texture-units.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { WebGLTexture } from '../../objects/webgl-texture.ts';
import { findFormat, isColorTarget } from '../../rules/internal-formats.ts';
import { levelRange } from '../../rules/texture-levels.ts';
import { detachFromBound } from '../framebuffers/framebuffer-calls.ts';
import { checkMaxAnisotropy, isMaxAnisotropy } from './anisotropy.ts';
import { isWrongWrapMode } from './wrap-modes.ts';

/** Parameters with float values. All other parameters are integers. */
const FLOAT_PARAMETERS: readonly number[] = [GL.TEXTURE_MIN_LOD, GL.TEXTURE_MAX_LOD];

/** Returns whether textures of the context, but not sampler objects, have the parameter. */
function isTextureParameter(core: ContextCore, parameter: number): boolean {
  if (parameter === GL.DEPTH_STENCIL_TEXTURE_MODE_WEBGL) {
    return core.extensions.isEnabled('WEBGL_stencil_texturing');
  }
  return core.rules.textureParameters.includes(parameter);
}

/** Returns the texture bound to a target, or `null` after an error. */
function boundTexture(core: ContextCore, caller: string, target: number): WebGLTexture | null {
  if (!core.rules.textureTargets.includes(target)) {
    core.rejectEnum(caller, 'target', target);
    return null;
  }
  const texture = core.textureUnits.bound(target);
  if (texture === null) core.raise(GL.INVALID_OPERATION, caller, 'no texture is bound');
  return texture;
}

function setParameter(
  core: ContextCore,
  caller: string,
  target: number,
  parameter: number,
  value: number,
): void {
  const texture = boundTexture(core, caller, target);
  if (texture === null) return;
  const isAnisotropy = isMaxAnisotropy(core, parameter);
  if (!isAnisotropy && !isTextureParameter(core, parameter)) {
    core.rejectEnum(caller, 'parameter', parameter);
    return;
  }
  if (isAnisotropy && !checkMaxAnisotropy(core, caller, value)) return;
  const isLevel = parameter === GL.TEXTURE_BASE_LEVEL || parameter === GL.TEXTURE_MAX_LEVEL;
  if (isLevel && value < 0) {
    core.raise(GL.INVALID_VALUE, caller, `${enumName(parameter)} ${value} is negative`);
    return;
  }
  if (isWrongWrapMode(core, parameter, value)) {
    core.raise(
      GL.INVALID_ENUM,
      caller,
      `${enumName(value)} is not accepted for ${enumName(parameter)}`,
    );
    return;
  }
  core.gl.textures.setParameter(target, parameter, value);
}

/** WebGL calls for texture objects. */
export const textureCalls = {
  createTexture(this: ContextObject): WebGLTexture {
    const core = this[CORE];
    return new WebGLTexture(core, core.gl.textures.generate(1)[0]!);
  },
  deleteTexture(this: ContextObject, texture: WebGLTexture | null): void {
    const core = this[CORE];
    if (!isDeletable(core, 'deleteTexture', texture, WebGLTexture)) return;
    texture.isDeleted = true;
    core.textureUnits.detach(texture);
    detachFromBound(core, texture, () => core.gl.textures.remove([texture.glName]));
  },
  isTexture(this: ContextObject, texture: WebGLTexture | null): boolean {
    return isAlive(this[CORE], 'isTexture', texture, WebGLTexture) && texture.boundTarget !== 0;
  },
  activeTexture(this: ContextObject, unit: number): void {
    const core = this[CORE];
    const index = (unit >>> 0) - GL.TEXTURE0;
    if (!(index >= 0 && index < TEXTURE_UNIT_COUNT)) {
      core.rejectEnum('activeTexture', 'texture unit', unit);
      return;
    }
    core.textureUnits.active = index;
    core.gl.textures.activate(unit >>> 0);
  },
  bindTexture(this: ContextObject, target: number, texture: WebGLTexture | null): void {
    const core = this[CORE];
    const caller = 'bindTexture';
    const isNone = texture === null || texture === undefined;
    if (!isNone && !checkObject(core, caller, texture, WebGLTexture)) return;
    if (!core.rules.textureTargets.includes(target)) {
      core.rejectEnum(caller, 'target', target);
      return;
    }
    if (isNone) {
      core.textureUnits.bind(target, null);
      core.gl.textures.bind(target, 0);
      return;
    }
    if (texture.boundTarget !== 0 && texture.boundTarget !== target) {
      core.raise(
        GL.INVALID_OPERATION,
        caller,
        `the texture was first bound to ${enumName(texture.boundTarget)}`,
      );
      return;
    }
    texture.boundTarget = target;
    core.textureUnits.bind(target, texture);
    core.gl.textures.bind(target, texture.glName);
  },

  texParameteri(this: ContextObject, target: number, parameter: number, value: number): void {
    setParameter(this[CORE], 'texParameteri', target >>> 0, parameter >>> 0, value | 0);
  },
  texParameterf(this: ContextObject, target: number, parameter: number, value: number): void {
    const core = this[CORE];
    const isFraction = FLOAT_PARAMETERS.includes(parameter) || isMaxAnisotropy(core, parameter);
    const number = isFraction ? toFloat(value) : Math.round(toFloat(value));
    setParameter(core, 'texParameterf', target >>> 0, parameter >>> 0, number);
  },
  getTexParameter(this: ContextObject, target: number, parameter: number): unknown {
    const core = this[CORE];
    const caller = 'getTexParameter';
    const texture = boundTexture(core, caller, target >>> 0);
    if (texture === null) return null;
    if (core.rules.hasImmutableTextures) {
      if (parameter === GL.TEXTURE_IMMUTABLE_FORMAT) return texture.isImmutable;
      if (parameter === GL.TEXTURE_IMMUTABLE_LEVELS) return texture.immutableLevelCount;
    }
    const isAnisotropy = isMaxAnisotropy(core, parameter);
    if (isAnisotropy || isTextureParameter(core, parameter)) {
      return core.gl.textures.bound(core.textureUnits.active, target).parameter(parameter);
    }
    core.rejectEnum(caller, 'parameter', parameter);
    return null;
  },

  generateMipmap(this: ContextObject, target: number): void {
    const core = this[CORE];
    const caller = 'generateMipmap';
    const texture = boundTexture(core, caller, target >>> 0);
    if (texture === null) return;
    const { first: base, last } = levelRange(core, texture);
    const image = texture.imageAt(base);
    const format = image && findFormat(image.internalFormat, image.type);
    const isInteger = format?.kind === 'int' || format?.kind === 'uint';
    const isDepth = format !== null && format.bits[4] + format.bits[5] > 0;
    if (image === null || format === null || isInteger || isDepth) {
      core.raise(
        GL.INVALID_OPERATION,
        caller,
        'the base level is undefined, or its format has no mipmaps',
      );
      return;
    }
    const isSrgbRejected = format.isSrgb && !core.rules.canGenerateSrgbMipmaps;
    const faces = target === GL.TEXTURE_CUBE_MAP ? 6 : 1;
    for (let face = 1; face < faces; face++) {
      const other = texture.imageAt(base, face);
      const isAlike =
        other?.widthPx === image.widthPx &&
        other.internalFormat === image.internalFormat &&
        other.type === image.type;
      if (isAlike) continue;
      core.raise(
        GL.INVALID_OPERATION,
        caller,
        'the faces of the cube map differ in size or format',
      );
      return;
    }
    const isSized = core.rules.hasSizedFormats && format.format !== image.internalFormat;
    const isFilterable =
      format.isFilterable || core.extensions.isEnabled('OES_texture_float_linear');
    const isUsable = !isSized || (isFilterable && isColorTarget(core, format));
    if (isSrgbRejected || !isUsable) {
      core.raise(
        GL.INVALID_OPERATION,
        caller,
        `mipmaps cannot be generated for internal format ${enumName(image.internalFormat)}`,
      );
      return;
    }
    const before = core.errorCount;
    core.gl.textures.uploads.generateMipmap(target);
    if (core.errorCount !== before) return;
    const isDeep = target === GL.TEXTURE_3D;
    let { widthPx, heightPx, depthPx } = image;
    for (let level = base + 1; level <= last; level++) {
      widthPx = Math.max(1, widthPx >> 1);
      heightPx = Math.max(1, heightPx >> 1);
      if (isDeep) depthPx = Math.max(1, depthPx >> 1);
      for (let face = 0; face < faces; face++) {
        texture.setImage(level, face, { ...image, widthPx, heightPx, depthPx });
      }
    }
  },
};
