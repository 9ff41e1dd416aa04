/**
 * Statements of assembly programs as text (ARB_vertex_program and ARB_fragment_program, section
 * "Grammar"). The grammar is regular enough to be split at semicolons and commas.
 */
import { RenderError } from '@tessera/frame';

/** Stage that a program replaces. */
export type AssemblyStage = 'vertex' | 'fragment';

/** Statement: its first word, and the rest. */
export interface AssemblyStatement {
  readonly word: string;
  readonly rest: string;
}

/** Source operand or destination, split at its sign and swizzle. */
export interface AssemblyOperand {
  readonly sign: '' | '-';
  /** Variable or binding without the swizzle, such as `program.env[0]`; or a constant. */
  readonly path: string;
  /** Components `xyzw`, one or four; empty for all. */
  readonly swizzle: string;
}

/**
 * Throws the reason why a program is not supported.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED.
 */
export function refuseAssembly(what: string): never {
  throw new RenderError('FRAME_UNSUPPORTED', `assembly program: ${what}`);
}

/** Returns the statements between the header and `END`. */
export function splitStatements(text: string, stage: AssemblyStage): AssemblyStatement[] {
  const header = stage === 'vertex' ? '!!ARBvp1.0' : '!!ARBfp1.0';
  if (!text.startsWith(header)) {
    const first = text.slice(0, header.length).replaceAll(/\s/g, ' ');
    return refuseAssembly(`the header ${first} is not ${header}`);
  }
  const plain = text.slice(header.length).replaceAll(/#.*$/gm, '');
  const statements: AssemblyStatement[] = [];
  const parts = plain.split(';');
  for (const [i, part] of parts.entries()) {
    const statement = part.trim().replaceAll(/\s+/g, ' ');
    if (i === parts.length - 1) {
      if (!/^END\b/.test(statement)) refuseAssembly('there is no END');
      break;
    }
    const [, word, rest] = /^(\S+) ?(.*)$/.exec(statement) ?? [];
    if (word !== undefined) statements.push({ word, rest: rest ?? '' });
  }
  return statements;
}

/** Splits operands at commas outside of braces. */
export function splitOperands(text: string): string[] {
  const operands: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '{') depth++;
    if (text[i] === '}') depth--;
    if (i < text.length && !(text[i] === ',' && depth === 0)) continue;
    operands.push(text.slice(start, i).trim());
    start = i + 1;
  }
  return operands;
}

/** Splits an operand. Colors may be swizzled with `rgba`. */
export function parseOperand(text: string): AssemblyOperand {
  const [, sign, rest] = /^([+-]?)\s*(.*)$/.exec(text)!;
  const compact = rest!.replaceAll(' ', '');
  const isNumber = /^[\d.]/.test(compact);
  const found = isNumber ? null : /^(.+)\.([xyzw]{1,4}|[rgba]{1,4})$/.exec(compact);
  return {
    sign: sign === '-' ? '-' : '',
    path: found?.[1] ?? compact,
    swizzle: (found?.[2] ?? '').replaceAll(/[rgba]/g, (c) => 'xyzw'['rgba'.indexOf(c)]!),
  };
}

/** Returns a constant such as `0.5` or `{1, 2}` as a GLSL vector; `null` for other text. */
export function constantVector(text: string): string | null {
  const number = String.raw`[+-]?\s*(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;
  const asFloat = (value: string) => {
    const plain = Number(value.replaceAll(' ', ''));
    return Number.isInteger(plain) && Math.abs(plain) < 1e21 ? `${plain}.0` : `${plain}`;
  };
  if (new RegExp(`^${number}$`).test(text)) return `vec4(${asFloat(text)})`;
  const inside = /^\{(.*)\}$/.exec(text)?.[1];
  if (inside === undefined) return null;
  const values = inside.split(',').map((value) => value.trim());
  if (values.length > 4 || !values.every((value) => new RegExp(`^${number}$`).test(value))) {
    return null;
  }
  const [x, y = '0', z = '0', w = '1'] = values;
  return `vec4(${[x!, y, z, w].map(asFloat).join(', ')})`;
}
