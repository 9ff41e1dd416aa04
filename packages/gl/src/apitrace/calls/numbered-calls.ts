/** Replays uniform functions, which exist in many sizes and types. */

import type { CapturedCall } from '../format/capture-reader.ts';
import { booleanOf, failCall, floatOf, numberOf, numbersOf } from './call-arguments.ts';
import { listDeclaredUniforms } from './declared-uniforms.ts';
import type { CallReplay, RecordedContext } from './recorded-names.ts';

function makeNumberedCalls(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  for (let count = 1; count <= 4; count++) {
    const names = Array.from({ length: count }, (_, i) => `v${i}`);
    for (const [type, method] of [
      ['f', 'setFloats'],
      ['i', 'setInts'],
      ['ui', 'setUints'],
    ] as const) {
      calls[`glUniform${count}${type}`] = (context, call) =>
        context.gl.programs[method](
          locationOfUniform(context, call),
          count,
          takeNamed(call, names),
        );
      calls[`glUniform${count}${type}v`] = (context, call) => {
        const values = numbersOf(call, 'value').slice(0, numberOf(call, 'count') * count);
        context.gl.programs[method](locationOfUniform(context, call), count, values);
      };
    }
  }
  for (let columns = 2; columns <= 4; columns++) {
    for (let rows = 2; rows <= 4; rows++) {
      const size = columns === rows ? `${columns}` : `${columns}x${rows}`;
      calls[`glUniformMatrix${size}fv`] = (context, call) => {
        const length = numberOf(call, 'count') * columns * rows;
        context.gl.programs.setMatrix(
          locationOfUniform(context, call),
          columns,
          rows,
          booleanOf(call, 'transpose'),
          numbersOf(call, 'value').slice(0, length),
        );
      };
    }
  }
  return calls;
}

/**
 * Replay functions of `glUniform3fv`, `glUniform2i`, `glUniformMatrix4x3fv` and so on, by function
 * name.
 */
export const NUMBERED_CALLS: Readonly<Record<string, CallReplay>> = makeNumberedCalls();

/** Returns the location in this context of a recorded uniform; −1 if it is not active here. */
function locationOfUniform(context: RecordedContext, call: CapturedCall): number {
  const { gl, shared, currentProgram } = context;
  const recorded = numberOf(call, 'location');
  if (recorded < 0) return -1;
  const name = shared.uniformNames.get(currentProgram)?.get(recorded);
  if (name !== undefined)
    return gl.programs.uniformLocation(shared.programs.get(currentProgram), name);
  const linked = gl.programs.current?.linked ?? null;
  const declared = linked === null ? undefined : listDeclaredUniforms(linked)[recorded];
  if (linked === null || declared === undefined) {
    return failCall(call, `location ${recorded} of program ${currentProgram} was never queried`);
  }
  context.notes.add(
    `location ${recorded} of program ${currentProgram} was never asked for; by order of declaration it is ${declared}`,
  );
  return linked.uniforms.location(declared);
}

function takeNamed(call: CapturedCall, names: readonly string[]): number[] {
  return names.map((name) => floatOf(call, name));
}
