/** The value types of the encoder's WebAssembly (no references) and their binary codes. */
export const VALUE_TYPE_CODES = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
} as const satisfies Record<string, number>;

/** The type of a WebAssembly value. `v128` holds any of the vector shapes, such as `f32x4`. */
export type ValueType = keyof typeof VALUE_TYPE_CODES;

/** What a function takes and gives back, in order. */
export interface FunctionSignature {
  readonly params: readonly ValueType[];
  /** None, one or several results. */
  readonly results: readonly ValueType[];
}
