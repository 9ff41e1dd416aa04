/** Whether a fragment program may run on packed fragments, whose lanes are any pixels of one primitive. */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions } from '../isa/instruction.ts';
import { parseStructure } from '../isa/structure.ts';
import { readsWholeQuad } from './liveness.ts';
import { containsLoop } from './warp-emitter.ts';

/** Programs never change, and many draws share one. */
const quadSlotsByProgram = new WeakMap<IsaProgram, readonly number[] | null>();

/**
 * Whether no lane of `program` needs its neighbours. Programs that discard clear lanes in the masks of quads, and loops
 * of lanes that are not covered count for the budget: neither is packed.
 *
 * @param needsQuads Whether lookups without a level of detail of their own, in a texture slot, take it from the quad.
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

/** Texture slots with lookups that may take their level of detail from the quad; `null` if quads are needed anyway. */
function findQuadSlots(program: IsaProgram): readonly number[] | null {
  if (program.usesDiscard) return null;
  const instructions = decodeInstructions(program.code, program.literals);
  if (parseStructure(instructions).some(containsLoop)) return null;
  const readers = instructions.filter(readsWholeQuad);
  if (readers.some(({ mnemonic }) => mnemonic !== 'tex')) return null;
  return [...new Set(readers.map(({ immediates }) => immediates[0]!))];
}
