/** Runs fragment code on one quad in all executors. */
import { expect } from 'vitest';
import { bitsOfFloat as float } from '../ir/scalar-operators.ts';
import { assemble } from '../isa/assemble.ts';
import { PRIMITIVE_RECORD, primitiveStrideBytes } from '../isa/stage-memory.ts';
import { type ExecutorRuns, runFragmentProgram } from './compare-executors.ts';

/** Mask of a quad with all lanes and one sample per pixel. */
export const ALL_LANES = 0b1111;

/** Expects the outputs of all executors. */
export function expectOutputs(runs: ExecutorRuns, outputs: readonly number[]): void {
  const { interpreter, kernel, simdInterpreter } = runs;
  for (const run of [interpreter, kernel, simdInterpreter]) {
    expect([...run.outputs]).toEqual(outputs);
  }
}

/**
 * Returns a primitive with origin (10.5, 20.5), 1/w = 0.5 + x/8, z = 0.25 + y/4, one plane per
 * input.
 */
function primitive(stride: number, planes: readonly (readonly number[])[]): Int32Array {
  const words = new Int32Array(stride / 4);
  const put = (offset: number, values: readonly number[]) =>
    words.set(
      values.map((value) => float(Math.fround(value))),
      offset / 4,
    );
  put(PRIMITIVE_RECORD.originX, [10.5, 20.5]);
  words[PRIMITIVE_RECORD.flags / 4] = 1;
  put(PRIMITIVE_RECORD.targetHeight, [100]);
  put(PRIMITIVE_RECORD.inverseW, [0.5, 0.125, 0, 0]);
  put(PRIMITIVE_RECORD.depth, [0.25, 0, 0.25, 0]);
  put(PRIMITIVE_RECORD.pointSprite, [10, 20, 0.5]);
  put(PRIMITIVE_RECORD.shapeX, [7]);
  put(PRIMITIVE_RECORD.shapeY, [-3]);
  for (const [index, plane] of planes.entries()) put(PRIMITIVE_RECORD.varyings + index * 16, plane);
  return words;
}

/**
 * Runs a quad with the pixels (10, 20) to (11, 21).
 *
 * @param mask Words of the quad record.
 */
export function runQuad(
  text: string,
  planes: readonly (readonly number[])[] = [],
  options: Parameters<typeof runFragmentProgram>[2] = {},
  mask = ALL_LANES,
  moreSamples = 0,
): ExecutorRuns {
  const program = assemble(`.stage fragment\n${text}`);
  const primitives = primitive(primitiveStrideBytes(program), planes);
  const quads = Int32Array.of(10, 20 | (moreSamples << 16), mask, 0);
  return runFragmentProgram(program, { quads, primitives }, options);
}
