/**
 * Turns jumps into nesting if that needs no copies: `if (c) { A; exit L } B`, where the end of B
 * also leads to the end of L, becomes `if (c) { A } else { B }`. A block without exits is
 * dissolved. Early returns of inlined functions and the cases of a switch lose their jumps this
 * way.
 */
import type { IrNode, IrProgram, IrRegion } from '../ir.ts';
import { effectsOf, forEachNode, neverFallsThrough } from '../regions.ts';

/**
 * Maximum nesting that the pass creates. A thousand consecutive early returns would nest a thousand
 * deep, and later passes are recursive.
 */
const MAX_DEPTH = 128;

/** Returns `program` with fewer exits and blocks, otherwise the same nodes. */
export function structureExits(program: IrProgram): IrProgram {
  return { ...program, body: structureRegion(program.body, new Set(), 0) };
}

/** Jumps that are equivalent to reaching the end: `exit` labels, and `~label` for `continue`. */
type Tail = ReadonlySet<number>;
const NO_TAIL: Tail = new Set();

function jumpKey(node: IrNode & { kind: 'exit' | 'continue' }): number {
  return node.kind === 'exit' ? node.label : ~node.label;
}

/** @param depth Number of regions around `region`. */
function structureRegion(region: IrRegion, tail: Tail, depth: number): IrRegion {
  const result: IrNode[] = [];
  for (let k = 0; k < region.length; k++) {
    const node = asBlockIfOnce(region[k]!);
    const isLast = k + 1 === region.length;
    switch (node.kind) {
      case 'exit':
      case 'continue':
        if (!tail.has(jumpKey(node))) result.push(node);
        return result;
      case 'if': {
        const [thenEnds, elseEnds] = [endsInTail(node.then, tail), endsInTail(node.else, tail)];
        if (!isLast && depth < MAX_DEPTH && (thenEnds || elseEnds)) {
          const rest = region.slice(k + 1);
          const moved: IrNode = {
            ...node,
            then: thenEnds ? node.then : continueWith(node.then, rest),
            else: elseEnds ? node.else : continueWith(node.else, rest),
          };
          // If both branches end in jumps, the rest is unreachable. If one does, the other one
          // receives the rest.
          result.push(structureIf(moved, tail, depth + 1));
          return result;
        }
        result.push(structureIf(node, isLast ? tail : NO_TAIL, depth + 1));
        break;
      }
      case 'block': {
        const inner = new Set(isLast ? tail : NO_TAIL);
        inner.add(node.label);
        const body = structureRegion(node.body, inner, depth + 1);
        if (effectsOf(body).exits.has(node.label)) result.push({ ...node, body });
        else if (neverFallsThrough(body)) return [...result, ...body];
        else result.push(...body);
        break;
      }
      case 'loop':
        result.push({
          ...node,
          body: structureRegion(node.body, new Set([~node.label]), depth + 1),
        });
        break;
      default:
        result.push(node);
    }
  }
  return result;
}

/** Returns a block in place of a loop that never repeats. */
function asBlockIfOnce(node: IrNode): IrNode {
  if (node.kind !== 'loop' || !neverFallsThrough(node.body)) return node;
  return continuesTo(node.body, node.label) ? node : { ...node, kind: 'block' };
}

function continuesTo(region: IrRegion, label: number): boolean {
  let found = false;
  forEachNode(region, (node) => {
    found ||= node.kind === 'continue' && node.label === label;
  });
  return found;
}

function structureIf(node: IrNode & { kind: 'if' }, tail: Tail, depth: number): IrNode {
  return {
    ...node,
    then: structureRegion(node.then, tail, depth),
    else: structureRegion(node.else, tail, depth),
  };
}

function continueWith(arm: IrRegion, rest: IrRegion): IrRegion {
  return neverFallsThrough(arm) ? arm : [...arm, ...rest];
}

/** Whether all paths through `region` end in jumps that `tail` makes redundant. */
function endsInTail(region: IrRegion, tail: Tail): boolean {
  const last = region.at(-1);
  if (last?.kind === 'exit' || last?.kind === 'continue') return tail.has(jumpKey(last));
  return last?.kind === 'if' && endsInTail(last.then, tail) && endsInTail(last.else, tail);
}
