/** Functions of the instructions that do not change the execution mask, except lookups. */
import { canonicalizeNaN, VECTOR_OPERATORS, ZERO } from '../codegen/vector-operators.ts';
import { INSTRUCTIONS, instructionInfo, isIrOperator, type Mnemonic } from '../isa/instructions.ts';
import { VECTOR_BYTES } from '../isa/stage-memory.ts';
import {
  type Expr,
  type FunctionBuilder,
  get,
  i32,
  i32x4,
  v128,
  type WasmModuleBuilder,
} from '../wasm/index.ts';
import { addInputFunction } from './input-function.ts';
import { InstructionCode } from './instruction-code.ts';
import { ROW_BYTES_LOG2, SCRATCH } from './interpreter-memory.ts';

const WORD_BYTES_LOG2 = 2;

/** Adds a function for each of these instructions; `input` and `builtin` share one. */
export function addStraightFunctions(module: WasmModuleBuilder): Map<Mnemonic, FunctionBuilder> {
  const input = addInputFunction(module);
  const functions = new Map<Mnemonic, FunctionBuilder>([
    ['mov', addFunction(module, 'mov', emitMove)],
    ['uniform', addFunction(module, 'uniform', emitUniform)],
    ['input', input],
    ['builtin', input],
    ['outf', addFunction(module, 'outf', (code) => emitOutput(code, true))],
    ['outi', addFunction(module, 'outi', (code) => emitOutput(code, false))],
    ['aload', addFunction(module, 'aload', emitArrayLoad)],
    ['astore', addFunction(module, 'astore', emitArrayStore)],
    ['discard', addFunction(module, 'discard', emitDiscard)],
  ]);
  for (const mnemonic of Object.keys(INSTRUCTIONS) as Mnemonic[]) {
    if (!isIrOperator(mnemonic)) continue;
    const emit = VECTOR_OPERATORS[mnemonic];
    const sourceCount = instructionInfo(mnemonic).sources.length;
    const fn = addFunction(module, mnemonic, (code) => {
      code.decodeResult();
      const sources = Array.from({ length: sourceCount }, (_, index) => code.source(index + 1));
      code.overActiveGroups(() => {
        const [a, b, c] = sources.map((source) => code.keep(source));
        // Each operator uses as many of the three as it has operands.
        code.write(emit(code, a!, b ?? a!, c ?? a!));
      });
    });
    functions.set(mnemonic, fn);
  }
  return functions;
}

function addFunction(
  module: WasmModuleBuilder,
  mnemonic: Mnemonic,
  emit: (code: InstructionCode) => void,
): FunctionBuilder {
  const code = new InstructionCode(module, mnemonic);
  emit(code);
  return code.finish();
}

function emitMove(code: InstructionCode): void {
  code.decodeResult();
  const source = code.source(1);
  code.overActiveGroups(() => code.write(source));
}

/** Returns `first` and `length` of the packed immediates in part 1. */
function decodeRange(code: InstructionCode): { first: Expr; length: Expr } {
  const packed = code.keep(code.part(1));
  return { first: i32.and(packed, i32.const(0xffff)), length: i32.shrU(packed, i32.const(16)) };
}

function emitUniform(code: InstructionCode): void {
  code.decodeResult();
  const { first, length } = decodeRange(code);
  const firstBytes = i32.shl(first, i32.const(WORD_BYTES_LOG2));
  const words = code.keep(i32.add(code.callWord(SCRATCH.constantsPtr), firstBytes));
  const end = code.keep(i32x4.splat(length));
  const source = code.source(2);
  code.overActiveGroups(() => {
    const index = code.keep(source);
    const isInside = code.keep(i32x4.ltU(index, end));
    const offsets = code.keep(i32x4.shl(v128.and(index, isInside), i32.const(WORD_BYTES_LOG2)));
    let value: Expr = ZERO;
    for (let lane = 0; lane < 4; lane++) {
      value = v128.load32Lane(i32.add(words, i32x4.extractLane(offsets, lane)), value, lane);
    }
    code.write(v128.and(value, isInside));
  });
}

/** Returns the address of the first row of an array in each group; its words are one row apart. */
function walkArray(code: InstructionCode, first: Expr): Expr {
  const rows = i32.shl(first, i32.const(ROW_BYTES_LOG2));
  const array = code.walk(i32.add(code.callWord(SCRATCH.arraysPtr), rows), i32.const(VECTOR_BYTES));
  return get(array);
}

function emitArrayLoad(code: InstructionCode): void {
  code.decodeResult();
  const { first, length } = decodeRange(code);
  const last = code.keep(i32x4.splat(i32.sub(length, i32.const(1))));
  const array = walkArray(code, first);
  const source = code.source(2);
  code.overActiveGroups(() => {
    const index = i32x4.minS(i32x4.maxS(source, ZERO), last);
    const offsets = code.keep(i32x4.shl(index, i32.const(ROW_BYTES_LOG2)));
    let value: Expr = ZERO;
    for (let lane = 0; lane < 4; lane++) {
      const pointer = i32.add(array, i32x4.extractLane(offsets, lane));
      value = v128.load32Lane(pointer, value, lane, { offset: lane * 4 });
    }
    code.write(value);
  });
}

/** Stores of inactive lanes or with invalid indices are redirected to the dump vector. */
function emitArrayStore(code: InstructionCode): void {
  const { first, length } = decodeRange(code);
  const end = code.keep(i32x4.splat(length));
  const array = walkArray(code, first);
  const indexSource = code.source(2);
  const valueSource = code.source(3);
  const dump = code.keep(i32x4.splat(i32.add(get(code.scratch), i32.const(SCRATCH.dump))));
  code.overActiveGroups(() => {
    const index = code.keep(indexSource);
    const value = code.keep(valueSource);
    const isStored = v128.and(i32x4.ltU(index, end), get(code.mask));
    const place = i32x4.add(i32x4.splat(array), i32x4.shl(index, i32.const(ROW_BYTES_LOG2)));
    const places = code.keep(v128.bitselect(place, dump, isStored));
    for (let lane = 0; lane < 4; lane++) {
      const pointer = i32x4.extractLane(places, lane);
      code.emit(v128.store32Lane(pointer, value, lane, { offset: lane * 4 }));
    }
  });
}

function emitOutput(code: InstructionCode, isFloat: boolean): void {
  const address = i32.add(code.callWord(SCRATCH.outputPtr), code.part(1));
  const output = code.walk(address, code.keep(code.callWord(SCRATCH.outputBytes)));
  const source = code.source(2);
  code.overActiveGroups(() => {
    const value = isFloat ? canonicalizeNaN(code, source) : source;
    code.emit(v128.store(get(output), code.merged(value, v128.load(get(output)))));
  });
}

function emitDiscard(code: InstructionCode): void {
  code.overActiveGroups(() => {
    const lanes = v128.or(code.rowVector(SCRATCH.discarded), get(code.mask));
    code.emit(v128.store(get(code.row), lanes, { offset: SCRATCH.discarded }));
  });
}
