/** Varyings at other places of a pixel, against planes evaluated there. */
import { samplePatternOf } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { checkShader } from '../glsl/check-shader.ts';
import { optimize } from '../ir/passes/optimize.ts';
import { bitsOfFloat, floatOfBits } from '../ir/scalar-operators.ts';
import { validateIr } from '../ir/validate-ir.ts';
import { selectInstructions } from '../isa/select-instructions.ts';
import {
  HAS_EIGHT_SAMPLES,
  PRIMITIVE_RECORD,
  primitiveStrideBytes,
  SAMPLE_MASK_SHIFT,
} from '../isa/stage-memory.ts';
import { runFragmentProgram } from '../testing/compare-executors.ts';
import { lowerShader } from './lower-shader.ts';

const ALL = 0b1111;
/** Places from the center of the pixel, x to the right, y down. */
const CENTER = [0, 0] as const;
const samplesOf = (sampleCount: number) => {
  const { x, y } = samplePatternOf(sampleCount);
  return x.map((right, sample) => [right / 16, y[sample]! / 16] as const);
};
const SAMPLES = samplesOf(4);

/** Returns 1/w at a place of the quad, whose first pixel has its center at the origin. */
const inverseW = (x: number, y: number) => 0.5 + 0.125 * x + 0.0625 * y;
/** Returns input slot `slot` divided by w. */
const overW = (slot: number, x: number, y: number) => 1 + slot + 0.25 * x - 0.5 * (slot + 1) * y;
const varying = (slot: number, x: number, y: number) => overW(slot, x, y) / inverseW(x, y);

/** Mask of a quad whose lanes are all covered, at the same samples. */
const maskOf = (samples: number, lanes = ALL) =>
  [0, 1, 2, 3].reduce(
    (mask, sample) =>
      (samples >> sample) & 1 ? mask | (lanes << (SAMPLE_MASK_SHIFT + 4 * sample)) : mask,
    lanes,
  );

/** Returns the color's red and green of the four lanes of a shader, equal in all executors. */
function run(globals: string, statements: string, mask: number, moreSamples = 0): number[][] {
  const source = `#version 300 es
    #extension GL_OES_shader_multisample_interpolation : require
    #extension GL_OES_sample_variables : require
    precision highp float;
    ${globals}
    out vec2 color;
    void main() { int i = 0; ${statements} }`;
  const checked = checkShader(source, { stage: 'fragment', isWebGl: true });
  expect(checked.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const program = selectInstructions(optimize(lowerShader(checked).program, validateIr));
  const primitives = new Int32Array(primitiveStrideBytes(program) / 4);
  const put = (offset: number, values: readonly number[]) =>
    primitives.set(values.map(bitsOfFloat), offset / 4);
  put(PRIMITIVE_RECORD.originX, [0.5, 0.5]);
  put(PRIMITIVE_RECORD.inverseW, [0.5, 0.125, 0.0625]);
  for (const [place, slot] of program.inputSlots.entries()) {
    put(PRIMITIVE_RECORD.varyings + 16 * place, [1 + slot, 0.25, -0.5 * (slot + 1)]);
  }
  const quads = Int32Array.of(0, moreSamples << 16, mask, 0);
  const { kernel, interpreter, simdInterpreter } = runFragmentProgram(program, {
    quads,
    primitives,
  });
  expect([...kernel.outputs]).toEqual([...interpreter.outputs]);
  expect([...kernel.outputs]).toEqual([...simdInterpreter.outputs]);
  const floats = [...kernel.outputs].map(floatOfBits);
  return [0, 1, 2, 3].map((lane) => [floats[lane]!, floats[4 + lane]!]);
}

/** Expects two varyings of consecutive slots, each at a place of its pixel. */
function expectAt(
  colors: readonly number[][],
  place: (lane: number) => readonly [number, number],
  firstSlot = 0,
): void {
  for (const [lane, [red, green]] of colors.entries()) {
    const [x, y] = place(lane);
    const at = [(lane & 1) + x, (lane >> 1) + y] as const;
    expect(red).toBeCloseTo(varying(firstSlot, ...at), 4);
    expect(green).toBeCloseTo(varying(firstSlot + 1, ...at), 4);
  }
}

describe('interpolateAtOffset', () => {
  it.each([
    [0.5, 0.25],
    [-0.5, -0.4375],
    [0, 0],
  ])('evaluates a varying at (%f, %f), y up', (x, y) => {
    const colors = run('in vec2 v;', `color = interpolateAtOffset(v, vec2(${x}, ${y}));`, ALL);
    expectAt(colors, () => [x, -y]);
  });

  it('has a place that differs between lanes', () => {
    const offset = 'vec2(0.25 * (gl_FragCoord.x - 1.0), 0)';
    const colors = run('in vec2 v;', `color = interpolateAtOffset(v, ${offset});`, ALL);
    expectAt(colors, (lane) => [0.25 * ((lane & 1) - 0.5), 0]);
  });

  it('selects an element by an index that is evaluated once', () => {
    const statements = 'color = interpolateAtOffset(v[++i], vec2(0.5)); color += float(i - 1);';
    expectAt(run('in vec2 v[3];', statements, ALL), () => [0.5, -0.5], 2);
  });

  it('starts from the center where the shader runs at a sample', () => {
    const statements = 'color = interpolateAtOffset(v, vec2(0.25, 0)) + 0.0 * float(gl_SampleID);';
    const mask = maskOf(0b1000) | 0x40 | (3 << 4);
    expectAt(run('sample in vec2 v;', statements, mask), () => [0.25, 0]);
  });

  it('returns flat varyings unchanged', () => {
    const globals = 'flat in vec2 v; in float used;';
    const colors = run(globals, 'color = interpolateAtOffset(v, vec2(0.5)) + 0.0 * used;', ALL);
    expect(colors).toEqual(colors.map(() => [1, 2]));
  });

  it('is available where only some lanes of a quad are left', () => {
    const offset = 'color = interpolateAtOffset(v, vec2(0.5));';
    const statements = `color = v; if (gl_FragCoord.x < 1.0) ${offset}`;
    expectAt(run('in vec2 v;', statements, ALL), (lane) =>
      (lane & 1) === 0 ? [0.5, -0.5] : CENTER,
    );
  });
});

describe('interpolateAtSample', () => {
  it.each([0, 1, 2, 3])('evaluates a varying at sample %i', (sample) => {
    const statements = `color = interpolateAtSample(v, ${sample});`;
    expectAt(run('in vec2 v;', statements, maskOf(ALL)), () => SAMPLES[sample]!);
  });

  it('is at the center in a target of one sample', () => {
    expectAt(run('in vec2 v;', 'color = interpolateAtSample(v, 1);', ALL), () => CENTER);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])('evaluates a varying at sample %i of eight', (sample) => {
    const statements = `color = interpolateAtSample(v, ${sample});`;
    const mask = maskOf(ALL) | HAS_EIGHT_SAMPLES;
    const places = samplesOf(8);
    expectAt(run('in vec2 v;', statements, mask, 0xffff), () => places[sample]!);
  });
});

describe('interpolateAtCentroid', () => {
  const STATEMENT = 'color = interpolateAtCentroid(v);';

  it('is at the center of pixels that are covered as a whole', () => {
    expectAt(run('in vec2 v;', STATEMENT, maskOf(ALL)), () => CENTER);
    expectAt(run('in vec2 v;', STATEMENT, ALL), () => CENTER);
  });

  it.each([
    [0b0001_0000, 4],
    [0b1000_0000, 7],
    [0b1010_1000, 3],
    [0b1111_1111, null],
    [0b0111_1111, 0],
  ])('is at a covered sample of eight, %i', (samples, first) => {
    const more = [0, 1, 2, 3].reduce(
      (bits, k) => ((samples >> (4 + k)) & 1 ? bits | (ALL << (4 * k)) : bits),
      0,
    );
    const mask = maskOf(samples & 15) | HAS_EIGHT_SAMPLES;
    const place = first === null ? CENTER : samplesOf(8)[first]!;
    expectAt(run('in vec2 v;', STATEMENT, mask, more), () => place);
  });

  it.each([
    [0b0001, 0],
    [0b1010, 1],
    [0b1100, 2],
    [0b1000, 3],
  ])('is at a covered sample of others, %i', (samples, first) => {
    expectAt(run('in vec2 v;', STATEMENT, maskOf(samples)), () => SAMPLES[first]!);
  });
});
