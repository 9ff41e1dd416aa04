/**
 * The slow executor: a plain interpreter of ISA programs that runs one group of four lanes at a
 * time, on the same memory as the generated kernels. It is the reference that kernels are compared
 * with bit for bit, and the easiest place to see the effect of an instruction.
 */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions } from '../isa/instruction.ts';
import {
  LANES,
  QUAD_RECORD,
  STAGE_STATUS,
  type StageStatus,
  VECTOR_BYTES,
  vertexInputCount,
} from '../isa/stage-memory.ts';
import { type IsaNode, parseStructure } from '../isa/structure.ts';
import { ALL_LANES, type GroupEnvironment, GroupMachine } from './group-machine.ts';
import { fragmentInputs, vertexInputs } from './stage-inputs.ts';
import type { TextureReader } from './texture-reader.ts';

/** Work of a call. Pointers have the meanings in stage-memory.ts. */
export interface StageCall {
  readonly memory: ArrayBufferLike;
  readonly outputPtr: number;
  readonly constantsPtr: number;
  readonly textures: TextureReader | null;
  /** Maximum number of instructions in the loops of one invocation, 1 to 2^30. */
  readonly instructionBudget: number;
}

/** Work of a call for the vertex stage. */
export interface VertexStageCall extends StageCall {
  readonly inputPtr: number;
  readonly groupCount: number;
}

/** Work of a call for the fragment stage. */
export interface FragmentStageCall extends StageCall {
  readonly quadsPtr: number;
  readonly quadCount: number;
  readonly primitivesPtr: number;
}

/** Executes a vertex program over groups of four vertices. */
export function interpretVertexStage(program: IsaProgram, call: VertexStageCall): StageStatus {
  const memory = new DataView(call.memory);
  const groupBytes = vertexInputCount(program) * VECTOR_BYTES;
  const run = createGroupRunner(program, memory, call);
  for (let group = 0; group < call.groupCount; group++) {
    const inputs = vertexInputs(program, memory, call.inputPtr + group * groupBytes);
    if (run(inputs, group) === null) return STAGE_STATUS.budgetExceeded;
  }
  return STAGE_STATUS.done;
}

/** Executes a fragment program over quads; clears the discarded lanes in the quad records. */
export function interpretFragmentStage(program: IsaProgram, call: FragmentStageCall): StageStatus {
  const memory = new DataView(call.memory);
  const run = createGroupRunner(program, memory, call);
  for (let quad = 0; quad < call.quadCount; quad++) {
    const quadPtr = call.quadsPtr + quad * QUAD_RECORD.bytes;
    const machine = run(fragmentInputs(program, memory, quadPtr, call.primitivesPtr), quad);
    if (machine === null) return STAGE_STATUS.budgetExceeded;
    const maskPtr = quadPtr + QUAD_RECORD.mask;
    memory.setInt32(maskPtr, memory.getInt32(maskPtr, true) & ~machine.discarded, true);
  }
  return STAGE_STATUS.done;
}

/**
 * Returns a function that executes one group and stores its outputs. That function returns `null`
 * if the budget is exceeded.
 */
function createGroupRunner(program: IsaProgram, memory: DataView, call: StageCall) {
  const nodes = parseStructure(decodeInstructions(program.code, program.literals));
  const constant = (word: number) => memory.getInt32(call.constantsPtr + word * 4, true);
  return (inputs: GroupEnvironment['inputs'], group: number): GroupMachine | null => {
    const machine = new GroupMachine(program, { inputs, constant, textures: call.textures });
    if (!new ControlFlow(machine, call.instructionBudget).run(nodes)) return null;
    let outputPtr = call.outputPtr + group * program.outputSlots.length * VECTOR_BYTES;
    for (const slot of program.outputSlots) {
      const words = machine.outputs.get(slot)!;
      for (let lane = 0; lane < LANES; lane++) {
        memory.setInt32(outputPtr + lane * 4, words[lane]!, true);
      }
      outputPtr += VECTOR_BYTES;
    }
    return machine;
  };
}

/** Lanes that wait for the end, or the next round, of an enclosing block or loop. */
interface Target {
  exited: number;
  continued: number;
}

/** Walks the control flow of one group with its execution mask. */
class ControlFlow {
  #active = ALL_LANES;
  readonly #targets: Target[] = [];
  readonly #machine: GroupMachine;
  /** Maximum number of instructions in an invocation's loops; `#spent` counts them per lane. */
  readonly #instructionBudget: number;
  readonly #spent = new Int32Array(LANES);

  constructor(machine: GroupMachine, instructionBudget: number) {
    this.#machine = machine;
    this.#instructionBudget = instructionBudget;
  }

  /**
   * Runs `nodes`.
   *
   * @returns False if the budget is exceeded.
   */
  run(nodes: readonly IsaNode[]): boolean {
    for (const node of nodes) {
      if (this.#active === 0) return true;
      if (!this.#runNode(node)) return false;
    }
    return true;
  }

  #runNode(node: IsaNode): boolean {
    switch (node.kind) {
      case 'straight':
        for (const instruction of node.instructions) {
          this.#machine.execute(instruction, this.#active);
        }
        return true;
      case 'if': {
        const entered = this.#active;
        const chosen = this.#machine.lanesWhere(node.condition, entered);
        this.#active = chosen;
        if (!this.run(node.then)) return false;
        const joined = this.#active;
        this.#active = entered & ~chosen;
        if (!this.run(node.else)) return false;
        this.#active |= joined;
        return true;
      }
      case 'block': {
        const target = { exited: 0, continued: 0 };
        this.#targets.push(target);
        if (!this.run(node.body)) return false;
        this.#targets.pop();
        this.#active |= target.exited;
        return true;
      }
      case 'loop': {
        const target = { exited: 0, continued: 0 };
        this.#targets.push(target);
        while (this.#active !== 0) {
          if (!this.#chargeBudget(node.instructionCount) || !this.run(node.body)) return false;
          this.#active |= target.continued;
          target.continued = 0;
        }
        this.#targets.pop();
        this.#active = target.exited;
        return true;
      }
      case 'exit':
      case 'continue': {
        const target = this.#targets[this.#targets.length - 1 - node.depth]!;
        if (node.kind === 'exit') target.exited |= this.#active;
        else target.continued |= this.#active;
        this.#active = 0;
        return true;
      }
    }
  }

  /**
   * Charges the active lanes for one round of a loop.
   *
   * @returns False if one of them exceeds the budget.
   */
  #chargeBudget(price: number): boolean {
    for (let lane = 0; lane < LANES; lane++) {
      if ((this.#active & (1 << lane)) === 0) continue;
      this.#spent[lane]! += price;
      if (this.#spent[lane]! > this.#instructionBudget) return false;
    }
    return true;
  }
}
