import { describe, expect, it } from 'vitest';
import { checkShader } from '../check-shader.ts';
import { checkLink } from './check-link.ts';

function link(vertex: string, fragment: string): string[] {
  const shaders = [
    checkShader(vertex, { stage: 'vertex' }),
    checkShader(fragment, { stage: 'fragment' }),
  ] as const;
  for (const shader of shaders) expect(shader.diagnostics).toEqual([]);
  return checkLink(...shaders).map((diagnostic) => diagnostic.message);
}

const P = 'precision mediump float;';
const ALL = '#pragma STDGL invariant(all)\n';
const ES3 = '#version 300 es\n';
const wide = (count: number): string =>
  Array.from({ length: count }, (_, i) => `varying vec4 v${i};`).join('');
const sum = (prefix: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`).join('+');

describe('programs that link', () => {
  it.each([
    ['void main(){}', 'void main(){}'],
    ['varying vec2 v; void main(){v=vec2(1);}', `${P} varying vec2 v; void main(){v;}`],
    ['void main(){}', `${P} varying vec2 v; void main(){}`],
    [
      `uniform mediump float u; void main(){gl_PointSize=u;}`,
      `${P} uniform float u; void main(){u;}`,
    ],
    [`${ALL}varying vec2 v; void main(){}`, `${P} invariant varying vec2 v; void main(){v;}`],
    ['varying vec2 v; void main(){}', `${ALL}${P} varying vec2 v; void main(){v;}`],
    ['varying vec2 v; void main(){}', `${P} invariant varying vec2 v; void main(){}`],
    [
      `${ALL}void main(){gl_Position=vec4(1);}`,
      'invariant gl_FragCoord; void main(){gl_FragCoord;}',
    ],
    ['void main(){}', 'invariant gl_FragCoord; void main(){}'],
    [
      `attribute vec4 x; void main(){gl_Position=x;}`,
      `${P} uniform vec4 x; void main(){gl_FragColor=x;}`,
    ],
    [
      `#version 120\nvarying vec4 gl_TexCoord[2]; void main(){gl_TexCoord[1]=gl_Vertex;}`,
      `#version 120\nvarying vec4 gl_TexCoord[1]; void main(){gl_FragColor=gl_TexCoord[0];}`,
    ],
    [
      `${ES3}uniform B { vec4 a; }; void main(){}`,
      `${ES3}${P} layout(std140) uniform B { highp vec4 a; }; void main(){}`,
    ],
    [`${ES3}out vec2 v; void main(){}`, `${ES3}${P} in vec2 v; void main(){v;}`],
    [
      '#version 110\nvarying vec2 v; void main(){v=vec2(1.0);}',
      '#version 120\nvarying vec2 v; void main(){v;}',
    ],
    [`${wide(30)} void main(){}`, `${P}${wide(30)} void main(){gl_FragColor=${sum('v', 30)};}`],
  ])('%s / %s', (vertex, fragment) => {
    expect(link(vertex, fragment)).toEqual([]);
  });
});

describe('programs that do not link', () => {
  it.each([
    ['void main(){}', `${P} varying vec2 v; void main(){v;}`, 'not declared in the vertex shader'],
    ['varying vec3 v; void main(){}', `${P} varying vec2 v; void main(){}`, 'types of the varying'],
    ['uniform vec3 v; void main(){}', `${P} uniform vec2 v; void main(){}`, 'types of the uniform'],
    ['uniform vec3 v; void main(){}', `${P} uniform vec3 v; void main(){}`, 'precisions'],
    ['void main(){}', `${ES3}void main(){}`, 'versions 100 and 300'],
    [
      `${ES3}flat out vec2 v; void main(){}`,
      `${ES3}${P} in vec2 v; void main(){v;}`,
      'interpolation of the varying',
    ],
    [
      'invariant varying vec2 v; void main(){}',
      `${P} varying vec2 v; void main(){v;}`,
      'invariance of the varying',
    ],
    [
      'varying vec2 v; void main(){}',
      `${P} invariant varying vec2 v; void main(){v;}`,
      'invariance of the varying',
    ],
    [
      `${ALL}varying vec2 v; void main(){}`,
      `${ALL}${P} varying vec2 v; void main(){v;}`,
      'invariance of the varying',
    ],
    [
      'void main(){gl_Position=vec4(1);}',
      'invariant gl_FragCoord; void main(){gl_FragCoord;}',
      'can be invariant only if gl_Position is',
    ],
    [
      `${wide(31)} void main(){}`,
      `${P}${wide(31)} void main(){gl_FragColor=${sum('v', 31)};}`,
      'more than 30 vectors',
    ],
    [
      `uniform vec4 u[1025]; void main(){gl_Position=u[0];}`,
      'void main(){}',
      'more than 1024 vectors',
    ],
    [
      `${ES3}layout(location=1) in mat2 a; layout(location=2) in vec4 b; void main(){}`,
      `${ES3}void main(){}`,
      "location 2 is already used by 'a'",
    ],
    [
      `attribute mat4 a,b,c,d; attribute float e; void main(){gl_Position=a[0]+b[0]+c[0]+d[0]+e;}`,
      'void main(){}',
      'more than 16 attributes',
    ],
    [
      `${ES3}uniform B { vec4 a; }; void main(){}`,
      `${ES3}${P} uniform B { vec3 a; }; void main(){}`,
      'uniform block differs',
    ],
    [
      `${ES3}uniform B { vec4 a; }; void main(){}`,
      `${ES3}${P} uniform B { vec4 a; }; void main(){}`,
      'uniform block differs',
    ],
    [
      `struct S { int a; }; uniform S s; void main(){}`,
      `struct S { bool a; }; uniform S s; void main(){}`,
      'types of the uniform',
    ],
  ])('%s / %s', (vertex, fragment, message) => {
    expect(link(vertex, fragment).join()).toContain(message);
  });
});

describe('limits of samplers', () => {
  const arrays = (version: number, count: number): string[] => {
    const head = `#version ${version}\nuniform sampler2D`;
    const sum = (name: string) =>
      Array.from({ length: count }, (_, i) => `texture2D(${name}[${i}],vec2(0))`).join('+');
    return link(
      `${head} v[${count}]; void main(){gl_Position=${sum('v')};}`,
      `${version === 100 ? `#version 100\n${P}\nuniform sampler2D` : head} f[${count}];
       void main(){gl_FragColor=${sum('f')};}`,
    );
  };

  it.each([
    [100, 16],
    [120, 32],
  ])('version %i allows %i in each stage', (version, count) => {
    expect(arrays(version, count)).toEqual([]);
    expect(arrays(version, count + 1)).toContain(
      `more than ${count} samplers in the vertex shader`,
    );
  });
});
