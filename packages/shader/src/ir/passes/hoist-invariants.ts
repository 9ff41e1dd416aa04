/**
 * Moves loop-invariant computations in front of the loop. No operator can trap, so an operator may
 * run even if no iteration would have reached it. Lookups are expensive, so they move only if each
 * iteration executes them.
 */

import type { IrNode, IrProgram, IrRegion } from '../ir.ts';
import { IrBuilder } from '../ir-builder.ts';
import { effectsOf, operandsOf, regionsOf, resultsOf } from '../regions.ts';

/**
 * Returns `program` with invariant nodes moved out of as many loops as possible, or `program`
 * itself if it has no loop.
 */
export function hoistInvariants(program: IrProgram): IrProgram {
  if (!hasLoop(program.body)) return program;
  const builder = new IrBuilder(program);
  hoistRegion(builder, program.body);
  return builder.finish(program.stage);
}

function hasLoop(region: IrRegion): boolean {
  return region.some((node) => node.kind === 'loop' || regionsOf(node).some(hasLoop));
}

function hoistRegion(builder: IrBuilder, region: IrRegion): void {
  for (const node of region) {
    switch (node.kind) {
      case 'if':
        builder.emit({
          ...node,
          then: builder.buildRegion(() => hoistRegion(builder, node.then)),
          else: builder.buildRegion(() => hoistRegion(builder, node.else)),
        });
        break;
      case 'block':
        builder.emit({ ...node, body: builder.buildRegion(() => hoistRegion(builder, node.body)) });
        break;
      case 'loop': {
        // Inner loops come first: nodes that leave them may leave this one, too.
        const inner = builder.buildRegion(() => hoistRegion(builder, node.body));
        const split = new LoopSplit(inner);
        const body = split.region(inner, true);
        for (const moved of split.moved) builder.emit(moved);
        builder.emit({ ...node, body });
        break;
      }
      default:
        builder.emit(node);
    }
  }
}

/** Splits a loop body into the nodes that move in front of the loop and those that stay. */
class LoopSplit {
  readonly moved: IrNode[] = [];
  readonly #effects: ReturnType<typeof effectsOf>;
  /** Values defined in the loop by nodes that stay. */
  readonly #staying = new Set<number>();

  constructor(body: IrRegion) {
    this.#effects = effectsOf(body);
  }

  /**
   * Returns the nodes of `region` that stay.
   *
   * @param isAlways Whether each iteration executes the region.
   */
  region(region: IrRegion, isAlways: boolean): IrRegion {
    const kept: IrNode[] = [];
    let passesHere = isAlways;
    for (const node of region) {
      switch (node.kind) {
        case 'if': {
          const thenArm = this.region(node.then, false);
          const elseArm = this.region(node.else, false);
          kept.push({ ...node, then: thenArm, else: elseArm });
          if (effectsOf(node.then).exits.size > 0 || effectsOf(node.else).exits.size > 0) {
            passesHere = false;
          }
          break;
        }
        case 'block':
          kept.push({ ...node, body: this.region(node.body, passesHere) });
          break;
        case 'loop':
          kept.push({ ...node, body: this.region(node.body, false) });
          break;
        default:
          if (this.#isInvariant(node, passesHere)) this.moved.push(node);
          else {
            for (const { id } of resultsOf(node)) this.#staying.add(id);
            kept.push(node);
          }
      }
    }
    return kept;
  }

  #isInvariant(node: IrNode, isAlways: boolean): boolean {
    if (operandsOf(node).some(({ id }) => this.#staying.has(id))) return false;
    switch (node.kind) {
      case 'operator':
        // Derivatives depend on the neighbors that run with this invocation.
        return node.op !== 'fddx' && node.op !== 'fddy';
      case 'constant':
      case 'uniform':
      case 'input':
      case 'builtinInput':
        return true;
      case 'readVariable':
        return !this.#effects.writtenVariables.has(node.variable);
      case 'readArray':
        return !this.#effects.writtenArrays.has(node.array);
      case 'texture':
        return isAlways && (node.operation === 'lod' || node.operation === 'fetch');
      case 'textureSize':
        return isAlways;
      default:
        return false;
    }
  }
}
