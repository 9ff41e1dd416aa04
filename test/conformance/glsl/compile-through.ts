/** Compiles GLSL all the way to executable code, which an accepted shader must reach. */
import type { IsaProgram, ProgramSource } from '@tessera/frame';
import { type CompileOptions, compileProgram } from '@tessera/shader';
import { generateKernel, type TextureKernels } from '@tessera/shader/codegen';
import { f32x4, i32x4, ret } from '@tessera/shader/wasm';

/**
 * Returns kernels in which every texture is black and has one texel, whatever type the shader
 * declares.
 */
function blackTextures(): TextureKernels {
  let count = 0;
  const zero = () => f32x4.const([0, 0, 0, 0]);
  const one = () => i32x4.const([1, 1, 1, 1]);
  return {
    emitSampleFunction: (
      module,
      _slot,
      _operation,
      _dimension,
      _isShadow,
      operandCount,
      channels,
    ) =>
      module
        .addFunction(`sample${count++}`, {
          params: ['i32', ...Array.from({ length: operandCount }, () => 'v128' as const)],
          results: channels.map(() => 'v128' as const),
        })
        .emit(ret(...channels.map(zero))),
    emitSizeFunction: (module) =>
      module
        .addFunction(`size${count++}`, {
          params: ['i32', 'v128'],
          results: ['v128', 'v128', 'v128'],
        })
        .emit(ret(one(), one(), one())),
  };
}

/**
 * Compiles `source` to WebAssembly modules of its three stages.
 *
 * @throws {RenderError} SHADER_COMPILE_FAILED if the front end rejects the program.
 * @throws {Error} If a later part of the compiler fails.
 */
export function compileThrough(source: ProgramSource, options: CompileOptions): void {
  const { vertex, positionOnly, fragment } = compileProgram(source, options);
  for (const stage of [vertex, positionOnly, fragment]) compileStage(stage);
}

function compileStage(program: IsaProgram): void {
  const bytes = generateKernel(program, { textures: blackTextures(), instructionBudget: 1e6 });
  // The constructor validates: it throws if the generated code is invalid.
  if (WebAssembly.Module.imports(new WebAssembly.Module(bytes)).length !== 1) {
    throw new Error(`${program.stage} kernel: expected memory as the only import`);
  }
}

/**
 * Returns the first line of the log if `source` is rejected, or `null` if it compiles to executable
 * code.
 */
export function refusalOf(source: ProgramSource, options: CompileOptions): string | null {
  try {
    compileThrough(source, options);
    return null;
  } catch (error) {
    return (error as Error).message.split('\n')[0]!;
  }
}
