/** Replays sampler objects (OpenGL 3.3, section 3.8.2; ARB_sampler_objects). */
import type { CapturedCall } from '../format/capture-reader.ts';
import { borderColorOf, TEXTURE_BORDER_COLOR } from './border-color.ts';
import { failCall, numberOf, numbersOf } from './call-arguments.ts';
import { type CallReplay, learnNames } from './recorded-names.ts';

function replayParameter(argument: string): CallReplay {
  return ({ gl, samplers }, call: CapturedCall) => {
    const [first, second, third, fourth] = numbersOf(call, argument);
    if (first === undefined) failCall(call, 'the parameter is missing');
    const name = samplers.get(numberOf(call, 'sampler'));
    const parameter = numberOf(call, 'pname');
    if (parameter === TEXTURE_BORDER_COLOR) {
      const color = [first, second ?? 0, third ?? 0, fourth ?? 0] as const;
      gl.textures.samplers.setBorderColor(name, borderColorOf(call, color));
    } else gl.textures.samplers.setParameter(name, parameter, first);
  };
}

/** Replay functions of sampler objects, by function name. */
export const SAMPLER_CALLS: Readonly<Record<string, CallReplay>> = {
  glGenSamplers: ({ gl, samplers }, call) => {
    const argument = 'samplers' in call.args ? 'samplers' : 'count';
    learnNames(samplers, numbersOf(call, argument), (count) =>
      Array.from({ length: count }, () => gl.textures.samplers.create()),
    );
  },
  glDeleteSamplers: ({ gl, samplers }, call) => {
    for (const name of numbersOf(call, 'samplers'))
      gl.textures.samplers.remove(samplers.remove(name));
  },
  glBindSampler: ({ gl, samplers }, call) =>
    gl.textures.samplers.bind(numberOf(call, 'unit'), samplers.find(numberOf(call, 'sampler'))),
  glSamplerParameteri: replayParameter('param'),
  glSamplerParameterf: replayParameter('param'),
  glSamplerParameteriv: replayParameter('param'),
  glSamplerParameterfv: replayParameter('param'),
  glSamplerParameterIiv: replayParameter('param'),
  glSamplerParameterIuiv: replayParameter('param'),
};
