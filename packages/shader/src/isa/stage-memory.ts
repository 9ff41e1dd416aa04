/**
 * Memory of a stage: where an executor finds the work and leaves the results. Pointers are byte offsets
 * into one little-endian memory, multiples of 16. A vector is 16 bytes: a 32-bit word of four lanes.
 *
 * Vertex stage: a group is four consecutive vertices. Input vector j of group g is at
 * `inputPtr + (g × inputCount + j) × 16`, outputs likewise.
 *
 * Fragment stage: a group is a quad of pixels, lanes (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1), window y
 * down. All four lanes run, covered or not. A plane {c, dx, dy} has at a pixel centre the value
 * (c + dx × X) + dy × Y, with X = (x + 0.5) − originX and Y = (y + 0.5) − originY, each step rounded.
 *
 * Packed fragments ({@link PackedFragments}): a group is any four pixels of one primitive, as a vector of
 * x | y << 16; outputs of a slot follow each other, those of the next slot are a plane further.
 */
import type { IsaProgram } from '@tessera/frame';

/** Lanes of a group. */
export const LANES = 4;
/** Bytes of a vector of four lanes. */
export const VECTOR_BYTES = 16;

/** Byte offsets in a quad record. Discarded lanes are cleared in `mask` by the executor. */
export const QUAD_RECORD = { x: 0, y: 4, mask: 8, primitive: 12, bytes: 16 } as const;

/** Where kernels for packed fragments find and leave what does not lie in a group's vector of positions. */
export interface PackedFragments {
  /** From the positions of a group to the i32 number of its primitive. */
  readonly primitiveOffset: number;
  /** From the outputs of a slot to those of the next one. */
  readonly outputPlaneBytes: number;
}

/** Byte offsets in a primitive record. Planes are {c, dx, dy, 0}. */
export const PRIMITIVE_RECORD = {
  originX: 0,
  originY: 4,
  /** Bits {@link PRIMITIVE_FLAGS}. */
  flags: 8,
  targetHeight: 12,
  inverseW: 16,
  depth: 32,
  /** {left, top, 1 / size, 0} of a point. */
  pointSprite: 48,
  /** Planes of value / w, one per input slot; of a flat one only c is read, the value's bits. */
  varyings: 64,
} as const;

export const PRIMITIVE_FLAGS = { frontFacing: 1, point: 2 } as const;

/** Bytes from one primitive record to the next. */
export function primitiveStrideBytes(program: IsaProgram): number {
  return PRIMITIVE_RECORD.varyings + VECTOR_BYTES * program.inputSlots.length;
}

/** Input vectors of a vertex group: the input slots, then vertex id, then instance id, if used. */
export function vertexInputCount(program: IsaProgram): number {
  return program.inputSlots.length + Number(program.usesVertexId) + Number(program.usesInstanceId);
}

/** Position of a built-in input among the input vectors of a vertex group. */
export function vertexBuiltinPosition(
  program: IsaProgram,
  name: 'vertexId' | 'instanceId',
): number {
  const first = program.inputSlots.length;
  return name === 'instanceId' && program.usesVertexId ? first + 1 : first;
}

/**
 * What an executor reports: whether the loops of the call stayed within the instruction budget, what it
 * logs within the log, and whether another thread stopped it.
 */
export const STAGE_STATUS = { done: 0, budgetExceeded: 1, logFull: 2, stopped: 3 } as const;
export type StageStatus = (typeof STAGE_STATUS)[keyof typeof STAGE_STATUS];
