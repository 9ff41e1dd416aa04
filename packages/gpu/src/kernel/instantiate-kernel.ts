/**
 * Compiles a module that this package generated and binds it to a chiplet's memory: it imports `env.memory` and exports `run`.
 *
 * @typeParam Run The type of `run`; the generator's word is taken for it.
 */
export function instantiateKernel<Run>(
  bytes: Uint8Array<ArrayBuffer>,
  memory: WebAssembly.Memory,
): Run {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return exports.run as Run;
}
