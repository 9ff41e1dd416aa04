/**
 * Memory layout of a stage: inputs and results of an executor. Pointers are byte offsets into one
 * little-endian memory, multiples of 16. A vector is 16 bytes: one 32-bit word for each of four
 * lanes.
 *
 * Vertex stage: a group is four consecutive vertices. Input vector j of group g is at
 * `inputPtr + (g × inputCount + j) × 16`; outputs likewise.
 *
 * Fragment stage: a group is a quad of pixels, lanes (x, y), (x + 1, y), (x, y + 1), (x + 1, y +
 * 1), window y down. All four lanes run, covered or not. The value of a plane {c, dx, dy} at a
 * pixel center is (c + dx × X) + dy × Y, with X = (x + 0.5) − originX and Y = (y + 0.5) − originY,
 * each step rounded. At a sample, its offset is added to x + 0.5 and y + 0.5.
 *
 * Packed fragments ({@link PackedFragments}): a group is any four pixels of one primitive, as a
 * vector of x | y << 16. Outputs of one slot are contiguous; those of the next slot are one plane
 * further.
 */
import type { IsaProgram } from '@tessera/frame';

/** Number of groups of a warp; a warp has 32 lanes. */
export const WARP_GROUPS = 8;

/** Number of lanes of a group. */
export const LANES = 4;
/** Size of a vector of four lanes. */
export const VECTOR_BYTES = 16;

/**
 * Byte offsets in a quad record. The executor clears the bits of discarded lanes in `mask`.
 *
 * Bits 0 to 3 of `mask` are the lanes with a covered sample. In targets with several samples per
 * pixel, four lanes of each sample follow from {@link SAMPLE_MASK_SHIFT} on; otherwise these bits
 * are 0. `moreSamples` has the lanes of samples 4 to 7 in targets that have them, which
 * {@link HAS_EIGHT_SAMPLES} tells. A quad that is shaded at a sample has {@link AT_SAMPLE} and the
 * number of the sample in its bits 4 to 6.
 *
 * `y` and `moreSamples` have 16 bits, all others 32.
 */
export const QUAD_RECORD = {
  x: 0,
  y: 4,
  moreSamples: 6,
  mask: 8,
  primitive: 12,
  bytes: 16,
} as const;

/** Bit of a quad's mask at which the four lanes of sample 0 start. */
export const SAMPLE_MASK_SHIFT = 16;
/** Bit of a quad's mask at which the number of the sample starts that it is shaded at. */
export const SAMPLE_NUMBER_SHIFT = 4;
/** Bit of a quad's mask: its inputs are interpolated at a sample, not at the pixels' centers. */
export const AT_SAMPLE = 0x80;
/** Bit of a quad's mask: pixels have eight samples. */
export const HAS_EIGHT_SAMPLES = 0x100;

/** Distances in the memory of packed fragments. */
export interface PackedFragments {
  /** Distance from the positions of a group to the i32 number of its primitive. */
  readonly primitiveOffset: number;
  /** Distance from the outputs of a slot to those of the next one. */
  readonly outputPlaneBytes: number;
}

/**
 * Byte offsets in a primitive record. Planes are {c, dx, dy, 0}, the depth plane {c, dx, dy,
 * shapeY}.
 */
export const PRIMITIVE_RECORD = {
  originX: 0,
  originY: 4,
  /** Bits of {@link PRIMITIVE_FLAGS}. */
  flags: 8,
  targetHeight: 12,
  inverseW: 16,
  depth: 32,
  /** {left, top, 1 / size} of a point, {x, y, 1} of a line's start. */
  pointSprite: 48,
  /** Size of a point; x of the vector from a line's start to its end. */
  shapeX: 60,
  /** y of that vector; 0 for points. */
  shapeY: 44,
  /**
   * Planes of value / w, one per input slot. A flat plane contains only c, the bits of the value.
   */
  varyings: 64,
} as const;

/** Bits of the flags word of a primitive record. */
export const PRIMITIVE_FLAGS = { frontFacing: 1, point: 2 } as const;

/** Returns the distance between primitive records in bytes. */
export function primitiveStrideBytes(program: IsaProgram): number {
  return PRIMITIVE_RECORD.varyings + VECTOR_BYTES * program.inputSlots.length;
}

/**
 * Returns the number of input vectors of a vertex group: input slots, then vertex id and instance
 * id if used.
 */
export function vertexInputCount(program: IsaProgram): number {
  return program.inputSlots.length + Number(program.usesVertexId) + Number(program.usesInstanceId);
}

/** Returns the index of a built-in input among the input vectors of a vertex group. */
export function vertexBuiltinPosition(
  program: IsaProgram,
  name: 'vertexId' | 'instanceId',
): number {
  const first = program.inputSlots.length;
  return name === 'instanceId' && program.usesVertexId ? first + 1 : first;
}

/**
 * Result of a call: done, a loop exceeded the instruction budget, the log is full, or another
 * thread stopped it.
 */
export const STAGE_STATUS = { done: 0, budgetExceeded: 1, logFull: 2, stopped: 3 } as const;
/** Status that an executor returns. */
export type StageStatus = (typeof STAGE_STATUS)[keyof typeof STAGE_STATUS];
