/**
 * Executes a program one instruction at a time for inspection: the SIMD interpreter on a memory of
 * its own, stopped after each instruction. Lanes are numbered 0 to 31 within a warp, four per
 * group.
 */
import type { IsaProgram } from '@tessera/frame';
import type { FragmentStageCall, VertexStageCall } from '../interpreter/interpret-stage.ts';
import { decodeInstructions, type Instruction } from '../isa/instruction.ts';
import {
  LANES,
  QUAD_RECORD,
  STAGE_STATUS,
  type StageStatus,
  VECTOR_BYTES,
  vertexInputCount,
  WARP_GROUPS,
} from '../isa/stage-memory.ts';
import { NEXT_WORD, ROW_BYTES, SCRATCH } from './interpreter-memory.ts';
import { compileSimdInterpreter, instantiateSimdInterpreter } from './simd-interpreter.ts';
import { NO_TEXTURE_UNIT, readerTextureUnit } from './texture-unit.ts';
import {
  interpreterScratchBytes,
  programImageBytes,
  writeProgramImage,
} from './write-program-image.ts';

const PAGE_BYTES = 65_536;

/** Effect of one step. */
export interface StepResult {
  /** Instruction executed; `position` is its index in the program. */
  readonly instruction: Instruction;
  readonly position: number;
  /** Number of the warp (eight groups of the call), from 0. */
  readonly warp: number;
  /**
   * Bit mask of the lanes that were active before the step; `maskAfter` has those active after it.
   */
  readonly maskBefore: number;
  readonly maskAfter: number;
}

/** Program in the middle of a call. */
export interface Stepper {
  /**
   * Executes the next instruction. If no lane is left, control continues at the next place where
   * lanes may become active again. Instructions that no lane executes are therefore not steps.
   *
   * @returns `null`, without an effect, if the call is finished.
   */
  step(): StepResult | null;
  /** Returns the registers of a lane of the current warp, 32 bits each. */
  registers(lane: number): Int32Array;
  /** Bit mask of the active lanes of the current warp, as an int32. */
  readonly mask: number;
  /** Next instruction; `null` if the call is finished. */
  readonly instruction: Instruction | null;
  readonly warp: number;
  /** Status with which the call finished; `null` before. */
  readonly status: StageStatus | null;
}

/**
 * Starts a call of `program`. Its inputs are copied. The end of a warp stores the outputs to the
 * memory of `call` and clears the discarded lanes of the quad records there.
 *
 * @param call Call as for `interpretVertexStage` or `interpretFragmentStage`, whichever fits the
 *   program's stage.
 * @throws {Error} If the call is for another stage.
 */
export function createStepper(
  program: IsaProgram,
  call: VertexStageCall | FragmentStageCall,
): Stepper {
  if ((program.stage === 'fragment') !== 'quadsPtr' in call) {
    throw new Error(`stepper: the call is not for a ${program.stage} program`);
  }
  return new WarpStepper(program, call);
}

class WarpStepper implements Stepper {
  readonly #program: IsaProgram;
  readonly #call: VertexStageCall | FragmentStageCall;
  readonly #memory: WebAssembly.Memory;
  readonly #interpreter: ReturnType<typeof instantiateSimdInterpreter>;
  readonly #programPtr: number;
  readonly #scratchPtr: number;
  readonly #instructions: readonly Instruction[];
  readonly #positionByWord: ReadonlyMap<number, number>;
  #warp = 0;
  #word = 0;
  #status: StageStatus | null = null;

  constructor(program: IsaProgram, call: VertexStageCall | FragmentStageCall) {
    this.#program = program;
    this.#call = call;
    const { byteLength } = call.memory;
    this.#programPtr = Math.ceil(byteLength / VECTOR_BYTES) * VECTOR_BYTES;
    this.#scratchPtr = this.#programPtr + programImageBytes(program);
    const end = this.#scratchPtr + interpreterScratchBytes(program);
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(end / PAGE_BYTES) });
    new Uint8Array(this.#memory.buffer).set(new Uint8Array(call.memory));
    const addresses = writeProgramImage(
      this.#memory.buffer,
      this.#programPtr,
      program,
      call.instructionBudget,
    );
    this.#instructions = decodeInstructions(program.code, program.literals);
    this.#positionByWord = new Map(addresses.map((address, position) => [address, position]));
    const textures =
      call.textures === null ? NO_TEXTURE_UNIT : readerTextureUnit(this.#memory, call.textures);
    this.#interpreter = instantiateSimdInterpreter(
      compileSimdInterpreter(),
      this.#memory,
      textures,
    );
    this.#beginWarp();
  }

  get warp(): number {
    return this.#warp;
  }

  get status(): StageStatus | null {
    return this.#status;
  }

  get instruction(): Instruction | null {
    const position = this.#positionByWord.get(this.#word);
    return position === undefined ? null : this.#instructions[position]!;
  }

  get mask(): number {
    const words = new Int32Array(this.#memory.buffer, this.#scratchPtr + SCRATCH.active);
    let mask = 0;
    for (let lane = 0; lane < WARP_GROUPS * LANES; lane++) {
      if (words[lane] !== 0) mask |= 1 << lane;
    }
    return mask;
  }

  registers(lane: number): Int32Array {
    if (!Number.isInteger(lane) || lane < 0 || lane >= WARP_GROUPS * LANES) {
      throw new RangeError(`stepper: lane ${lane} is not from 0 to ${WARP_GROUPS * LANES - 1}`);
    }
    const words = new Int32Array(this.#memory.buffer, this.#scratchPtr + SCRATCH.registers);
    return Int32Array.from(
      { length: this.#program.registerCount },
      (_, register) => words[(register * ROW_BYTES) / 4 + lane]!,
    );
  }

  step(): StepResult | null {
    const position = this.#positionByWord.get(this.#word);
    if (position === undefined) return null;
    const { mask: maskBefore, warp } = this;
    this.#word = this.#interpreter.execute(this.#word, this.#scratchPtr, 1);
    const instruction = this.#instructions[position]!;
    const result = { instruction, position, warp, maskBefore, maskAfter: this.mask };
    if (this.#word === NEXT_WORD.budgetExceeded) this.#status = STAGE_STATUS.budgetExceeded;
    else if (!this.#positionByWord.has(this.#word)) this.#endWarp();
    return result;
  }

  get #groupCount(): number {
    return 'quadsPtr' in this.#call ? this.#call.quadCount : this.#call.groupCount;
  }

  /** Returns addresses and sizes of the inputs or quads and of the outputs of the current warp. */
  #places() {
    const first = this.#warp * WARP_GROUPS;
    const count = Math.min(this.#groupCount - first, WARP_GROUPS);
    const isFragment = 'quadsPtr' in this.#call;
    const groupBytes = isFragment
      ? QUAD_RECORD.bytes
      : vertexInputCount(this.#program) * VECTOR_BYTES;
    const groupsPtr = isFragment ? this.#call.quadsPtr : this.#call.inputPtr;
    const outputBytes = this.#program.outputSlots.length * VECTOR_BYTES;
    return {
      count,
      groupsPtr: groupsPtr + first * groupBytes,
      groupsBytes: count * groupBytes,
      outputPtr: this.#call.outputPtr + first * outputBytes,
      outputBytes: count * outputBytes,
    };
  }

  /**
   * Moves to the first instruction of the current warp. After the last warp, and in an empty
   * program, it moves to the end.
   */
  #beginWarp(): void {
    const { count, groupsPtr, outputPtr } = this.#places();
    if (count <= 0) {
      this.#word = NEXT_WORD.end;
      this.#status = STAGE_STATUS.done;
      return;
    }
    this.#word = this.#interpreter.beginWarp(
      this.#programPtr,
      groupsPtr,
      count,
      'quadsPtr' in this.#call ? this.#call.primitivesPtr : 0,
      outputPtr,
      this.#call.constantsPtr,
      0,
      this.#scratchPtr,
    );
    if (!this.#positionByWord.has(this.#word)) this.#endWarp();
  }

  #endWarp(): void {
    this.#interpreter.endWarp(this.#programPtr, this.#scratchPtr);
    const { groupsPtr, groupsBytes, outputPtr, outputBytes } = this.#places();
    this.#copyBack(outputPtr, outputBytes);
    if ('quadsPtr' in this.#call) this.#copyBack(groupsPtr, groupsBytes);
    this.#warp++;
    this.#beginWarp();
  }

  #copyBack(pointer: number, byteCount: number): void {
    const copy = new Uint8Array(this.#memory.buffer, pointer, byteCount);
    new Uint8Array(this.#call.memory, pointer, byteCount).set(copy);
  }
}
