import { describe, expect, it } from 'vitest';
import { checkShader } from '../../glsl/check-shader.ts';
import { lowerShader } from '../../lower/lower-shader.ts';
import { printIr } from '../print-ir.ts';
import { validateIr } from '../validate-ir.ts';
import { optimize } from './optimize.ts';

/** Returns the printed multiplications of a fragment or vertex shader that outputs `value`. */
function products(value: string, head = '', stage: 'vertex' | 'fragment' = 'fragment'): string[] {
  const [output, type] =
    stage === 'vertex' ? ['gl_Position', 'attribute'] : ['gl_FragColor', 'varying'];
  const source = `${head} precision highp float; ${type} vec3 v; uniform float u;
    void main() { ${output} = vec4(${value}); }`;
  const checked = checkShader(source, { stage });
  expect(checked.diagnostics).toEqual([]);
  const program = optimize(lowerShader(checked).program, validateIr);
  return printIr(program)
    .split('\n')
    .filter((line) => /fmul|input|= -?\d/.test(line))
    .map((line) => line.trim());
}

describe('gatherConstants', () => {
  it('multiplies the first factor by the constant', () => {
    const [moved, written] = [products('v.x * v.y * 3.0'), products('v.x * 3.0 * v.y')];
    expect(moved.filter((line) => line.includes('fmul'))).toHaveLength(2);
    expect(moved.map((line) => line.replace(/%\d+/g, '%')).sort()).toEqual(
      written.map((line) => line.replace(/%\d+/g, '%')).sort(),
    );
  });

  it('adds no multiplication, however long the product is', () => {
    const lines = products('(v.x * 3.0) * v.y * 5.0');
    expect(lines.filter((line) => line.includes('fmul'))).toHaveLength(2 + 1);
    expect(products('v.x * v.y * v.z * 2.0').filter((line) => line.includes('fmul'))).toHaveLength(
      3,
    );
  });

  it.each([
    ['a product that is used again', 'v.x * v.y * 3.0 + v.x * v.y', '', 'fragment'],
    ['an invariant output', 'v.x * v.y * 3.0', 'invariant gl_FragColor;', 'fragment'],
    ['a vertex shader', 'v.x * v.y * 3.0', '', 'vertex'],
  ] as const)('leaves %s', (_what, value, head, stage) => {
    const lines = products(value, head, stage).filter((line) => line.includes('fmul'));
    const constant = products(value, head, stage)
      .find((line) => /= 3/.test(line))!
      .split(' ')[0]!;
    // The constant is in the second product; one operand of each pair is the first product.
    const [first] = lines;
    expect(first).not.toContain(constant);
  });
});
