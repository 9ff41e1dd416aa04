/**
 * Number types of the cycle model. AssemblyScript has them built in, so the compiler skips imports
 * of this file (scripts/cycle-model/portable-source.ts). In TypeScript they are `number`.
 */

/** A 32-bit signed integer. TypeScript does not wrap it, so values must stay within its range. */
export type i32 = number;
/** A double. */
export type f64 = number;
/** An unsigned integer of 8 bits: an element of a `Uint8Array`. */
export type u8 = number;
/** An unsigned integer of 16 bits: an element of a `Uint16Array`. */
export type u16 = number;
