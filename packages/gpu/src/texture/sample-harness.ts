/** Runs sample kernels outside of a shader: one texture in slot 1 of a memory of its own. For tests and measurements. */
import type { SamplerState, TextureResource } from '@tessera/frame';
import { callMulti, get, i32, v128, WasmModuleBuilder } from '@tessera/shader/wasm';
import type { SampleOperation } from './lookup-operands.ts';
import { SampleKernels } from './sample-kernel.ts';
import { samplingStateOf } from './sampling-state.ts';
import { writeTextureDescriptors } from './texture-descriptor.ts';
import { TexturePool } from './texture-pool.ts';

const TEXTURES_PTR = 1024;
const OPERANDS_PTR = 4096;
const POOL_PTR = 65_536;

/** Lanes of each operand: floats, or integers for `fetch`, `size` and offsets. */
export type Operands = readonly (Float32Array | Int32Array)[];

/** Calls one operation on four lanes; gives the result vectors as words. */
export type QuadSampler = (operands: Operands) => Int32Array;

/** The texture in slot 1, read by `operation`. Slot 0 has no texture. */
export function makeQuadSampler(
  texture: TextureResource | null,
  sampler: SamplerState,
  operation: SampleOperation | 'size',
  operandCount: number,
  isShadow = false,
): QuadSampler {
  const dimension = texture?.dimension ?? '2d';
  const memory = new WebAssembly.Memory({ initial: 64 });
  const pool = new TexturePool(memory, POOL_PTR, memory.buffer.byteLength - POOL_PTR);
  const placement = texture === null ? null : pool.placeFrame([texture])[0]!;
  writeTextureDescriptors(memory, TEXTURES_PTR, [null, placement]);
  const state = texture === null ? null : samplingStateOf(texture.format, sampler, dimension);
  const kernels = new SampleKernels([null, state]);

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
  const call = instance.exports.run as (ptr: number) => void; // exported above
  const bytes = new Uint8Array(memory.buffer);
  return (operands) => {
    for (const [index, { buffer, byteOffset }] of operands.entries()) {
      bytes.set(new Uint8Array(buffer, byteOffset, 16), OPERANDS_PTR + 16 * index);
    }
    call(OPERANDS_PTR);
    return new Int32Array(memory.buffer.slice(OPERANDS_PTR, OPERANDS_PTR + 16 * results.length));
  };
}
