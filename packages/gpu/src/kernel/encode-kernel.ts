/**
 * Kernels of this package are modules of one function on a chiplet's memory. instantiateKernel
 * binds them to it.
 */
import { type FunctionBuilder, type ValueType, WasmModuleBuilder } from '@tessera/shader/wasm';

/**
 * Encodes a kernel.
 *
 * @param name Name of its function, for profiles.
 * @param emit Writes the function's body.
 */
export function encodeKernel(
  name: string,
  params: readonly ValueType[],
  results: readonly ValueType[],
  emit: (fn: FunctionBuilder) => void,
): Uint8Array<ArrayBuffer> {
  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 1 });
  emit(module.addFunction(name, { params, results, export: 'run' }));
  return module.encode();
}
