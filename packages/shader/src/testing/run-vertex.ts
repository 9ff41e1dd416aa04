/**
 * Runs a vertex shader for four vertices in every form that the compiler produces. The unoptimized
 * IR, the IR after each pass, the interpreter and the generated kernel must produce the same bits.
 */

import { checkShader } from '../glsl/check-shader.ts';
import type { IrProgram } from '../ir/ir.ts';
import { optimize } from '../ir/passes/optimize.ts';
import { printIr } from '../ir/print-ir.ts';
import { validateIr } from '../ir/validate-ir.ts';
import { bitsOfFloat, floatOfBits, selectInstructions } from '../isa/index.ts';
import { LANES } from '../isa/stage-memory.ts';
import { lowerShader } from '../lower/lower-shader.ts';
import type { InterfaceVariable } from '../lower/stage-interface.ts';
import { componentCount, leavesOf, scalarBases } from '../operations/type-layout.ts';
import type { ScalarBase } from '../tree/types.ts';
import { runVertexProgram } from './compare-executors.ts';
import { evaluateIr } from './evaluate-ir.ts';

/** Attributes and uniforms of a run. */
export interface VertexInputs {
  /** Values of each attribute, one list of components per vertex. Attributes have one location. */
  readonly attributes?: Readonly<Record<string, readonly (readonly number[])[]>>;
  /** Values of uniforms by reflected name. */
  readonly uniforms?: Readonly<Record<string, readonly number[]>>;
}

/** Result of a run. */
export interface VertexResult {
  /** Components of each output variable, per vertex. */
  readonly outputs: Readonly<Record<string, readonly (readonly number[])[]>>;
  /** Optimized program. */
  readonly program: IrProgram;
}

const toBits = (base: ScalarBase, value: number): number =>
  base === 'float' ? bitsOfFloat(Math.fround(value)) : value | 0;

function fromBits(base: ScalarBase, bits: number): number {
  if (base === 'float') return floatOfBits(bits);
  return base === 'uint' ? bits >>> 0 : bits;
}

/**
 * Runs `source` in all forms.
 *
 * @throws {Error} If the source has errors, a pass violates a rule of IR, or two forms differ.
 */
export function runVertex(source: string, inputs: VertexInputs = {}): VertexResult {
  const checked = checkShader(source, { stage: 'vertex' });
  const errors = checked.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const { program, interface: stage } = lowerShader(checked);
  validateIr(program);

  const slotBits = bitsBySlot(stage.inputs, inputs.attributes ?? {});
  const wordBits = bitsByWord(stage.uniforms, inputs.uniforms ?? {});
  const run = (ir: IrProgram): (readonly [number, number][])[] =>
    Array.from({ length: LANES }, (_, lane) => {
      const { outputs } = evaluateIr(ir, {
        input: (slot) => slotBits.get(slot)?.[lane] ?? 0,
        builtin: (name) => (name === 'vertexId' ? lane : 7),
        constant: (word) => wordBits[word] ?? 0,
      });
      return [...outputs].sort(([a], [b]) => a - b);
    });

  const expected = run(program);
  const optimized = optimize(program, (after, pass) => {
    validateIr(after);
    expectEqual(run(after), expected, () => `after ${pass.name}\n${printIr(after)}`);
  });

  const isa = selectInstructions(optimized);
  const vectors = isa.inputSlots.map(
    (slot) => slotBits.get(slot) ?? new Array<number>(LANES).fill(0),
  );
  if (isa.usesVertexId) vectors.push([0, 1, 2, 3]);
  if (isa.usesInstanceId) vectors.push([7, 7, 7, 7]);
  const runs = runVertexProgram(isa, Int32Array.from(vectors.flat()), 1, { constants: wordBits });
  for (const [name, { outputs }] of Object.entries(runs)) {
    const lanes = expected.map((_, lane) =>
      isa.outputSlots.map((slot, k) => [slot, outputs[k * LANES + lane]!] as const),
    );
    expectEqual(lanes, expected, () => `${name}\n${printIr(optimized)}`);
  }
  return { outputs: collectOutputs(stage.varyingOutputs, expected), program: optimized };
}

function expectEqual(actual: unknown, expected: unknown, describe: () => string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`outputs ${a} instead of ${b} in ${describe()}`);
}

function bitsBySlot(
  variables: readonly InterfaceVariable[],
  values: Readonly<Record<string, readonly (readonly number[])[]>>,
): Map<number, number[]> {
  const bits = new Map<number, number[]>();
  for (const { name, type, first } of variables) {
    scalarBases(type).forEach((base, k) => {
      const lanes = Array.from({ length: LANES }, (_, lane) =>
        toBits(base, values[name]?.[lane]?.[k] ?? 0),
      );
      bits.set(first + k, lanes);
    });
  }
  return bits;
}

function bitsByWord(
  variables: readonly InterfaceVariable[],
  values: Readonly<Record<string, readonly number[]>>,
): Int32Array {
  const words: number[] = [];
  for (const variable of variables) {
    for (const { name, type, firstComponent } of leavesOf(variable.name, variable.type)) {
      scalarBases(type).forEach((base, k) => {
        words[variable.first + firstComponent + k] = toBits(base, values[name]?.[k] ?? 0);
      });
    }
  }
  return Int32Array.from(words, (word) => word ?? 0);
}

function collectOutputs(
  variables: readonly InterfaceVariable[],
  lanes: readonly (readonly (readonly [number, number])[])[],
): Record<string, number[][]> {
  const outputs: Record<string, number[][]> = {};
  for (const { name, type, first } of variables) {
    const bases = scalarBases(type);
    outputs[name] = lanes.map((lane) => {
      const bySlot = new Map(lane);
      return Array.from({ length: componentCount(type) }, (_, k) =>
        fromBits(bases[k]!, bySlot.get(first + k)!),
      );
    });
  }
  return outputs;
}
