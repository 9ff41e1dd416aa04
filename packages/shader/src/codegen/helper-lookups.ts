/**
 * Lookups for which helper lanes read texels. A helper lane is a lane of a quad that the primitive
 * does not cover, or that discarded. It computes the coordinates of a lookup with an implicit level
 * in any case. GPUs differ in whether it also reads texels:
 *
 * - `needed`: only if a derivative or the level of another lookup depends on its result. LLVM's
 *   AMDGPU back end leaves whole quad mode before such a lookup (SIWholeQuadMode.cpp; `test2` of
 *   wqm.ll), and Mesa's compiler for Mali sets the `skip` bit of all others
 *   (bi_helper_invocations.c).
 * - `implicit`: for every lookup with an implicit level (Mali G57 with Arm's driver; azhirnov,
 *   as-en).
 * - `all`: for every lookup (NVIDIA Turing, Apple M1; azhirnov, as-en).
 */
import type { Instruction, Operand } from '../isa/instruction.ts';
import { instructionInfo } from '../isa/instructions.ts';
import type { IsaNode } from '../isa/structure.ts';
import { instructionsOf, mayLeave } from '../isa/structure-properties.ts';
import { readsWholeQuad } from './liveness.ts';
import { RegisterSet } from './register-set.ts';

/** Policy of helper lanes. */
export type HelperLookups = 'none' | 'needed' | 'implicit' | 'all';

/** Returns the texture instructions of a fragment program for which helper lanes read texels. */
export function findHelperLookups(
  nodes: readonly IsaNode[],
  registerCount: number,
  policy: HelperLookups,
): ReadonlySet<Instruction> {
  const lookups = nodes.flatMap(instructionsOf).filter(({ mnemonic }) => mnemonic === 'tex');
  switch (policy) {
    case 'none':
      return new Set();
    case 'implicit':
      return new Set(lookups.filter(readsWholeQuad));
    case 'all':
      return new Set(lookups);
    case 'needed': {
      const needed = new NeededInstructions(nodes, registerCount).instructions;
      return new Set(lookups.filter((lookup) => needed.has(lookup)));
    }
  }
}

interface Target {
  readonly afterExit: RegisterSet;
  /** Registers needed at the head of a loop. The set grows until it is stable. */
  readonly atHead: RegisterSet;
}

/**
 * Instructions whose results helper lanes need, found backwards from the operands of derivatives
 * and of lookups with an implicit level. A condition is needed if a lane that took the wrong side
 * could skip or change what is needed. Private memory counts as one register.
 */
class NeededInstructions {
  readonly instructions = new Set<Instruction>();
  readonly #setSize: number;
  /** Member of a set if an instruction that follows is needed. */
  readonly #code: number;
  /** Member of a set if private memory is needed. */
  readonly #memory: number;
  readonly #targets: Target[] = [];

  constructor(nodes: readonly IsaNode[], registerCount: number) {
    this.#code = registerCount;
    this.#memory = registerCount + 1;
    this.#setSize = registerCount + 2;
    this.#visitList(nodes, new RegisterSet(this.#setSize));
  }

  /** Returns the registers needed before `list`, given those needed after it. */
  #visitList(list: readonly IsaNode[], needed: RegisterSet): RegisterSet {
    return list.reduceRight((after, node) => this.#visit(node, after), needed);
  }

  #visit(node: IsaNode, needed: RegisterSet): RegisterSet {
    switch (node.kind) {
      case 'straight':
        return this.#visitStraight(node.instructions, needed);
      case 'if': {
        const before = this.#visitList(node.then, needed).union(this.#visitList(node.else, needed));
        const skipsCode = mayLeave(node) && before.has(this.#code);
        if (skipsCode || instructionsOf(node).some((each) => this.#affects(each))) {
          addRegister(before, node.condition);
        }
        return before;
      }
      case 'block': {
        this.#targets.push({ afterExit: needed, atHead: needed });
        const before = this.#visitList(node.body, needed);
        this.#targets.pop();
        return before;
      }
      case 'loop': {
        const atHead = new RegisterSet(this.#setSize);
        this.#targets.push({ afterExit: needed, atHead });
        while (atHead.addAll(this.#visitList(node.body, atHead.clone())));
        this.#targets.pop();
        return atHead;
      }
      case 'exit':
        return this.#targets.at(-1 - node.depth)!.afterExit.clone();
      case 'continue':
        return this.#targets.at(-1 - node.depth)!.atHead.clone();
    }
  }

  #visitStraight(instructions: readonly Instruction[], needed: RegisterSet): RegisterSet {
    const current = needed.clone();
    for (const instruction of instructions.toReversed()) {
      const { mnemonic, result, sources } = instruction;
      const { resultCount } = instructionInfo(mnemonic);
      let isNeeded = mnemonic === 'astore' && current.has(this.#memory);
      for (let part = 0; part < resultCount; part++) {
        isNeeded ||= current.has(result + part);
        current.remove(result + part);
      }
      if (isNeeded) this.instructions.add(instruction);
      if (!isNeeded && !readsWholeQuad(instruction)) continue;
      current.add(this.#code);
      if (mnemonic === 'aload') current.add(this.#memory);
      for (const source of sources) addRegister(current, source);
    }
    return current;
  }

  /** Returns whether helper lanes need the result of `instruction` or its operands. */
  #affects(instruction: Instruction): boolean {
    return this.instructions.has(instruction) || readsWholeQuad(instruction);
  }
}

function addRegister(registers: RegisterSet, operand: Operand): void {
  if (operand.kind === 'register') registers.add(operand.index);
}
