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
  let position = 0;
  const targets: ('block' | 'loop')[] = [];

  const fail = (what: string): never => {
    throw new Error(`isa code: instruction ${position}: ${what}`);
  };

  const parseTarget = (kind: 'block' | 'loop'): IsaNode[] => {
    targets.push(kind);
    const body = parseList([`end${kind}`]);
    targets.pop();
    return body;
  };

  /** Parses up to one of `ends` and passes it. */
  const parseList = (ends: readonly string[]): IsaNode[] => {
    const nodes: IsaNode[] = [];
    let straight: Instruction[] = [];
    const flush = () => {
      if (straight.length > 0) nodes.push({ kind: 'straight', instructions: straight });
      straight = [];
    };
    for (;;) {
      const instruction = instructions[position];
      const mnemonic = instruction?.mnemonic ?? 'end of code';
      if (ends.includes(mnemonic)) {
        flush();
        return nodes;
      }
      if (instruction === undefined) return fail(`found ${mnemonic}, wanted ${ends.join(' or ')}`);
      position++;
      switch (mnemonic) {
        case 'if': {
          flush();
          const then = parseList(['else', 'endif']);
          const hasElse = instructions[position++]!.mnemonic === 'else';
          const otherwise = hasElse ? parseList(['endif']) : [];
          if (hasElse) position++;
          nodes.push({ kind: 'if', condition: instruction.sources[0]!, then, else: otherwise });
          break;
        }
        case 'block': {
          flush();
          nodes.push({ kind: 'block', body: parseTarget('block') });
          position++;
          break;
        }
        case 'loop': {
          flush();
          const start = position;
          const body = parseTarget('loop');
          nodes.push({ kind: 'loop', body, instructionCount: position - start + 1 });
          position++;
          break;
        }
        case 'exit':
        case 'continue': {
          flush();
          const depth = instruction.immediates[0]!;
          const target = targets[targets.length - 1 - depth];
          if (target === undefined) fail(`${mnemonic} ${depth} inside ${targets.length} targets`);
          if (mnemonic === 'continue' && target === 'block')
            fail(`continue ${depth} names a block`);
          nodes.push({ kind: mnemonic, depth });
          break;
        }
        case 'else':
        case 'endif':
        case 'endblock':
        case 'endloop':
          fail(`${mnemonic} without its start`);
          break;
        default:
          straight.push(instruction);
      }
    }
  };

  const nodes = parseList(['end of code']);
  return nodes;
}
