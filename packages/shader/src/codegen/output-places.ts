/**
 * Storage of the outputs of the current group. An output that is written once, by all lanes, is
 * stored to memory directly. Any other is kept in a local that starts as 0 and is stored at the end
 * of the group.
 */
import type { IsaProgram } from '@tessera/frame';
import type { Instruction } from '../isa/instruction.ts';
import type { IsaNode } from '../isa/structure.ts';
import { type Expr, get, type Local, type Stmt, v128 } from '../wasm/index.ts';
import type { GroupState } from './group-state.ts';
import { ZERO } from './vector-operators.ts';

/** Output vectors of one group, at `outputPtr`. */
export class OutputPlaces {
  readonly #state: GroupState;
  readonly #slots: readonly number[];
  readonly #outputPtr: Local;
  readonly #slotBytes: number;
  readonly #localBySlot = new Map<number, Local>();

  /** @param slotBytes Distance from one output of a group to the next. */
  constructor(
    program: IsaProgram,
    nodes: readonly IsaNode[],
    state: GroupState,
    outputPtr: Local,
    slotBytes: number,
  ) {
    this.#slotBytes = slotBytes;
    this.#state = state;
    this.#slots = program.outputSlots;
    this.#outputPtr = outputPtr;
    const direct = findDirectSlots(nodes);
    for (const slot of program.outputSlots) {
      if (!direct.has(slot)) this.#localBySlot.set(slot, state.createLocal());
    }
  }

  /** Emits the code at the start of a group. */
  begin(): Stmt[] {
    return [...this.#localBySlot.values()].map((local) => this.#state.assign(local, ZERO));
  }

  /**
   * Emits a write of one output.
   *
   * @param mask Active lanes; `null` if all four are active.
   */
  write(slot: number, value: Expr, mask: Local | null): Stmt {
    const local = this.#localBySlot.get(slot);
    if (local === undefined) return this.#store(slot, value);
    if (mask === null) return this.#state.assign(local, value);
    const merged = v128.bitselect(value, this.#state.read(local), this.#state.read(mask));
    return this.#state.assign(local, merged);
  }

  /** Emits the code at the end of a group. */
  end(): Stmt[] {
    return [...this.#localBySlot].map(([slot, local]) =>
      this.#store(slot, this.#state.read(local)),
    );
  }

  #store(slot: number, value: Expr): Stmt {
    const offset = this.#slots.indexOf(slot) * this.#slotBytes;
    return v128.store(get(this.#outputPtr), value, { offset });
  }
}

/** Returns the slots with a single write, at the top level, where every lane is active. */
function findDirectSlots(nodes: readonly IsaNode[]): Set<number> {
  const writeCounts = new Map<number, number>();
  const topLevel = new Set<number>();
  const visit = (list: readonly IsaNode[], isTopLevel: boolean) => {
    for (const node of list) {
      if (node.kind === 'straight') countWrites(node.instructions, isTopLevel);
      else if (node.kind === 'if') {
        visit(node.then, false);
        visit(node.else, false);
      } else if ('body' in node) visit(node.body, false);
    }
  };
  const countWrites = (instructions: readonly Instruction[], isTopLevel: boolean) => {
    for (const { mnemonic, immediates } of instructions) {
      if (mnemonic !== 'outf' && mnemonic !== 'outi') continue;
      const slot = immediates[0]!;
      writeCounts.set(slot, (writeCounts.get(slot) ?? 0) + 1);
      if (isTopLevel) topLevel.add(slot);
    }
  };
  visit(nodes, true);
  return new Set([...topLevel].filter((slot) => writeCounts.get(slot) === 1));
}
