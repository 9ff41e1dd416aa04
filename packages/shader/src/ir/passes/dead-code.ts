/**
 * Removes code that no output needs: unused values, writes to variables that are overwritten or
 * never read, writes to arrays that are never read, and regions left without effect.
 *
 * The walk runs backwards and tracks the variables that are read later. The body of a loop is
 * walked until the variables live at its head stop growing. A loop without any effect is removed on
 * the assumption that it terminates, unless it has no exit.
 */
import type { IrNode, IrProgram, IrRegion } from '../ir.ts';
import { forEachNode, operandsOf } from '../regions.ts';

/** Returns `program` without dead code. */
export function removeDeadCode(program: IrProgram): IrProgram {
  const readArrays = new Set<number>();
  forEachNode(program.body, (node) => {
    if (node.kind === 'readArray') readArrays.add(node.array);
  });
  const walk = new LivenessWalk(readArrays, program.valueCount);
  return { ...program, body: walk.region(program.body, new Set()).region };
}

/** Iterations over a loop body after which all variables it reads are assumed live. */
const MAX_LOOP_ROUNDS = 6;

interface Walked {
  readonly region: IrRegion;
  /** Variables live at the start of the region. */
  readonly live: Set<number>;
}

class LivenessWalk {
  readonly #readArrays: ReadonlySet<number>;
  readonly #isNeeded: Uint8Array;
  /** Variables live at the target of an `exit` or `continue`, by label. */
  readonly #liveAtExit = new Map<number, ReadonlySet<number>>();
  readonly #liveAtContinue = new Map<number, ReadonlySet<number>>();

  constructor(readArrays: ReadonlySet<number>, valueCount: number) {
    this.#readArrays = readArrays;
    this.#isNeeded = new Uint8Array(valueCount);
  }

  region(region: IrRegion, liveAfter: ReadonlySet<number>): Walked {
    let live = new Set(liveAfter);
    const kept: IrNode[] = [];
    for (let k = region.length - 1; k >= 0; k--) {
      const node = region[k]!;
      switch (node.kind) {
        case 'writeVariable':
          if (!live.has(node.variable)) continue;
          live.delete(node.variable);
          break;
        case 'writeArray':
          if (!this.#readArrays.has(node.array)) continue;
          break;
        case 'if': {
          const thenArm = this.region(node.then, live);
          const elseArm = this.region(node.else, live);
          if (thenArm.region.length === 0 && elseArm.region.length === 0) continue;
          live = union(thenArm.live, elseArm.live);
          this.#need(node);
          kept.push({ ...node, then: thenArm.region, else: elseArm.region });
          continue;
        }
        case 'block': {
          this.#liveAtExit.set(node.label, live);
          const body = this.region(node.body, live);
          if (!hasEffect(body.region, node.label, live)) continue;
          live = body.live;
          kept.push({ ...node, body: body.region });
          continue;
        }
        case 'loop': {
          // A variable that only the loop itself reads does not keep it alive.
          if (!hasEffect(node.body, node.label, live) && canBeLeft(node.body)) continue;
          const body = this.#loop(node, live);
          live = body.live;
          kept.push({ ...node, body: body.region });
          continue;
        }
        case 'exit':
          live = new Set(this.#liveAtExit.get(node.label)!);
          break;
        case 'continue':
          live = new Set(this.#liveAtContinue.get(node.label)!);
          break;
        case 'output':
        case 'discard':
          break;
        default:
          if (!this.#definesNeeded(node)) continue;
          if (node.kind === 'readVariable') live.add(node.variable);
          break;
      }
      this.#need(node);
      kept.push(node);
    }
    return { region: kept.reverse(), live };
  }

  #need(node: IrNode): void {
    for (const { id } of operandsOf(node)) this.#isNeeded[id] = 1;
  }

  #definesNeeded(node: IrNode): boolean {
    if ('result' in node) return this.#isNeeded[node.result.id] === 1;
    return 'results' in node && node.results.some(({ id }) => this.#isNeeded[id] === 1);
  }

  #loop(node: IrNode & { kind: 'loop' }, liveAfter: ReadonlySet<number>): Walked {
    this.#liveAtExit.set(node.label, liveAfter);
    let liveAtHead: ReadonlySet<number> = new Set();
    for (let round = 1; ; round++) {
      // Chains such as `a = b; b = c; …` grow by one per iteration, so all that the body reads is
      // assumed live.
      if (round === MAX_LOOP_ROUNDS) liveAtHead = union(liveAtHead, variablesReadIn(node.body));
      this.#liveAtContinue.set(node.label, liveAtHead);
      const body = this.region(node.body, liveAtHead);
      const grown = union(liveAtHead, body.live);
      if (grown.size === liveAtHead.size) return body;
      liveAtHead = grown;
    }
  }
}

/**
 * Whether `region`, the body of `label`, does more than compute, jump to the end or head of
 * `label`, and write variables that are not in `live`.
 */
function hasEffect(region: IrRegion, label: number, live: ReadonlySet<number>): boolean {
  const own = new Set([label]);
  let found = false;
  forEachNode(region, (node) => {
    switch (node.kind) {
      case 'block':
      case 'loop':
        own.add(node.label);
        break;
      case 'exit':
      case 'continue':
        found ||= !own.has(node.label);
        break;
      case 'writeVariable':
        found ||= live.has(node.variable);
        break;
      case 'writeArray':
      case 'output':
      case 'discard':
        found = true;
        break;
    }
  });
  return found;
}

/** Whether an exit in `region`, the body of a loop, leaves the loop. */
function canBeLeft(region: IrRegion): boolean {
  const inner = new Set<number>();
  let found = false;
  forEachNode(region, (node) => {
    if (node.kind === 'block' || node.kind === 'loop') inner.add(node.label);
    else if (node.kind === 'exit') found ||= !inner.has(node.label);
  });
  return found;
}

function variablesReadIn(region: IrRegion): Set<number> {
  const variables = new Set<number>();
  forEachNode(region, (node) => {
    if (node.kind === 'readVariable') variables.add(node.variable);
  });
  return variables;
}

function union(a: ReadonlySet<number>, b: ReadonlySet<number>): Set<number> {
  const result = new Set(a);
  for (const element of b) result.add(element);
  return result;
}
