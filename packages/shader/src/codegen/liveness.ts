/**
 * Liveness of registers per lane in structured code.
 *
 * By the definition of the machine, a write does not affect inactive lanes. A merge for each write
 * would be expensive. It is needed only if an inactive lane will read the old value later. Such
 * lanes wait at a known place: the other side of an `if`, the end of a `block`, the end or the head
 * of a `loop`. The registers live there are the *waiting* set. A write of a register outside this
 * set needs no merge.
 *
 * Derivatives also read the registers of inactive lanes. Registers that they read inside control
 * flow are always merged and start as zero, so that these lanes hold the defined values.
 */
import { TEXTURE_OPERATIONS } from '../ir/ir.ts';
import type { Instruction, Operand } from '../isa/instruction.ts';
import { instructionInfo } from '../isa/instructions.ts';
import type { IsaNode } from '../isa/structure.ts';
import { RegisterSet } from './register-set.ts';

/** Result of the analysis. */
export interface Liveness {
  /** Instructions whose results must be merged with the old values of inactive lanes. */
  readonly mergedWrites: ReadonlySet<Instruction>;
  /** Channels of the result of each `tex` instruction that a later instruction may read. */
  readonly readChannels: ReadonlyMap<Instruction, ReadonlySet<number>>;
  /** Registers that are read before they are written; they must start as 0. */
  readonly zeroed: RegisterSet;
  /**
   * Registers that derivatives read inside control flow. Every lane must hold the defined value.
   */
  readonly readByQuad: RegisterSet;
  /** Registers live before and after each node, including those of waiting lanes. */
  readonly before: ReadonlyMap<IsaNode, RegisterSet>;
  readonly after: ReadonlyMap<IsaNode, RegisterSet>;
}

interface Target {
  readonly afterExit: RegisterSet;
  /** Registers live at the head of a loop. The set grows until it is stable. */
  readonly atHead: RegisterSet;
}

/**
 * Analyzes a program of `registerCount` registers.
 * One function because the visits of all nodes share what they find.
 */
export function analyzeLiveness(nodes: readonly IsaNode[], registerCount: number): Liveness {
  const mergedWrites = new Set<Instruction>();
  const readChannels = new Map<Instruction, Set<number>>();
  const before = new Map<IsaNode, RegisterSet>();
  const after = new Map<IsaNode, RegisterSet>();
  const none = new RegisterSet(registerCount);
  const readByQuad = registersReadByQuad(nodes, registerCount);
  const targets: Target[] = [];

  /** Returns the registers live before `list`, given those live after it. */
  const visitList = (list: readonly IsaNode[], alive: RegisterSet, waiting: RegisterSet) => {
    let current = alive;
    for (let position = list.length - 1; position >= 0; position--) {
      const node = list[position]!;
      after.set(node, current.union(waiting));
      current = visit(node, current, waiting);
      before.set(node, current.union(waiting));
    }
    return current;
  };

  const visit = (node: IsaNode, alive: RegisterSet, waiting: RegisterSet): RegisterSet => {
    switch (node.kind) {
      case 'straight':
        return visitStraight(node.instructions, alive, waiting);
      case 'if': {
        const beforeElse = visitList(node.else, alive, waiting.union(alive));
        const beforeThen = visitList(node.then, alive, waiting.union(beforeElse));
        const result = beforeThen.union(beforeElse);
        addRegister(result, node.condition);
        return result;
      }
      case 'block': {
        targets.push({ afterExit: alive, atHead: none });
        const result = visitList(node.body, alive, waiting.union(alive));
        targets.pop();
        return result;
      }
      case 'loop': {
        const atHead = none.clone();
        targets.push({ afterExit: alive, atHead });
        let beforeBody: RegisterSet;
        do {
          beforeBody = visitList(node.body, atHead.clone(), waiting.union(alive).union(atHead));
        } while (atHead.addAll(beforeBody));
        targets.pop();
        return atHead;
      }
      case 'exit':
        return targets[targets.length - 1 - node.depth]!.afterExit;
      case 'continue':
        return targets[targets.length - 1 - node.depth]!.atHead;
    }
  };

  const visitStraight = (
    instructions: readonly Instruction[],
    alive: RegisterSet,
    waiting: RegisterSet,
  ): RegisterSet => {
    const current = alive.clone();
    for (let position = instructions.length - 1; position >= 0; position--) {
      const instruction = instructions[position]!;
      const { resultCount } = instructionInfo(instruction.mnemonic);
      for (let part = 0; part < resultCount; part++) {
        const register = instruction.result + part;
        if (instruction.mnemonic === 'tex') noteChannel(instruction, part, current);
        current.remove(register);
        if (waiting.has(register)) mergedWrites.add(instruction);
      }
      for (const source of instruction.sources) addRegister(current, source);
    }
    return current;
  };

  /** The list of a loop is visited several times. */
  const noteChannel = (lookup: Instruction, channel: number, aliveAfter: RegisterSet): void => {
    const channels = readChannels.get(lookup) ?? new Set();
    readChannels.set(lookup, channels);
    const register = lookup.result + channel;
    if (aliveAfter.has(register) || readByQuad.has(register)) channels.add(channel);
  };

  const zeroed = visitList(nodes, none, none.union(none)).union(readByQuad);
  mergeWritesOf(readByQuad, nodes, mergedWrites);
  return { mergedWrites, readChannels, zeroed, readByQuad, before, after };
}

/** Whether an instruction reads its sources in inactive lanes. */
export function readsWholeQuad({ mnemonic, immediates }: Instruction): boolean {
  if (mnemonic === 'fddx' || mnemonic === 'fddy') return true;
  if (mnemonic !== 'tex') return false;
  const operation = TEXTURE_OPERATIONS[immediates[1]!];
  return operation === 'implicit' || operation === 'bias';
}

/**
 * Yields the instructions of `nodes` that may run with inactive lanes: those inside control flow.
 */
function* divergentInstructions(
  nodes: readonly IsaNode[],
  isInside = false,
): Generator<Instruction> {
  for (const node of nodes) {
    if (node.kind === 'straight') {
      if (isInside) yield* node.instructions;
    } else if (node.kind === 'if') {
      yield* divergentInstructions(node.then, true);
      yield* divergentInstructions(node.else, true);
    } else if ('body' in node) {
      yield* divergentInstructions(node.body, true);
    }
  }
}

function registersReadByQuad(nodes: readonly IsaNode[], registerCount: number): RegisterSet {
  const registers = new RegisterSet(registerCount);
  for (const instruction of divergentInstructions(nodes)) {
    if (!readsWholeQuad(instruction)) continue;
    for (const source of instruction.sources) addRegister(registers, source);
  }
  return registers;
}

function mergeWritesOf(
  registers: RegisterSet,
  nodes: readonly IsaNode[],
  mergedWrites: Set<Instruction>,
): void {
  for (const instruction of divergentInstructions(nodes)) {
    const { resultCount } = instructionInfo(instruction.mnemonic);
    for (let part = 0; part < resultCount; part++) {
      if (registers.has(instruction.result + part)) mergedWrites.add(instruction);
    }
  }
}

function addRegister(registers: RegisterSet, operand: Operand): void {
  if (operand.kind === 'register') registers.add(operand.index);
}
