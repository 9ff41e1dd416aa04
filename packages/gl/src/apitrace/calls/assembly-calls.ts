/** Replays assembly programs (ARB_vertex_program, ARB_fragment_program). */
import type { CapturedCall } from '../format/capture-reader.ts';
import { blobOf, numberOf, numbersOf, stringOf } from './call-arguments.ts';
import { vectorOf } from './call-vectors.ts';
import type { CallReplay } from './recorded-names.ts';

function makeParameterCalls(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  for (const [word, kind] of [
    ['Env', 'env'],
    ['Local', 'local'],
  ] as const) {
    const set: CallReplay = ({ gl }, call) =>
      gl.assembly.setParameters(
        numberOf(call, 'target'),
        kind,
        numberOf(call, 'index'),
        vectorOf(call, 4, 2),
      );
    for (const type of ['f', 'fv', 'd', 'dv']) calls[`glProgram${word}Parameter4${type}ARB`] = set;
    calls[`glProgram${word}Parameters4fvEXT`] = ({ gl }, call) => {
      const values = numbersOf(call, 'params').slice(0, numberOf(call, 'count') * 4);
      gl.assembly.setParameters(numberOf(call, 'target'), kind, numberOf(call, 'index'), values);
    };
  }
  return calls;
}

/** Returns the text of a program: a string, or bytes. */
function textOf(call: CapturedCall): string {
  const { string } = call.args;
  if (!(string instanceof Uint8Array))
    return stringOf(call, 'string').slice(0, numberOf(call, 'len'));
  return new TextDecoder('latin1').decode(blobOf(call, 'string') ?? new Uint8Array(0));
}

/** Replay functions of assembly programs, by function name. */
export const ASSEMBLY_CALLS: Readonly<Record<string, CallReplay>> = {
  ...makeParameterCalls(),
  // Names are used as the capture has them, because assembly programs are not shared here.
  glGenProgramsARB: () => {},
  glDeleteProgramsARB: ({ gl }, call) => gl.assembly.remove(numbersOf(call, 'programs')),
  glBindProgramARB: ({ gl }, call) =>
    gl.assembly.bind(numberOf(call, 'target'), numberOf(call, 'program')),
  glProgramStringARB: ({ gl }, call) => gl.assembly.setText(numberOf(call, 'target'), textOf(call)),
};
