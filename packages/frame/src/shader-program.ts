/**
 * A compiled and linked shader program: ISA code of the stages and the reflection that binds values to
 * it. Plain data, so that it can be sent to a chiplet; `shader` makes it, `gpu` runs it.
 */
import type { Sha256, TextureDimension } from './resources.ts';

/** Component type of a shader input or uniform. Booleans are 0 / −1 in registers, 0 / 1 in uniforms. */
export type ShaderScalarType = 'float' | 'int' | 'uint' | 'bool';

/** One word of shader input or output: a scalar component. */
export interface AttributeInfo {
  readonly name: string;
  readonly scalarType: ShaderScalarType;
  /** Components of one location, 1 to 4. */
  readonly componentCount: number;
  /** Locations: columns of a matrix, elements of an array; else 1. */
  readonly locationCount: number;
  /** First input slot of the vertex stage; location k component c is `firstSlot + 4k + c`. */
  readonly firstSlot: number;
}

export interface UniformInfo {
  /** As reflected: `a`, `b[0]`, `c.d`. */
  readonly name: string;
  readonly scalarType: ShaderScalarType;
  /** Rows of a matrix, components of a vector, 1 for a scalar. */
  readonly rows: number;
  /** Columns of a matrix, else 1. */
  readonly columns: number;
  /** Elements, 1 when not an array. */
  readonly arrayLength: number;
  readonly isArray: boolean;
  /** First word in the constant bank; element e, column k, row r is `firstWord + (e × columns + k) × rows + r`. */
  readonly firstWord: number;
  /** Components in the order of the words until the uniform is set (GLSL 1.20 initialisers); else zeros. */
  readonly initialValue?: readonly number[];
}

export interface SamplerInfo {
  readonly name: string;
  readonly dimension: TextureDimension;
  readonly isShadow: boolean;
  readonly arrayLength: number;
  /** First texture slot; element e is `firstSlot + e`. */
  readonly firstSlot: number;
}

/** A value that travels from the vertex to the fragment stage, a scalar component each. */
export interface VaryingInfo {
  readonly name: string;
  readonly componentCount: number;
  readonly isFlat: boolean;
  /** First varying component; the vertex stage writes slot `VARYING_SLOT + firstComponent`. */
  readonly firstComponent: number;
}

/** Vertex output slots 0–3 are gl_Position, slot 4 gl_PointSize, varyings start here. */
export const POSITION_SLOT = 0;
export const POINT_SIZE_SLOT = 4;
export const VARYING_SLOT = 5;
/** Fragment output slot of gl_FragDepth; colour target t component c is slot `4t + c`, t = 0…7. */
export const FRAGMENT_DEPTH_SLOT = 32;

/** One stage in ISA form. `shader/isa` defines the words of `code`. */
export interface IsaProgram {
  readonly stage: 'vertex' | 'fragment';
  readonly code: Uint32Array;
  /** 32-bit literals that operands name. */
  readonly literals: Uint32Array;
  /** 32-bit registers per invocation. */
  readonly registerCount: number;
  /** Words of private array memory per invocation (dynamically indexed arrays). */
  readonly arrayWords: number;
  /** Input slots the code reads, ascending. Vertex: attribute slots; fragment: varying components. */
  readonly inputSlots: readonly number[];
  /** Fragment: the members of `inputSlots` that are flat. */
  readonly flatInputSlots: readonly number[];
  /** Output slots the code writes, ascending. */
  readonly outputSlots: readonly number[];
  readonly usesDiscard: boolean;
  /** Whether the code reads derivatives or samples with an implicit level of detail. */
  readonly usesDerivatives: boolean;
  readonly usesVertexId: boolean;
  readonly usesInstanceId: boolean;
}

export interface ShaderProgram {
  /** Of the ISA code and reflection. */
  readonly sha256: Sha256;
  readonly vertex: IsaProgram;
  /** The part of `vertex` that gl_Position needs (patent fig. 3: minimal vertex shader); bit-equal positions. */
  readonly positionOnly: IsaProgram;
  readonly fragment: IsaProgram;
  readonly attributes: readonly AttributeInfo[];
  readonly uniforms: readonly UniformInfo[];
  readonly samplers: readonly SamplerInfo[];
  readonly varyings: readonly VaryingInfo[];
  /** Scalar components over all varyings. */
  readonly varyingComponentCount: number;
  /** 32-bit words of the constant bank. */
  readonly constantWords: number;
}
