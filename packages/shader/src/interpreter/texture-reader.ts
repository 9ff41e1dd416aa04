/** Texture access of the interpreter: the slow counterpart of the kernels' texture functions. */
import type { TextureOperation } from '../ir/ir.ts';

/** Reader of one set of bound textures. Slots are those of the instructions. */
export interface TextureReader {
  /**
   * Samples for four lanes.
   *
   * @param operands One vector per operand of the instruction; those of `fetch` contain int32 bits.
   * @param lanes Bit mask of the lanes that are active and have not discarded, for readers that
   *   count.
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
   * Returns the size of a level for four lanes.
   *
   * @param level Level of each of the four lanes.
   * @returns 12 words: width of the four lanes, then height, depth.
   */
  size(slot: number, level: Int32Array): Int32Array;
}
