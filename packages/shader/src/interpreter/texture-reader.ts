/** How the interpreter reads textures: the slow counterpart of the kernels' texture functions. */
import type { TextureOperation } from '../ir/ir.ts';

/** One implementation per set of bound textures. Slots are those of the instructions. */
export interface TextureReader {
  /**
   * Samples for four lanes.
   *
   * @param operands One vector per operand of the instruction; those of `fetch` hold int32 bits.
   * @param lanes Lanes that are active and have not discarded, as bits, for readers that count.
   * @returns 16 words: red of the four lanes, then green, blue, alpha.
   */
  sample(
    slot: number,
    operation: TextureOperation,
    dimension: '2d' | 'cube' | '3d' | '2d-array',
    isShadow: boolean,
    operands: readonly Float32Array[],
    lanes?: number,
  ): Float32Array;

  /**
   * @param level Level of each of the four lanes.
   * @returns 12 words: width of the four lanes, then height, depth.
   */
  size(slot: number, level: Int32Array): Int32Array;
}
