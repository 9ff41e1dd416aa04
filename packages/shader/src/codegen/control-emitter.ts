/**
 * Structured control flow of one group of four lanes, except for loops, which warp-emitter.ts
 * handles.
 *
 * Every body that lanes can enter or leave separately has a mask of its active lanes. An `exit`
 * removes its lanes from the masks of all bodies from the innermost one to its target. A `continue`
 * keeps them in the mask of the loop's lanes. Nothing has to be merged at the end of a body,
 * because the mask of the enclosing body is always up to date.
 */

import type { Operand } from '../isa/instruction.ts';
import type { IsaNode } from '../isa/structure.ts';
import { mayLeave } from '../isa/structure-properties.ts';
import { type Expr, get, ifThen, type Local, type Stmt, set, v128 } from '../wasm/index.ts';
import type { ExecutionLogEmitter } from './execution-log.ts';
import type { InstructionEmitter } from './instruction-emitter.ts';
import type { KernelEnvironment } from './kernel-environment.ts';
import { isWorthSkipping } from './segment-cost.ts';
import { ALL_ONES } from './vector-operators.ts';

/** List of nodes under one mask. */
export interface Body {
  /** Active lanes; `null` for the program itself, in which all four are active. */
  readonly mask: Local | null;
  /** Whether the body is that of a block or a loop, which `exit` and `continue` count. */
  readonly isTarget: boolean;
  /** Lanes that are still in a loop with a `continue`; `mask` has those of the current round. */
  readonly loopMask: Local | null;
}

/** Emits control flow and tracks the masks of the enclosing bodies. */
export class ControlEmitter {
  readonly #environment: KernelEnvironment;
  readonly #instructions: InstructionEmitter;
  readonly #log: ExecutionLogEmitter | null;
  readonly #bodies: Body[] = [{ mask: null, isTarget: false, loopMask: null }];

  constructor(
    environment: KernelEnvironment,
    instructions: InstructionEmitter,
    log: ExecutionLogEmitter | null,
  ) {
    this.#environment = environment;
    this.#instructions = instructions;
    this.#log = log;
  }

  /** Mask of the current body; `null` if all four lanes are active. */
  get mask(): Local | null {
    return this.#bodies.at(-1)!.mask;
  }

  /** Returns the active lanes of the current body as a vector. */
  activeLanes(): Expr {
    const { mask } = this;
    return mask === null ? ALL_ONES : this.#environment.state.read(mask);
  }

  /** Makes `body` the current body. */
  enter(body: Body): void {
    this.#bodies.push(body);
  }

  /** Returns to the enclosing body. */
  leave(): void {
    this.#bodies.pop();
  }

  /** Returns the active lanes in which `condition` is true, and those in which it is false. */
  sideMasks(condition: Operand): [Expr, Expr] {
    const { mask } = this;
    const { state } = this.#environment;
    const lanes = this.#environment.operand(condition);
    if (mask === null) return [lanes, v128.not(lanes)];
    return [v128.and(state.read(mask), lanes), v128.andnot(state.read(mask), lanes)];
  }

  /** Emits the log of a section of the current body; nothing if none starts at `first`. */
  logSection(first: IsaNode | undefined): Stmt[] {
    if (this.#log === null || first === undefined) return [];
    const { state, discarded, program } = this.#environment;
    const lanes = program.usesDiscard ? state.read(discarded) : null;
    return this.#log.logSection(first, this.activeLanes(), lanes);
  }

  /** Emits `nodes` in the current body, for one group. */
  emitNodes(nodes: readonly IsaNode[]): Stmt[] {
    return this.#emitList(nodes);
  }

  /** Emits `nodes`. After a node that lanes may leave, the rest is skipped if no lane is left. */
  #emitList(nodes: readonly IsaNode[]): Stmt[] {
    const code: Stmt[] = [];
    for (const [position, node] of nodes.entries()) {
      code.push(...this.#emitNode(node));
      if (node.kind === 'exit' || node.kind === 'continue') return code;
      const rest = nodes.slice(position + 1);
      if (rest.length === 0) continue;
      const logged = this.logSection(rest[0]);
      if (!mayLeave(node)) {
        code.push(...logged);
        continue;
      }
      const mask = this.mask;
      if (mask === null) throw new Error('isa code: exit or continue outside of all targets');
      code.push(...this.#emitGuarded(mask, rest, [...logged, ...this.#emitList(rest)]));
      return code;
    }
    return code;
  }

  #emitNode(node: IsaNode): Stmt[] {
    switch (node.kind) {
      case 'straight':
        return node.instructions.flatMap((instruction) =>
          this.#instructions.emit(instruction, this.mask),
        );
      case 'if':
        return this.#emitIf(node);
      case 'block': {
        const mask = this.#environment.fn.local('v128');
        const body = { mask, isTarget: true, loopMask: null };
        return [set(mask, this.activeLanes()), ...this.#emitBody(body, node.body)];
      }
      case 'loop':
        throw new Error('a loop was passed to the emitter of code without loops');
      case 'exit':
      case 'continue':
        return this.#emitLeave(node.kind, node.depth);
    }
  }

  #emitIf(node: Extract<IsaNode, { kind: 'if' }>): Stmt[] {
    const { fn } = this.#environment;
    const code: Stmt[] = [];
    const parts: Stmt[] = [];
    // Both masks are computed first because the branches may change the condition's register.
    for (const [position, lanes] of this.sideMasks(node.condition).entries()) {
      const nodes = position === 0 ? node.then : node.else;
      if (nodes.length === 0) continue;
      const mask = fn.local('v128');
      code.push(set(mask, lanes));
      const body = { mask, isTarget: false, loopMask: null };
      parts.push(...this.#emitGuarded(mask, nodes, this.#emitBody(body, nodes)));
    }
    return [...code, ...parts];
  }

  /**
   * Wraps the code of `nodes` in a branch that skips it if `mask` is empty. Omits the branch if it
   * costs more than it saves.
   */
  #emitGuarded(mask: Local, nodes: readonly IsaNode[], code: Stmt[]): Stmt[] {
    if (!isWorthSkipping(nodes)) return code;
    return [ifThen(v128.anyTrue(this.#environment.state.read(mask)), code)];
  }

  #emitLeave(kind: 'exit' | 'continue', depth: number): Stmt[] {
    const current = this.mask;
    if (current === null) throw new Error('isa code: exit or continue outside of all targets');
    const leaving = this.#environment.fn.local('v128');
    const { state } = this.#environment;
    const code: Stmt[] = [set(leaving, state.read(current))];
    const take = (mask: Local) =>
      code.push(state.assign(mask, v128.andnot(state.read(mask), get(leaving))));
    let targetsLeft = depth;
    for (let position = this.#bodies.length - 1; ; position--) {
      const body = this.#bodies[position]!;
      const isTheTarget = body.isTarget && targetsLeft-- === 0;
      if (body.mask !== null) take(body.mask);
      if (body.loopMask !== null && !(isTheTarget && kind === 'continue')) take(body.loopMask);
      if (isTheTarget) return code;
    }
  }

  #emitBody(body: Body, nodes: readonly IsaNode[]): Stmt[] {
    this.enter(body);
    const logged = body.isTarget ? [] : this.logSection(nodes[0]);
    const code = [...logged, ...this.#emitList(nodes)];
    this.leave();
    return code;
  }
}

/** Whether a `continue` in `nodes` names the target `depth` levels out. */
export function hasContinue(nodes: readonly IsaNode[], depth: number): boolean {
  return nodes.some((node) => continuesTo(node, depth));
}

function continuesTo(node: IsaNode, depth: number): boolean {
  switch (node.kind) {
    case 'straight':
    case 'exit':
      return false;
    case 'continue':
      return node.depth === depth;
    case 'if':
      return hasContinue(node.then, depth) || hasContinue(node.else, depth);
    case 'block':
    case 'loop':
      return hasContinue(node.body, depth + 1);
  }
}
