/**
 * Short sources that would make a careless compiler run forever or exhaust its stack or memory.
 * Each must be compiled or rejected soon. The time limit of the test catches endless compilation.
 */
import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { compileProgram } from './compile.ts';

const VERTEX = '#version 300 es\nvoid main() { gl_Position = vec4(0); }';
const HEAD =
  '#version 300 es\nprecision highp float; uniform int i; uniform float u[64]; out vec4 o;\n';

const repeat = (count: number, text: (k: number) => string): string =>
  Array.from({ length: count }, (_, k) => text(k)).join('');

/** Returns the log if `source` is rejected, else an empty text. */
function refusalOf(source: string): string {
  try {
    compileProgram({ vertexSource: VERTEX, fragmentSource: HEAD + source });
  } catch (error) {
    if (error instanceof RenderError && error.code === 'SHADER_COMPILE_FAILED') {
      return error.message;
    }
    throw error;
  }
  return '';
}

describe('hostile shaders are refused', () => {
  it.each([
    [
      'functions that call each other twice, level upon level',
      `float f0() { return u[i]; }
       ${repeat(30, (k) => `float f${k + 1}() { return f${k}() + f${k}(); }`)}
       void main() { o = vec4(f30()); }`,
      'steps',
    ],
    [
      'the same without any effect',
      `void f0() {}
       ${repeat(30, (k) => `void f${k + 1}() { f${k}(); f${k}(); }`)}
       void main() { f30(); }`,
      'steps',
    ],
    [
      'deep expressions in deep calls',
      `float f0(float x) { return x; }
       ${repeat(
         250,
         (k) => `float f${k + 1}(float x) { return ${'('.repeat(60)}f${k}(x)${'+x)'.repeat(60)}; }`,
       )}
       void main() { o = vec4(f250(u[0])); }`,
      'deep',
    ],
    [
      'deep statements in deep calls',
      `float f0(float x) { return x; }
       ${repeat(30, (k) => `float f${k + 1}(float x) { ${repeat(100, (j) => `if (x > ${j}.) `)} x += f${k}(x); return x; }`)}
       void main() { o = vec4(f30(u[0])); }`,
      'deep',
    ],
    ['a large array', 'float a[100000]; void main() { a[i] = 1.0; o = vec4(a[0]); }', 'too large'],
    [
      'large arrays, copied',
      'struct S { float a[50000]; }; void main() { S s; S t; s.a[i] = 1.0; t = s; o = vec4(t.a[i]); }',
      'words',
    ],
    ['a megabyte of brackets', `void main() { o = vec4(${'('.repeat(1 << 20)}`, 'too complex'],
  ])('%s', (_title, source, reason) => {
    expect(refusalOf(source)).toContain(reason);
  });
});

describe('shaders that compile, though long', () => {
  it.each([
    [
      'a switch of 3,000 cases',
      `void main() { float s = 0.0; switch (i) { ${repeat(3000, (k) => `case ${k}: s += u[${k % 64}]; break;`)} } o = vec4(s); }`,
    ],
    [
      '3,000 early returns',
      `float f(float x) { ${repeat(3000, (k) => `if (x > u[${k % 64}] + ${k}.0) return x * ${k}.0;`)} return x; }
       void main() { o = vec4(f(u[0])); }`,
    ],
    [
      'a loop that hands values round a ring of 1,000 variables',
      `void main() { ${repeat(1000, (k) => `float v${k} = u[${k % 64}];`)}
       for (int j = 0; j < i; j++) { ${repeat(1000, (k) => `v${k} = v${(k + 1) % 1000} * 1.5;`)} }
       o = vec4(v0); }`,
    ],
    [
      'a loop whose condition doubles the paths to its counter forty times',
      `void main() { for (int j = 0; j < 60; j++) { int a = j + 1; ${'a = a * a + 1;'.repeat(40)} if (a > 5) break; } o = vec4(1); }`,
    ],
    [
      'an array of 32,000 words with computed indices',
      'void main() { mat4 m[2000]; m[i] = mat4(1); o = m[i + 1][i]; }',
    ],
  ])('%s', (_title, source) => {
    expect(refusalOf(source)).toBe('');
  });
});
