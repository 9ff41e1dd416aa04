import { describe, expect, it } from 'vitest';
import { runVertex } from '../testing/run-vertex.ts';

/** Runs a body that sets `r` for x = 0 … 3. */
function run(body: string, functions = ''): number[] {
  const source = `#version 300 es
    in float x; uniform int three; uniform float one; out float o;
    float r;
    ${functions}
    void main() { gl_Position = vec4(0.0); int i = int(x); r = 0.0; ${body} o = r; }`;
  const { outputs } = runVertex(source, {
    attributes: { x: [[0], [1], [2], [3]] },
    uniforms: { three: [3], one: [1] },
  });
  return outputs.o!.map(([value]) => value!);
}

describe('lowerStatement', () => {
  it.each<[string, string, number[]]>([
    ['if and else', 'if (x > 1.5) r = 1.0; else r = 2.0;', [2, 2, 1, 1]],
    [
      'nested if',
      'if (x > 0.5) { if (x > 1.5) r = 1.0; else r = 2.0; r += 10.0; }',
      [0, 12, 11, 11],
    ],
    ['for with a constant count', 'for (int k = 0; k < 5; k++) r += x;', [0, 5, 10, 15]],
    ['for that differs by invocation', 'for (int k = 0; k <= i; k++) r += float(k);', [0, 1, 3, 6]],
    ['for with a uniform count', 'for (int k = 0; k < three; k++) r += one;', [3, 3, 3, 3]],
    [
      'continue, which runs the update',
      'for (int k = 0; k < 6; k++) { if (k == i) continue; r += float(k); }',
      [15, 14, 13, 12],
    ],
    ['break', 'for (int k = 0; k < 6; k++) { if (k == i) break; r += 1.0; }', [0, 1, 2, 3]],
    [
      'break out of a long loop',
      'for (int k = 0; k < 100000; k++) { if (k > i * three) break; r += one; }',
      [1, 4, 7, 10],
    ],
    ['while', 'int k = i; while (k > 0) { k--; r += 2.0; }', [0, 2, 4, 6]],
    [
      'while with a declaration',
      'int k = 0; while (bool go = k < i) { r += go ? 1.0 : 100.0; k++; }',
      [0, 1, 2, 3],
    ],
    ['do, at least once', 'int k = i; do { r += 1.0; k--; } while (k > 0);', [1, 1, 2, 3]],
    [
      'continue in do, which tests the condition',
      'int k = 0; do { k++; if (k == 2) continue; r += 1.0; } while (k < i);',
      [1, 1, 1, 2],
    ],
    [
      'nested loops with continue of the outer one',
      'for (int k = 0; k < three; k++) { for (int m = 0; m < 4; m++) { if (m > i) break; r += 1.0; } if (k == 1) continue; r += 10.0; }',
      [23, 26, 29, 32],
    ],
    [
      'a counter that goes down',
      'for (int k = 7; k >= 0; k -= 3) r += float(k);',
      [12, 12, 12, 12],
    ],
    [
      'a float counter',
      'for (float k = 0.5; k < 2.0; k *= 1.5) r += k;',
      [4.0625, 4.0625, 4.0625, 4.0625],
    ],
    [
      'switch with fall through',
      'switch (i) { case 0: r += 1.0; case 1: r += 2.0; break; case 2: r += 4.0; default: r += 8.0; }',
      [3, 2, 12, 8],
    ],
    [
      'switch with default first',
      'switch (i) { default: r += 8.0; break; case 1: case 2: r += 2.0; }',
      [8, 2, 2, 8],
    ],
    [
      'switch with default in the middle',
      'switch (i) { case 3: r += 1.0; default: r += 8.0; case 1: r += 2.0; }',
      [10, 2, 10, 11],
    ],
    [
      'continue inside a switch',
      'for (int k = 0; k < three; k++) { switch (i) { case 1: continue; case 2: break; default: r += 1.0; } r += 10.0; }',
      [33, 0, 30, 33],
    ],
    [
      'declarations in a switch',
      'switch (i) { case 0: float t = 3.0; r = t; break; case 1: t = 5.0; r = t; }',
      [3, 5, 0, 0],
    ],
  ])('runs %s', (_name, body, expected) => {
    expect(run(body)).toEqual(expected);
  });

  it('returns from inside of control flow', () => {
    const functions = `
      float f(int i) {
        for (int k = 0; k < 10; k++) {
          if (k == i) { if (k > 1) return float(k) * 10.0; else continue; }
          r += 1.0;
          if (k == 2) break;
        }
        return -1.0;
      }`;
    expect(run('float t = f(i); r += t * 100.0;', functions)).toEqual([-98, -98, 2002, -97]);
  });

  it('copies arguments in and out from left to right', () => {
    const functions = `
      void f(in float a, inout float b, out float c) { b += a; c = a + 100.0; a = 7.0; b += a; }
      float g(inout float a) { a += 1.0; return a * 10.0; }`;
    // The last copy wins if two arguments name one variable.
    expect(run('float t = x; f(t, t, t); r = t;', functions)).toEqual([100, 101, 102, 103]);
    expect(run('float t = x; float u = 0.0; f(t, u, r); r += u;', functions)).toEqual([
      107, 109, 111, 113,
    ]);
    expect(run('float t = x; r = t + g(t) + t;', functions)).toEqual([11, 23, 35, 47]);
    expect(run('r = 1.0; f(r, r, r);', functions)).toEqual([101, 101, 101, 101]);
    expect(run('vec2 v = vec2(1.0, 2.0); f(x, v[i & 1], v.x); r = v.x + v.y;', functions)).toEqual([
      102, 111, 104, 115,
    ]);
  });

  it('leaves globals that a callee writes as they are for its caller', () => {
    const functions = 'float h(float a) { r += 1.0; return a + r; }';
    expect(run('r = x; float t = r + h(r) + r; r = t;', functions)).toEqual([2, 6, 10, 14]);
  });

  it('passes arrays and structs by value', () => {
    const functions = `
      struct P { float v[3]; float w; };
      float f(P p, int i) { p.v[i % 3] += 1.0; p.w = p.v[0] + p.v[1] * 10.0 + p.v[2] * 100.0; return p.w; }`;
    const body = 'P p = P(float[3](1.0, 2.0, 3.0), 0.0); r = f(p, i) + p.v[i % 3] * 1000.0 + p.w;';
    expect(run(body, functions)).toEqual([1322, 2331, 3421, 1322]);
  });
});
