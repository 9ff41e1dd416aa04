/** Rules of blend equations and factors (WebGL 1.0, sections 5.14.3 and 6.13). */
import { readTargetParameter } from '@tessera/gl';
import type { ContextCore } from '../context/context-core.ts';
import { GL } from '../interface/constants.ts';
import { LIMITS } from '../interface/limits.ts';

const EQUATIONS: readonly number[] = [GL.FUNC_ADD, GL.FUNC_SUBTRACT, GL.FUNC_REVERSE_SUBTRACT];

/** Returns whether a draw buffer exists. Raises the error otherwise. */
export function isDrawBuffer(core: ContextCore, caller: string, index: number): boolean {
  if (index < LIMITS.colorAttachments) return true;
  core.raise(GL.INVALID_VALUE, caller, `there is no draw buffer ${index}`);
  return false;
}

/** Returns whether a blend equation exists. Raises the error otherwise. */
export function isEquation(core: ContextCore, caller: string, equation: number): boolean {
  const isMinMax = equation === GL.MIN || equation === GL.MAX;
  const hasMinMax = core.hasFeature('blendMinMax');
  if (EQUATIONS.includes(equation) || (isMinMax && hasMinMax)) return true;
  core.rejectEnum(caller, 'equation', equation);
  return false;
}

/**
 * Checks blend factors. WebGL does not allow a constant color factor together with a constant alpha
 * factor (WebGL 1.0, section 6.13).
 */
export function areFactors(
  core: ContextCore,
  caller: string,
  source: number,
  destination: number,
): boolean {
  if (!isSourceFactor(core, caller, source)) return false;
  if (!isDestinationFactor(core, caller, destination)) return false;
  const isMixed =
    (isConstantColor(source) && isConstantAlpha(destination)) ||
    (isConstantAlpha(source) && isConstantColor(destination));
  if (isMixed)
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      'a constant color factor cannot be combined with a constant alpha factor',
    );
  return !isMixed;
}

/**
 * Returns whether the blend factors of active draw buffers do not combine constant color with
 * constant alpha (OES_draw_buffers_indexed). Raises the error otherwise.
 */
export function areTargetFactorsCompatible(
  core: ContextCore,
  caller: string,
  drawBuffers: readonly number[],
): boolean {
  const factors = drawBuffers.flatMap((buffer, i) =>
    buffer === GL.NONE
      ? []
      : [GL.BLEND_SRC_RGB, GL.BLEND_DST_RGB].map((parameter) =>
          Number(readTargetParameter(core.gl, parameter, i)),
        ),
  );
  const isMixed = factors.some(isConstantColor) && factors.some(isConstantAlpha);
  if (isMixed) {
    const message = 'draw buffers combine constant color factors with constant alpha factors';
    core.raise(GL.INVALID_OPERATION, caller, message);
  }
  return !isMixed;
}

const SECOND_COLOR_FACTORS: readonly number[] = [
  GL.SRC1_COLOR_WEBGL,
  GL.ONE_MINUS_SRC1_COLOR_WEBGL,
  GL.SRC1_ALPHA_WEBGL,
  GL.ONE_MINUS_SRC1_ALPHA_WEBGL,
];
const SECOND_COLOR_EXTENSION = 'WEBGL_blend_func_extended';

/**
 * Returns whether a factor is accepted as source factor: those of a second color need their
 * extension. Raises the error otherwise.
 */
export function isSourceFactor(core: ContextCore, caller: string, factor: number): boolean {
  const isSecond = SECOND_COLOR_FACTORS.includes(factor);
  if (!isSecond || core.extensions.isEnabled(SECOND_COLOR_EXTENSION)) return true;
  core.rejectEnum(caller, 'factor', factor);
  return false;
}

/**
 * Returns whether a factor is accepted as destination factor, which WebGL 1 restricts. Raises the
 * error otherwise.
 */
export function isDestinationFactor(core: ContextCore, caller: string, factor: number): boolean {
  if (!isSourceFactor(core, caller, factor)) return false;
  const isAccepted =
    factor !== GL.SRC_ALPHA_SATURATE ||
    core.rules.isSaturateDestinationFactor ||
    core.extensions.isEnabled(SECOND_COLOR_EXTENSION);
  if (!isAccepted) {
    const message = 'SRC_ALPHA_SATURATE is not accepted as destination factor in WebGL 1';
    core.raise(GL.INVALID_ENUM, caller, message);
  }
  return isAccepted;
}

function isConstantColor(factor: number): boolean {
  return factor === GL.CONSTANT_COLOR || factor === GL.ONE_MINUS_CONSTANT_COLOR;
}

function isConstantAlpha(factor: number): boolean {
  return factor === GL.CONSTANT_ALPHA || factor === GL.ONE_MINUS_CONSTANT_ALPHA;
}
