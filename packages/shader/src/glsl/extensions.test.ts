/** Rules of the extensions of GLSL ES 3.00, one shader per rule. */
import { describe, expect, it } from 'vitest';
import type { ShaderStage } from '../tree/checked-tree.ts';
import { checkShader } from './check-shader.ts';
import { checkLink } from './link/check-link.ts';

/** Returns the messages of a shader whose `main` has the given statements. */
function check(extension: string, stage: ShaderStage, globals: string, statements: string) {
  const directive = extension === '' ? '' : `#extension ${extension} : require\n`;
  const color = stage === 'fragment' ? 'out vec4 color;' : '';
  const source = `#version 300 es\n${directive}precision highp float; uniform highp int i; ${color}
${globals} void main() { ${statements} }`;
  const shader = checkShader(source, { stage, isWebGl: true });
  const errors = shader.diagnostics.filter(({ severity }) => severity === 'error');
  return { shader, messages: errors.map(({ message }) => message) };
}

interface Cases {
  readonly extension: string;
  readonly stage: ShaderStage;
  /** Globals and statements of valid shaders. */
  readonly valid: readonly (readonly [globals: string, statements: string])[];
  /** Globals and statements of invalid shaders, with a part of the message. */
  readonly invalid: readonly (readonly [globals: string, statements: string, message: string])[];
}

const CASES: readonly Cases[] = [
  {
    extension: 'GL_ANGLE_clip_cull_distance',
    stage: 'vertex',
    valid: [
      ['', 'gl_ClipDistance[7] = 1.0;'],
      ['', 'gl_ClipDistance[1] = gl_ClipDistance[0]; gl_CullDistance[5] = 1.0;'],
      ['out highp float gl_ClipDistance[2];', 'gl_ClipDistance[i] = 1.0;'],
      ['invariant out float gl_CullDistance[2];', 'gl_CullDistance = float[2](1.0, 2.0);'],
      ['out float gl_ClipDistance[2];', 'int n[gl_ClipDistance.length()];'],
      ['', 'int n[gl_MaxClipDistances + gl_MaxCullDistances];'],
      ['', 'int n[gl_MaxCombinedClipAndCullDistances == 8 ? 1 : -1];'],
    ],
    invalid: [
      ['', 'gl_ClipDistance[8] = 1.0;', 'index 8 is out of range'],
      ['', 'gl_ClipDistance[i] = 1.0;', 'must have a size before'],
      ['out float gl_CullDistance[9];', '', 'size is out of range'],
      ['out float gl_CullDistance[];', '', 'must have a size'],
      ['flat out float gl_CullDistance[2];', '', 'are reserved'],
      ['out vec4 gl_CullDistance[2];', '', 'are reserved'],
      ['float gl_CullDistance[2];', '', 'are reserved'],
      ['void f() { gl_ClipDistance[0]; } out float gl_ClipDistance[2];', '', 'before it is used'],
      ['out float gl_ClipDistance[2]; out float gl_ClipDistance[2];', '', 'and once'],
      [
        '',
        'gl_ClipDistance[4] = gl_CullDistance[3] = 1.0;',
        '9 clip and cull distances, at most 8',
      ],
    ],
  },
  {
    extension: 'GL_ANGLE_clip_cull_distance',
    stage: 'fragment',
    valid: [
      ['', 'color = vec4(gl_ClipDistance[3], gl_CullDistance[3], 0, 0);'],
      ['in float gl_ClipDistance[2];', 'color = vec4(gl_ClipDistance[i]);'],
    ],
    invalid: [
      ['', 'gl_ClipDistance[0] = 1.0;', 'read-only'],
      ['out float gl_ClipDistance[2];', '', 'are reserved'],
    ],
  },
  {
    extension: 'GL_ANGLE_multi_draw',
    stage: 'vertex',
    valid: [['', 'gl_Position = vec4(gl_DrawID);']],
    invalid: [['', 'gl_DrawID = 1;', 'read-only']],
  },
  {
    extension: 'GL_ANGLE_multi_draw',
    stage: 'fragment',
    valid: [['', 'color = vec4(1);']],
    invalid: [['', 'color = vec4(gl_DrawID);', 'undeclared']],
  },
];

describe.each(CASES)('$extension, $stage', ({ extension, stage, valid, invalid }) => {
  it.each(valid)('allows %s %s', (globals, statements) => {
    expect(check(extension, stage, globals, statements).messages).toEqual([]);
  });

  it.each(invalid)('refuses %s %s', (globals, statements, message) => {
    const { messages } = check(extension, stage, globals, statements);
    expect(messages[0]).toContain(message);
  });
});

describe('without the directive', () => {
  it.each([
    ['GL_ANGLE_clip_cull_distance', 'vertex', 'gl_ClipDistance[0] = 1.0;'],
    ['GL_ANGLE_clip_cull_distance', 'fragment', 'color = vec4(gl_CullDistance[0]);'],
    ['GL_ANGLE_clip_cull_distance', 'vertex', 'gl_MaxCullDistances;'],
    ['GL_ANGLE_multi_draw', 'vertex', 'gl_DrawID;'],
  ] as const)('of %s, a %s shader cannot use %s', (extension, stage, statements) => {
    expect(check('', stage, '', statements).messages[0]).toContain(`#extension ${extension}`);
  });
});

describe('distances of two shaders', () => {
  const link = (written: string, read: string): string[] => {
    const extension = 'GL_ANGLE_clip_cull_distance';
    const vertex = check(extension, 'vertex', '', written).shader;
    const fragment = check(extension, 'fragment', '', read).shader;
    return checkLink(vertex, fragment, { isWebGl: true }).map(({ message }) => message);
  };

  it('must be as many in both if the fragment shader uses them', () => {
    const one = 'gl_ClipDistance[0] = 1.0;';
    expect(link(one, 'color = vec4(gl_ClipDistance[0]);')).toEqual([]);
    expect(link(one, '')).toEqual([]);
    for (const read of ['gl_ClipDistance[1]', 'gl_CullDistance[0]']) {
      expect(link(one, `color = vec4(${read});`)[0]).toMatch(/^has \d elements in the vertex/);
    }
  });
});
