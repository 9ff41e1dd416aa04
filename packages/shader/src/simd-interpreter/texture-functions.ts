/**
 * Functions of `tex` and `texsize`. The texture unit is imported: the operands of one group are
 * written to the exchange vectors in scratch memory, and an imported function replaces them by the
 * results.
 *
 *     sample(slot, operation, dimension, isShadow, operandCount, exchangePtr, texturesPtr)
 *     size(slot, exchangePtr, texturesPtr)
 *
 * texture-unit.ts has two implementations.
 */
import { TEXTURE_OPERATIONS } from '../ir/ir.ts';
import type { Mnemonic } from '../isa/instructions.ts';
import { VECTOR_BYTES } from '../isa/stage-memory.ts';
import {
  brIf,
  call,
  callMulti,
  type Expr,
  type FunctionBuilder,
  get,
  i32,
  i32x4,
  ifValue,
  loop,
  ret,
  set,
  v128,
  type WasmModuleBuilder,
} from '../wasm/index.ts';
import { bankWord, FIRST_CONSTANT, InstructionCode } from './instruction-code.ts';
import { ROW_BYTES_LOG2, SCRATCH } from './interpreter-memory.ts';

const i32s = (count: number) => Array.from({ length: count }, () => 'i32' as const);

/** Adds the functions and their imports, `textures.sample` and `textures.size`. */
export function addTextureFunctions(module: WasmModuleBuilder): Map<Mnemonic, FunctionBuilder> {
  const sample = module.importFunction('textures', 'sample', { params: i32s(7), results: [] });
  const size = module.importFunction('textures', 'size', { params: i32s(3), results: [] });
  return new Map([
    ['tex', addSampleFunction(module, (args) => callMulti(sample, args))],
    ['texsize', addSizeFunction(module, (args) => callMulti(size, args))],
  ]);
}

type Caller = (args: readonly Expr[]) => ReturnType<typeof callMulti>;

function addSampleFunction(module: WasmModuleBuilder, callSample: Caller): FunctionBuilder {
  const readSource = addReadSourceFunction(module);
  const code = new InstructionCode(module, 'tex');
  code.decodeResult();
  const operandCount = code.keep(field(code.part(0), 8, 4));
  const immediates = code.keep(code.part(1));
  // Derivatives need the actual coordinates of all lanes; for other operations inactive lanes count
  // as 0.
  const operation = code.keep(field(immediates, 16, 4));
  const isWholeQuad = i32.or(
    i32.eq(operation, i32.const(TEXTURE_OPERATIONS.indexOf('implicit'))),
    i32.eq(operation, i32.const(TEXTURE_OPERATIONS.indexOf('bias'))),
  );
  const wholeQuad = code.keep(i32x4.splat(i32.sub(i32.const(0), isWholeQuad)));
  const exchange = code.keep(i32.add(get(code.scratch), i32.const(SCRATCH.exchange)));
  const index = code.fn.local('i32');
  const place = code.fn.local('i32');
  code.overActiveGroups(() => {
    // Source i is part 2 + i of the words, not counting the head of each word.
    const part = i32.add(get(index), i32.const(1));
    const partIndex = i32.add(i32.add(part, i32.divU(part, i32.const(3))), i32.const(1));
    const address = i32.add(get(code.word), i32.shl(partIndex, i32.const(2)));
    const value = call(readSource, [i32.load(address), get(code.scratch), get(code.row)]);
    code.emit(
      set(index, i32.const(0)),
      set(place, exchange),
      loop((again) => [
        v128.store(get(place), v128.and(value, v128.or(wholeQuad, get(code.mask)))),
        set(place, i32.add(get(place), i32.const(VECTOR_BYTES))),
        set(index, i32.add(get(index), i32.const(1))),
        brIf(again, i32.ltU(get(index), operandCount)),
      ]),
      callSample([
        i32.and(immediates, i32.const(0xffff)),
        operation,
        field(immediates, 20, 3),
        field(immediates, 23, 1),
        operandCount,
        exchange,
        code.callWord(SCRATCH.texturesPtr),
      ]),
    );
    writeResults(code, exchange, 4);
  });
  return code.finish();
}

function addSizeFunction(module: WasmModuleBuilder, callSize: Caller): FunctionBuilder {
  const code = new InstructionCode(module, 'texsize');
  code.decodeResult();
  const slot = code.keep(code.part(1));
  const level = code.source(2);
  const exchange = code.keep(i32.add(get(code.scratch), i32.const(SCRATCH.exchange)));
  code.overActiveGroups(() => {
    code.emit(
      v128.store(exchange, v128.and(level, get(code.mask))),
      callSize([slot, exchange, code.callWord(SCRATCH.texturesPtr)]),
    );
    writeResults(code, exchange, 3);
  });
  return code.finish();
}

function writeResults(code: InstructionCode, exchange: Expr, count: number): void {
  for (let part = 0; part < count; part++) {
    code.write(v128.load(exchange, { offset: part * VECTOR_BYTES }), part);
  }
}

/** Adds `(source part, scratch, row) → vector`, for instructions with a list of sources. */
function addReadSourceFunction(module: WasmModuleBuilder): FunctionBuilder {
  const params = i32s(3);
  const fn = module.addFunction('readSource', { params, results: ['v128'] });
  const part = get(fn.param(0));
  const register = i32.add(get(fn.param(2)), i32.shl(part, i32.const(ROW_BYTES_LOG2)));
  const isRegister = i32.ltU(part, i32.const(FIRST_CONSTANT));
  const vector = v128.load(register, { offset: SCRATCH.registers });
  const word = v128.load32Splat(bankWord(fn.param(1), part));
  return fn.emit(ret(ifValue(isRegister, vector, word)));
}

function field(word: Expr, shift: number, bits: number): Expr {
  return i32.and(i32.shrU(word, i32.const(shift)), i32.const(2 ** bits - 1));
}
