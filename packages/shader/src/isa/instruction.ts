/**
 * Decoded instructions and their encoding: one 128-bit word of four 32-bit parts.
 *
 *     part 0   bits 0–7 opcode, 8–11 number of sources (tex), 16–31 result register
 *     parts    immediates packed into one part from the low bit, if there are any; then the sources
 *     source   bits 30–31 kind (0 register, 1 constant word, 2 literal), 0–29 its number
 *
 * A `tex` may have more sources than fit. The words that follow it hold three each, in parts 1 to
 * 3, with the opcode {@link CONTINUATION}.
 */
import { type InstructionInfo, instructionInfo, MNEMONICS, type Mnemonic } from './instructions.ts';

/** Source operand: a register, a word of the constant bank, or the bits (int32) of a literal. */
export type Operand =
  | { readonly kind: 'register'; readonly index: number }
  | { readonly kind: 'constant'; readonly index: number }
  | { readonly kind: 'literal'; readonly bits: number };

/** Decoded instruction. */
export interface Instruction {
  readonly mnemonic: Mnemonic;
  /** First result register; −1 for an instruction without a result. */
  readonly result: number;
  /** Values of the immediate fields, in the order of the instruction table. */
  readonly immediates: readonly number[];
  readonly sources: readonly Operand[];
  /** Line of the source text; see IrNode. Not part of the code. */
  readonly line?: number | undefined;
}

/** Number of 32-bit parts in an instruction word. */
export const PARTS_PER_WORD = 4;
/** Opcode of a word that continues the source list of the previous one. */
export const CONTINUATION = 0xff;

/** Maximum number of registers, limited by the result field. */
export const MAX_REGISTERS = 0x10000;

const KIND_SHIFT = 30;
const INDEX_MASK = (1 << KIND_SHIFT) - 1;
const KINDS = ['register', 'constant', 'literal'] as const;

const OPCODE_BY_MNEMONIC = new Map(MNEMONICS.map((mnemonic, opcode) => [mnemonic, opcode]));

/**
 * Encodes instructions.
 *
 * @returns Code parts, four per word, and the pool of literals that the sources refer to.
 */
export function encodeInstructions(instructions: readonly Instruction[]): {
  code: Uint32Array;
  literals: Uint32Array;
} {
  const parts: number[] = [];
  const literals: number[] = [];
  const literalIndexByBits = new Map<number, number>();

  const encodeSource = (source: Operand | undefined): number => {
    if (source === undefined) return 0;
    if (source.kind === 'register') return source.index;
    if (source.kind === 'constant') return ((1 << KIND_SHIFT) | source.index) >>> 0;
    let index = literalIndexByBits.get(source.bits);
    if (index === undefined) {
      index = literals.length;
      literals.push(source.bits);
      literalIndexByBits.set(source.bits, index);
    }
    return ((2 << KIND_SHIFT) | index) >>> 0;
  };

  for (const instruction of instructions) {
    const info = instructionInfo(instruction.mnemonic);
    checkShape(instruction, info);
    const { sources } = instruction;
    const opcode = OPCODE_BY_MNEMONIC.get(instruction.mnemonic)!;
    const result = Math.max(instruction.result, 0);
    const listLength = info.sources === 'list' ? sources.length : 0;
    const end = parts.length + PARTS_PER_WORD;
    parts.push(opcode | (listLength << 8) | (result << 16));
    if (info.immediates.length > 0) parts.push(packImmediates(instruction, info));
    let next = 0;
    while (parts.length < end) parts.push(encodeSource(sources[next++]));
    while (next < sources.length) {
      parts.push(CONTINUATION);
      for (let part = 1; part < PARTS_PER_WORD; part++) parts.push(encodeSource(sources[next++]));
    }
  }
  return { code: Uint32Array.from(parts), literals: Uint32Array.from(literals) };
}

/** Decodes the code of a program. */
export function decodeInstructions(code: Uint32Array, literals: Uint32Array): Instruction[] {
  const decodeSource = (part: number): Operand => {
    const kind = KINDS[part >>> KIND_SHIFT];
    const index = part & INDEX_MASK;
    switch (kind) {
      case 'register':
      case 'constant':
        return { kind, index };
      case 'literal': {
        const bits = literals[index];
        if (bits === undefined) throw new Error(`isa code: literal ${index} does not exist`);
        return { kind, bits: bits | 0 };
      }
      default:
        throw new Error(`isa code: source 0x${part.toString(16)} has an unknown kind`);
    }
  };

  const instructions: Instruction[] = [];
  let start = 0;
  while (start < code.length) {
    const head = code[start]!;
    const mnemonic = MNEMONICS[head & 0xff];
    if (mnemonic === undefined) {
      throw new Error(
        `isa code: word ${start / PARTS_PER_WORD} has the unknown opcode ${head & 0xff}`,
      );
    }
    const info = instructionInfo(mnemonic);
    const sourceCount = info.sources === 'list' ? (head >>> 8) & 15 : info.sources.length;
    let part = start + 1;
    const immediates = info.immediates.length > 0 ? unpackImmediates(code[part++]!, info) : [];
    const sources: Operand[] = [];
    while (sources.length < sourceCount) {
      if (part % PARTS_PER_WORD === 0) part++; // skip the head of a continuation word
      sources.push(decodeSource(code[part++]!));
    }
    const result = info.resultCount > 0 ? head >>> 16 : -1;
    instructions.push({ mnemonic, result, immediates, sources });
    start += PARTS_PER_WORD * wordsOfInstruction(sources.length, info);
  }
  return instructions;
}

function wordsOfInstruction(sourceCount: number, info: InstructionInfo): number {
  const inFirstWord = info.immediates.length > 0 ? 2 : 3;
  return 1 + Math.ceil(Math.max(sourceCount - inFirstWord, 0) / 3);
}

function checkShape(instruction: Instruction, info: InstructionInfo): void {
  const { mnemonic, sources, immediates, result } = instruction;
  const sourcesFit =
    info.sources === 'list'
      ? sources.length >= 1 && sources.length <= 15
      : sources.length === info.sources.length;
  const resultFits =
    info.resultCount === 0
      ? result === -1
      : result >= 0 && result + info.resultCount <= MAX_REGISTERS;
  if (!sourcesFit || !resultFits || immediates.length !== info.immediates.length) {
    throw new Error(
      `${mnemonic}: result ${result}, ${immediates.length} immediates, ${sources.length} sources`,
    );
  }
}

function packImmediates({ mnemonic, immediates }: Instruction, info: InstructionInfo): number {
  let packed = 0;
  let shift = 0;
  for (const [position, field] of info.immediates.entries()) {
    const value = immediates[position]!;
    const end = field.names?.length ?? 2 ** field.bits;
    if (!Number.isInteger(value) || value < 0 || value >= end) {
      throw new Error(`${mnemonic}: ${field.name} ${value} is not from 0 to ${end - 1}`);
    }
    packed |= value << shift;
    shift += field.bits;
  }
  return packed >>> 0;
}

function unpackImmediates(packed: number, info: InstructionInfo): number[] {
  let shift = 0;
  return info.immediates.map((field) => {
    const value = (packed >>> shift) & (2 ** field.bits - 1);
    shift += field.bits;
    return value;
  });
}
