/**
 * Instruction set of the shader cores: the single table from which types, encoder, decoder,
 * assembler and disassembler are derived. A test compares docs/isa.md with it.
 *
 * The machine runs one instruction for all active lanes of a warp. A register is 32 bits per lane.
 * A source is a register, a word of the constant bank or a literal. Control flow is structured:
 * `if`, `block` and `loop` nest, and an execution mask selects the active lanes (see structure.ts).
 */
import { BUILTIN_INPUTS, type IrOperator, TEXTURE_OPERATIONS } from '../ir/ir.ts';

/**
 * Units that instructions occupy, by class. The chiplet's specification sets the cycles of each
 * class.
 */
export const LATENCY_CLASSES = {
  alu: 'add, multiply, compare, select, bits, conversions',
  division: 'floating-point division',
  special: 'square root, reciprocal square root, exp2, log2, sine, cosine',
  integerDivision: 'integer quotient and remainder',
  interpolation: 'a varying or a built-in input; vertex attributes',
  constantLoad: 'a word of the constant bank at a dynamic index',
  arrayAccess: 'private memory',
  texture: 'a lookup or a query in a texture unit',
  output: 'a result passed to the next stage',
  control: 'execution masks and branches',
} as const satisfies Record<string, string>;

/** Key of {@link LATENCY_CLASSES}. */
export type LatencyClass = keyof typeof LATENCY_CLASSES;

/** Field of the instruction word: a number of `bits` bits, or one of `names`. */
export interface ImmediateField {
  readonly name: string;
  readonly bits: number;
  /** Text of the values 0, 1, …; without it the value is written as a number. */
  readonly names?: readonly string[];
}

/** Row of {@link INSTRUCTIONS}. */
export interface InstructionInfo {
  /** Number of consecutive registers written, starting with the result register. */
  readonly resultCount: 0 | 1 | 3 | 4;
  readonly immediates: readonly ImmediateField[];
  /** Names of the sources; `list` stands for 1 to 15 sources. */
  readonly sources: readonly string[] | 'list';
  readonly latencyClass: LatencyClass;
  readonly meaning: string;
}

/** Texture dimensions in the order of their numbers in the code. */
export const DIMENSIONS = ['2d', 'cube', '3d', '2d-array'] as const;
/** Interpolation modes in the order of their numbers in the code. */
export const INTERPOLATIONS = ['smooth', 'flat', 'sample'] as const;
/** Names of the built-in inputs in the order of their numbers in the code. */
export const BUILTIN_NAMES = Object.keys(BUILTIN_INPUTS) as (keyof typeof BUILTIN_INPUTS)[];

const SOURCE_NAMES = ['a', 'b', 'c'] as const;

/** Returns a row with one result and one to three sources. */
function operator(
  sourceCount: 1 | 2 | 3,
  meaning: string,
  latencyClass: LatencyClass = 'alu',
): InstructionInfo {
  const sources = SOURCE_NAMES.slice(0, sourceCount);
  return { resultCount: 1, immediates: [], sources, latencyClass, meaning };
}

function control(
  meaning: string,
  sources: readonly string[] = [],
  immediates: readonly ImmediateField[] = [],
): InstructionInfo {
  return { resultCount: 0, immediates, sources, latencyClass: 'control', meaning };
}

const OPERATOR_INSTRUCTIONS = {
  fadd: operator(2, 'a + b'),
  fsub: operator(2, 'a − b'),
  fmul: operator(2, 'a × b'),
  fdiv: operator(2, 'a / b', 'division'),
  fmad: operator(3, 'a × b + c, rounded twice'),
  fneg: operator(1, '−a'),
  fabs: operator(1, '|a|'),
  ffloor: operator(1, 'largest integer not above a'),
  fceil: operator(1, 'smallest integer not below a'),
  ftrunc: operator(1, 'a without its fraction'),
  fnearest: operator(1, 'nearest integer, ties to even'),
  fsqrt: operator(1, '√a', 'special'),
  fmin: operator(2, 'b < a ? b : a'),
  fmax: operator(2, 'a < b ? b : a'),
  frsq: operator(1, '1 / √a, rounded twice', 'special'),
  fexp2: operator(1, '2^a, within 2 ulp; 0 below 2^-126', 'special'),
  flog2: operator(1, 'log2 a, within 4 ulp', 'special'),
  fsin: operator(1, 'sin a, within 2^-20 for |a| ≤ 20000', 'special'),
  fcos: operator(1, 'cos a, within 2^-20 for |a| ≤ 20000', 'special'),
  feq: operator(2, 'a = b as floats; truth values are 0 and −1'),
  fne: operator(2, 'a ≠ b as floats; true for NaN'),
  flt: operator(2, 'a < b as floats'),
  fle: operator(2, 'a ≤ b as floats'),
  iadd: operator(2, 'a + b modulo 2^32'),
  isub: operator(2, 'a − b modulo 2^32'),
  imul: operator(2, 'a × b modulo 2^32'),
  idiv: operator(2, 'a / b toward zero; −1 for b = 0', 'integerDivision'),
  irem: operator(2, 'a − (a / b) × b; a for b = 0', 'integerDivision'),
  udiv: operator(2, 'a / b, unsigned; 2^32 − 1 for b = 0', 'integerDivision'),
  urem: operator(2, 'a mod b, unsigned; a for b = 0', 'integerDivision'),
  ineg: operator(1, '−a modulo 2^32'),
  imin: operator(2, 'smaller, signed'),
  imax: operator(2, 'larger, signed'),
  umin: operator(2, 'smaller, unsigned'),
  umax: operator(2, 'larger, unsigned'),
  iand: operator(2, 'bits in both'),
  ior: operator(2, 'bits in either'),
  ixor: operator(2, 'bits in exactly one'),
  inot: operator(1, 'bits not in a'),
  ishl: operator(2, 'a shifted left by b mod 32'),
  ishr: operator(2, 'a shifted right by b mod 32, sign extended'),
  ushr: operator(2, 'a shifted right by b mod 32, zero filled'),
  ieq: operator(2, 'a = b'),
  ine: operator(2, 'a ≠ b'),
  ilt: operator(2, 'a < b, signed'),
  ile: operator(2, 'a ≤ b, signed'),
  ult: operator(2, 'a < b, unsigned'),
  ule: operator(2, 'a ≤ b, unsigned'),
  f2i: operator(1, 'float to signed: truncated, saturated, NaN gives 0'),
  f2u: operator(1, 'float to unsigned: truncated, saturated, NaN gives 0'),
  i2f: operator(1, 'signed to float, rounded'),
  u2f: operator(1, 'unsigned to float, rounded'),
  f32AsI32: operator(1, 'same bits; a NaN becomes 7fc00000'),
  i32AsF32: operator(1, 'same bits'),
  boolAsI32: operator(1, 'same bits'),
  i32AsBool: operator(1, 'a ≠ 0'),
  band: operator(2, 'a and b'),
  bor: operator(2, 'a or b'),
  bxor: operator(2, 'a or b, not both'),
  bnot: operator(1, 'not a'),
  selectF: operator(3, 'a ? b : c, floats'),
  selectI: operator(3, 'a ? b : c, integers'),
  selectB: operator(3, 'a ? b : c, truth values'),
  fddx: operator(1, 'right minus left pixel of the same row of the quad'),
  fddy: operator(1, 'upper minus lower pixel of the same column of the quad'),
} as const satisfies Record<IrOperator, InstructionInfo>;

const arrayRange = [
  { name: 'first', bits: 16 },
  { name: 'length', bits: 16 },
] as const;

/** Every instruction. The opcode is the position in this table. */
export const INSTRUCTIONS = {
  ...OPERATOR_INSTRUCTIONS,
  mov: operator(1, 'a'),
  uniform: {
    resultCount: 1,
    immediates: [
      { name: 'first', bits: 16 },
      { name: 'length', bits: 16 },
    ],
    sources: ['index'],
    latencyClass: 'constantLoad',
    meaning: 'constant word first + index; 0 if index ≥ length',
  },
  input: {
    resultCount: 1,
    immediates: [
      { name: 'slot', bits: 16 },
      { name: 'interpolation', bits: 2, names: INTERPOLATIONS },
    ],
    sources: [],
    latencyClass: 'interpolation',
    meaning: 'vertex attribute, or varying divided by w; with `sample`, the shader runs per sample',
  },
  builtin: {
    resultCount: 1,
    immediates: [{ name: 'name', bits: 8, names: BUILTIN_NAMES }],
    sources: [],
    latencyClass: 'interpolation',
    meaning: 'built-in input',
  },
  outf: {
    resultCount: 0,
    immediates: [{ name: 'slot', bits: 16 }],
    sources: ['value'],
    latencyClass: 'output',
    meaning: 'output slot = float; NaN becomes 7fc00000',
  },
  outi: {
    resultCount: 0,
    immediates: [{ name: 'slot', bits: 16 }],
    sources: ['value'],
    latencyClass: 'output',
    meaning: 'output slot = 32 bits',
  },
  aload: {
    resultCount: 1,
    immediates: arrayRange,
    sources: ['index'],
    latencyClass: 'arrayAccess',
    meaning: 'private word first + index; index clamped to 0 … length − 1',
  },
  astore: {
    resultCount: 0,
    immediates: arrayRange,
    sources: ['index', 'value'],
    latencyClass: 'arrayAccess',
    meaning: 'private word first + index = value; no effect if index is out of range',
  },
  tex: {
    resultCount: 4,
    immediates: [
      { name: 'slot', bits: 16 },
      { name: 'operation', bits: 4, names: TEXTURE_OPERATIONS },
      { name: 'dimension', bits: 3, names: DIMENSIONS },
      { name: 'kind', bits: 1, names: ['color', 'shadow'] },
    ],
    sources: 'list',
    latencyClass: 'texture',
    meaning: 'red, green, blue, alpha at the coordinates',
  },
  texsize: {
    resultCount: 3,
    immediates: [{ name: 'slot', bits: 16 }],
    sources: ['level'],
    latencyClass: 'texture',
    meaning: 'width, height, depth of a level, integers',
  },
  discard: control('active lanes write no fragment; they continue as helpers'),
  if: control('lanes in which the condition is true continue', ['condition']),
  else: control('lanes in which the condition was false continue instead'),
  endif: control('both sides continue'),
  block: control('a target of exit'),
  endblock: control('lanes that left the block rejoin'),
  loop: control('a target of exit and continue'),
  endloop: control('back to the head of the loop while lanes are left in it'),
  exit: control(
    'active lanes continue after the depth-th enclosing block or loop',
    [],
    [{ name: 'depth', bits: 16 }],
  ),
  continue: control(
    'active lanes continue at the head of the depth-th enclosing target, a loop',
    [],
    [{ name: 'depth', bits: 16 }],
  ),
} as const satisfies Record<string, InstructionInfo>;

/** Key of {@link INSTRUCTIONS}. */
export type Mnemonic = keyof typeof INSTRUCTIONS;

/** Mnemonics in the order of their opcodes. */
export const MNEMONICS = Object.keys(INSTRUCTIONS) as Mnemonic[];

/** Returns the row of a mnemonic. */
export function instructionInfo(mnemonic: Mnemonic): InstructionInfo {
  return INSTRUCTIONS[mnemonic];
}

/** Whether `mnemonic` is an operator of the IR, with the same meaning. */
export function isIrOperator(mnemonic: Mnemonic): mnemonic is IrOperator {
  return mnemonic in OPERATOR_INSTRUCTIONS;
}
