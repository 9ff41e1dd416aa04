/**
 * Types of the cycle model. Its files run as TypeScript and are compiled to WebAssembly by AssemblyScript, which knows
 * these names itself; see docs/decisions/cycle-model-in-webassembly.md for what such files may use.
 */

/** An integer of 32 bits with sign. In TypeScript nothing wraps: keep within its range. */
type i32 = number;
/** A double. */
type f64 = number;
