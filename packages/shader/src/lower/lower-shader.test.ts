import { describe, expect, it } from 'vitest';
import { checkShader } from '../glsl/check-shader.ts';
import type { IrProgram } from '../ir/ir.ts';
import { optimize } from '../ir/passes/optimize.ts';
import { forEachNode } from '../ir/regions.ts';
import { validateIr } from '../ir/validate-ir.ts';
import { bitsOfFloat, floatOfBits } from '../isa/index.ts';
import { evaluateIr } from '../testing/evaluate-ir.ts';
import { lowerShader } from './lower-shader.ts';

function compile(source: string): IrProgram {
  const checked = checkShader(source, { stage: 'fragment' });
  expect(checked.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return optimize(lowerShader(checked).program, validateIr);
}

/**
 * Returns float outputs by slot for a fragment at (10.5, 20.5), depth 0.25, with input component k
 * = k + 1.
 */
function run(source: string) {
  const { outputs, isDiscarded } = evaluateIr(compile(source), {
    input: (slot) => bitsOfFloat(slot + 1),
    builtin: (name) => {
      if (name === 'frontFacing') return -1;
      const values: Record<string, number> = {
        'fragCoord.x': 10.5,
        'fragCoord.y': 20.5,
        'fragCoord.z': 0.25,
      };
      return bitsOfFloat(values[name] ?? 0.5);
    },
    constant: () => 0,
  });
  const floats = [...outputs].map(([slot, bits]) => [slot, floatOfBits(bits)] as const);
  return { outputs: Object.fromEntries(floats), isDiscarded };
}

const ES3 = '#version 300 es\nprecision highp float;\n';

describe('lowerShader, fragment stage', () => {
  it('writes gl_FragColor to the first target', () => {
    const { outputs } = run('void main() { gl_FragColor = vec4(1, 2, 3, 4); }');
    expect(outputs).toEqual({ 0: 1, 1: 2, 2: 3, 3: 4 });
  });

  it('writes only those elements of gl_FragData that the shader writes', () => {
    const { outputs } = run(`#version 120
      void main() { gl_FragData[2] = vec4(1, 2, 3, 4); gl_FragData[0].x = 9.0; }`);
    expect(outputs).toEqual({ 0: 9, 1: 0, 2: 0, 3: 0, 8: 1, 9: 2, 10: 3, 11: 4 });
  });

  it('writes outputs to their locations', () => {
    const { outputs } =
      run(`${ES3} layout(location = 1) out vec2 b; layout(location = 0) out float a;
      void main() { a = 5.0; b = vec2(6.0, 7.0); }`);
    expect(outputs).toEqual({ 0: 5, 4: 6, 5: 7 });
  });

  it('keeps the depth if the shader does not write it', () => {
    const source = (limit: number): string => `${ES3} in float x; out vec4 o;
      void main() { o = vec4(x); if (x > ${limit}.5) gl_FragDepth = 0.75; }`;
    expect(run(source(0)).outputs[32]).toBe(0.75);
    expect(run(source(1)).outputs[32]).toBe(0.25);
  });

  it('reads the built-in inputs', () => {
    const { outputs } = run(`${ES3} out vec4 o;
      void main() { o = vec4(gl_FragCoord.xy, gl_FrontFacing ? 1.0 : 0.0, gl_PointCoord.y); }`);
    expect(outputs).toEqual({ 0: 10.5, 1: 20.5, 2: 1, 3: 0.5 });
  });

  it('discards, and leaves loops then', () => {
    const source = (limit: string): string => `${ES3} in float x; out vec4 o;
      void main() {
        o = vec4(0.0); float k = 0.0;
        while (true) { for (;;) { if (x > ${limit}) discard; k += 1.0; if (k > 3.0) break; } break; }
        o.x = k;
      }`;
    expect(run(source('2.0'))).toEqual({ outputs: { 0: 4, 1: 0, 2: 0, 3: 0 }, isDiscarded: false });
    expect(run(source('0.5')).isDiscarded).toBe(true);
  });

  it('runs initialisers of globals in order, and indexes large constant arrays in memory', () => {
    const { outputs } = run(`#version 120
      varying float x;
      float first = 2.0; vec2 second = vec2(first, first + 1.0);
      const float TABLE[20] = float[20](0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15., 16., 17., 18., 19.);
      void main() { gl_FragColor = vec4(second, TABLE[int(x) * 13], TABLE[3]); }`);
    expect(outputs).toEqual({ 0: 2, 1: 3, 2: 13, 3: 3 });
  });
});

describe('the code of common shaders', () => {
  it('has no loops, arrays, blocks or variables if the numbers of iterations are constant', () => {
    const program =
      compile(`precision highp float; varying vec3 n; uniform vec3 lights[4]; uniform vec3 colors[4];
      vec3 shade(vec3 l, vec3 c) { float d = dot(n, l); if (d <= 0.0) return vec3(0.0); return c * d; }
      void main() {
        vec3 sum = vec3(0.0); float weights[4];
        for (int i = 0; i < 4; i++) weights[i] = float(i) * 0.25;
        for (int i = 0; i < 4; i++) { if (i == 2) continue; sum += shade(lights[i], colors[i]) * weights[i]; }
        gl_FragColor = vec4(sum, 1.0);
      }`);
    expect(program.variables).toEqual([]);
    expect(program.arrays).toEqual([]);
    const kinds = new Set<string>();
    forEachNode(program.body, (node) => {
      kinds.add(node.kind);
    });
    expect([...kinds].sort()).toEqual(['constant', 'input', 'operator', 'output', 'uniform']);
  });
});
