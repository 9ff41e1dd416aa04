/**
 * Memory of the SIMD interpreter: the image of a program, and the scratch memory of a warp.
 *
 * A *row* is a vector for each of the eight groups of a warp, 128 bytes: register r of group g is at
 * `scratchPtr + SCRATCH.registers + r × 128 + g × 16`. After the registers come the private arrays, a row per
 * word, then the control stack, two rows of masks per nesting level. Pointers are multiples of 16.
 */

/** Groups of a warp. */
export const WARP_GROUPS = 8;
export const ROW_BYTES_LOG2 = 7;
export const ROW_BYTES = 1 << ROW_BYTES_LOG2;
/** An entry of the control stack: two rows of masks. What they hold is in control-functions.ts. */
export const ENTRY_BYTES_LOG2 = ROW_BYTES_LOG2 + 1;

/** Byte offsets in the image of a program, which write-program-image.ts fills. Words are 32 bits. */
export const IMAGE = {
  /** Address of the first instruction word. */
  codePtr: 0,
  literalsPtr: 4,
  registerBytes: 8,
  /** Registers and arrays: what starts as 0. */
  stateBytes: 12,
  /** From the inputs of one group to those of the next. */
  groupBytes: 16,
  outputBytes: 20,
  primitiveBytes: 24,
  instructionBudget: 28,
  isFragment: 32,
  /** Whether a fragment program reads its primitive. */
  readsPrimitive: 36,
  code: 48,
} as const;

/** Opcode of the word after the last instruction; no mnemonic has it. */
export const END_OPCODE = 0xfe;

/** What the interpreter gives instead of the address of the next word. */
export const NEXT_WORD = { end: 0, budgetExceeded: 1 } as const;

/** Byte offsets in scratch memory: words of the call, vectors, rows. */
export const SCRATCH = {
  constantsPtr: 0,
  literalsPtr: 4,
  /** Inputs or quad records, and outputs, of the first group of the warp. */
  groupsPtr: 8,
  outputPtr: 12,
  texturesPtr: 16,
  /** 16 bytes per group of the warp: where its rows end. */
  rowEnd: 20,
  groupBytes: 24,
  outputBytes: 28,
  arraysPtr: 32,
  stackPtr: 36,
  instructionBudget: 40,
  /** Vector that dropped stores go to. */
  dump: 48,
  /** A vector per source, for constants and literals. */
  sources: 64,
  active: 128,
  discarded: 256,
  /** Instructions that the loops of a lane took. */
  spent: 384,
  /** Fragment programs: pixel centres, steps from the origin, w; the first word of a vector of `record` is a pointer. */
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

/** How `input` and `builtin` find their value; part 3 of their linked word. */
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
] as const;
export type InputMode = (typeof INPUT_MODES)[number];
