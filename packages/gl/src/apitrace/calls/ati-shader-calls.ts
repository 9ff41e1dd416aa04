/** Replays shaders of ATI_fragment_shader. */
import type { CapturedCall } from '../format/capture-reader.ts';
import { numberOf, numbersOf } from './call-arguments.ts';
import type { CallReplay } from './recorded-names.ts';

function setup(isSampled: boolean, sourceName: string): CallReplay {
  return ({ gl }, call) =>
    gl.assembly.ati.addSetup({
      register: numberOf(call, 'dst'),
      isSampled,
      source: numberOf(call, sourceName),
      swizzle: numberOf(call, 'swizzle'),
    });
}

function operation(channels: 'color' | 'alpha', sourceCount: number): CallReplay {
  const argument = (call: CapturedCall, i: number) => ({
    register: numberOf(call, `arg${i}`),
    replicated: numberOf(call, `arg${i}Rep`),
    modifiers: numberOf(call, `arg${i}Mod`),
  });
  return ({ gl }, call) =>
    gl.assembly.ati.addOperation({
      channels,
      code: numberOf(call, 'op'),
      destination: numberOf(call, 'dst'),
      mask: channels === 'color' ? numberOf(call, 'dstMask') : 0,
      modifiers: numberOf(call, 'dstMod'),
      sources: Array.from({ length: sourceCount }, (_, i) => argument(call, i + 1)),
    });
}

function makeOperationCalls(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  for (let count = 1; count <= 3; count++) {
    calls[`glColorFragmentOp${count}ATI`] = operation('color', count);
    calls[`glAlphaFragmentOp${count}ATI`] = operation('alpha', count);
  }
  return calls;
}

/** Replay functions of fragment shaders, by function name. */
export const ATI_SHADER_CALLS: Readonly<Record<string, CallReplay>> = {
  ...makeOperationCalls(),
  // Names are used as the capture has them, because these shaders are not shared here.
  glGenFragmentShadersATI: () => {},
  glBindFragmentShaderATI: ({ gl }, call) => gl.assembly.ati.bind(numberOf(call, 'id')),
  glDeleteFragmentShaderATI: ({ gl }, call) => gl.assembly.ati.remove(numberOf(call, 'id')),
  glBeginFragmentShaderATI: ({ gl }) => gl.assembly.ati.begin(),
  glEndFragmentShaderATI: ({ gl }) => gl.assembly.ati.end(),
  glPassTexCoordATI: setup(false, 'coord'),
  glSampleMapATI: setup(true, 'interp'),
  glSetFragmentShaderConstantATI: ({ gl }, call) =>
    gl.assembly.ati.setConstant(numberOf(call, 'dst'), numbersOf(call, 'value')),
};
