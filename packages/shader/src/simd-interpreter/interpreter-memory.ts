/**
 * Memory of the SIMD interpreter: the image of a program, and the scratch memory of a warp.
 *
 * A *row* is a vector for each of the eight groups of a warp, 128 bytes: register r of group g is
 * at `scratchPtr + SCRATCH.registers + r × 128 + g × 16`. The registers are followed by the private
 * arrays, one row per word, and by the control stack, two rows of masks per nesting level. Pointers
 * are multiples of 16.
 */

/** log2 of the size of a row in bytes. */
export const ROW_BYTES_LOG2 = 7;
/** Size of a row. */
export const ROW_BYTES = 1 << ROW_BYTES_LOG2;
/**
 * log2 of the size of a control stack entry: two rows of masks. control-functions.ts describes
 * their contents.
 */
export const ENTRY_BYTES_LOG2 = ROW_BYTES_LOG2 + 1;

/**
 * Byte offsets in the image of a program, which write-program-image.ts fills. Words are 32 bits.
 */
export const IMAGE = {
  /** Address of the first instruction word. */
  codePtr: 0,
  literalsPtr: 4,
  registerBytes: 8,
  /** Size of registers and arrays, which start as 0. */
  stateBytes: 12,
  /** Distance from the inputs of one group to those of the next. */
  groupBytes: 16,
  outputBytes: 20,
  primitiveBytes: 24,
  instructionBudget: 28,
  isFragment: 32,
  /** Whether a fragment program reads its primitive. */
  readsPrimitive: 36,
  code: 48,
} as const;

/** Opcode of the word after the last instruction; no mnemonic uses it. */
export const END_OPCODE = 0xfe;

/** Results of `execute` in place of the address of the next word. */
export const NEXT_WORD = { end: 0, budgetExceeded: 1 } as const;

/** Byte offsets in scratch memory: words of the call, vectors, rows. */
export const SCRATCH = {
  constantsPtr: 0,
  literalsPtr: 4,
  /**
   * Address of the inputs or quad records of the first group of the warp; `outputPtr` is that of
   * its outputs.
   */
  groupsPtr: 8,
  outputPtr: 12,
  texturesPtr: 16,
  /** End of the used part of each row: 16 bytes per group of the warp. */
  rowEnd: 20,
  groupBytes: 24,
  outputBytes: 28,
  arraysPtr: 32,
  stackPtr: 36,
  instructionBudget: 40,
  /** Vector that receives dropped stores. */
  dump: 48,
  /** One vector per source, for constants and literals. */
  sources: 64,
  active: 128,
  discarded: 256,
  /** Instructions in loops, by lane. */
  spent: 384,
  /**
   * Fragment programs only: in `record`, the first word of each vector points to the primitive
   * record, and the second is the quad's mask; then pixel centers, steps from the origin, w.
   */
  record: 512,
  pixelX: 640,
  pixelY: 768,
  stepX: 896,
  stepY: 1024,
  w: 1152,
  /** Operands of a lookup, then its results. */
  exchange: 1280,
  registers: 1536,
} as const;

/**
 * Methods by which `input` and `builtin` find their value. The method is in part 3 of their linked
 * word.
 */
export const INPUT_MODES = [
  'vertexVector',
  'smooth',
  'recordWord',
  'plane',
  'pixelX',
  'pixelY',
  'frontFacing',
  'spriteX',
  'spriteY',
  'sampleId',
  'samplePositionX',
  'samplePositionY',
  'sampleMask',
  'sampleCount',
] as const;
/** Name of an input mode. */
export type InputMode = (typeof INPUT_MODES)[number];
