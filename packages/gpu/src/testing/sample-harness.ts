/**
 * Runs sample kernels outside of a shader, with one texture in slot 1 of their own memory, for
 * tests and measurements.
 */
import type { SamplerState, TextureResource } from '@tessera/frame';
import { EXECUTION_LOG, LOG_LINE_SHIFT } from '@tessera/shader/codegen';
import { callMulti, get, i32, v128, WasmModuleBuilder } from '@tessera/shader/wasm';
import type { SampleOperation } from '../texture/filter/lookup-operands.ts';
import { samplingStateOf } from '../texture/filter/sampling-state.ts';
import type { TexelLog } from '../texture/filter/texel-log.ts';
import { writeTextureDescriptors } from '../texture/layout/texture-descriptor.ts';
import { TexturePool } from '../texture/layout/texture-pool.ts';
import { SampleKernels } from '../texture/sample/sample-kernel.ts';

const TEXTURES_PTR = 1024;
const OPERANDS_PTR = 4096;
const LOG_PTR = 16_384;
const POOL_PTR = 65_536;

/** Lanes of each operand: floats, or integers for `fetch`, `size` and offsets. */
export type Operands = readonly (Float32Array | Int32Array)[];

/** Calls one operation on four lanes and returns the result vectors as words. */
export type QuadSampler = (operands: Operands) => Int32Array;

/**
 * Calls one operation and returns the logged lines, counted from the start of the texture, lane by
 * lane; −1 for none.
 */
export type LineLogger = (operands: Operands, deadLanes: Int32Array) => Int32Array;

/** Returns a sampler for the texture in slot 1 with `operation`. Slot 0 has no texture. */
export function makeQuadSampler(
  texture: TextureResource | null,
  sampler: SamplerState,
  operation: SampleOperation | 'size',
  operandCount: number,
  isShadow = false,
): QuadSampler {
  const { call, memory, resultCount } = buildCall(
    texture,
    sampler,
    operation,
    operandCount,
    isShadow,
    null,
  );
  return (operands) => {
    call(operands);
    return new Int32Array(memory.slice(OPERANDS_PTR, OPERANDS_PTR + 16 * resultCount));
  };
}

/** Returns a logger of the lines that `operation` reads from the texture in slot 1. */
export function makeLineLogger(
  texture: TextureResource,
  sampler: SamplerState,
  operation: SampleOperation,
  operandCount: number,
  isShadow = false,
): LineLogger {
  const { call, memory } = buildCall(texture, sampler, operation, operandCount, isShadow, LOG_PTR);
  const words = new Int32Array(memory);
  const cursor = (LOG_PTR + EXECUTION_LOG.cursor) / 4;
  // After the word before the vectors of a record.
  const first = LOG_PTR + EXECUTION_LOG.records + 4;
  const firstLine = POOL_PTR >> LOG_LINE_SHIFT;
  return (operands, deadLanes) => {
    words[cursor] = first;
    words.set(deadLanes, (LOG_PTR + EXECUTION_LOG.deadLanes) / 4);
    words[first / 4 - 1] = -2;
    call(operands);
    const lines = words.slice(first / 4, words[cursor] / 4);
    return lines.map((line) => (line === -1 ? -1 : line - firstLine));
  };
}

function buildCall(
  texture: TextureResource | null,
  sampler: SamplerState,
  operation: SampleOperation | 'size',
  operandCount: number,
  isShadow: boolean,
  log: TexelLog,
) {
  const dimension = texture?.dimension ?? '2d';
  const memory = new WebAssembly.Memory({ initial: 64 });
  const pool = new TexturePool(memory, POOL_PTR, memory.buffer.byteLength - POOL_PTR);
  const placement = texture === null ? null : pool.placeFrame([texture])[0]!;
  writeTextureDescriptors(memory, TEXTURES_PTR, [null, placement]);
  const state = texture === null ? null : samplingStateOf(texture.format, sampler, dimension);
  const kernels = new SampleKernels([null, state], log);

  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 1 });
  const sample =
    operation === 'size'
      ? kernels.emitSizeFunction(module, 1)
      : kernels.emitSampleFunction(module, 1, operation, dimension, isShadow, operandCount);
  const run = module.addFunction('run', { params: ['i32'], results: [], export: 'run' });
  const results = sample.results.map(() => run.local('v128'));
  const ptr = get(run.param(0));
  const args = sample.params.slice(1).map((_, index) => v128.load(ptr, { offset: 16 * index }));
  run.emit(
    callMulti(sample, [i32.const(TEXTURES_PTR), ...args], results),
    ...results.map((result, index) => v128.store(ptr, get(result), { offset: 16 * index })),
  );
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()), {
    env: { memory },
  });
  // The module exports this function above.
  const run4 = instance.exports.run as (ptr: number) => void;
  const bytes = new Uint8Array(memory.buffer);
  const call = (operands: Operands): void => {
    for (const [index, { buffer, byteOffset }] of operands.entries()) {
      bytes.set(new Uint8Array(buffer, byteOffset, 16), OPERANDS_PTR + 16 * index);
    }
    run4(OPERANDS_PTR);
  };
  return { call, memory: memory.buffer, resultCount: results.length };
}
