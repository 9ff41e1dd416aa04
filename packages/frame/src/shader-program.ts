/**
 * A compiled and linked shader program: the ISA code of its stages and the reflection that binds
 * values to it. It is plain data, so that it can be sent to a chiplet. The package `shader`
 * produces it and `gpu` runs it.
 */
import type { Sha256, TextureDimension } from './resources.ts';

/**
 * Component type of a shader input or uniform. Booleans are 0 / −1 in registers and 0 / 1 in
 * uniforms.
 */
export type ShaderScalarType = 'float' | 'int' | 'uint' | 'bool';

/** An input of the vertex shader. */
export interface AttributeInfo {
  readonly name: string;
  readonly scalarType: ShaderScalarType;
  /** Number of components of one location, 1 to 4. */
  readonly componentCount: number;
  /** Number of locations: columns of a matrix, elements of an array, else 1. */
  readonly locationCount: number;
  /**
   * First input slot of the vertex stage. Component c of location k is slot `firstSlot + 4k + c`.
   */
  readonly firstSlot: number;
}

/** A uniform and its words in the constant bank. */
export interface UniformInfo {
  /** Reflected name: `a`, `b[0]`, `c.d`. */
  readonly name: string;
  readonly scalarType: ShaderScalarType;
  /** Number of rows of a matrix or components of a vector; 1 for a scalar. */
  readonly rows: number;
  /** Number of columns of a matrix, else 1. */
  readonly columns: number;
  /** Number of array elements; 1 for a uniform that is not an array. */
  readonly arrayLength: number;
  readonly isArray: boolean;
  /**
   * First word in the constant bank. Row r of column k of element e is word
   * `firstWord + (e × columns + k) × rows + r`.
   */
  readonly firstWord: number;
  /** Initial value of each component in word order (GLSL 1.20 initializers). Default: zeros. */
  readonly initialValue?: readonly number[];
}

/** A sampler uniform and its texture slots. */
export interface SamplerInfo {
  readonly name: string;
  readonly dimension: TextureDimension;
  readonly isShadow: boolean;
  readonly arrayLength: number;
  /** First texture slot; element e is slot `firstSlot + e`. */
  readonly firstSlot: number;
}

/** A value passed from the vertex to the fragment stage, as scalar components. */
export interface VaryingInfo {
  readonly name: string;
  readonly componentCount: number;
  readonly isFlat: boolean;
  /** First varying component. The vertex stage writes slot `VARYING_SLOT + firstComponent`. */
  readonly firstComponent: number;
}

/** First of the four vertex output slots of gl_Position. */
export const POSITION_SLOT = 0;
/** Vertex output slot of gl_PointSize. */
export const POINT_SIZE_SLOT = 4;
/** First vertex output slot of the varyings. */
export const VARYING_SLOT = 5;
/**
 * Vertex output slot of an integer with a bit for each clip distance (0 to 7) and cull distance (8
 * to 15) that is negative. A primitive whose vertices share a bit is culled. The slot is above
 * those of all varyings.
 */
export const OUTSIDE_SLOT = 255;
/**
 * Fragment output slot of gl_FragDepth. Component c of color target t (0 to 7) is slot `4t + c`.
 */
export const FRAGMENT_DEPTH_SLOT = 32;
/** Fragment output slot of the samples that a fragment may write, one bit each (gl_SampleMask). */
export const SAMPLE_MASK_SLOT = 33;
/** First of the four fragment output slots of the second color, which only blend factors use. */
export const SECOND_COLOR_SLOT = 34;

/** One stage in ISA form. `shader/isa` defines the words of `code`. */
export interface IsaProgram {
  readonly stage: 'vertex' | 'fragment';
  readonly code: Uint32Array;
  /** 32-bit literals that operands refer to. */
  readonly literals: Uint32Array;
  /** Number of 32-bit registers per invocation. */
  readonly registerCount: number;
  /** Number of words of private array memory per invocation, for dynamically indexed arrays. */
  readonly arrayWords: number;
  /**
   * Input slots that the code reads, ascending: attribute slots in the vertex stage, varying
   * components in the fragment stage.
   */
  readonly inputSlots: readonly number[];
  /** Flat inputs of the fragment stage, a subset of `inputSlots`. */
  readonly flatInputSlots: readonly number[];
  /** Output slots that the code writes, ascending. */
  readonly outputSlots: readonly number[];
  readonly usesDiscard: boolean;
  /** Whether the code reads derivatives or samples with an implicit level of detail. */
  readonly usesDerivatives: boolean;
  readonly usesVertexId: boolean;
  readonly usesInstanceId: boolean;
}

/** A linked program: code of the stages and reflection. */
export interface ShaderProgram {
  /** SHA-256 of the ISA code and the reflection. */
  readonly sha256: Sha256;
  readonly vertex: IsaProgram;
  /**
   * Part of `vertex` that gl_Position, gl_PointSize and the distances of `OUTSIDE_SLOT` depend on
   * (patent fig. 3: minimal vertex shader). Its positions are bit-equal to those of `vertex`.
   */
  readonly positionOnly: IsaProgram;
  readonly fragment: IsaProgram;
  readonly attributes: readonly AttributeInfo[];
  readonly uniforms: readonly UniformInfo[];
  readonly samplers: readonly SamplerInfo[];
  readonly varyings: readonly VaryingInfo[];
  /** Number of scalar components of all varyings. */
  readonly varyingComponentCount: number;
  /** Size of the constant bank in 32-bit words. */
  readonly constantWords: number;
}
