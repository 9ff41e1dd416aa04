/**
 * For tests: the meaning of an IR program for one invocation, without lanes, masks or registers. What
 * instruction selection, interpreter and kernel make of a program is compared with this.
 */
import type { BuiltinInput, IrNode, IrProgram, IrRegion, IrValue } from '../ir/ir.ts';
import { bitsOfFloat, evaluateScalarOperator, floatOfBits } from '../ir/scalar-operators.ts';

export interface InvocationInputs {
  input(slot: number): number;
  builtin(name: BuiltinInput): number;
  constant(word: number): number;
}

export interface InvocationResult {
  /** Output bits by slot; a slot that was not written is missing. */
  readonly outputs: ReadonlyMap<number, number>;
  readonly isDiscarded: boolean;
}

/** Where control goes after a node: on, or to a label. */
type Leave = { readonly kind: 'exit' | 'continue'; readonly label: number } | null;

/** Runs `ir` once. Derivatives and textures have no meaning for one invocation: they throw. */
export function evaluateIr(ir: IrProgram, inputs: InvocationInputs): InvocationResult {
  const bitsByValue = new Map<number, number>();
  const variables = ir.variables.map(() => 0);
  const arrays = ir.arrays.map(({ length }) => new Array<number>(length).fill(0));
  const outputs = new Map<number, number>();
  let isDiscarded = false;
  const use = (value: IrValue): number => bitsByValue.get(value.id)!;
  const define = (value: IrValue, bits: number) => bitsByValue.set(value.id, bits | 0);

  const runRegion = (region: IrRegion): Leave => {
    for (const node of region) {
      const leave = runNode(node);
      if (leave !== null) return leave;
    }
    return null;
  };

  const runNode = (node: IrNode): Leave => {
    switch (node.kind) {
      case 'constant':
        define(node.result, node.bits);
        return null;
      case 'operator': {
        const { op } = node;
        if (op === 'fddx' || op === 'fddy') throw new Error(`${op} needs a quad`);
        const operands = node.operands.map((value) =>
          value.type === 'f32' ? floatOfBits(use(value)) : use(value),
        );
        const result = evaluateScalarOperator(op, operands);
        define(node.result, node.result.type === 'f32' ? bitsOfFloat(result) : result);
        return null;
      }
      case 'uniform': {
        const index = node.index === null ? 0 : use(node.index);
        const isInside = index >= 0 && index < node.wordCount;
        const bits = isInside ? inputs.constant(node.word + index) : 0;
        define(node.result, node.result.type === 'bool' ? -Number(bits !== 0) : bits);
        return null;
      }
      case 'input':
        define(node.result, inputs.input(node.slot));
        return null;
      case 'builtinInput':
        define(node.result, inputs.builtin(node.name));
        return null;
      case 'output': {
        const bits = use(node.value);
        outputs.set(node.slot, node.value.type === 'f32' ? bitsOfFloat(floatOfBits(bits)) : bits);
        return null;
      }
      case 'readVariable':
        define(node.result, variables[node.variable]!);
        return null;
      case 'writeVariable':
        variables[node.variable] = use(node.value);
        return null;
      case 'readArray': {
        const array = arrays[node.array]!;
        define(node.result, array[Math.min(Math.max(use(node.index), 0), array.length - 1)]!);
        return null;
      }
      case 'writeArray': {
        const index = use(node.index);
        const array = arrays[node.array]!;
        if (index >= 0 && index < array.length) array[index] = use(node.value);
        return null;
      }
      case 'if':
        return runRegion(use(node.condition) !== 0 ? node.then : node.else);
      case 'block': {
        const leave = runRegion(node.body);
        return leave?.label === node.label ? null : leave;
      }
      case 'loop':
        for (;;) {
          const leave = runRegion(node.body);
          if (leave === null || (leave.kind === 'continue' && leave.label === node.label)) continue;
          return leave.label === node.label ? null : leave;
        }
      case 'exit':
      case 'continue':
        return { kind: node.kind, label: node.label };
      case 'discard':
        isDiscarded = true;
        return null;
      case 'texture':
      case 'textureSize':
        throw new Error(`${node.kind} needs a texture unit`);
    }
  };

  runRegion(ir.body);
  return { outputs, isDiscarded };
}
