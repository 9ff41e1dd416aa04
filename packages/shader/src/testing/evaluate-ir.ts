/**
 * Evaluates an IR program for one invocation, without lanes, masks or registers. Tests compare the
 * results of instruction selection, interpreter and kernel with it.
 */
import type { BuiltinInput, IrNode, IrProgram, IrRegion, IrValue } from '../ir/ir.ts';
import { bitsOfFloat, evaluateScalarOperator, floatOfBits } from '../ir/scalar-operators.ts';

/** Inputs of one invocation, as 32 bits each. */
export interface InvocationInputs {
  input(slot: number): number;
  builtin(name: BuiltinInput): number;
  constant(word: number): number;
}

/** Effects of one invocation. */
export interface InvocationResult {
  /** Output bits by slot; a slot that was not written is missing. */
  readonly outputs: ReadonlyMap<number, number>;
  readonly isDiscarded: boolean;
}

/** Jump after a node; null if control continues with the next one. */
type Leave = { readonly kind: 'exit' | 'continue'; readonly label: number } | null;

/**
 * Runs `ir` once.
 *
 * @throws {Error} At derivatives and texture nodes, which are undefined for a single invocation.
 */
export function evaluateIr(ir: IrProgram, inputs: InvocationInputs): InvocationResult {
  return new IrEvaluator(ir, inputs).run();
}

type ControlNode = Extract<IrNode, { kind: 'if' | 'block' | 'loop' | 'exit' | 'continue' }>;

class IrEvaluator {
  readonly #ir: IrProgram;
  readonly #inputs: InvocationInputs;
  readonly #bitsByValue = new Map<number, number>();
  readonly #variables: number[];
  readonly #arrays: number[][];
  readonly #outputs = new Map<number, number>();
  #isDiscarded = false;

  constructor(ir: IrProgram, inputs: InvocationInputs) {
    this.#ir = ir;
    this.#inputs = inputs;
    this.#variables = ir.variables.map(() => 0);
    this.#arrays = ir.arrays.map(({ length }) => new Array<number>(length).fill(0));
  }

  run(): InvocationResult {
    this.#runRegion(this.#ir.body);
    return { outputs: this.#outputs, isDiscarded: this.#isDiscarded };
  }

  #use(value: IrValue): number {
    return this.#bitsByValue.get(value.id)!;
  }

  #define(value: IrValue, bits: number): void {
    this.#bitsByValue.set(value.id, bits | 0);
  }

  #runRegion(region: IrRegion): Leave {
    for (const node of region) {
      const leave = this.#runNode(node);
      if (leave !== null) return leave;
    }
    return null;
  }

  #runNode(node: IrNode): Leave {
    switch (node.kind) {
      case 'if':
        return this.#runRegion(this.#use(node.condition) !== 0 ? node.then : node.else);
      case 'block': {
        const leave = this.#runRegion(node.body);
        return leave?.label === node.label ? null : leave;
      }
      case 'loop':
        for (;;) {
          const leave = this.#runRegion(node.body);
          if (leave === null || (leave.kind === 'continue' && leave.label === node.label)) continue;
          return leave.label === node.label ? null : leave;
        }
      case 'exit':
      case 'continue':
        return { kind: node.kind, label: node.label };
      default:
        this.#runSimple(node);
        return null;
    }
  }

  /** Runs a node after which control always continues with the next one. */
  #runSimple(node: Exclude<IrNode, ControlNode>): void {
    switch (node.kind) {
      case 'constant':
        this.#define(node.result, node.bits);
        return;
      case 'operator': {
        const { op } = node;
        if (op === 'fddx' || op === 'fddy') throw new Error(`${op} needs a quad`);
        const operands = node.operands.map((value) =>
          value.type === 'f32' ? floatOfBits(this.#use(value)) : this.#use(value),
        );
        const result = evaluateScalarOperator(op, operands);
        this.#define(node.result, node.result.type === 'f32' ? bitsOfFloat(result) : result);
        return;
      }
      case 'uniform': {
        const index = node.index === null ? 0 : this.#use(node.index);
        const isInside = index >= 0 && index < node.wordCount;
        const bits = isInside ? this.#inputs.constant(node.word + index) : 0;
        this.#define(node.result, node.result.type === 'bool' ? -Number(bits !== 0) : bits);
        return;
      }
      case 'input':
        this.#define(node.result, this.#inputs.input(node.slot));
        return;
      case 'builtinInput':
        this.#define(node.result, this.#inputs.builtin(node.name));
        return;
      case 'output': {
        const bits = this.#use(node.value);
        this.#outputs.set(
          node.slot,
          node.value.type === 'f32' ? bitsOfFloat(floatOfBits(bits)) : bits,
        );
        return;
      }
      case 'readVariable':
        this.#define(node.result, this.#variables[node.variable]!);
        return;
      case 'writeVariable':
        this.#variables[node.variable] = this.#use(node.value);
        return;
      case 'readArray': {
        const array = this.#arrays[node.array]!;
        this.#define(
          node.result,
          array[Math.min(Math.max(this.#use(node.index), 0), array.length - 1)]!,
        );
        return;
      }
      case 'writeArray': {
        const index = this.#use(node.index);
        const array = this.#arrays[node.array]!;
        if (index >= 0 && index < array.length) array[index] = this.#use(node.value);
        return;
      }
      case 'discard':
        this.#isDiscarded = true;
        return;
      case 'texture':
      case 'textureSize':
        throw new Error(`${node.kind} needs a texture unit`);
    }
  }
}
