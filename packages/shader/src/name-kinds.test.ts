/**
 * Uses names of one kind in the places of another. Each shader must compile or be rejected with a
 * log. Any other exception is a bug of the compiler and would terminate the program that called it.
 */
import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { compileProgram } from './compile.ts';
import { compileStage } from './compile-stage.ts';
import { VALID_SHADERS } from './testing/valid-shaders.ts';

const FRAGMENT = '#version 300 es\nvoid main() {}';
const DECLARATIONS = `#version 300 es
uniform Block { vec4 member; }; uniform Named { vec4 part; } instance; uniform Many { vec4 piece; } instances[2];
struct Struct { vec4 field; }; const int SIZE = 2; uniform sampler2D image; uniform float list[3];
in vec4 attribute0; out vec4 varying0; vec4 value; vec4 function(vec4 a) { return a; }
#define MACRO Block
`;

const NAMES = [
  'Block',
  'member',
  'Named',
  'part',
  'instance',
  'Many',
  'instances',
  'Struct',
  'field',
  'SIZE',
  'image',
  'list',
  'attribute0',
  'varying0',
  'value',
  'function',
  'MACRO',
  'main',
  'sin',
  'texture',
  'gl_Position',
  'gl_FragCoord',
  'gl_DepthRange',
  'vec4',
  'unknown',
];

/** Places of a name `N` in a body; places with `@` are at global scope. */
const PLACES = [
  'N;',
  'N();',
  'N(value);',
  'N(1);',
  '(N);',
  '+N;',
  '!N;',
  'N++;',
  '--N;',
  'N = N;',
  'N += 1.0;',
  'value = N;',
  'value = N.part;',
  'value = N[0];',
  'value = N[0].piece;',
  'value = N.x * value;',
  'N.length();',
  'list[N];',
  'value[N];',
  'N[N];',
  'N, value;',
  'value, N;',
  'N ? value : value;',
  'true ? N : N;',
  'function(N);',
  'texture(N, vec2(0));',
  'sin(N);',
  'vec4(N);',
  'Struct(N);',
  'float N = 1.0; N;',
  'float a[N];',
  'float a = N;',
  'vec4 a[2] = vec4[2](N, N);',
  'N a;',
  'N a; a;',
  'const N a = N(value);',
  'N[2](N, N);',
  'if (N) value;',
  'for (int i = 0; i < N; i++) value;',
  'while (N) break;',
  'switch (N) { default: value; }',
  'switch (1) { case N: value; }',
  'return N;',
  'N.member;',
  'N.N;',
  'value.N;',
  'instance.N;',
  'instances[N].N;',
  'const int a = N;',
  'N == N;',
  '{ struct N { vec4 a; }; N a; a; }',
  '{ int N; { N; } }',
  'value = value * (N == N ? 1.0 : 0.0);',
  '@float N;',
  '@N a;',
  '@float N() { return 1.0; }',
  '@void g(N a) {}',
  '@void g(float N) { N; }',
  '@struct N { vec4 a; };',
  '@struct T { N a; };',
  '@uniform N { vec4 a; };',
  '@uniform U { vec4 N; };',
  '@uniform U { vec4 a; } N;',
  '@uniform U { N a; };',
  '@uniform U { vec4 a; } u[N];',
  '@float a[N];',
  '@invariant N;',
  '@const float a = N;',
  '@out N a;',
  '@flat out N a;',
  '@N g() { return N(value); }',
  '@void N(); void N() {}',
  '@layout(location = N) in vec4 a;',
  '@precision highp N;',
  '@uniform N u;',
];

/** Returns an exception other than a rejection, as text. */
function findBug(compile: () => unknown): string | null {
  try {
    compile();
    return null;
  } catch (error) {
    return error instanceof RenderError ? null : String(error);
  }
}

describe('a name in the place of another kind of name', () => {
  it.each(NAMES)('%s is compiled or refused in every place', (name) => {
    const bugs = PLACES.map((place) => {
      const text = place.replaceAll(/\bN\b/g, name);
      const isGlobal = text.startsWith('@');
      const head = isGlobal ? `${DECLARATIONS}${text.slice(1)}\n` : DECLARATIONS;
      const vertexSource = `${head}void main() { ${isGlobal ? '' : text} gl_Position = value; }`;
      return [text, findBug(() => compileProgram({ vertexSource, fragmentSource: FRAGMENT }))];
    }).filter(([, bug]) => bug !== null);
    expect(bugs).toEqual([]);
  });

  /** Stride through all swaps, so that each run tries the same ones. */
  const STRIDE = 53;

  it.each(VALID_SHADERS)('$title: words in the place of others', ({ source, ...options }) => {
    const words = source.match(/[A-Za-z_]\w*|\d[\w.]*|\s+|[^\w\s]/g)!;
    const names = [...new Set(words.filter((word) => /^[A-Za-z_]/.test(word)))];
    const bugs: string[] = [];
    let swap = 0;
    for (const [at, word] of words.entries()) {
      if (!names.includes(word)) continue;
      for (const name of names) {
        if (swap++ % STRIDE !== 0) continue;
        const swapped = words.with(at, name).join('');
        const bug = findBug(() => compileStage(swapped, options));
        if (bug !== null) bugs.push(`word ${at}: ${name} in place of ${word}: ${bug}`);
      }
    }
    expect(bugs).toEqual([]);
  });
});
