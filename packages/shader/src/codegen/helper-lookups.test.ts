import { describe, expect, it } from 'vitest';
import { compileProgram } from '../compile.ts';
import { decodeInstructions } from '../isa/instruction.ts';
import { parseStructure } from '../isa/structure.ts';
import { findHelperLookups, type HelperLookups } from './helper-lookups.ts';

const VERTEX_SOURCE = `#version 300 es
in vec2 a_position;
out vec2 v_uv;
void main() { v_uv = a_position; gl_Position = vec4(a_position, 0.0, 1.0); }`;

/** Returns the indices of the chosen lookups in the order of the code. */
function chosenLookups(body: string, policy: HelperLookups): number[] {
  const { fragment } = compileProgram({
    vertexSource: VERTEX_SOURCE,
    fragmentSource: `#version 300 es
      precision highp float;
      uniform sampler2D t;
      in vec2 v_uv;
      out vec4 o_color;
      void main() { ${body} }`,
  });
  const instructions = decodeInstructions(fragment.code, fragment.literals);
  const nodes = parseStructure(instructions);
  const chosen = findHelperLookups(nodes, fragment.registerCount, policy);
  const lookups = instructions.filter(({ mnemonic }) => mnemonic === 'tex');
  return lookups.flatMap((lookup, index) => (chosen.has(lookup) ? [index] : []));
}

describe('lookups of helper lanes', () => {
  const body = `vec2 at = textureLod(t, v_uv, 0.0).xy;
    o_color = texture(t, at) + texelFetch(t, ivec2(0), 0) + texture(t, v_uv, 1.0)
      + textureGrad(t, v_uv, at, at);`;

  it.each([
    ['none', []],
    ['needed', [0]],
    ['implicit', [1, 3]],
    ['all', [0, 1, 2, 3, 4]],
  ] as const)('are those of the policy %s', (policy, lookups) => {
    expect(chosenLookups(body, policy)).toEqual(lookups);
  });

  it.each([
    ['no other lookup', 'o_color = texture(t, v_uv);', []],
    ['a derivative', 'o_color = dFdx(texture(t, v_uv)) + texture(t, v_uv.yx);', [0]],
    [
      'a lookup after arithmetic',
      'vec4 a = texture(t, v_uv); vec4 b = a * 2.0 + 1.0; o_color = texture(t, b.zw);',
      [0],
    ],
    [
      'a register that is overwritten first',
      'vec2 at = texture(t, v_uv).xy; o_color.x = at.x; at = v_uv.yx; o_color = texture(t, at);',
      [],
    ],
    [
      'a lookup of the next round',
      `vec2 at = v_uv; vec4 sum = vec4(0.0);
       for (int i = 0; i < int(v_uv.x * 8.0); i++) { vec4 a = texture(t, at); sum += a; at = a.xy; }
       o_color = sum;`,
      [0],
    ],
    [
      'a condition around a lookup',
      'if (textureLod(t, v_uv, 0.0).x > 0.5) o_color = texture(t, v_uv); else o_color = vec4(0.0);',
      [0],
    ],
    [
      'a condition around other code',
      `o_color = texture(t, v_uv);
       if (o_color.x > 0.5) o_color = textureLod(t, v_uv, 0.0) * sin(v_uv.x);`,
      [],
    ],
    [
      'an early return before a lookup',
      `o_color = vec4(0.0); if (textureLod(t, v_uv, 0.0).x > 0.5) return;
       o_color = texture(t, v_uv);`,
      [0],
    ],
    [
      'an early return after all lookups',
      `o_color = texture(t, v_uv); if (o_color.x > 0.5) return;
       o_color = vec4(sin(o_color.y));`,
      [],
    ],
    [
      'the number of rounds of a loop with a lookup',
      `int n = int(textureLod(t, v_uv, 0.0).x * 4.0); vec4 sum = texelFetch(t, ivec2(1), 0);
       for (int i = 0; i < n; i++) sum += texture(t, v_uv * float(i));
       o_color = sum;`,
      [0],
    ],
    [
      'a discard',
      'o_color = texture(t, v_uv); if (o_color.w < 0.5) discard; o_color += texture(t, v_uv.yx);',
      [],
    ],
    [
      'private memory',
      `vec2 at[4]; int k = int(v_uv.x * 4.0);
       at[0] = at[1] = at[2] = v_uv; at[3] = textureLod(t, v_uv, 0.0).xy;
       o_color = texture(t, at[k]) + texelFetch(t, ivec2(1), 0);`,
      [0],
    ],
  ])('needed by %s are found', (_, source, lookups) => {
    expect(chosenLookups(source, 'needed')).toEqual(lookups);
  });
});
