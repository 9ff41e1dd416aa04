/**
 * Control flow of programs with loops: a warp of up to eight groups runs side by side.
 *
 * If each group looped alone, every instruction would wait for the previous one. Eight groups are
 * eight independent chains. A warp therefore goes through the loops of the program together. Each
 * segment of code without a loop runs for one group after the other, and a loop repeats while a
 * lane of any group is in it. Between segments the state of a group (live registers, masks,
 * outputs) is in its frame in memory. Inside a segment the control flow is that of a program
 * without loops.
 */
import type { Instruction } from '../isa/instruction.ts';
import { STAGE_STATUS, VECTOR_BYTES } from '../isa/stage-memory.ts';
import type { IsaNode } from '../isa/structure.ts';
import { containsLoop, instructionsOf } from '../isa/structure-properties.ts';
import {
  block,
  br,
  brIf,
  createLabel,
  type Expr,
  get,
  i32,
  i32x4,
  ifThen,
  type Local,
  loop,
  ret,
  type Stmt,
  set,
  v128,
} from '../wasm/index.ts';
import { type Body, type ControlEmitter, hasContinue } from './control-emitter.ts';
import type { ExecutionLogEmitter } from './execution-log.ts';
import type { KernelEnvironment } from './kernel-environment.ts';
import type { Liveness } from './liveness.ts';
import type { RegisterSet } from './register-set.ts';
import { isWorthSkipping } from './segment-cost.ts';
import { ZERO } from './vector-operators.ts';

/** Positions of the groups of the current warp; all i32. */
export interface WarpPointers {
  /** First group of the warp; `group` is the current one. */
  readonly warpGroup: Local;
  readonly group: Local;
  readonly warpOutput: Local;
  readonly output: Local;
  readonly warpFrame: Local;
  readonly frame: Local;
  readonly groupCount: Local;
  readonly groupsLeft: Local;
}

/** Distances from one group to the next. */
export interface WarpStrides {
  readonly groupBytes: number;
  readonly outputBytes: number;
  readonly frameBytes: number;
}

/** Emits the code that runs a program with loops for one warp. */
export class WarpEmitter {
  readonly #environment: KernelEnvironment;
  readonly #control: ControlEmitter;
  readonly #liveness: Liveness;
  readonly #pointers: WarpPointers;
  readonly #strides: WarpStrides;
  readonly #instructionBudget: number;
  readonly #stopCheck: readonly Stmt[];
  readonly #log: ExecutionLogEmitter | null;
  /** Code of the current segment, for one group. */
  #segment: Stmt[] = [];
  #instructions: Instruction[] = [];
  /** Registers live at the start of the segment; `null` before its first node. */
  #aliveAtStart: RegisterSet | null = null;

  constructor(
    environment: KernelEnvironment,
    control: ControlEmitter,
    liveness: Liveness,
    pointers: WarpPointers,
    strides: WarpStrides,
    instructionBudget: number,
    stopCheck: readonly Stmt[],
    log: ExecutionLogEmitter | null,
  ) {
    this.#environment = environment;
    this.#control = control;
    this.#liveness = liveness;
    this.#pointers = pointers;
    this.#strides = strides;
    this.#instructionBudget = instructionBudget;
    this.#stopCheck = stopCheck;
    this.#log = log;
  }

  /**
   * Emits the whole program for one warp.
   *
   * @param begin Builds the code at the start of each group.
   * @param end Builds the code at the end of each group.
   */
  emitProgram(nodes: readonly IsaNode[], begin: () => Stmt[], end: () => Stmt[]): Stmt[] {
    this.#segment.push(...begin());
    const code = this.#emitList(nodes);
    this.#segment.push(...end());
    return [...code, ...this.#endSegment(null)];
  }

  /** Emits `nodes` and leaves the last segment open, so that later code may join it. */
  #emitList(nodes: readonly IsaNode[]): Stmt[] {
    const code: Stmt[] = [];
    let position = 0;
    while (position < nodes.length) {
      const node = nodes[position]!;
      // The rest of a body; a side is logged where it is entered.
      if (position > 0) this.#segment.push(...this.#control.logSection(node));
      if (containsLoop(node)) {
        code.push(...this.#emitAroundLoops(node));
        position++;
        continue;
      }
      const start = position;
      while (position < nodes.length && !containsLoop(nodes[position]!)) position++;
      this.#addToStretch(nodes.slice(start, position));
    }
    return code;
  }

  #addToStretch(nodes: readonly IsaNode[]): void {
    const [first] = nodes;
    if (first === undefined) return;
    this.#aliveAtStart ??= this.#liveness.before.get(first)!;
    this.#instructions.push(...nodes.flatMap(instructionsOf));
    const code = this.#control.emitNodes(nodes);
    const { mask } = this.#control;
    if (mask === null || !isWorthSkipping(nodes)) this.#segment.push(...code);
    else this.#segment.push(ifThen(v128.anyTrue(this.#environment.state.read(mask)), code));
  }

  #emitAroundLoops(node: IsaNode): Stmt[] {
    switch (node.kind) {
      case 'block': {
        const mask = this.#environment.state.createLocal();
        this.#segment.push(this.#environment.state.assign(mask, this.#control.activeLanes()));
        return this.#emitBody({ mask, isTarget: true, loopMask: null }, node.body);
      }
      case 'if':
        return this.#emitIf(node);
      case 'loop':
        return this.#emitLoop(node);
      default:
        throw new Error(`${node.kind} contains no loop`);
    }
  }

  #emitIf(node: Extract<IsaNode, { kind: 'if' }>): Stmt[] {
    const { state, fn } = this.#environment;
    this.#aliveAtStart ??= this.#liveness.before.get(node)!;
    const sides = this.#control.sideMasks(node.condition).map((lanes, position) => {
      const nodes = position === 0 ? node.then : node.else;
      return { nodes, lanes, mask: state.createLocal(), groupsInside: fn.local('i32') };
    });
    const used = sides.filter(({ nodes }) => nodes.length > 0);
    for (const { mask, lanes, groupsInside } of used) {
      this.#segment.push(state.assign(mask, lanes), this.#countGroup(groupsInside, mask));
    }
    const code = used.map(({ groupsInside }) => set(groupsInside, i32.const(0)));
    code.push(...this.#endSegment(this.#liveness.before.get(node)!));
    for (const { nodes, mask, groupsInside } of used) {
      const part = this.#emitBody({ mask, isTarget: false, loopMask: null }, nodes);
      part.push(...this.#endSegment(this.#liveness.after.get(nodes.at(-1)!)!));
      code.push(ifThen(get(groupsInside), part));
    }
    return code;
  }

  #emitLoop(node: Extract<IsaNode, { kind: 'loop' }>): Stmt[] {
    const { state, fn } = this.#environment;
    this.#aliveAtStart ??= this.#liveness.before.get(node)!;
    const mask = state.createLocal();
    const loopMask = hasContinue(node.body, 0) ? state.createLocal() : null;
    const lanes = loopMask ?? mask;
    const groupsInside = fn.local('i32');
    const done = createLabel('done');
    const again = createLabel('again');
    const alive = this.#liveness.before.get(node)!;

    this.#segment.push(
      state.assign(lanes, this.#control.activeLanes()),
      this.#countGroup(groupsInside, lanes),
    );
    const logged = this.#beginLoggedLoop();
    const code = [
      set(groupsInside, i32.const(0)),
      ...(logged?.enter ?? []),
      ...this.#endSegment(alive),
    ];

    const round: Stmt[] = [
      ...this.#stopCheck,
      brIf(done, i32.eqz(get(groupsInside))),
      set(groupsInside, i32.const(0)),
      ...(logged?.begin ?? []),
    ];
    if (loopMask !== null) this.#segment.push(state.assign(mask, state.read(loopMask)));
    this.#segment.push(...this.#chargeBudget(mask, node.instructionCount));
    if (logged !== null) this.#segment.push(this.#countRound(logged.rounds, mask));
    round.push(...this.#emitBody({ mask, isTarget: true, loopMask }, node.body));
    this.#segment.push(this.#countGroup(groupsInside, lanes));
    // Lanes that have left the loop wait with the registers live after it.
    const aliveWithin = alive.union(this.#liveness.after.get(node)!);
    round.push(...this.#endSegment(aliveWithin), br(again));
    code.push(block(loop(round, again), done));
    if (logged !== null) {
      this.#log!.leaveLoop();
      this.#segment.push(this.#log!.logLoop(node, state.read(logged.rounds)));
    }
    return code;
  }

  /**
   * Prepares the counters of a loop in a kernel that logs: rounds of the warp and of each lane.
   * Returns the code before the loop and at its head.
   */
  #beginLoggedLoop() {
    if (this.#log === null) return null;
    const { state } = this.#environment;
    const round = this.#log.createRound();
    const rounds = state.createLocal();
    this.#log.enterLoop(round);
    this.#segment.push(state.assign(rounds, ZERO));
    return {
      rounds,
      enter: [set(round, i32.const(-1))],
      begin: [set(round, plus(round, 1)), this.#log.checkRoom()],
    };
  }

  /** Emits one more round for the lanes of `mask`. */
  #countRound(rounds: Local, mask: Local): Stmt {
    const { state } = this.#environment;
    return state.assign(rounds, i32x4.sub(state.read(rounds), state.read(mask)));
  }

  #emitBody(body: Body, nodes: readonly IsaNode[]): Stmt[] {
    this.#control.enter(body);
    if (!body.isTarget) this.#segment.push(...this.#control.logSection(nodes[0]));
    const code = this.#emitList(nodes);
    this.#control.leave();
    return code;
  }

  /** Charges the lanes of `mask` for one round; leaves the kernel if one exceeds its budget. */
  #chargeBudget(mask: Local, price: number): Stmt[] {
    const { state, spent, splat } = this.#environment;
    const charge = v128.and(state.read(mask), splat(price));
    return [
      state.assign(spent, i32x4.add(state.read(spent), charge)),
      ifThen(
        v128.anyTrue(i32x4.gtS(state.read(spent), splat(this.#instructionBudget))),
        ret(i32.const(STAGE_STATUS.budgetExceeded)),
      ),
    ];
  }

  /** Adds 1 to `count` if any lane of `mask` is set. */
  #countGroup(count: Local, mask: Local): Stmt {
    const isAnySet = v128.anyTrue(this.#environment.state.read(mask));
    return set(count, i32.add(get(count), isAnySet));
  }

  /**
   * Closes the segment: a loop over the groups of the warp.
   *
   * @param aliveAtEnd Registers to keep; `null` at the end of the program.
   */
  #endSegment(aliveAtEnd: RegisterSet | null): Stmt[] {
    const { state, access, program } = this.#environment;
    const { frame } = this.#pointers;
    const touched = state.takeTouched();
    if (this.#segment.length === 0) return [];
    const loads: Stmt[] = [];
    const stores: Stmt[] = [];
    const isKept = (local: Local, alive: RegisterSet | null): boolean => {
      const register = this.#environment.registerOf(local);
      if (register === null) return true;
      return this.#liveness.readByQuad.has(register) || (alive?.has(register) ?? false);
    };
    for (const [local, isAssigned] of touched) {
      const offset = (program.arrayWords + state.place(local)) * VECTOR_BYTES;
      if (isKept(local, this.#aliveAtStart)) {
        loads.push(set(local, v128.load(get(frame), { offset })));
      }
      if (isAssigned && aliveAtEnd !== null && isKept(local, aliveAtEnd)) {
        stores.push(v128.store(get(frame), get(local), { offset }));
      }
    }
    const inputs = access.beginGroup(this.#environment, this.#instructions);
    const code = this.#overGroups([...loads, ...inputs, ...this.#segment, ...stores]);
    this.#segment = [];
    this.#instructions = [];
    this.#aliveAtStart = null;
    return code;
  }

  #overGroups(body: readonly Stmt[]): Stmt[] {
    const { warpGroup, group, warpOutput, output, warpFrame, frame, groupCount, groupsLeft } =
      this.#pointers;
    const { groupBytes, outputBytes, frameBytes } = this.#strides;
    return [
      set(group, get(warpGroup)),
      set(output, get(warpOutput)),
      set(frame, get(warpFrame)),
      set(groupsLeft, get(groupCount)),
      loop((again) => [
        ...body,
        set(group, plus(group, groupBytes)),
        set(output, plus(output, outputBytes)),
        set(frame, plus(frame, frameBytes)),
        set(groupsLeft, plus(groupsLeft, -1)),
        brIf(again, get(groupsLeft)),
      ]),
    ];
  }
}

function plus(local: Local, step: number): Expr {
  return i32.add(get(local), i32.const(step));
}
