/**
 * The control flow of a program as a tree, and what each construct does to the active lanes.
 *
 *     if c … else … endif   lanes with c run the first part, the others the second; then both go on
 *     block … endblock      `exit` takes lanes out of the rest of the block; they join at its end
 *     loop … endloop        runs again while lanes are left in it; `exit` takes lanes out for good,
 *                           `continue` takes them out of the rest of this round
 *
 * `exit n` and `continue n` count enclosing blocks and loops, 0 the innermost; `if` does not count.
 * An instruction changes registers, outputs and private memory of active lanes only.
 */
import type { Instruction, Operand } from './instruction.ts';

export type IsaNode =
  /** Instructions without effect on the execution mask (discard included: it has a mask of its own). */
  | { readonly kind: 'straight'; readonly instructions: readonly Instruction[] }
  | {
      readonly kind: 'if';
      readonly condition: Operand;
      readonly then: readonly IsaNode[];
      readonly else: readonly IsaNode[];
    }
  | { readonly kind: 'block'; readonly body: readonly IsaNode[] }
  | {
      readonly kind: 'loop';
      readonly body: readonly IsaNode[];
      /** Instructions of the body, `endloop` and inner bodies included: the price of a round. */
      readonly instructionCount: number;
    }
  | { readonly kind: 'exit'; readonly depth: number }
  | { readonly kind: 'continue'; readonly depth: number };

/**
 * Reads the tree out of a flat list.
 *
 * @throws {Error} If constructs do not nest or a depth names none, or `continue` names a block.
 */
export function parseStructure(instructions: readonly Instruction[]): IsaNode[] {
  return new StructureParser(instructions).run();
}

class StructureParser {
  readonly #instructions: readonly Instruction[];
  /** Kinds of the blocks and loops around the current instruction, outermost first. */
  readonly #targets: ('block' | 'loop')[] = [];
  #position = 0;

  constructor(instructions: readonly Instruction[]) {
    this.#instructions = instructions;
  }

  run(): IsaNode[] {
    return this.#parseList(['end of code']);
  }

  /** Parses up to one of `ends` and stays on it. */
  #parseList(ends: readonly string[]): IsaNode[] {
    const nodes: IsaNode[] = [];
    let straight: Instruction[] = [];
    const flush = () => {
      if (straight.length > 0) nodes.push({ kind: 'straight', instructions: straight });
      straight = [];
    };
    for (;;) {
      const instruction = this.#instructions[this.#position];
      const mnemonic = instruction?.mnemonic ?? 'end of code';
      if (ends.includes(mnemonic)) {
        flush();
        return nodes;
      }
      if (instruction === undefined) {
        return this.#fail(`found ${mnemonic}, expected ${ends.join(' or ')}`);
      }
      this.#position++;
      const node = this.#parseControl(instruction);
      if (node === null) {
        straight.push(instruction);
      } else {
        flush();
        nodes.push(node);
      }
    }
  }

  /** Parses the construct that `instruction` starts; null if it is not about control flow. */
  #parseControl(instruction: Instruction): IsaNode | null {
    const { mnemonic } = instruction;
    switch (mnemonic) {
      case 'if': {
        const then = this.#parseList(['else', 'endif']);
        const hasElse = this.#instructions[this.#position++]!.mnemonic === 'else';
        const otherwise = hasElse ? this.#parseList(['endif']) : [];
        if (hasElse) this.#position++;
        return { kind: 'if', condition: instruction.sources[0]!, then, else: otherwise };
      }
      case 'block':
        return { kind: 'block', body: this.#parseTarget('block') };
      case 'loop': {
        const start = this.#position;
        const body = this.#parseTarget('loop');
        return { kind: 'loop', body, instructionCount: this.#position - start };
      }
      case 'exit':
      case 'continue':
        return this.#parseJump(mnemonic, instruction.immediates[0]!);
      case 'else':
      case 'endif':
      case 'endblock':
      case 'endloop':
        return this.#fail(`${mnemonic} without its start`);
      default:
        return null;
    }
  }

  /** Parses the body of a block or loop and its end. */
  #parseTarget(kind: 'block' | 'loop'): IsaNode[] {
    this.#targets.push(kind);
    const body = this.#parseList([`end${kind}`]);
    this.#targets.pop();
    this.#position++;
    return body;
  }

  #parseJump(kind: 'exit' | 'continue', depth: number): IsaNode {
    const target = this.#targets[this.#targets.length - 1 - depth];
    if (target === undefined) {
      return this.#fail(`${kind} ${depth} inside ${this.#targets.length} blocks and loops`);
    }
    if (kind === 'continue' && target === 'block') {
      return this.#fail(`continue ${depth} names a block`);
    }
    return { kind, depth };
  }

  #fail(reason: string): never {
    throw new Error(`isa code: instruction ${this.#position}: ${reason}`);
  }
}
