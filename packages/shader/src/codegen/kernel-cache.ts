/** Compiled kernels, bound to a memory: compiling costs more than a small draw. */

/** The exported function of a vertex or fragment kernel; see generate-kernel.ts for its parameters. */
export type KernelFunction = (...pointers: number[]) => number;

/** Kernels of one memory by the caller's key. */
export class KernelCache {
  readonly #memory: WebAssembly.Memory;
  readonly #stop: WebAssembly.Memory | undefined;
  readonly #kernelByKey = new Map<string, KernelFunction>();
  readonly #capacity: number;

  /**
   * @param memory Memory that every kernel of the cache works on.
   * @param capacity Most kernels kept, at least 1; the one used longest ago goes first.
   * @param stop Memory of the StopWords, for kernels that can be stopped.
   */
  constructor(memory: WebAssembly.Memory, capacity: number, stop?: WebAssembly.Memory) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError(`kernel cache: capacity must be a positive integer, got ${capacity}`);
    }
    this.#memory = memory;
    this.#stop = stop;
    this.#capacity = capacity;
  }

  /**
   * Returns the kernel of `key`; `generate` makes its bytes if it is not there.
   *
   * @param key Names everything that the bytes depend on: program, sampler states, options.
   */
  get(key: string, generate: () => Uint8Array<ArrayBuffer>): KernelFunction {
    const kernel =
      this.#kernelByKey.get(key) ?? instantiateKernel(generate(), this.#memory, this.#stop);
    // The map keeps the order of use.
    this.#kernelByKey.delete(key);
    this.#kernelByKey.set(key, kernel);
    if (this.#kernelByKey.size > this.#capacity) {
      this.#kernelByKey.delete(this.#kernelByKey.keys().next().value!);
    }
    return kernel;
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
  const env: WebAssembly.ModuleImports = stop === undefined ? { memory } : { memory, stop };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env });
  const { run } = instance.exports;
  if (typeof run !== 'function') throw new Error('kernel: the module exports no function run');
  return run as KernelFunction; // generateKernel made it: numbers in, a status out
}
