/**
 * Replays functions that set the state of a single draw buffer (OpenGL 3.0; EXT_draw_buffers2;
 * ARB_draw_buffers_blend), and the clamping of colors (ARB_color_buffer_float).
 */
import { GL } from '../../api/constants.ts';
import { booleanOf, numberOf, refuseCall, takeFirst } from './call-arguments.ts';
import type { CallReplay } from './recorded-names.ts';

const maskTarget: CallReplay = ({ gl }, call) => {
  // The functions of OpenGL 3.0 and of the extension name their arguments differently.
  const [index, red, green, blue, alpha] = Object.keys(call.args);
  gl.raster.setTargetMask(numberOf(call, index!), [
    booleanOf(call, red!),
    booleanOf(call, green!),
    booleanOf(call, blue!),
    booleanOf(call, alpha!),
  ]);
};

/** Returns the replay of a switch of one draw buffer. Only blending has one. */
function makeSwitch(isEnabled: boolean): CallReplay {
  return ({ gl }, call) => {
    const [capability, index] = takeFirst(call, 2);
    if (capability === GL.BLEND) gl.raster.setTargetBlending(index, isEnabled);
    else refuseCall(call, 'only GL_BLEND has indices');
  };
}

const setFactors: CallReplay = ({ gl }, call) => {
  const [index, source, destination] = takeFirst(call, 3);
  gl.raster.setBlendFactors(source, destination, source, destination, index);
};
const setSeparateFactors: CallReplay = ({ gl }, call) => {
  const [index, a, b, c, d] = takeFirst(call, 5);
  gl.raster.setBlendFactors(a, b, c, d, index);
};
const setEquation: CallReplay = ({ gl }, call) => {
  const [index, equation] = takeFirst(call, 2);
  gl.raster.setBlendEquations(equation, equation, index);
};
const setSeparateEquations: CallReplay = ({ gl }, call) => {
  const [index, color, alpha] = takeFirst(call, 3);
  gl.raster.setBlendEquations(color, alpha, index);
};

/** Replay functions of indexed state, by function name. */
export const INDEXED_TARGET_CALLS: Readonly<Record<string, CallReplay>> = {
  glColorMaski: maskTarget,
  glColorMaskIndexedEXT: maskTarget,
  glEnablei: makeSwitch(true),
  glEnableIndexedEXT: makeSwitch(true),
  glDisablei: makeSwitch(false),
  glDisableIndexedEXT: makeSwitch(false),
  glBlendFunci: setFactors,
  glBlendFuncSeparatei: setSeparateFactors,
  glBlendEquationi: setEquation,
  glBlendEquationSeparatei: setSeparateEquations,
  glClampColor: ({ gl }, call) =>
    gl.raster.setClampColor(numberOf(call, 'target'), numberOf(call, 'clamp')),
};
