/** Public names of the instruction set. */

export {
  bitsOfFloat,
  CANONICAL_NAN_BITS,
  evaluateScalarOperator,
  floatOfBits,
  SCALAR_OPERATORS,
  type ScalarOperator,
} from '../ir/scalar-operators.ts';
export { assemble } from './assemble.ts';
export { createIsaProgram } from './create-program.ts';
export { disassemble, formatInstruction } from './disassemble.ts';
export { decodeInstructions, type Instruction, type Operand } from './instruction.ts';
export {
  INSTRUCTIONS,
  type InstructionInfo,
  instructionInfo,
  LATENCY_CLASSES,
  type LatencyClass,
  type Mnemonic,
} from './instructions.ts';
export { selectInstructions } from './select-instructions.ts';
export { GENERATED_LINE, sourceLinesOf } from './source-lines.ts';
export { type IsaStatistics, summarizeProgram } from './statistics.ts';
export { type IsaNode, parseStructure } from './structure.ts';
