/**
 * Layout of the scratch memory of a kernel: the dump vector, the word for literals, the instruction
 * count of loops, then a frame per group.
 */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions } from '../isa/instruction.ts';
import { VECTOR_BYTES, WARP_GROUPS } from '../isa/stage-memory.ts';
import { type IsaNode, parseStructure } from '../isa/structure.ts';
import { containsLoop } from '../isa/structure-properties.ts';

/** Offset of the vector that receives dropped stores. */
export const DUMP_OFFSET_BYTES = 0;
/** Offset of the word through which literals are loaded into vectors. */
export const LITERAL_OFFSET_BYTES = VECTOR_BYTES;
/**
 * Offset of a 64-bit integer to which a kernel adds the number of instructions that its loops
 * executed, over all lanes.
 */
export const SPENT_OFFSET_BYTES = VECTOR_BYTES + 8;
/** Offset of the first frame. */
export const FRAMES_OFFSET_BYTES = 2 * VECTOR_BYTES;

/** Results by program, cached because programs are immutable and many draws share one. */
const scratchBytesByProgram = new WeakMap<IsaProgram, number>();

/** Returns the bytes that a kernel of `program` needs at `scratchPtr`. */
export function scratchBytes(program: IsaProgram): number {
  const known = scratchBytesByProgram.get(program);
  if (known !== undefined) return known;
  const bytes = countScratchBytes(program);
  scratchBytesByProgram.set(program, bytes);
  return bytes;
}

function countScratchBytes(program: IsaProgram): number {
  const nodes = parseStructure(decodeInstructions(program.code, program.literals));
  const groupCount = nodes.some(containsLoop) ? WARP_GROUPS : 1;
  return FRAMES_OFFSET_BYTES + groupCount * frameBytes(program, nodes);
}

/**
 * Returns the size of a frame: private arrays, then registers, discarded lanes, the budget,
 * outputs, and at most three vectors per construct.
 */
export function frameBytes(program: IsaProgram, nodes: readonly IsaNode[]): number {
  const { arrayWords, registerCount, outputSlots } = program;
  const stateVectors = registerCount + 2 + outputSlots.length + 3 * countConstructs(nodes);
  return (arrayWords + (nodes.some(containsLoop) ? stateVectors : 0)) * VECTOR_BYTES;
}

function countConstructs(nodes: readonly IsaNode[]): number {
  let count = 0;
  for (const node of nodes) {
    if (node.kind === 'if') count += 1 + countConstructs(node.then) + countConstructs(node.else);
    else if ('body' in node) count += 1 + countConstructs(node.body);
  }
  return count;
}
