/**
 * State of one group of four lanes, and the effect of each instruction on it. Execution masks are
 * bit sets of lanes.
 */
import type { IsaProgram } from '@tessera/frame';
import { IR_OPERATORS, TEXTURE_OPERATIONS } from '../ir/ir.ts';
import {
  bitsOfFloat,
  evaluateScalarOperator,
  floatOfBits,
  type ScalarOperator,
} from '../ir/scalar-operators.ts';
import type { Instruction, Operand } from '../isa/instruction.ts';
import { BUILTIN_NAMES, DIMENSIONS, INTERPOLATIONS, isIrOperator } from '../isa/instructions.ts';
import { LANES } from '../isa/stage-memory.ts';
import type { GroupInputs } from './stage-inputs.ts';
import type { TextureReader } from './texture-reader.ts';

/** Mask with every lane active. */
export const ALL_LANES = 0b1111;

const LANE_INDICES = [0, 1, 2, 3] as const;

/** Data that instructions read besides the state. */
export interface GroupEnvironment {
  readonly inputs: GroupInputs;
  /** Returns the 32 bits of a word of the constant bank. */
  readonly constant: (word: number) => number;
  readonly textures: TextureReader | null;
}

/** State of a group: registers, private memory, outputs and the discard mask, all initially 0. */
export class GroupMachine {
  /** Bit mask of the lanes that discarded. */
  discarded = 0;
  readonly #registers: Int32Array;
  readonly #privateMemory: Int32Array;
  /** Output bits by slot. */
  readonly outputs: ReadonlyMap<number, Int32Array>;
  readonly #environment: GroupEnvironment;

  constructor(program: IsaProgram, environment: GroupEnvironment) {
    this.#environment = environment;
    this.#registers = new Int32Array(program.registerCount * LANES);
    this.#privateMemory = new Int32Array(program.arrayWords * LANES);
    this.outputs = new Map(program.outputSlots.map((slot) => [slot, new Int32Array(LANES)]));
  }

  /** Returns the lanes of `mask` in which `condition` is true. */
  lanesWhere(condition: Operand, mask: number): number {
    const values = this.#read(condition);
    let lanes = 0;
    for (const lane of LANE_INDICES) if (values[lane] !== 0) lanes |= 1 << lane;
    return lanes & mask;
  }

  /** Executes an instruction that does not change the execution mask. */
  execute(instruction: Instruction, mask: number): void {
    const { mnemonic, result, immediates } = instruction;
    const sources = instruction.sources.map((source) => this.#read(source));
    const first = immediates[0] ?? 0;
    const second = immediates[1] ?? 0;
    const [a, b] = sources;
    switch (mnemonic) {
      case 'mov':
        this.#write(result, mask, (lane) => a![lane]!);
        break;
      case 'fddx':
        this.#write(result, mask, (lane) => difference(a!, lane | 1, lane & 2));
        break;
      case 'fddy':
        this.#write(result, mask, (lane) => difference(a!, lane & 1, (lane & 1) | 2));
        break;
      case 'uniform':
        this.#write(result, mask, (lane) => {
          const index = a![lane]! >>> 0;
          return index < second ? this.#environment.constant(first + index) : 0;
        });
        break;
      case 'input':
        this.#write(result, mask, (lane) =>
          this.#environment.inputs.input(first, INTERPOLATIONS[second] === 'flat', lane),
        );
        break;
      case 'builtin':
        this.#write(result, mask, (lane) =>
          this.#environment.inputs.builtin(BUILTIN_NAMES[first]!, lane),
        );
        break;
      case 'outf':
        this.#output(first, mask, (lane) => bitsOfFloat(floatOfBits(a![lane]!)));
        break;
      case 'outi':
        this.#output(first, mask, (lane) => a![lane]!);
        break;
      case 'aload':
        this.#write(result, mask, (lane) => {
          const index = Math.min(Math.max(a![lane]!, 0), second - 1);
          return this.#privateMemory[(first + index) * LANES + lane]!;
        });
        break;
      case 'astore':
        for (const lane of LANE_INDICES) {
          const index = a![lane]! >>> 0;
          if (index >= second || !isActive(mask, lane)) continue;
          this.#privateMemory[(first + index) * LANES + lane] = b![lane]!;
        }
        break;
      case 'tex':
        this.#sample(instruction, sources, mask);
        break;
      case 'texsize': {
        const size = this.#textures().size(first, withoutInactive(a!, mask));
        for (let part = 0; part < 3; part++) {
          this.#write(result + part, mask, (lane) => size[part * LANES + lane]!);
        }
        break;
      }
      case 'discard':
        this.discarded |= mask;
        break;
      default: {
        if (!isIrOperator(mnemonic))
          throw new Error(`${mnemonic} is not a straight-line instruction`);
        this.#write(result, mask, (lane) => evaluate(mnemonic, sources, lane));
      }
    }
  }

  #sample({ immediates, result }: Instruction, sources: readonly Int32Array[], mask: number): void {
    const [slot, operationIndex, dimensionIndex, isShadow] = immediates;
    const operation = TEXTURE_OPERATIONS[operationIndex!]!;
    // Derivatives need the actual coordinates of all lanes; for other operations inactive lanes
    // count as 0.
    const needsQuad = operation === 'implicit' || operation === 'bias';
    const operands = sources.map((source) => {
      const lanes = needsQuad ? source : withoutInactive(source, mask);
      return new Float32Array(lanes.slice().buffer);
    });
    const dimension = DIMENSIONS[dimensionIndex!]!;
    const lanes = mask & ~this.discarded;
    const colors = this.#textures().sample(
      slot!,
      operation,
      dimension,
      isShadow === 1,
      operands,
      lanes,
    );
    const bits = new Int32Array(colors.buffer, colors.byteOffset, colors.length);
    for (let component = 0; component < 4; component++) {
      this.#write(result + component, mask, (lane) => bits[component * LANES + lane]!);
    }
  }

  #textures(): TextureReader {
    const { textures } = this.#environment;
    if (textures === null)
      throw new Error('the program reads textures, but no texture reader was given');
    return textures;
  }

  #read(operand: Operand): Int32Array {
    switch (operand.kind) {
      case 'register':
        return this.#registers.slice(operand.index * LANES, (operand.index + 1) * LANES);
      case 'constant':
        return new Int32Array(LANES).fill(this.#environment.constant(operand.index));
      case 'literal':
        return new Int32Array(LANES).fill(operand.bits);
    }
  }

  #write(register: number, mask: number, bitsOfLane: (lane: number) => number): void {
    for (const lane of LANE_INDICES) {
      if (isActive(mask, lane)) this.#registers[register * LANES + lane] = bitsOfLane(lane);
    }
  }

  #output(slot: number, mask: number, bitsOfLane: (lane: number) => number): void {
    const words = this.outputs.get(slot)!;
    for (const lane of LANE_INDICES) if (isActive(mask, lane)) words[lane] = bitsOfLane(lane);
  }
}

function isActive(mask: number, lane: number): boolean {
  return (mask & (1 << lane)) !== 0;
}

function withoutInactive(lanes: Int32Array, mask: number): Int32Array {
  return lanes.map((bits, lane) => (isActive(mask, lane) ? bits : 0));
}

/** Returns the bits of the value at lane `plus` minus the value at lane `minus`. */
function difference(values: Int32Array, plus: number, minus: number): number {
  return bitsOfFloat(Math.fround(floatOfBits(values[plus]!) - floatOfBits(values[minus]!)));
}

function evaluate(op: ScalarOperator, sources: readonly Int32Array[], lane: number): number {
  const { operands, result } = IR_OPERATORS[op];
  const values = sources.map((source, position) =>
    operands[position] === 'f32' ? floatOfBits(source[lane]!) : source[lane]!,
  );
  const value = evaluateScalarOperator(op, values);
  return result === 'f32' ? bitsOfFloat(value) : value;
}
