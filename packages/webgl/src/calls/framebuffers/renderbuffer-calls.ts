/** Renderbuffer objects (WebGL 1.0, section 5.14.7; WebGL 2.0, section 3.7.5). */

import { checkObject, isAlive, isDeletable } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import { WebGLRenderbuffer } from '../../objects/webgl-object.ts';
import {
  findSizedFormat,
  type InternalFormat,
  isColorTarget,
} from '../../rules/internal-formats.ts';
import { detachFromBound } from './framebuffer-calls.ts';

/** Renderbuffer formats of WebGL 1. Extensions add float and sRGB formats. */
const WEBGL1_FORMATS: readonly number[] = [
  GL.RGBA4,
  GL.RGB565,
  GL.RGB5_A1,
  GL.DEPTH_COMPONENT16,
  GL.STENCIL_INDEX8,
  GL.DEPTH_STENCIL,
];

/** Returns a renderbuffer format and its sized equivalent, or `null` after an error. */
function renderbufferFormat(
  core: ContextCore,
  caller: string,
  internalFormat: number,
): { readonly sized: number; readonly format: InternalFormat } | null {
  const sized = internalFormat === GL.DEPTH_STENCIL ? GL.DEPTH24_STENCIL8 : internalFormat;
  const format = findSizedFormat(sized);
  const isKnown =
    core.rules.hasSizedFormats ||
    WEBGL1_FORMATS.includes(internalFormat) ||
    (format?.isSrgb === true && core.hasFeature('srgb')) ||
    format?.kind === 'float';
  const isDepth = format !== null && format.bits[4] + format.bits[5] > 0;
  if (format !== null && isKnown && (isDepth || isColorTarget(core, format))) {
    return { sized, format };
  }
  core.rejectEnum(caller, 'internal format', internalFormat);
  return null;
}

function setStorage(
  core: ContextCore,
  caller: string,
  target: number,
  samples: number,
  internalFormat: number,
  width: number,
  height: number,
): void {
  if (target !== GL.RENDERBUFFER) {
    core.rejectEnum(caller, 'target', target);
    return;
  }
  const { renderbuffer } = core;
  if (renderbuffer === null) {
    core.raise(GL.INVALID_OPERATION, caller, 'no renderbuffer is bound');
    return;
  }
  const found = renderbufferFormat(core, caller, internalFormat);
  if (found === null) return;
  const isInteger = found.format.kind === 'int' || found.format.kind === 'uint';
  if (Math.min(width, height, samples) < 0 || Math.max(width, height) > LIMITS.textureEdgePx) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `${width}×${height} or ${samples} samples is out of range`,
    );
    return;
  }
  // The unsized format exists only in WebGL 1, which has one sample per pixel.
  const isSingle = isInteger || internalFormat === GL.DEPTH_STENCIL;
  if (samples > LIMITS.samples || (isSingle && samples > 0)) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      `${enumName(internalFormat)} does not support ${samples} samples`,
    );
    return;
  }
  renderbuffer.internalFormat =
    internalFormat === GL.DEPTH_STENCIL ? GL.DEPTH24_STENCIL8 : internalFormat;
  renderbuffer.reportedFormat = internalFormat;
  renderbuffer.widthPx = width;
  renderbuffer.heightPx = height;
  renderbuffer.sampleCount = samples;
  if (samples === 0) core.gl.renderbuffers.setStorage(target, found.sized, width, height);
  else core.gl.renderbuffers.setMultisampleStorage(target, samples, found.sized, width, height);
}

/** Size parameters of `getRenderbufferParameter`, in the order of a format's `bits`. */
const BIT_PARAMETERS: readonly number[] = [
  GL.RENDERBUFFER_RED_SIZE,
  GL.RENDERBUFFER_GREEN_SIZE,
  GL.RENDERBUFFER_BLUE_SIZE,
  GL.RENDERBUFFER_ALPHA_SIZE,
  GL.RENDERBUFFER_DEPTH_SIZE,
  GL.RENDERBUFFER_STENCIL_SIZE,
];

/** WebGL calls for renderbuffer objects. */
export const renderbufferCalls = {
  createRenderbuffer(this: ContextObject): WebGLRenderbuffer {
    const core = this[CORE];
    return new WebGLRenderbuffer(core, core.gl.renderbuffers.generate(1)[0]!);
  },
  deleteRenderbuffer(this: ContextObject, renderbuffer: WebGLRenderbuffer | null): void {
    const core = this[CORE];
    if (!isDeletable(core, 'deleteRenderbuffer', renderbuffer, WebGLRenderbuffer)) return;
    renderbuffer.isDeleted = true;
    if (core.renderbuffer === renderbuffer) core.renderbuffer = null;
    detachFromBound(core, renderbuffer, () => core.gl.renderbuffers.remove([renderbuffer.glName]));
  },
  isRenderbuffer(this: ContextObject, renderbuffer: WebGLRenderbuffer | null): boolean {
    const core = this[CORE];
    return (
      isAlive(core, 'isRenderbuffer', renderbuffer, WebGLRenderbuffer) && renderbuffer.wasBound
    );
  },
  bindRenderbuffer(
    this: ContextObject,
    target: number,
    renderbuffer: WebGLRenderbuffer | null,
  ): void {
    const core = this[CORE];
    const caller = 'bindRenderbuffer';
    const isNone = renderbuffer === null || renderbuffer === undefined;
    if (!isNone && !checkObject(core, caller, renderbuffer, WebGLRenderbuffer)) return;
    if (target !== GL.RENDERBUFFER) {
      core.rejectEnum(caller, 'target', target);
      return;
    }
    if (!isNone) renderbuffer.wasBound = true;
    core.renderbuffer = isNone ? null : renderbuffer;
    core.gl.renderbuffers.bind(target, isNone ? 0 : renderbuffer.glName);
  },
  renderbufferStorage(
    this: ContextObject,
    target: number,
    internalFormat: number,
    width: number,
    height: number,
  ): void {
    const format = internalFormat >>> 0;
    setStorage(this[CORE], 'renderbufferStorage', target, 0, format, width | 0, height | 0);
  },
  renderbufferStorageMultisample(
    this: ContextObject,
    target: number,
    samples: number,
    internalFormat: number,
    width: number,
    height: number,
  ): void {
    const caller = 'renderbufferStorageMultisample';
    const format = internalFormat >>> 0;
    setStorage(this[CORE], caller, target, samples | 0, format, width | 0, height | 0);
  },
  getRenderbufferParameter(this: ContextObject, target: number, parameter: number): number | null {
    const core = this[CORE];
    const caller = 'getRenderbufferParameter';
    if (target !== GL.RENDERBUFFER) {
      core.rejectEnum(caller, 'target', target);
      return null;
    }
    const { renderbuffer } = core;
    if (renderbuffer === null) {
      core.raise(GL.INVALID_OPERATION, caller, 'no renderbuffer is bound');
      return null;
    }
    const bitIndex = BIT_PARAMETERS.indexOf(parameter);
    if (bitIndex !== -1) return findSizedFormat(renderbuffer.internalFormat)!.bits[bitIndex]!;
    switch (parameter) {
      case GL.RENDERBUFFER_WIDTH:
        return renderbuffer.widthPx;
      case GL.RENDERBUFFER_HEIGHT:
        return renderbuffer.heightPx;
      case GL.RENDERBUFFER_INTERNAL_FORMAT:
        return renderbuffer.reportedFormat;
      case GL.RENDERBUFFER_SAMPLES:
        if (core.rules.hasMultisampling) return renderbuffer.sampleCount;
        break;
      default:
    }
    core.rejectEnum(caller, 'parameter', parameter);
    return null;
  },
};
