import { describe, expect, it } from 'vitest';
import { linkProgram, makeContext2 } from '../../testing/small-context.ts';

const BLOCKS = `precision highp float;
layout(std140) uniform ForVertices { vec4 offset; };
layout(std140) uniform ForFragments { vec4 color; } fragments;
layout(std140) uniform ForBoth { vec4 scale; };
layout(std140) uniform ForNone { vec4 unread; };`;
const VERTEX = `#version 300 es
${BLOCKS}
in vec4 position;
void main() { gl_Position = position * scale + offset; }`;
const FRAGMENT = `#version 300 es
${BLOCKS}
out vec4 result;
void main() { result = fragments.color * scale; }`;

describe('uniform blocks', () => {
  it('are referenced by the stages that read them', () => {
    const gl = makeContext2();
    const program = linkProgram(gl, VERTEX, FRAGMENT);
    expect(gl.getProgramParameter(program, gl.LINK_STATUS)).toBe(true);
    const readers = ['ForVertices', 'ForFragments', 'ForBoth', 'ForNone'].map((name) => {
      const index = gl.getUniformBlockIndex(program, name);
      return [
        gl.getActiveUniformBlockParameter(
          program,
          index,
          gl.UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER,
        ),
        gl.getActiveUniformBlockParameter(
          program,
          index,
          gl.UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER,
        ),
      ];
    });
    expect(readers).toEqual([
      [true, false],
      [false, true],
      [true, true],
      [false, false],
    ]);
  });
});
