/** Cache of compiled kernels bound to a memory. Compiling costs more than a small draw. */

import { stopImports } from './stop-check.ts';

/** Exported function of a vertex or fragment kernel; see generate-kernel.ts for its parameters. */
export type KernelFunction = (...pointers: number[]) => number;

/**
 * Capacity of a {@link KernelCache}. The least recently used kernel is evicted first. The kernel
 * used last always stays.
 */
export interface KernelCacheLimits {
  /** Maximum number of kernels, at least 1. */
  readonly maxKernels: number;
  /**
   * Maximum total size of their modules. Compiled code and the compiler's data take about a hundred
   * times as much.
   */
  readonly maxModuleBytes: number;
}

interface CachedKernel {
  readonly run: KernelFunction;
  readonly moduleBytes: number;
}

/** Kernels of one memory by the caller's key. */
export class KernelCache {
  readonly #memory: WebAssembly.Memory;
  readonly #stop: WebAssembly.Memory | undefined;
  readonly #kernelByKey = new Map<string, CachedKernel>();
  readonly #limits: KernelCacheLimits;
  #moduleBytes = 0;

  /**
   * @param memory Memory that every kernel of the cache works on.
   * @param stop Memory of the StopWords, for kernels that can be stopped.
   */
  constructor(memory: WebAssembly.Memory, limits: KernelCacheLimits, stop?: WebAssembly.Memory) {
    const { maxKernels } = limits;
    if (!Number.isInteger(maxKernels) || maxKernels < 1) {
      throw new RangeError(`kernel cache: maxKernels ${maxKernels} is not a positive integer`);
    }
    this.#memory = memory;
    this.#stop = stop;
    this.#limits = limits;
  }

  /**
   * Returns the kernel of `key`; on a miss, `generate` produces its bytes.
   *
   * @param key Identifies everything that the bytes depend on: program, sampler states, options.
   */
  get(key: string, generate: () => Uint8Array<ArrayBuffer>): KernelFunction {
    const kernel = this.#kernelByKey.get(key) ?? this.#make(generate());
    // The map keeps the order of use.
    this.#kernelByKey.delete(key);
    this.#kernelByKey.set(key, kernel);
    const { maxKernels, maxModuleBytes } = this.#limits;
    for (const [oldest, { moduleBytes }] of this.#kernelByKey) {
      const { size } = this.#kernelByKey;
      if (size === 1 || (size <= maxKernels && this.#moduleBytes <= maxModuleBytes)) break;
      this.#kernelByKey.delete(oldest);
      this.#moduleBytes -= moduleBytes;
    }
    return kernel.run;
  }

  #make(bytes: Uint8Array<ArrayBuffer>): CachedKernel {
    this.#moduleBytes += bytes.length;
    return { run: instantiateKernel(bytes, this.#memory, this.#stop), moduleBytes: bytes.length };
  }
}

/**
 * Compiles the bytes of `generateKernel` and binds them to `memory`.
 *
 * @param stop Memory of the StopWords, for a kernel that can be stopped.
 * @throws {Error} If the bytes are not a kernel.
 */
export function instantiateKernel(
  bytes: Uint8Array<ArrayBuffer>,
  memory: WebAssembly.Memory,
  stop?: WebAssembly.Memory,
): KernelFunction {
  const env = stop === undefined ? { memory } : { memory, ...stopImports(stop) };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env });
  const { run } = instance.exports;
  if (typeof run !== 'function') throw new Error('kernel: the module exports no function run');
  return run as KernelFunction; // generateKernel exports a function from numbers to a status
}
