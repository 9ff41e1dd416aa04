/**
 * Texture units of the SIMD interpreter. Its module imports the two functions and is the same for
 * all programs. The unit is chosen at instantiation:
 *
 *     readerTextureUnit    any TextureReader, the slow reference of the tests; nothing is compiled
 *     kernelTextureUnit    the kernels' sampling code: a small module for the lookups of one program
 */
import type { IsaProgram } from '@tessera/frame';
import { ALL_CHANNELS, type TextureKernels } from '../codegen/texture-kernels.ts';
import type { TextureReader } from '../interpreter/texture-reader.ts';
import { TEXTURE_OPERATIONS } from '../ir/ir.ts';
import { decodeInstructions } from '../isa/instruction.ts';
import { DIMENSIONS } from '../isa/instructions.ts';
import { LANES, VECTOR_BYTES } from '../isa/stage-memory.ts';
import {
  callMulti,
  type Expr,
  type FunctionBuilder,
  get,
  i32,
  ifThen,
  ret,
  unreachable,
  v128,
  WasmModuleBuilder,
} from '../wasm/index.ts';

/**
 * Imports `textures` of the interpreter's module. Operations and dimensions are numbers of the ISA.
 */
export interface TextureUnit {
  /** Replaces the operands at `exchangePtr`, one vector each, by red, green, blue, alpha. */
  sample(
    slot: number,
    operation: number,
    dimension: number,
    isShadow: number,
    operandCount: number,
    exchangePtr: number,
    texturesPtr: number,
  ): void;
  /** Replaces the level at `exchangePtr` by width, height, depth. */
  size(slot: number, exchangePtr: number, texturesPtr: number): void;
}

/** Unit of programs without lookups; its functions throw. */
export const NO_TEXTURE_UNIT: TextureUnit = {
  sample: throwNoUnit,
  size: throwNoUnit,
};

function throwNoUnit(): never {
  throw new Error('the program reads textures, but the interpreter has no texture unit');
}

/** Returns a unit that calls `reader`, for an interpreter on `memory`. */
export function readerTextureUnit(memory: WebAssembly.Memory, reader: TextureReader): TextureUnit {
  const putWords = (pointer: number, words: Int32Array) =>
    new Int32Array(memory.buffer).set(words, pointer / 4);
  return {
    sample(slot, operation, dimension, isShadow, operandCount, exchangePtr) {
      const operands = Array.from({ length: operandCount }, (_, index) =>
        new Float32Array(memory.buffer, exchangePtr + index * VECTOR_BYTES, LANES).slice(),
      );
      const colors = reader.sample(
        slot,
        TEXTURE_OPERATIONS[operation]!,
        DIMENSIONS[dimension]!,
        isShadow === 1,
        operands,
      );
      putWords(exchangePtr, new Int32Array(colors.buffer, colors.byteOffset, colors.length));
    },
    size(slot, exchangePtr) {
      const level = new Int32Array(memory.buffer, exchangePtr, LANES).slice();
      putWords(exchangePtr, reader.size(slot, level));
    },
  };
}

/**
 * Returns a unit that uses the sampling code of the kernels. It supports only the lookups of
 * `program`.
 *
 * @param memory Memory of the interpreter and of the textures.
 */
export function kernelTextureUnit(
  memory: WebAssembly.Memory,
  program: IsaProgram,
  kernels: TextureKernels,
): TextureUnit {
  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 0 });
  const sample = module.addFunction('sample', { params: i32s(7), results: [], export: 'sample' });
  const size = module.addFunction('size', { params: i32s(3), results: [], export: 'size' });
  const known = new Set<string>();
  for (const { mnemonic, immediates, sources } of decodeInstructions(
    program.code,
    program.literals,
  )) {
    const isSample = mnemonic === 'tex';
    const key = `${mnemonic} ${immediates.join(' ')} ${sources.length}`;
    if ((!isSample && mnemonic !== 'texsize') || known.has(key)) continue;
    known.add(key);
    const [slot, operation, dimension, isShadow] = immediates;
    if (!isSample) {
      emitCase(size, [slot!], 1, kernels.emitSizeFunction(module, slot!), 1);
      continue;
    }
    const fn = kernels.emitSampleFunction(
      module,
      slot!,
      TEXTURE_OPERATIONS[operation!]!,
      DIMENSIONS[dimension!]!,
      isShadow === 1,
      sources.length,
      ALL_CHANNELS,
    );
    emitCase(sample, [...immediates, sources.length], 5, fn, sources.length);
  }
  for (const fn of [sample, size]) fn.emit(unreachable());
  const compiled = new WebAssembly.Module(module.encode());
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  // The module generated above exports the two functions.
  return { sample: exports.sample, size: exports.size } as TextureUnit;
}

const i32s = (count: number) => Array.from({ length: count }, () => 'i32' as const);

/** Emits code that calls `callee` and returns if the first parameters of `fn` equal `values`. */
function emitCase(
  fn: FunctionBuilder,
  values: readonly number[],
  exchangeParam: number,
  callee: FunctionBuilder,
  operandCount: number,
): void {
  const exchange = get(fn.param(exchangeParam));
  const operands: Expr[] = Array.from({ length: operandCount }, (_, index) =>
    v128.load(exchange, { offset: index * VECTOR_BYTES }),
  );
  const isCase = values
    .map((value, index) => i32.eq(get(fn.param(index)), i32.const(value)))
    .reduce((all, isEqual) => i32.and(all, isEqual));
  const results = callee.results.map(() => fn.local('v128'));
  fn.emit(
    ifThen(isCase, [
      callMulti(callee, [get(fn.param(exchangeParam + 1)), ...operands], results),
      ...results.map((result, index) =>
        v128.store(exchange, get(result), { offset: index * VECTOR_BYTES }),
      ),
      ret(),
    ]),
  );
}
