/** Interface of the code generator to the texture unit: functions that sample for four lanes. */
import type { TextureOperation } from '../ir/ir.ts';
import type { FunctionBuilder, WasmModuleBuilder } from '../wasm/index.ts';

/** Red, green, blue, alpha. */
export const ALL_CHANNELS: readonly number[] = [0, 1, 2, 3];

/**
 * Generator of texture functions, implemented by the owner of the texture formats and called while
 * a kernel is generated.
 */
export interface TextureKernels {
  /**
   * Adds a function that samples texture `slot` and returns it. Called once per kernel for each
   * combination of arguments.
   *
   * The function takes the kernel's `texturesPtr` (i32) and one v128 per operand of the
   * instruction, and returns one v128 per channel. Operands of `fetch` are integers. Inactive lanes
   * of `implicit` and `bias` contain the current register values, those of other operations 0.
   * Every lane may contain NaN or any integer.
   *
   * @param operandCount Number of vectors besides `texturesPtr`.
   * @param channels Channels that the function returns, of {@link ALL_CHANNELS} in this order.
   */
  emitSampleFunction(
    module: WasmModuleBuilder,
    slot: number,
    operation: TextureOperation,
    dimension: '2d' | 'cube' | '3d' | '2d-array',
    isShadow: boolean,
    operandCount: number,
    channels: readonly number[],
  ): FunctionBuilder;

  /** Adds a function from `texturesPtr` (i32) and level (v128) to width, height, depth (3 v128). */
  emitSizeFunction(module: WasmModuleBuilder, slot: number): FunctionBuilder;
}
