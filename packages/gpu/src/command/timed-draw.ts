/** What the timing of a draw depends on, beside its records: clauses of its programs, bytes, depth stage. */
import { FRAGMENT_DEPTH_SLOT, type IsaProgram } from '@tessera/frame';
import { decodeInstructions } from '@tessera/shader/isa';
import { chooseDepthStage, type DepthStage } from '../raster/early-depth.ts';
import type { HierarchicalDepthUse } from '../raster/hierarchical-depth.ts';
import { NO_TEXTURE } from '../sim/bin-log.ts';
import type { BoundDraw, VertexStage } from './bound-draw.ts';

/** Instructions up to and including a lookup of `texture`, or to the end of the program (NO_TEXTURE). */
export interface Clause {
  readonly instructions: number;
  readonly texture: number;
}

export interface TimedDraw {
  readonly vertexClauses: readonly Clause[];
  readonly fragmentClauses: readonly Clause[];
  readonly vertexBytes: number;
  readonly components: number;
  readonly hasFragmentLoops: boolean;
  readonly depthStage: DepthStage;
  readonly readsTarget: boolean;
  /** How hierarchical depth may use and must keep its bounds. */
  readonly hierarchicalDepth: HierarchicalDepthUse;
}

/** @param stage The vertex stage that runs: the full one or that of the visibility phase. */
export function makeTimedDraw(bound: BoundDraw, stage: VertexStage): TimedDraw {
  const { state } = bound.draw;
  const { fragment } = bound.program;
  const depthStage = chooseDepthStage(state.depth, state.stencil.isTestEnabled, {
    usesDiscard: fragment.usesDiscard,
    writesDepth: fragment.outputSlots.includes(FRAGMENT_DEPTH_SLOT),
  });
  const { compare, isTestEnabled, isWriteEnabled } = state.depth;
  const isNearer = compare === 'less' || compare === 'less-equal';
  const neverRaises = isNearer || compare === 'equal' || compare === 'never';
  return {
    vertexClauses: splitIntoClauses(stage.program),
    fragmentClauses: splitIntoClauses(fragment),
    vertexBytes: stage.fetch.buffers.reduce(
      (sum, { components, componentBytes }) => sum + components.length * componentBytes,
      0,
    ),
    components: fragment.inputSlots.length,
    hasFragmentLoops: hasLoops(fragment),
    depthStage,
    readsTarget: state.blend.isEnabled || depthStage === 'late',
    hierarchicalDepth:
      depthStage === 'early' && isNearer
        ? isWriteEnabled
          ? 'test'
          : 'test-only'
        : isTestEnabled && isWriteEnabled && !neverRaises
          ? 'raise'
          : 'keep',
  };
}

function hasLoops({ code, literals }: IsaProgram): boolean {
  return decodeInstructions(code, literals).some(({ mnemonic }) => mnemonic === 'loop');
}

/**
 * Cuts code at its lookups. Both sides of a condition count. Instructions inside a loop do not: the kernel
 * counts them; a lookup inside one ends a clause once.
 */
export function splitIntoClauses(program: IsaProgram): readonly Clause[] {
  const clauses: Clause[] = [];
  let instructions = 0;
  let depth = 0;
  for (const { mnemonic, immediates } of decodeInstructions(program.code, program.literals)) {
    if (depth === 0) instructions++;
    if (mnemonic === 'loop') depth++;
    if (mnemonic === 'endloop') depth--;
    if (mnemonic !== 'tex') continue;
    clauses.push({ instructions: Math.max(1, instructions), texture: immediates[0]! });
    instructions = 0;
  }
  clauses.push({ instructions: Math.max(1, instructions), texture: NO_TEXTURE });
  return clauses;
}
