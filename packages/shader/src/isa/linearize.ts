/**
 * First step of instruction selection: IR to a flat list of instructions over virtual registers, one per
 * value and one per variable. Constants and static uniforms become operands and cost no instruction.
 */
import { RenderError } from '@tessera/frame';
import type { IrNode, IrProgram, IrRegion, IrValue } from '../ir/ir.ts';
import { TEXTURE_OPERATIONS } from '../ir/ir.ts';
import type { Instruction, Operand } from './instruction.ts';
import { BUILTIN_NAMES, DIMENSIONS, type Mnemonic } from './instructions.ts';

/** Most private words an instruction can name. */
const MAX_ARRAY_WORDS = 0xffff;
const ZERO: Operand = { kind: 'literal', bits: 0 };

/** Instructions over virtual registers. */
export interface VirtualCode {
  readonly instructions: Instruction[];
  /** Registers from here on stand for variables; below it each is written by one instruction. */
  readonly firstVariableRegister: number;
}

/**
 * @throws {RenderError} SHADER_COMPILE_FAILED if the private arrays need more words than there are.
 */
export function linearize(ir: IrProgram): VirtualCode {
  const instructions: Instruction[] = [];
  const operandByValue: (Operand | undefined)[] = new Array(ir.valueCount);
  const firstWordByArray = placeArrays(ir);
  const targets: number[] = [];
  // Registers of values come first, those of variables behind them.
  let registerCount = 0;
  const firstVariableRegister = countResults(ir.body);
  const registerOf = (variable: number): number => firstVariableRegister + variable;

  const define = (value: IrValue): number => {
    const index = registerCount++;
    operandByValue[value.id] = { kind: 'register', index };
    return index;
  };
  const use = (value: IrValue): Operand => {
    const operand = operandByValue[value.id];
    if (operand === undefined)
      throw new Error(`ir: value ${value.id} is used before its definition`);
    return operand;
  };
  const emit = (
    mnemonic: Mnemonic,
    result: number,
    immediates: readonly number[],
    sources: readonly Operand[],
  ) => {
    instructions.push({ mnemonic, result, immediates, sources });
  };
  const depthOf = (label: number): number => {
    const position = targets.lastIndexOf(label);
    if (position < 0) throw new Error(`ir: label ${label} encloses no exit to it`);
    return targets.length - 1 - position;
  };
  const arrayFields = (array: number): number[] => [
    firstWordByArray[array]!,
    ir.arrays[array]!.length,
  ];

  const emitUniform = (node: Extract<IrNode, { kind: 'uniform' }>) => {
    const index = node.index === null ? ZERO : use(node.index);
    const isBool = node.result.type === 'bool';
    let word: Operand = ZERO;
    if (index.kind !== 'literal') {
      word = { kind: 'register', index: isBool ? registerCount++ : define(node.result) };
      emit('uniform', word.index, [node.word, node.wordCount], [index]);
    } else if (index.bits >= 0 && index.bits < node.wordCount) {
      word = { kind: 'constant', index: node.word + index.bits };
    }
    // Uniforms hold 0 / 1, registers 0 / −1.
    if (isBool) emit('i32AsBool', define(node.result), [], [word]);
    else operandByValue[node.result.id] = word;
  };

  const emitTarget = (kind: 'block' | 'loop', label: number, body: IrRegion) => {
    emit(kind, -1, [], []);
    targets.push(label);
    emitRegion(body);
    targets.pop();
    emit(kind === 'block' ? 'endblock' : 'endloop', -1, [], []);
  };

  const emitRegion = (region: IrRegion) => {
    for (const node of region) emitNode(node);
  };

  const emitNode = (node: IrNode) => {
    switch (node.kind) {
      case 'constant':
        operandByValue[node.result.id] = { kind: 'literal', bits: node.bits | 0 };
        break;
      case 'operator': {
        const sources = node.operands.map(use);
        emit(node.op, define(node.result), [], sources);
        break;
      }
      case 'uniform':
        emitUniform(node);
        break;
      case 'input':
        emit('input', define(node.result), [node.slot, node.isFlat ? 1 : 0], []);
        break;
      case 'builtinInput':
        emit('builtin', define(node.result), [BUILTIN_NAMES.indexOf(node.name)], []);
        break;
      case 'output':
        emit(node.value.type === 'f32' ? 'outf' : 'outi', -1, [node.slot], [use(node.value)]);
        break;
      case 'readVariable': {
        const variable: Operand = { kind: 'register', index: registerOf(node.variable) };
        emit('mov', define(node.result), [], [variable]);
        break;
      }
      case 'writeVariable':
        emit('mov', registerOf(node.variable), [], [use(node.value)]);
        break;
      case 'readArray': {
        const index = use(node.index);
        emit('aload', define(node.result), arrayFields(node.array), [index]);
        break;
      }
      case 'writeArray':
        emit('astore', -1, arrayFields(node.array), [use(node.index), use(node.value)]);
        break;
      case 'texture': {
        const fields = [
          node.textureSlot,
          TEXTURE_OPERATIONS.indexOf(node.operation),
          DIMENSIONS.indexOf(node.dimension),
          node.isShadow ? 1 : 0,
        ];
        const sources = node.operands.map(use);
        const [first] = node.results.map(define);
        emit('tex', first!, fields, sources);
        break;
      }
      case 'textureSize': {
        const level = use(node.level);
        const [first] = node.results.map(define);
        emit('texsize', first!, [node.textureSlot], [level]);
        break;
      }
      case 'if':
        emit('if', -1, [], [use(node.condition)]);
        emitRegion(node.then);
        if (node.else.length > 0) emit('else', -1, [], []);
        emitRegion(node.else);
        emit('endif', -1, [], []);
        break;
      case 'block':
      case 'loop':
        emitTarget(node.kind, node.label, node.body);
        break;
      case 'exit':
      case 'continue':
        emit(node.kind, -1, [depthOf(node.label)], []);
        break;
      case 'discard':
        emit('discard', -1, [], []);
        break;
    }
  };

  emitRegion(ir.body);
  return { instructions, firstVariableRegister };
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
      `${ir.stage} shader: dynamically indexed arrays take ${words} words, at most ${MAX_ARRAY_WORDS}`,
    );
  }
  return firstWords;
}

/** Registers that the nodes of `region` define, at most: a uniform may take a second for its conversion. */
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
