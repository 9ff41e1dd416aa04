/**
 * The compiler's intermediate form: scalar values in single assignment inside structured control
 * flow.
 *
 * Every value is one 32-bit scalar of one invocation; `lower/` splits vectors, matrices and
 * structs. A value is defined once and used only where its definition dominates. The passes accept
 * and return programs that use a value only in its own region and the regions inside
 * (`validate-ir.ts`). Mutable state is in variables (`readVariable`, `writeVariable`), which the
 * passes promote to values if possible, and in arrays (private memory, dynamically indexed).
 * `lower/` inlines functions.
 *
 * Control flow is structured as in WebAssembly: `block` and `loop` are targets, `exit` leaves a
 * target (continues after it), `continue` jumps to the head of a loop. Divergent invocations of a
 * warp are masked. A `return` is an `exit` of the block around the inlined body.
 */

/** Type of a value. A `bool` is 0 or −1 (all bits set) in a register. */
export type IrType = 'f32' | 'i32' | 'bool';

/** Operators without side effects: operand types and result type. */
export const IR_OPERATORS = {
  // IEEE 754 single precision, round to nearest even, denormals kept.
  fadd: { operands: ['f32', 'f32'], result: 'f32' },
  fsub: { operands: ['f32', 'f32'], result: 'f32' },
  fmul: { operands: ['f32', 'f32'], result: 'f32' },
  fdiv: { operands: ['f32', 'f32'], result: 'f32' },
  /** a × b + c with two roundings. Only the passes create it, from fmul and fadd. */
  fmad: { operands: ['f32', 'f32', 'f32'], result: 'f32' },
  fneg: { operands: ['f32'], result: 'f32' },
  fabs: { operands: ['f32'], result: 'f32' },
  ffloor: { operands: ['f32'], result: 'f32' },
  fceil: { operands: ['f32'], result: 'f32' },
  ftrunc: { operands: ['f32'], result: 'f32' },
  /** Rounds to the nearest integer, ties to even. */
  fnearest: { operands: ['f32'], result: 'f32' },
  fsqrt: { operands: ['f32'], result: 'f32' },
  /** b < a ? b : a. A NaN in `a` or `b` gives `a`. */
  fmin: { operands: ['f32', 'f32'], result: 'f32' },
  /** a < b ? b : a. A NaN in `a` or `b` gives `a`. */
  fmax: { operands: ['f32', 'f32'], result: 'f32' },
  /** 1 / sqrt(a), as two correctly rounded steps. */
  frsq: { operands: ['f32'], result: 'f32' },
  /**
   * Approximates by polynomials with a stated error bound, in the same operation order in every
   * executor.
   */
  fexp2: { operands: ['f32'], result: 'f32' },
  flog2: { operands: ['f32'], result: 'f32' },
  fsin: { operands: ['f32'], result: 'f32' },
  fcos: { operands: ['f32'], result: 'f32' },
  feq: { operands: ['f32', 'f32'], result: 'bool' },
  fne: { operands: ['f32', 'f32'], result: 'bool' },
  flt: { operands: ['f32', 'f32'], result: 'bool' },
  fle: { operands: ['f32', 'f32'], result: 'bool' },
  // 32-bit integers, wrapping. Operations that do not depend on the sign are shared by signed and
  // unsigned.
  iadd: { operands: ['i32', 'i32'], result: 'i32' },
  isub: { operands: ['i32', 'i32'], result: 'i32' },
  imul: { operands: ['i32', 'i32'], result: 'i32' },
  /** Rounds toward zero; x / 0 = −1 for both signs, −2^31 / −1 = −2^31. */
  idiv: { operands: ['i32', 'i32'], result: 'i32' },
  /** x − (x / y) × y; x % 0 = x. */
  irem: { operands: ['i32', 'i32'], result: 'i32' },
  udiv: { operands: ['i32', 'i32'], result: 'i32' },
  urem: { operands: ['i32', 'i32'], result: 'i32' },
  ineg: { operands: ['i32'], result: 'i32' },
  imin: { operands: ['i32', 'i32'], result: 'i32' },
  imax: { operands: ['i32', 'i32'], result: 'i32' },
  umin: { operands: ['i32', 'i32'], result: 'i32' },
  umax: { operands: ['i32', 'i32'], result: 'i32' },
  iand: { operands: ['i32', 'i32'], result: 'i32' },
  ior: { operands: ['i32', 'i32'], result: 'i32' },
  ixor: { operands: ['i32', 'i32'], result: 'i32' },
  inot: { operands: ['i32'], result: 'i32' },
  /** The shift amount is taken modulo 32. */
  ishl: { operands: ['i32', 'i32'], result: 'i32' },
  ishr: { operands: ['i32', 'i32'], result: 'i32' },
  ushr: { operands: ['i32', 'i32'], result: 'i32' },
  ieq: { operands: ['i32', 'i32'], result: 'bool' },
  ine: { operands: ['i32', 'i32'], result: 'bool' },
  ilt: { operands: ['i32', 'i32'], result: 'bool' },
  ile: { operands: ['i32', 'i32'], result: 'bool' },
  ult: { operands: ['i32', 'i32'], result: 'bool' },
  ule: { operands: ['i32', 'i32'], result: 'bool' },
  // Conversions: float to integer truncates and saturates; NaN gives 0.
  f2i: { operands: ['f32'], result: 'i32' },
  f2u: { operands: ['f32'], result: 'i32' },
  i2f: { operands: ['i32'], result: 'f32' },
  u2f: { operands: ['i32'], result: 'f32' },
  /** Reinterprets the bits. `f32AsI32` turns a NaN into the canonical 7fc00000. */
  f32AsI32: { operands: ['f32'], result: 'i32' },
  i32AsF32: { operands: ['i32'], result: 'f32' },
  /** Converts 0 / −1 to the same integer. The inverse tests for ≠ 0. */
  boolAsI32: { operands: ['bool'], result: 'i32' },
  i32AsBool: { operands: ['i32'], result: 'bool' },
  band: { operands: ['bool', 'bool'], result: 'bool' },
  bor: { operands: ['bool', 'bool'], result: 'bool' },
  bxor: { operands: ['bool', 'bool'], result: 'bool' },
  bnot: { operands: ['bool'], result: 'bool' },
  selectF: { operands: ['bool', 'f32', 'f32'], result: 'f32' },
  selectI: { operands: ['bool', 'i32', 'i32'], result: 'i32' },
  selectB: { operands: ['bool', 'bool', 'bool'], result: 'bool' },
  // Difference within the 2×2 quad: value at the right (upper) pixel minus value at the left
  // (lower) one, window y up.
  fddx: { operands: ['f32'], result: 'f32' },
  fddy: { operands: ['f32'], result: 'f32' },
} as const satisfies Record<string, { operands: readonly IrType[]; result: IrType }>;
// GLSL `uint` values also have the type `i32`. Operators whose result depends on the sign have two
// forms.
/** Name of an operator. */
export type IrOperator = keyof typeof IR_OPERATORS;

/** Built-in values that a shader reads besides its inputs, with their types. */
export const BUILTIN_INPUTS = {
  vertexId: 'i32',
  instanceId: 'i32',
  'fragCoord.x': 'f32',
  /** Window y, which points up: target height − row − 0.5. */
  'fragCoord.y': 'f32',
  'fragCoord.z': 'f32',
  /** 1 / clip w. */
  'fragCoord.w': 'f32',
  frontFacing: 'bool',
  'pointCoord.x': 'f32',
  'pointCoord.y': 'f32',
  /** Vector from a line's start to its end in pixels, y down; for a point its size and 0. */
  'shape.x': 'f32',
  'shape.y': 'f32',
  /** Number of the sample that the shader runs for, which then runs for each covered sample. */
  sampleId: 'i32',
  /** Place of that sample in its pixel, 0 to 1, y up; the center if there is one sample. */
  'samplePosition.x': 'f32',
  'samplePosition.y': 'f32',
  /** Bits of the covered samples, of which one is left if the shader runs for each. */
  sampleMask: 'i32',
  /** Number of samples per pixel. */
  sampleCount: 'i32',
} as const satisfies Record<string, IrType>;
/** Name of a built-in input. */
export type BuiltinInput = keyof typeof BUILTIN_INPUTS;

/**
 * Texture operations. Operands after the coordinates: bias, level, or the derivatives d/dx s t (r),
 * d/dy s t (r); a shadow lookup has its reference value last. Coordinates of projective forms are
 * already divided. `fetch` takes integer texel coordinates and a level.
 */
export const TEXTURE_OPERATIONS = ['implicit', 'bias', 'lod', 'grad', 'fetch'] as const;
/** Kind of a texture lookup. */
export type TextureOperation = (typeof TEXTURE_OPERATIONS)[number];

/** Value, identified by its number within the program. */
export interface IrValue {
  readonly id: number;
  readonly type: IrType;
}

/** Node of a program. */
export type IrNode = IrOperation & {
  /**
   * Line of the source text, from 1, that the node belongs to. It is missing in nodes that no
   * statement asks for.
   */
  readonly line?: number | undefined;
};

/** Operation of a node, with its operands and results. */
export type IrOperation =
  | {
      readonly kind: 'constant';
      readonly result: IrValue /* The 32 bits, as an int32. */;
      readonly bits: number;
    }
  | {
      readonly kind: 'operator';
      readonly op: IrOperator;
      readonly result: IrValue;
      readonly operands: readonly IrValue[];
    }
  /**
   * Word `word + index` of the constant bank. A missing index is 0; an index outside `wordCount`
   * reads 0.
   */
  | {
      readonly kind: 'uniform';
      readonly result: IrValue;
      readonly word: number;
      readonly index: IrValue | null;
      /** Number of words, from `word`, that an index may reach; 1 without an index. */
      readonly wordCount: number;
    }
  /** Vertex attribute slot or varying component, the latter already divided by w. */
  | {
      readonly kind: 'input';
      readonly result: IrValue;
      readonly slot: number;
      readonly isFlat: boolean;
      /** Whether the value is that of a sample, so that the shader runs for each covered sample. */
      readonly isSample?: boolean;
    }
  | { readonly kind: 'builtinInput'; readonly result: IrValue; readonly name: BuiltinInput }
  | { readonly kind: 'output'; readonly slot: number; readonly value: IrValue }
  | { readonly kind: 'readVariable'; readonly result: IrValue; readonly variable: number }
  | { readonly kind: 'writeVariable'; readonly variable: number; readonly value: IrValue }
  /** An index outside the array reads the nearest element and writes nothing. */
  | {
      readonly kind: 'readArray';
      readonly result: IrValue;
      readonly array: number;
      readonly index: IrValue;
    }
  | {
      readonly kind: 'writeArray';
      readonly array: number;
      readonly index: IrValue;
      readonly value: IrValue;
    }
  | {
      readonly kind: 'texture';
      /** Red, green, blue, alpha; a shadow lookup returns the comparison in the first. */
      readonly results: readonly [IrValue, IrValue, IrValue, IrValue];
      readonly operation: TextureOperation;
      readonly textureSlot: number;
      /**
       * Coordinates and further operands. The slot is static because `lower/` turns a dynamic index
       * into a sampler array into a chain of `if`s.
       */
      readonly operands: readonly IrValue[];
      readonly dimension: '2d' | 'cube' | '3d' | '2d-array';
      readonly isShadow: boolean;
    }
  /** Width, height and depth of a level, as i32. */
  | {
      readonly kind: 'textureSize';
      readonly results: readonly [IrValue, IrValue, IrValue];
      readonly textureSlot: number;
      readonly level: IrValue;
    }
  | {
      readonly kind: 'if';
      readonly condition: IrValue;
      readonly then: IrRegion;
      readonly else: IrRegion;
    }
  | { readonly kind: 'block'; readonly label: number; readonly body: IrRegion }
  /** Repeats until an `exit`. The end of `body` jumps to its head, like `continue`. */
  | { readonly kind: 'loop'; readonly label: number; readonly body: IrRegion }
  | { readonly kind: 'exit'; readonly label: number }
  | { readonly kind: 'continue'; readonly label: number }
  /** Discards the fragment; the invocation continues only as a helper for derivatives. */
  | { readonly kind: 'discard' };

/** Nodes in order of execution. */
export type IrRegion = readonly IrNode[];

/** Stage as one body with all functions inlined. Variables and arrays are initially 0. */
export interface IrProgram {
  readonly stage: 'vertex' | 'fragment';
  /** Whether products keep the order of the source, because an output is `invariant`. */
  readonly isOrdered?: boolean;
  readonly body: IrRegion;
  /** Types of the variables, by number. */
  readonly variables: readonly IrType[];
  readonly arrays: readonly { readonly type: IrType; readonly length: number }[];
  /** Number of values; they are numbered 0 to valueCount − 1. */
  readonly valueCount: number;
}
