/**
 * Control flow of a program as a tree, and the effect of each construct on the active lanes.
 *
 *     if c … else … endif   lanes with c run the first part, the others the second; then both continue
 *     block … endblock      `exit` deactivates lanes for the rest of the block; they rejoin at its end
 *     loop … endloop        repeats while lanes are left in it; `exit` removes lanes from the loop,
 *                           `continue` from the rest of the current round
 *
 * `exit n` and `continue n` count enclosing blocks and loops, 0 for the innermost; `if` does not
 * count. An instruction changes registers, outputs and private memory of active lanes only.
 */
import type { Instruction, Operand } from './instruction.ts';

/** Node of the tree. */
export type IsaNode =
  /**
   * Instructions without effect on the execution mask. This includes discard, which has its own
   * mask.
   */
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
      /** Instructions per round: those of the body, including inner bodies and `endloop`. */
      readonly instructionCount: number;
    }
  | { readonly kind: 'exit'; readonly depth: number }
  | { readonly kind: 'continue'; readonly depth: number };

/**
 * Builds the tree from a flat list.
 *
 * @throws {Error} If constructs do not nest, a depth exceeds the enclosing targets, or `continue`
 *   names a block.
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

  /** Parses up to one of `ends` without consuming it. */
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

  /**
   * Parses the construct that `instruction` starts; returns null if it is not a control
   * instruction.
   */
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
