/** Replays vertex attributes of integers (OpenGL 3.0, section 2.7; EXT_gpu_shader4). */
import { locationOf, numberOf, takeNumbers } from './call-arguments.ts';
import { vectorOf } from './call-vectors.ts';
import type { CallReplay } from './recorded-names.ts';

function makeIntegerAttributes(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  const add = (name: string, count: number): void => {
    calls[name] = ({ gl }, call) => {
      gl.fixedFunctions.attribute(numberOf(call, 'index'), vectorOf(call, count, 1));
    };
  };
  for (const type of ['i', 'ui']) {
    for (let count = 1; count <= 4; count++) {
      add(`glVertexAttribI${count}${type}`, count);
      add(`glVertexAttribI${count}${type}v`, count);
    }
  }
  for (const type of ['b', 'ub', 's', 'us']) add(`glVertexAttribI4${type}v`, 4);
  return calls;
}

/** Replay functions of integer attributes, by function name. */
export const INTEGER_ATTRIBUTE_CALLS: Readonly<Record<string, CallReplay>> = {
  ...makeIntegerAttributes(),
  glVertexAttribIPointer: ({ gl }, call) => {
    const [index, size, type, stride] = takeNumbers(call, 'index', 'size', 'type', 'stride');
    gl.vertexArrays.setPointer(index, size, type, false, stride, locationOf(call, 'pointer'));
  },
};
