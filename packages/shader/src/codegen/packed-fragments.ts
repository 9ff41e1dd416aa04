/** Packed fragments: groups whose lanes are any pixels of one primitive instead of a quad. */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions } from '../isa/instruction.ts';
import { parseStructure } from '../isa/structure.ts';
import { containsLoop } from '../isa/structure-properties.ts';
import { readsWholeQuad } from './liveness.ts';

/** Results by program, cached because programs are immutable and many draws share one. */
const quadSlotsByProgram = new WeakMap<IsaProgram, readonly number[] | null>();

/**
 * Returns whether `program` can run on packed fragments, because no lane needs its neighbors.
 * Programs that discard are not packed, because they clear lanes in the masks of quads. Programs
 * with loops are not packed, because uncovered lanes count for the budget.
 *
 * @param needsQuads Whether lookups in a texture slot without an explicit level of detail derive it
 *   from the quad.
 */
export function canPackFragments(
  program: IsaProgram,
  needsQuads: (textureSlot: number) => boolean,
): boolean {
  let slots = quadSlotsByProgram.get(program);
  if (slots === undefined) {
    slots = findQuadSlots(program);
    quadSlotsByProgram.set(program, slots);
  }
  return slots !== null && !slots.some(needsQuads);
}

/**
 * Returns the texture slots whose lookups may derive their level of detail from the quad; `null` if
 * the program needs quads in any case.
 */
function findQuadSlots(program: IsaProgram): readonly number[] | null {
  if (program.usesDiscard) return null;
  const instructions = decodeInstructions(program.code, program.literals);
  if (parseStructure(instructions).some(containsLoop)) return null;
  const readers = instructions.filter(readsWholeQuad);
  if (readers.some(({ mnemonic }) => mnemonic !== 'tex')) return null;
  return [...new Set(readers.map(({ immediates }) => immediates[0]!))];
}
