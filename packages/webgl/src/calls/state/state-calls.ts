/** Rasterization and framebuffer state (WebGL 1.0, sections 5.14.3 and 5.14.4). */
import { LARGEST_FLOAT, toFinite, toFloat } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import {
  areFactors,
  isDestinationFactor,
  isEquation,
  isSourceFactor,
} from '../../rules/blend-rules.ts';

/** Returns whether a capability exists. Raises the error otherwise. */
function isCapability(core: ContextCore, caller: string, capability: number): boolean {
  if (core.rules.capabilities.includes(capability)) return true;
  if (core.extensions.hasCapability(capability)) return true;
  core.rejectEnum(caller, 'capability', capability);
  return false;
}

function setCapability(
  core: ContextCore,
  caller: 'enable' | 'disable',
  capability: number,
  isEnabled: boolean,
): void {
  if (!isCapability(core, caller, capability)) return;
  if (isEnabled) core.gl.capabilities.enable(capability);
  else core.gl.capabilities.disable(capability);
  if (capability === GL.BLEND) core.gl.raster.unsetTargetBlending();
}

/** Returns the stencil states that a face argument selects, or `null` after an error. */
function stencilFaces(core: ContextCore, caller: string, face: number) {
  const { front, back } = core.stencil;
  if (face === GL.FRONT) return [front];
  if (face === GL.BACK) return [back];
  if (face === GL.FRONT_AND_BACK) return [front, back];
  core.rejectEnum(caller, 'face', face);
  return null;
}

function setStencilFunction(
  core: ContextCore,
  caller: string,
  face: number,
  compare: number,
  reference: number,
  mask: number,
): void {
  const faces = stencilFaces(core, caller, face);
  if (faces === null) return;
  if (compare < GL.NEVER || compare > GL.ALWAYS) {
    core.rejectEnum(caller, 'function', compare);
    return;
  }
  for (const state of faces) {
    state.reference = reference;
    state.readMask = mask;
  }
  core.gl.raster.setStencilFunction(face, compare, reference, mask);
}

function setStencilMask(core: ContextCore, caller: string, face: number, mask: number): void {
  const faces = stencilFaces(core, caller, face);
  if (faces === null) return;
  for (const state of faces) state.writeMask = mask;
  core.gl.raster.setStencilMask(face, mask);
}

const HINTS: readonly number[] = [GL.DONT_CARE, GL.FASTEST, GL.NICEST];

/** WebGL calls that set and read rasterization and framebuffer state. */
export const stateCalls = {
  enable(this: ContextObject, capability: number): void {
    setCapability(this[CORE], 'enable', capability >>> 0, true);
  },
  disable(this: ContextObject, capability: number): void {
    setCapability(this[CORE], 'disable', capability >>> 0, false);
  },
  isEnabled(this: ContextObject, capability: number): boolean {
    const core = this[CORE];
    if (!isCapability(core, 'isEnabled', capability >>> 0)) return false;
    // Without an index, blending is that of the first draw buffer.
    if (capability === GL.BLEND) return core.gl.raster.describeTarget(0).blend.isEnabled;
    return core.gl.capabilities.isEnabled(capability >>> 0);
  },

  viewport(this: ContextObject, x: number, y: number, width: number, height: number): void {
    this[CORE].gl.raster.setViewport(x | 0, y | 0, width | 0, height | 0);
  },
  scissor(this: ContextObject, x: number, y: number, width: number, height: number): void {
    this[CORE].gl.raster.setScissor(x | 0, y | 0, width | 0, height | 0);
  },
  depthRange(this: ContextObject, near: number, far: number): void {
    const core = this[CORE];
    if (toFloat(near) > toFloat(far)) {
      core.raise(GL.INVALID_OPERATION, 'depthRange', `near ${near} is greater than far ${far}`);
      return;
    }
    core.gl.raster.setDepthRange(toFloat(near), toFloat(far));
  },

  cullFace(this: ContextObject, face: number): void {
    this[CORE].gl.raster.setCullFace(face >>> 0);
  },
  frontFace(this: ContextObject, winding: number): void {
    this[CORE].gl.raster.setFrontFace(winding >>> 0);
  },
  lineWidth(this: ContextObject, width: number): void {
    this[CORE].gl.raster.setLineWidth(toFloat(width));
  },
  polygonOffset(this: ContextObject, factor: number, units: number): void {
    this[CORE].gl.raster.setPolygonOffset(toFloat(factor), toFloat(units));
  },
  sampleCoverage(this: ContextObject, value: number, invert: boolean): void {
    const clamped = Math.min(1, Math.max(0, toFloat(value)));
    this[CORE].sampleCoverage = { value: clamped, isInverted: Boolean(invert) };
    this[CORE].gl.raster.setSampleCoverage(clamped, Boolean(invert));
  },

  blendColor(this: ContextObject, red: number, green: number, blue: number, alpha: number): void {
    const core = this[CORE];
    // WebGL 1 has float targets only with extensions and clamps the blend color without them.
    const [least, greatest] = core.hasFeature('floatTargets')
      ? [-LARGEST_FLOAT, LARGEST_FLOAT]
      : [0, 1];
    const toChannel = (value: number): number =>
      Math.min(Math.max(toFinite(toFloat(value)), least), greatest);
    core.gl.raster.setBlendColor(
      toChannel(red),
      toChannel(green),
      toChannel(blue),
      toChannel(alpha),
    );
  },
  blendEquation(this: ContextObject, mode: number): void {
    const core = this[CORE];
    const equation = mode >>> 0;
    if (isEquation(core, 'blendEquation', equation)) {
      core.gl.raster.setBlendEquations(equation, equation);
    }
  },
  blendEquationSeparate(this: ContextObject, color: number, alpha: number): void {
    const core = this[CORE];
    const caller = 'blendEquationSeparate';
    if (isEquation(core, caller, color >>> 0) && isEquation(core, caller, alpha >>> 0)) {
      core.gl.raster.setBlendEquations(color >>> 0, alpha >>> 0);
    }
  },
  blendFunc(this: ContextObject, source: number, destination: number): void {
    const core = this[CORE];
    const [from, to] = [source >>> 0, destination >>> 0];
    if (areFactors(core, 'blendFunc', from, to)) core.gl.raster.setBlendFactors(from, to, from, to);
  },
  blendFuncSeparate(
    this: ContextObject,
    sourceColor: number,
    destinationColor: number,
    sourceAlpha: number,
    destinationAlpha: number,
  ): void {
    const core = this[CORE];
    const caller = 'blendFuncSeparate';
    if (!areFactors(core, caller, sourceColor >>> 0, destinationColor >>> 0)) return;
    if (!isSourceFactor(core, caller, sourceAlpha >>> 0)) return;
    if (!isDestinationFactor(core, caller, destinationAlpha >>> 0)) return;
    core.gl.raster.setBlendFactors(
      sourceColor >>> 0,
      destinationColor >>> 0,
      sourceAlpha >>> 0,
      destinationAlpha >>> 0,
    );
  },

  colorMask(
    this: ContextObject,
    red: boolean,
    green: boolean,
    blue: boolean,
    alpha: boolean,
  ): void {
    this[CORE].gl.raster.setColorMask(Boolean(red), Boolean(green), Boolean(blue), Boolean(alpha));
  },
  depthFunc(this: ContextObject, compare: number): void {
    this[CORE].gl.raster.setDepthFunction(compare >>> 0);
  },
  depthMask(this: ContextObject, flag: boolean): void {
    this[CORE].gl.raster.setDepthMask(Boolean(flag));
  },

  stencilFunc(this: ContextObject, compare: number, reference: number, mask: number): void {
    const numbers = [GL.FRONT_AND_BACK, compare >>> 0, reference | 0, mask >>> 0] as const;
    setStencilFunction(this[CORE], 'stencilFunc', ...numbers);
  },
  stencilFuncSeparate(
    this: ContextObject,
    face: number,
    compare: number,
    reference: number,
    mask: number,
  ): void {
    const numbers = [face >>> 0, compare >>> 0, reference | 0, mask >>> 0] as const;
    setStencilFunction(this[CORE], 'stencilFuncSeparate', ...numbers);
  },
  stencilMask(this: ContextObject, mask: number): void {
    setStencilMask(this[CORE], 'stencilMask', GL.FRONT_AND_BACK, mask >>> 0);
  },
  stencilMaskSeparate(this: ContextObject, face: number, mask: number): void {
    setStencilMask(this[CORE], 'stencilMaskSeparate', face >>> 0, mask >>> 0);
  },
  stencilOp(this: ContextObject, stencilFail: number, depthFail: number, pass: number): void {
    const face = GL.FRONT_AND_BACK;
    this[CORE].gl.raster.setStencilOperations(face, stencilFail >>> 0, depthFail >>> 0, pass >>> 0);
  },
  stencilOpSeparate(
    this: ContextObject,
    face: number,
    stencilFail: number,
    depthFail: number,
    pass: number,
  ): void {
    this[CORE].gl.raster.setStencilOperations(
      face >>> 0,
      stencilFail >>> 0,
      depthFail >>> 0,
      pass >>> 0,
    );
  },

  clearColor(this: ContextObject, red: number, green: number, blue: number, alpha: number): void {
    const core = this[CORE];
    core.clearColor = [toFloat(red), toFloat(green), toFloat(blue), toFloat(alpha)];
    // Float targets store any value; other targets clamp it when they store it.
    const [r, g, b, a] = core.clearColor;
    core.gl.raster.clearColor = [toFinite(r), toFinite(g), toFinite(b), toFinite(a)];
  },
  clearDepth(this: ContextObject, depth: number): void {
    this[CORE].gl.raster.setClearDepth(toFloat(depth));
  },
  clearStencil(this: ContextObject, value: number): void {
    const core = this[CORE];
    core.clearStencil = value | 0;
    core.gl.raster.setClearStencil(value | 0);
  },

  hint(this: ContextObject, target: number, mode: number): void {
    const core = this[CORE];
    const isTarget = target === GL.GENERATE_MIPMAP_HINT || isDerivativeHint(core, target);
    if (!isTarget || !HINTS.includes(mode)) {
      core.raise(
        GL.INVALID_ENUM,
        'hint',
        `target ${enumName(target)} with mode ${enumName(mode)} is not accepted`,
      );
      return;
    }
    core.hints.set(target, mode);
  },

  pixelStorei(this: ContextObject, parameter: number, value: number): void {
    const core = this[CORE];
    // WebIDL converts booleans to numbers.
    const error = core.pixelStorage.set(parameter >>> 0, Number(value) | 0, core.rules);
    if (error !== 0)
      core.raise(error, 'pixelStorei', `${value} is not accepted for ${enumName(parameter)}`);
  },

  getError(this: ContextObject): number {
    return this[CORE].errors.take();
  },
  // Recorded draws are rendered when their result is needed, so there is nothing to flush.
  finish(this: ContextObject): void {},
  flush(this: ContextObject): void {},
  /** Always returns false; a lost context has its own version of this call. */
  isContextLost(this: ContextObject): boolean {
    return false;
  },
  getContextAttributes(this: ContextObject) {
    return { ...this[CORE].attributes };
  },
};

/**
 * Returns whether a target is FRAGMENT_SHADER_DERIVATIVE_HINT and available, in WebGL 2 or with
 * OES_standard_derivatives.
 */
function isDerivativeHint(core: ContextCore, target: number): boolean {
  return core.hasFeature('derivativeHint') && target === GL.FRAGMENT_SHADER_DERIVATIVE_HINT;
}
