/** Compiles the cycle model to WebAssembly. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import asc, { libraryFiles } from 'assemblyscript/asc';
import binaryen from 'assemblyscript/binaryen';
import { CHIP_PACKAGE } from './model-files.ts';
import { portableSource } from './portable-source.ts';

/** Modules that the cycle model is compiled to, with the entry point of each. */
export const MODEL_MODULES = {
  chip: `${CHIP_PACKAGE}/assembly/chip-exports.ts`,
  network: `${CHIP_PACKAGE}/assembly/network-exports.ts`,
} as const;

/** Statement of the library that fills a new array with zeros. */
const FILL = 'memory.fill(changetype<usize>(out), 0, outSize);';
/** Comment that replaces it. */
const NO_FILL = '// New memory is zero.';

/** Features of WebAssembly that Node 20 has, too. */
const FEATURES =
  binaryen.Features.MutableGlobals |
  binaryen.Features.SignExt |
  binaryen.Features.NontrappingFPToInt |
  binaryen.Features.BulkMemory |
  binaryen.Features.BulkMemoryOpt;

/** Name of a module. */
export type ModelModule = keyof typeof MODEL_MODULES;

/**
 * Compiles sources of the cycle model and returns a module.
 *
 * @param root Root of the repository.
 * @param isChecked Whether every array access is checked and throws if it is out of bounds. Tests
 *   use such a build, which is half as fast.
 * @throws {Error} With the compiler's messages.
 */
export async function compileCycleModel(
  root: string,
  module: ModelModule,
  isChecked = false,
): Promise<Uint8Array<ArrayBuffer>> {
  leaveNewMemory();
  let binary: Uint8Array<ArrayBuffer> | undefined;
  const stderr = asc.createMemoryStream();
  const { error } = await asc.main(
    [
      MODEL_MODULES[module],
      ...['--runtime', 'stub', '--optimizeLevel', '3', '--converge'],
      // Names of functions, for profiles and stack traces.
      ...[
        '--uncheckedBehavior',
        isChecked ? 'never' : 'always',
        '--debug',
        '--outFile',
        `${module}.wasm`,
      ],
    ],
    {
      stdout: asc.createMemoryStream(),
      stderr,
      readFile(name) {
        try {
          return portableSource(readFileSync(resolve(root, name), 'utf8'));
        } catch {
          return null; // The compiler tries several names.
        }
      },
      writeFile(_name, contents) {
        binary = contents as Uint8Array<ArrayBuffer>; // The compiler writes only the module.
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined) throw new Error(`cycle model:\n${stderr.toString()}`);
  return inlined(binary);
}

/**
 * Removes the statement that fills new arrays. Memory of WebAssembly is zero at first, and the stub
 * runtime uses none again. Pages that are not written stay out of physical memory: a quarter of a
 * MiB of each chip.
 *
 * @throws {Error} If the library has neither the statement nor what replaces it.
 */
function leaveNewMemory(): void {
  const name = 'staticarray';
  const text = libraryFiles[name] ?? '';
  if (!text.includes(FILL) && !text.includes(NO_FILL)) {
    throw new Error(`cycle model: ${name} of the compiler's library fills no new array`);
  }
  libraryFiles[name] = text.replace(FILL, NO_FILL);
}

/**
 * Inlines more than AssemblyScript does, which takes about 6 % from the CPU time of a frame with
 * cycle timing: a simulated cycle is many calls of short methods.
 */
function inlined(binary: Uint8Array): Uint8Array<ArrayBuffer> {
  const module = binaryen.readBinary(binary);
  module.setFeatures(FEATURES);
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setDebugInfo(true);
  binaryen.setAlwaysInlineMaxSize(40);
  binaryen.setFlexibleInlineMaxSize(120);
  binaryen.setOneCallerInlineMaxSize(5000);
  module.optimize();
  module.optimize();
  return new Uint8Array(module.emitBinary());
}
