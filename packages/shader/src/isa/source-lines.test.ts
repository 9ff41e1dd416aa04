import { describe, expect, it } from 'vitest';
import { compileStage } from '../compile-stage.ts';
import { VALID_SHADERS } from '../testing/valid-shaders.ts';
import { assemble } from './assemble.ts';
import { formatInstruction } from './disassemble.ts';
import { decodeInstructions } from './instruction.ts';
import { GENERATED_LINE, sourceLinesOf } from './source-lines.ts';

const SOURCE = `#version 300 es
precision highp float;
uniform sampler2D t; in vec2 uv; out vec4 color;
float square(float x) {
  return x * x;
}
#define TWICE(a) ((a) * 2.0)
void main() {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < int(uv.x * 8.0); i++) {
    if (uv.y > 0.5)
      sum += texture(t,
        uv / float(i)).rgb;
    else sum.x = square(uv.x);
  }
  if (sum.x > 3.0) discard;
#line 100
  color = vec4(TWICE(sum),
     1.0);
}`;

/** Returns the instructions of a shader with their lines. */
function listing(source: string) {
  const { isa } = compileStage(source, { stage: 'fragment' }).code!;
  const lines = sourceLinesOf(isa)!;
  const instructions = decodeInstructions(isa.code, isa.literals);
  expect(lines).toHaveLength(instructions.length);
  return instructions.map((instruction, position) => ({
    mnemonic: instruction.mnemonic,
    text: formatInstruction(instruction),
    line: lines[position]!,
  }));
}

describe('source lines of instructions', () => {
  const listed = listing(SOURCE);
  const linesOf = (mnemonic: string) =>
    listed.filter((each) => each.mnemonic === mnemonic).map(({ line }) => line);

  it('are those of the expression within a statement', () => {
    expect(linesOf('tex')).toEqual([12]);
    expect(linesOf('fdiv')).toEqual([13, 13]);
  });

  it('are those of the body of an inlined function, and of the use of a macro', () => {
    const products = listed.filter(({ mnemonic }) => mnemonic === 'fmul');
    expect(products.map(({ line }) => line)).toEqual([10, 5, 18, 18, 18]);
  });

  it('are those of the text, whatever #line says', () => {
    expect(Math.max(...listed.map(({ line }) => line))).toBe(18);
  });

  it('give the ends of loops and conditions the line of their start', () => {
    expect(linesOf('loop')).toEqual([10]);
    expect(linesOf('endloop')).toEqual([10]);
    expect(linesOf('if')).toEqual([10, 11, 16]);
    expect(linesOf('else')).toEqual([11]);
    expect(linesOf('endif')).toEqual([10, 11, 16]);
    expect(linesOf('discard')).toEqual([16]);
  });

  it('leave outputs and initial zeros without a line', () => {
    const generated = listed.filter(({ line }) => line === GENERATED_LINE);
    expect(new Set(generated.map(({ mnemonic }) => mnemonic))).toEqual(new Set(['mov', 'outf']));
  });

  it('survive unrolling, arrays and conversions of conditions', () => {
    const unrolled = listing(`precision highp float;
      varying vec4 v;
      void main() {
        float parts[4];
        for (int i = 0; i < 4; i++)
          parts[i] = sin(v.x * float(i + 1));
        float x = v.y;
        if (v.z > 0.5)
          x = v.w;
        gl_FragColor = vec4(parts[0] + parts[3],
          x, parts[1] + parts[2], 1.0);
      }`);
    const select = unrolled.filter(({ mnemonic }) => mnemonic === 'selectF');
    expect(select.some(({ line }) => line === 9)).toBe(true);
    const lines = new Set(unrolled.map(({ line }) => line));
    for (const line of [6, 8, 10, 11]) expect(lines, `line ${line}`).toContain(line);
  });

  it.each(VALID_SHADERS.map((shader) => [shader.title, shader] as const))(
    'are within the text: %s',
    (_, { stage, source, restrictLoops = false }) => {
      const { code, positionOnly } = compileStage(source, { stage, restrictLoops });
      const rows = source.split('\n').length;
      for (const part of [code, positionOnly]) {
        if (part === null) continue;
        const lines = sourceLinesOf(part.isa)!;
        const { length } = decodeInstructions(part.isa.code, part.isa.literals);
        expect(lines).toHaveLength(length);
        for (const line of lines) expect(line >= GENERATED_LINE && line <= rows).toBe(true);
      }
    },
  );

  it('are unknown for assembled programs', () => {
    expect(sourceLinesOf(assemble('.stage fragment\noutf 0, 0x00000000\n'))).toBeNull();
  });
});
