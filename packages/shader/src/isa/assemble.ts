/**
 * Assembler for the text that `disassemble` writes. Empty lines and everything after `;` are
 * ignored.
 */
import type { IsaProgram } from '@tessera/frame';
import { createIsaProgram } from './create-program.ts';
import type { Instruction, Operand } from './instruction.ts';
import {
  type ImmediateField,
  INSTRUCTIONS,
  type InstructionInfo,
  instructionInfo,
  type Mnemonic,
} from './instructions.ts';

/**
 * Returns the program in `text`, which starts with `.stage vertex` or `.stage fragment`.
 *
 * @throws {Error} With the line number if a line is not an instruction, and as `createIsaProgram`
 *   does.
 */
export function assemble(text: string): IsaProgram {
  let stage: IsaProgram['stage'] | undefined;
  const instructions: Instruction[] = [];
  for (const [index, rawLine] of text.split('\n').entries()) {
    const line = rawLine.replace(/;.*/, '').trim();
    if (line === '') continue;
    const stageName = /^\.stage (vertex|fragment)$/.exec(line)?.[1];
    if (stageName === 'vertex' || stageName === 'fragment') {
      stage = stageName;
      continue;
    }
    try {
      instructions.push(parseInstruction(line));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`line ${index + 1}: ${message}`, { cause });
    }
  }
  if (stage === undefined) throw new Error('.stage vertex or .stage fragment is missing');
  return createIsaProgram(stage, instructions);
}

function parseInstruction(line: string): Instruction {
  const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  if (!isMnemonic(name)) throw new Error(`unknown instruction ${name}`);
  const info = instructionInfo(name);
  const fields = rest === '' ? [] : rest.split(',').map((field) => field.trim());
  let next = 0;
  const takeField = (what: string): string => {
    const field = fields[next++];
    if (field === undefined) throw new Error(`${name}: ${what} is missing`);
    return field;
  };
  const result = info.resultCount > 0 ? parseResult(takeField('result')) : -1;
  const immediates = info.immediates.map((field) => parseImmediate(takeField(field.name), field));
  const sources = sourceNames(info, fields.length - next).map((source) =>
    parseOperand(takeField(source)),
  );
  if (next < fields.length) throw new Error(`${name}: ${fields[next]} is an extra operand`);
  return { mnemonic: name, result, immediates, sources };
}

function sourceNames(info: InstructionInfo, fieldsLeft: number): readonly string[] {
  if (info.sources !== 'list') return info.sources;
  return Array.from({ length: fieldsLeft }, (_, position) => `source ${position}`);
}

function isMnemonic(name: string): name is Mnemonic {
  return Object.hasOwn(INSTRUCTIONS, name);
}

function parseResult(field: string): number {
  const operand = parseOperand(field);
  if (operand.kind !== 'register') throw new Error(`result ${field} is not a register`);
  return operand.index;
}

function parseImmediate(field: string, { name, names }: ImmediateField): number {
  const value = names === undefined ? Number(field) : names.indexOf(field);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${field} is not a valid ${name}`);
  return value;
}

function parseOperand(field: string): Operand {
  const [, prefix, digits] = /^(r|c|0x)([0-9a-f]+)$/.exec(field) ?? [];
  if (prefix === '0x' && digits !== undefined && digits.length <= 8) {
    return { kind: 'literal', bits: Number.parseInt(digits, 16) | 0 };
  }
  const index = Number(digits);
  if (prefix === undefined || prefix === '0x' || !Number.isInteger(index)) {
    throw new Error(`${field} is not an operand`);
  }
  return { kind: prefix === 'r' ? 'register' : 'constant', index };
}
