/**
 * First step of instruction selection: turns IR into a flat list of instructions over virtual
 * registers, one per value and one per variable. Constants and static uniforms become operands and
 * cost no instruction.
 */
import { RenderError } from '@tessera/frame';
import type { IrNode, IrProgram, IrRegion, IrValue } from '../ir/ir.ts';
import { TEXTURE_OPERATIONS } from '../ir/ir.ts';
import type { Instruction, Operand } from './instruction.ts';
import { BUILTIN_NAMES, DIMENSIONS, INTERPOLATIONS, type Mnemonic } from './instructions.ts';

/** Maximum number of private words that an instruction can address. */
const MAX_ARRAY_WORDS = 0xffff;
const ZERO: Operand = { kind: 'literal', bits: 0 };

type ControlNode = Extract<
  IrNode,
  { kind: 'if' | 'block' | 'loop' | 'exit' | 'continue' | 'discard' }
>;

/** Instructions over virtual registers. */
export interface VirtualCode {
  readonly instructions: Instruction[];
  /** First register of the variables. Each register below it is written by one instruction. */
  readonly firstVariableRegister: number;
}

/**
 * Lists the instructions of `ir`.
 *
 * @throws {RenderError} SHADER_COMPILE_FAILED if the private arrays need more words than there are.
 */
export function linearize(ir: IrProgram): VirtualCode {
  return new Linearizer(ir).run();
}

class Linearizer {
  readonly #ir: IrProgram;
  readonly #instructions: Instruction[] = [];
  readonly #operandByValue: (Operand | undefined)[];
  readonly #firstWordByArray: readonly number[];
  /** Labels of the blocks and loops around the current node, outermost first. */
  readonly #targets: number[] = [];
  /** First register of the variables; registers of values come before it. */
  readonly #firstVariableRegister: number;
  #registerCount = 0;
  /** Line of the current node. */
  #line: number | undefined;

  constructor(ir: IrProgram) {
    this.#ir = ir;
    this.#operandByValue = new Array(ir.valueCount);
    this.#firstWordByArray = placeArrays(ir);
    this.#firstVariableRegister = countResults(ir.body);
  }

  run(): VirtualCode {
    this.#emitRegion(this.#ir.body);
    return {
      instructions: this.#instructions,
      firstVariableRegister: this.#firstVariableRegister,
    };
  }

  #registerOf(variable: number): number {
    return this.#firstVariableRegister + variable;
  }

  #define(value: IrValue): number {
    const index = this.#registerCount++;
    this.#operandByValue[value.id] = { kind: 'register', index };
    return index;
  }

  #use(value: IrValue): Operand {
    const operand = this.#operandByValue[value.id];
    if (operand === undefined)
      throw new Error(`ir: value ${value.id} is used before its definition`);
    return operand;
  }

  #emit(
    mnemonic: Mnemonic,
    result: number,
    immediates: readonly number[],
    sources: readonly Operand[],
  ): void {
    this.#instructions.push({ mnemonic, result, immediates, sources, line: this.#line });
  }

  #depthOf(label: number): number {
    const position = this.#targets.lastIndexOf(label);
    if (position < 0)
      throw new Error(`ir: an exit names label ${label}, which is not an enclosing target`);
    return this.#targets.length - 1 - position;
  }

  #arrayFields(array: number): number[] {
    return [this.#firstWordByArray[array]!, this.#ir.arrays[array]!.length];
  }

  #emitUniform(node: Extract<IrNode, { kind: 'uniform' }>): void {
    const index = node.index === null ? ZERO : this.#use(node.index);
    const isBool = node.result.type === 'bool';
    let word: Operand = ZERO;
    if (index.kind !== 'literal') {
      word = {
        kind: 'register',
        index: isBool ? this.#registerCount++ : this.#define(node.result),
      };
      this.#emit('uniform', word.index, [node.word, node.wordCount], [index]);
    } else if (index.bits >= 0 && index.bits < node.wordCount) {
      word = { kind: 'constant', index: node.word + index.bits };
    }
    // Uniforms hold 0 / 1, registers 0 / −1.
    if (isBool) this.#emit('i32AsBool', this.#define(node.result), [], [word]);
    else this.#operandByValue[node.result.id] = word;
  }

  #emitTarget(kind: 'block' | 'loop', label: number, body: IrRegion): void {
    this.#emit(kind, -1, [], []);
    this.#targets.push(label);
    this.#emitRegion(body);
    this.#targets.pop();
    this.#emit(kind === 'block' ? 'endblock' : 'endloop', -1, [], []);
  }

  #emitRegion(region: IrRegion): void {
    const outer = this.#line;
    for (const node of region) {
      this.#line = node.line;
      this.#emitNode(node);
    }
    this.#line = outer;
  }

  #emitNode(node: IrNode): void {
    switch (node.kind) {
      case 'constant':
        this.#operandByValue[node.result.id] = { kind: 'literal', bits: node.bits | 0 };
        break;
      case 'operator': {
        const sources = node.operands.map((value) => this.#use(value));
        this.#emit(node.op, this.#define(node.result), [], sources);
        break;
      }
      case 'uniform':
        this.#emitUniform(node);
        break;
      case 'input':
        this.#emit('input', this.#define(node.result), [node.slot, interpolationOf(node)], []);
        break;
      case 'builtinInput':
        this.#emit('builtin', this.#define(node.result), [BUILTIN_NAMES.indexOf(node.name)], []);
        break;
      case 'output':
        this.#emit(
          node.value.type === 'f32' ? 'outf' : 'outi',
          -1,
          [node.slot],
          [this.#use(node.value)],
        );
        break;
      case 'readVariable': {
        const variable: Operand = { kind: 'register', index: this.#registerOf(node.variable) };
        this.#emit('mov', this.#define(node.result), [], [variable]);
        break;
      }
      case 'writeVariable':
        this.#emit('mov', this.#registerOf(node.variable), [], [this.#use(node.value)]);
        break;
      case 'readArray': {
        const index = this.#use(node.index);
        this.#emit('aload', this.#define(node.result), this.#arrayFields(node.array), [index]);
        break;
      }
      case 'writeArray':
        this.#emit('astore', -1, this.#arrayFields(node.array), [
          this.#use(node.index),
          this.#use(node.value),
        ]);
        break;
      case 'texture': {
        const fields = [
          node.textureSlot,
          TEXTURE_OPERATIONS.indexOf(node.operation),
          DIMENSIONS.indexOf(node.dimension),
          node.isShadow ? 1 : 0,
        ];
        const sources = node.operands.map((value) => this.#use(value));
        const [first] = node.results.map((value) => this.#define(value));
        this.#emit('tex', first!, fields, sources);
        break;
      }
      case 'textureSize': {
        const level = this.#use(node.level);
        const [first] = node.results.map((value) => this.#define(value));
        this.#emit('texsize', first!, [node.textureSlot], [level]);
        break;
      }
      default:
        this.#emitControl(node);
    }
  }

  #emitControl(node: ControlNode): void {
    switch (node.kind) {
      case 'if':
        this.#emit('if', -1, [], [this.#use(node.condition)]);
        this.#emitRegion(node.then);
        if (node.else.length > 0) this.#emit('else', -1, [], []);
        this.#emitRegion(node.else);
        this.#emit('endif', -1, [], []);
        break;
      case 'block':
      case 'loop':
        this.#emitTarget(node.kind, node.label, node.body);
        break;
      case 'exit':
      case 'continue':
        this.#emit(node.kind, -1, [this.#depthOf(node.label)], []);
        break;
      case 'discard':
        this.#emit('discard', -1, [], []);
        break;
    }
  }
}

function placeArrays(ir: IrProgram): number[] {
  let words = 0;
  const firstWords = ir.arrays.map(({ length }) => {
    const first = words;
    words += length;
    return first;
  });
  if (words > MAX_ARRAY_WORDS) {
    throw new RenderError(
      'SHADER_COMPILE_FAILED',
      `${ir.stage} shader: dynamically indexed arrays take ${words} words; at most ${MAX_ARRAY_WORDS}`,
    );
  }
  return firstWords;
}

/**
 * Returns an upper bound on the number of registers that the nodes of `region` define. A uniform
 * may take a second one for its conversion.
 */
function countResults(region: IrRegion): number {
  let count = 0;
  for (const node of region) {
    if ('results' in node) count += node.results.length;
    else if ('result' in node) count += node.kind === 'uniform' ? 2 : 1;
    else if (node.kind === 'if') count += countResults(node.then) + countResults(node.else);
    else if ('body' in node) count += countResults(node.body);
  }
  return count;
}

/** Returns the number of an input's interpolation in its instruction. */
function interpolationOf({ isFlat, isSample }: IrNode & { kind: 'input' }): number {
  const name = isFlat ? 'flat' : isSample === true ? 'sample' : 'smooth';
  return INTERPOLATIONS.indexOf(name);
}
