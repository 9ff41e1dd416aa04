/** Component types of GLSL (GLSL ES 3.00 section 4.1, GLSL 1.20 section 4.1). */

export type ScalarBase = 'float' | 'int' | 'uint' | 'bool';

/** Type of a GLSL variable or expression. */
export type GlslType =
  | { readonly kind: 'void' }
  | { readonly kind: 'scalar'; readonly base: ScalarBase }
  | { readonly kind: 'vector'; readonly base: ScalarBase; readonly size: 2 | 3 | 4 }
  /** Matrix of floats; `columns` × `rows` as in `matCxR`. */
  | { readonly kind: 'matrix'; readonly columns: 2 | 3 | 4; readonly rows: 2 | 3 | 4 }
  | {
      readonly kind: 'sampler';
      readonly dimension:
        | '1d'
        | '2d'
        | '3d'
        | 'cube'
        | '1d-array'
        | '2d-array'
        | '2d-rect'
        | 'buffer';
      readonly base: 'float' | 'int' | 'uint';
      readonly isShadow: boolean;
    }
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly StructField[] }
  /** Array; `length` is 0 while no declaration has set it (GLSL 1.20 unsized arrays). */
  | { readonly kind: 'array'; readonly element: GlslType; readonly length: number };

/** Member of a struct or uniform block. */
export interface StructField {
  readonly name: string;
  readonly type: GlslType;
  readonly precision: Precision | null;
}

/** Precision qualifier. */
export type Precision = 'lowp' | 'mediump' | 'highp';
