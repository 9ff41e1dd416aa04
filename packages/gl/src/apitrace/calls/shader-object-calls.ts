/** Replays functions of GL_ARB_shader_objects whose names and arguments differ from OpenGL 2.0. */
import { ProgramObject } from '../../objects/programs/program-objects.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import type { CapturedValue } from '../format/captured-value.ts';
import { numberOf } from './call-arguments.ts';
import type { CallReplay } from './recorded-names.ts';

/** Equivalent function and its argument names in order, by extension function name. */
const SAME: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  glCreateShaderObjectARB: ['glCreateShader', ['type']],
  glCreateProgramObjectARB: ['glCreateProgram', []],
  glShaderSourceARB: ['glShaderSource', ['shader', 'count', 'string', 'length']],
  glCompileShaderARB: ['glCompileShader', ['shader']],
  glAttachObjectARB: ['glAttachShader', ['program', 'shader']],
  glDetachObjectARB: ['glDetachShader', ['program', 'shader']],
  glLinkProgramARB: ['glLinkProgram', ['program']],
  glUseProgramObjectARB: ['glUseProgram', ['program']],
  glGetUniformLocationARB: ['glGetUniformLocation', ['program', 'name']],
  glBindAttribLocationARB: ['glBindAttribLocation', ['program', 'index', 'name']],
};

/**
 * Returns the replay functions of the extension.
 *
 * @param replays Replay functions of OpenGL 2.0, by name.
 */
export function makeShaderObjectCalls(
  replays: Readonly<Record<string, CallReplay>>,
): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {
    glDeleteObjectARB: ({ gl, shared }, call) => {
      const name = shared.programs.get(numberOf(call, 'obj'));
      if (gl.shared.programs.get(name) instanceof ProgramObject) gl.programs.remove(name);
      else gl.shaders.remove(name);
    },
  };
  for (const [name, [same, names]] of Object.entries(SAME)) {
    const replay = replays[same]!;
    calls[name] = (context, call) => replay(context, rename(call, names));
  }
  return calls;
}

function rename(call: CapturedCall, names: readonly string[]): CapturedCall {
  const values = Object.values(call.args);
  const args: Record<string, CapturedValue> = {};
  names.forEach((name, i) => {
    args[name] = values[i] ?? null;
  });
  return { ...call, args };
}
