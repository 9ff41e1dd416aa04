/**
 * Writes a program to memory in the form that the SIMD interpreter runs: the 128-bit words of the
 * ISA, with unused parts filled with values that would otherwise be looked up at run time.
 *
 *     if            part 2: next word when no lane is left
 *                   result field: entry of the control stack
 *     else, endif, endblock, exit, continue: the same (exit, continue: the target's entry)
 *     loop          part 1: price of a round, result field: entry
 *     endloop       part 1: price, 2: first word of the body, 3: next word when no lane is left
 *     input, builtin       part 2: offset in bytes, 3: input mode
 *     outf, outi    part 1: offset in bytes
 */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions, type Instruction, PARTS_PER_WORD } from '../isa/instruction.ts';
import { BUILTIN_NAMES, INTERPOLATIONS } from '../isa/instructions.ts';
import {
  PRIMITIVE_RECORD,
  primitiveStrideBytes,
  QUAD_RECORD,
  VECTOR_BYTES,
  vertexBuiltinPosition,
  vertexInputCount,
} from '../isa/stage-memory.ts';
import { parseStructure } from '../isa/structure.ts';
import {
  END_OPCODE,
  ENTRY_BYTES_LOG2,
  IMAGE,
  INPUT_MODES,
  type InputMode,
  ROW_BYTES,
  SCRATCH,
} from './interpreter-memory.ts';

const WORD_BYTES = PARTS_PER_WORD * 4;

/** Returns the size of the image of `program`, a multiple of 16. */
export function programImageBytes({ code, literals }: IsaProgram): number {
  const bytes = IMAGE.code + code.length * 4 + WORD_BYTES + literals.length * 4;
  return Math.ceil(bytes / WORD_BYTES) * WORD_BYTES;
}

/** Returns the bytes that the interpreter needs at `scratchPtr` for `program`. */
export function interpreterScratchBytes(program: IsaProgram): number {
  const rows = program.registerCount + program.arrayWords;
  const instructions = decodeInstructions(program.code, program.literals);
  return SCRATCH.registers + rows * ROW_BYTES + (nestingDepth(instructions) << ENTRY_BYTES_LOG2);
}

function nestingDepth(instructions: readonly Instruction[]): number {
  let depth = 0;
  let deepest = 0;
  for (const { mnemonic } of instructions) {
    if (mnemonic === 'if' || mnemonic === 'block' || mnemonic === 'loop') depth++;
    else if (mnemonic === 'endif' || mnemonic === 'endblock' || mnemonic === 'endloop') depth--;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Construct that is open while the code is linked. */
interface Construct {
  readonly kind: 'if' | 'block' | 'loop';
  readonly entry: number;
  /** Number of the instruction that opened it; `start` is the first part of its word. */
  readonly instruction: number;
  readonly start: number;
  /** Parts that receive the address of the construct's next `else` or end. */
  readonly waiting: number[];
}

/**
 * Writes the image.
 *
 * @param instructionBudget Maximum number of instructions in the loops of one invocation, 1 to
 *   2^30.
 * @returns The address of each instruction, in order.
 * @throws {Error} If the control flow of the code does not nest, or the image exceeds the memory.
 */
export function writeProgramImage(
  memory: ArrayBufferLike,
  programPtr: number,
  program: IsaProgram,
  instructionBudget: number,
): number[] {
  const instructions = decodeInstructions(program.code, program.literals);
  parseStructure(instructions);
  const codePtr = programPtr + IMAGE.code;
  const parts = new Uint32Array(memory, codePtr, program.code.length + PARTS_PER_WORD);
  parts.set(program.code);
  parts.fill(0, program.code.length);
  parts[program.code.length] = END_OPCODE;
  const literalsPtr = codePtr + parts.byteLength;
  new Uint32Array(memory, literalsPtr, program.literals.length).set(program.literals);
  const isFragment = program.stage === 'fragment';

  const header: Record<Exclude<keyof typeof IMAGE, 'code'>, number> = {
    codePtr,
    literalsPtr,
    registerBytes: program.registerCount * ROW_BYTES,
    stateBytes: (program.registerCount + program.arrayWords) * ROW_BYTES,
    groupBytes: isFragment ? QUAD_RECORD.bytes : vertexInputCount(program) * VECTOR_BYTES,
    outputBytes: program.outputSlots.length * VECTOR_BYTES,
    primitiveBytes: primitiveStrideBytes(program),
    instructionBudget,
    isFragment: Number(isFragment),
    readsPrimitive: Number(isFragment && instructions.some(readsPrimitive)),
  };
  const words = new Int32Array(memory, programPtr, IMAGE.code / 4);
  for (const [name, value] of Object.entries(header)) {
    // the keys are those of the literal above
    words[IMAGE[name as keyof typeof header] / 4] = value;
  }
  return new CodeLinker(program, parts, codePtr).link(instructions);
}

function readsPrimitive({ mnemonic }: Instruction): boolean {
  return mnemonic === 'input' || mnemonic === 'builtin';
}

/** Fills the unused parts of a program's words. */
class CodeLinker {
  readonly #program: IsaProgram;
  readonly #parts: Uint32Array;
  readonly #codePtr: number;
  readonly #open: Construct[] = [];
  /** Number of the first part of the current word. */
  #start = 0;

  constructor(program: IsaProgram, parts: Uint32Array, codePtr: number) {
    this.#program = program;
    this.#parts = parts;
    this.#codePtr = codePtr;
  }

  /** Links all instructions; returns the address of each. */
  link(instructions: readonly Instruction[]): number[] {
    const addresses: number[] = [];
    for (const [number, instruction] of instructions.entries()) {
      addresses.push(this.#addressOf(this.#start));
      this.#linkInstruction(instruction);
      this.#linkControl(instruction, number);
      this.#start += PARTS_PER_WORD;
      if (instruction.mnemonic === 'tex') {
        this.#start += PARTS_PER_WORD * Math.floor(instruction.sources.length / 3);
      }
    }
    return addresses;
  }

  #linkInstruction({ mnemonic, immediates }: Instruction): void {
    const first = immediates[0] ?? 0;
    switch (mnemonic) {
      case 'input':
        this.#place(2, inputPlace(this.#program, first, INTERPOLATIONS[immediates[1]!] === 'flat'));
        break;
      case 'builtin':
        this.#place(2, builtinPlace(this.#program, BUILTIN_NAMES[first]!));
        break;
      case 'outf':
      case 'outi':
        this.#parts[this.#start + 1] = this.#program.outputSlots.indexOf(first) * VECTOR_BYTES;
        break;
      default:
    }
  }

  /**
   * Links an instruction that changes the execution mask.
   *
   * @param number Index of the instruction in the program.
   */
  #linkControl({ mnemonic, immediates }: Instruction, number: number): void {
    switch (mnemonic) {
      case 'if':
      case 'block':
      case 'loop': {
        this.#setEntry(this.#open.length);
        this.#open.push({
          kind: mnemonic,
          entry: this.#open.length,
          instruction: number,
          start: this.#start,
          waiting: [],
        });
        if (mnemonic === 'if') this.#skipFrom(2);
        break;
      }
      case 'else': {
        const construct = this.#open.at(-1)!;
        this.#resolve(construct);
        this.#setEntry(construct.entry);
        this.#skipFrom(2);
        break;
      }
      case 'endif':
      case 'endblock':
      case 'endloop': {
        const construct = this.#open.pop()!;
        this.#resolve(construct);
        this.#setEntry(construct.entry);
        if (mnemonic !== 'endloop') {
          this.#skipFrom(2);
          break;
        }
        const price = number - construct.instruction;
        this.#parts[construct.start + 1] = price;
        this.#parts[this.#start + 1] = price;
        this.#parts[this.#start + 2] = this.#addressOf(construct.start + PARTS_PER_WORD);
        this.#skipFrom(3);
        break;
      }
      case 'exit':
      case 'continue': {
        const targets = this.#open.filter(({ kind }) => kind !== 'if');
        this.#setEntry(targets[targets.length - 1 - immediates[0]!]!.entry);
        this.#skipFrom(2);
        break;
      }
      default:
    }
  }

  #addressOf(part: number): number {
    return this.#codePtr + part * 4;
  }

  #setEntry(entry: number): void {
    this.#parts[this.#start] = (this.#parts[this.#start]! & 0xff) | (entry << 16);
  }

  /** Stores in part `part` of the current word the address to continue at if no lane is left. */
  #skipFrom(part: number): void {
    const around = this.#open.at(-1);
    if (around === undefined) {
      // Lanes cannot leave the program, so outside all constructs one is always left.
      this.#parts[this.#start + part] = this.#addressOf(this.#start + PARTS_PER_WORD);
    } else {
      around.waiting.push(this.#start + part);
    }
  }

  #resolve({ waiting }: Construct): void {
    for (const part of waiting.splice(0)) this.#parts[part] = this.#addressOf(this.#start);
  }

  #place(offsetPart: number, [offset, mode]: readonly [number, InputMode]): void {
    this.#parts[this.#start + offsetPart] = offset;
    this.#parts[this.#start + offsetPart + 1] = INPUT_MODES.indexOf(mode);
  }
}

function inputPlace(
  program: IsaProgram,
  slot: number,
  isFlat: boolean,
): readonly [number, InputMode] {
  const offset = program.inputSlots.indexOf(slot) * VECTOR_BYTES;
  if (program.stage === 'vertex') return [offset, 'vertexVector'];
  return [PRIMITIVE_RECORD.varyings + offset, isFlat ? 'recordWord' : 'smooth'];
}

function builtinPlace(
  program: IsaProgram,
  name: (typeof BUILTIN_NAMES)[number],
): readonly [number, InputMode] {
  if (name === 'vertexId' || name === 'instanceId') {
    if (program.stage === 'fragment')
      throw new Error(`built-in input ${name} is not available in a fragment program`);
    return [vertexBuiltinPosition(program, name) * VECTOR_BYTES, 'vertexVector'];
  }
  if (program.stage === 'vertex')
    throw new Error(`built-in input ${name} is not available in a vertex program`);
  switch (name) {
    case 'fragCoord.x':
      return [0, 'pixelX'];
    case 'fragCoord.y':
      return [0, 'pixelY'];
    case 'fragCoord.z':
      return [PRIMITIVE_RECORD.depth, 'plane'];
    case 'fragCoord.w':
      return [PRIMITIVE_RECORD.inverseW, 'plane'];
    case 'frontFacing':
      return [0, 'frontFacing'];
    case 'pointCoord.x':
      return [0, 'spriteX'];
    case 'pointCoord.y':
      return [0, 'spriteY'];
    case 'shape.x':
      return [PRIMITIVE_RECORD.shapeX, 'recordWord'];
    case 'shape.y':
      return [PRIMITIVE_RECORD.shapeY, 'recordWord'];
    case 'sampleId':
    case 'sampleMask':
    case 'sampleCount':
      return [0, name];
    case 'samplePosition.x':
      return [0, 'samplePositionX'];
    case 'samplePosition.y':
      return [0, 'samplePositionY'];
  }
}
