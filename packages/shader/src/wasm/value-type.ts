/** Value types that the encoder supports (no references), with their binary codes. */
export const VALUE_TYPE_CODES = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
} as const satisfies Record<string, number>;

/** Type of a WebAssembly value. `v128` holds any of the vector shapes, such as `f32x4`. */
export type ValueType = keyof typeof VALUE_TYPE_CODES;

/** Parameter and result types of a function, in order. */
export interface FunctionSignature {
  readonly params: readonly ValueType[];
  /** Types of the results; there may be none or several. */
  readonly results: readonly ValueType[];
}
