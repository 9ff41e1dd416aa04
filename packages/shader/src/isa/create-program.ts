/** Creation of an `IsaProgram` from decoded instructions. */
import type { IsaProgram } from '@tessera/frame';
import { TEXTURE_OPERATIONS } from '../ir/ir.ts';
import { encodeInstructions, type Instruction, type Operand } from './instruction.ts';
import { BUILTIN_NAMES, INTERPOLATIONS, instructionInfo } from './instructions.ts';
import { parseStructure } from './structure.ts';

/**
 * Encodes `instructions` and derives which inputs, outputs and features the program uses.
 *
 * @throws {Error} If control flow does not nest, a field is out of range, or a vertex program
 *   contains a fragment-only instruction.
 */
export function createIsaProgram(
  stage: IsaProgram['stage'],
  instructions: readonly Instruction[],
): IsaProgram {
  parseStructure(instructions);
  const inputSlots = new Set<number>();
  const flatInputSlots = new Set<number>();
  const outputSlots = new Set<number>();
  const builtins = new Set<string>();
  let usesDiscard = false;
  let usesDerivatives = false;
  let registerCount = 0;
  let arrayWords = 0;
  for (const { mnemonic, result, immediates, sources } of instructions) {
    registerCount = Math.max(registerCount, result + instructionInfo(mnemonic).resultCount);
    for (const source of sources) registerCount = Math.max(registerCount, registerEnd(source));
    const first = immediates[0] ?? 0;
    const second = immediates[1] ?? 0;
    switch (mnemonic) {
      case 'input':
        inputSlots.add(first);
        if (INTERPOLATIONS[second] === 'flat') flatInputSlots.add(first);
        break;
      case 'builtin':
        builtins.add(BUILTIN_NAMES[first]!);
        break;
      case 'outf':
      case 'outi':
        outputSlots.add(first);
        break;
      case 'aload':
      case 'astore':
        arrayWords = Math.max(arrayWords, first + second);
        break;
      case 'tex': {
        const operation = TEXTURE_OPERATIONS[second];
        usesDerivatives ||= operation === 'implicit' || operation === 'bias';
        break;
      }
      case 'fddx':
      case 'fddy':
        usesDerivatives = true;
        break;
      case 'discard':
        usesDiscard = true;
        break;
      default:
    }
  }
  if (stage === 'vertex' && (usesDiscard || instructions.some(isDerivative))) {
    throw new Error('isa code: discard and derivatives are only allowed in fragment programs');
  }
  const { code, literals } = encodeInstructions(instructions);
  return {
    stage,
    code,
    literals,
    registerCount,
    arrayWords,
    inputSlots: sorted(inputSlots),
    flatInputSlots: stage === 'fragment' ? sorted(flatInputSlots) : [],
    outputSlots: sorted(outputSlots),
    usesDiscard,
    usesDerivatives,
    usesVertexId: builtins.has('vertexId'),
    usesInstanceId: builtins.has('instanceId'),
  };
}

function isDerivative({ mnemonic }: Instruction): boolean {
  return mnemonic === 'fddx' || mnemonic === 'fddy';
}

function registerEnd(source: Operand): number {
  return source.kind === 'register' ? source.index + 1 : 0;
}

function sorted(slots: ReadonlySet<number>): number[] {
  return [...slots].sort((a, b) => a - b);
}
