/**
 * The SIMD interpreter bound to a memory. The caller compiles its module once per process and keeps
 * it.
 */
import type { StageStatus } from '../isa/stage-memory.ts';
import { generateInterpreter } from './generate-interpreter.ts';
import { NO_TEXTURE_UNIT, type TextureUnit } from './texture-unit.ts';

/** Exported functions; see generate-interpreter.ts for the parameters. */
export interface SimdInterpreter {
  runVertex(
    programPtr: number,
    inputPtr: number,
    outputPtr: number,
    groupCount: number,
    constantsPtr: number,
    texturesPtr: number,
    scratchPtr: number,
  ): StageStatus;
  runFragment(
    programPtr: number,
    quadsPtr: number,
    quadCount: number,
    primitivesPtr: number,
    outputPtr: number,
    constantsPtr: number,
    texturesPtr: number,
    scratchPtr: number,
  ): StageStatus;
  /** Prepares up to eight groups; returns the address of the first instruction word. */
  beginWarp(
    programPtr: number,
    groupsPtr: number,
    groupCount: number,
    primitivesPtr: number,
    outputPtr: number,
    constantsPtr: number,
    texturesPtr: number,
    scratchPtr: number,
  ): number;
  /**
   * Executes one instruction, or all if `isSingle` is 0; returns the address of the next, or
   * `NEXT_WORD`.
   */
  execute(wordPtr: number, scratchPtr: number, isSingle: number): number;
  endWarp(programPtr: number, scratchPtr: number): void;
}

/**
 * Compiles the module of the interpreter. One module serves any number of memories and programs.
 */
export function compileSimdInterpreter(): WebAssembly.Module {
  return new WebAssembly.Module(generateInterpreter());
}

/**
 * Binds the interpreter to a memory and a texture unit.
 *
 * @param module Module from {@link compileSimdInterpreter}.
 * @param textures Texture unit; by default none, and a lookup throws.
 */
export function instantiateSimdInterpreter(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  textures: TextureUnit = NO_TEXTURE_UNIT,
): SimdInterpreter {
  const imports = { env: { memory }, textures: { sample: textures.sample, size: textures.size } };
  const { exports } = new WebAssembly.Instance(module, imports);
  if (typeof exports.execute !== 'function') {
    throw new Error('simd interpreter: the module was not made by generateInterpreter');
  }
  return exports as unknown as SimdInterpreter; // generateInterpreter exports these functions
}
