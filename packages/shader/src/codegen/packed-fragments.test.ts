import { describe, expect, it } from 'vitest';
import { compileProgram } from '../compile.ts';
import { canPackFragments } from './packed-fragments.ts';

const VERTEX = `#version 300 es
in vec2 a_position;
out vec2 v_uv;
void main() { v_uv = a_position; gl_Position = vec4(a_position, 0.0, 1.0); }`;

function canPack(body: string, quadSlots: readonly number[] = []): boolean {
  const fragmentSource = `#version 300 es
precision highp float;
uniform sampler2D u_first;
uniform sampler2D u_second;
uniform float u_limit;
in vec2 v_uv;
out vec4 o_color;
void main() { ${body} }`;
  const { fragment } = compileProgram({ vertexSource: VERTEX, fragmentSource });
  return canPackFragments(fragment, (slot) => quadSlots.includes(slot));
}

describe('canPackFragments', () => {
  it.each([
    ['arithmetic', 'o_color = vec4(v_uv, sqrt(v_uv));', true],
    ['a branch', 'o_color = v_uv.x > 0.5 ? vec4(1.0) : vec4(v_uv, exp(v_uv));', true],
    ['a derivative', 'o_color = vec4(dFdx(v_uv), 0.0, 1.0);', false],
    ['the width of a step', 'o_color = vec4(fwidth(v_uv), 0.0, 1.0);', false],
    ['discard', 'if (v_uv.x < u_limit) discard; o_color = vec4(1.0);', false],
    [
      'a loop of unknown length',
      'float x = 0.0; while (x < u_limit) x += v_uv.x + 0.1; o_color = vec4(x);',
      false,
    ],
  ])('%s: %#', (_what, body, expected) => {
    expect(canPack(body)).toBe(expected);
  });

  it('asks about textures that are read without a level of their own', () => {
    const body = 'o_color = texture(u_first, v_uv) + textureLod(u_second, v_uv, 0.0);';
    expect(canPack(body)).toBe(true);
    expect(canPack(body, [0])).toBe(false);
    expect(canPack(body, [1])).toBe(true);
  });
});
