/** Readable listing of IR, one node per line, regions indented. */

import type { IrNode, IrProgram, IrRegion, IrValue } from './ir.ts';
import { floatOfBits } from './scalar-operators.ts';

/** Returns the listing of `program`, with a newline at the end. */
export function printIr(program: IrProgram): string {
  const lines = [`${program.stage} values=${program.valueCount}`];
  program.variables.forEach((type, k) => {
    lines.push(`  var v${k}: ${type}`);
  });
  program.arrays.forEach(({ type, length }, k) => {
    lines.push(`  array a${k}: ${type}[${length}]`);
  });
  printRegion(program.body, '  ', lines);
  return `${lines.join('\n')}\n`;
}

function printRegion(region: IrRegion, indent: string, lines: string[]): void {
  for (const node of region) {
    lines.push(indent + describe(node));
    const inner = `${indent}  `;
    if (node.kind === 'if') {
      printRegion(node.then, inner, lines);
      if (node.else.length > 0) {
        lines.push(`${indent}else`);
        printRegion(node.else, inner, lines);
      }
    } else if (node.kind === 'block' || node.kind === 'loop') {
      printRegion(node.body, inner, lines);
    }
  }
}

const name = (value: IrValue): string => `%${value.id}`;
const names = (values: readonly IrValue[]): string => values.map(name).join(', ');

function literal(type: IrValue['type'], bits: number): string {
  if (type === 'bool') return bits === 0 ? 'false' : 'true';
  if (type === 'i32') return String(bits);
  const value = floatOfBits(bits);
  return Object.is(value, -0) ? '-0.0' : Number.isInteger(value) ? `${value}.0` : String(value);
}

function interpolationOf({ isFlat, isSample }: IrNode & { kind: 'input' }): string {
  if (isFlat) return ' flat';
  return isSample === true ? ' sample' : '';
}

function describe(node: IrNode): string {
  switch (node.kind) {
    case 'constant':
      return `${name(node.result)} = ${literal(node.result.type, node.bits)}`;
    case 'operator':
      return `${name(node.result)} = ${node.op} ${names(node.operands)}`;
    case 'uniform': {
      const index = node.index === null ? '' : ` + ${name(node.index)} of ${node.wordCount}`;
      return `${name(node.result)} = uniform c${node.word}${index}`;
    }
    case 'input':
      return `${name(node.result)} = input${interpolationOf(node)} i${node.slot}`;
    case 'builtinInput':
      return `${name(node.result)} = ${node.name}`;
    case 'output':
      return `output o${node.slot}, ${name(node.value)}`;
    case 'readVariable':
      return `${name(node.result)} = v${node.variable}`;
    case 'writeVariable':
      return `v${node.variable} = ${name(node.value)}`;
    case 'readArray':
      return `${name(node.result)} = a${node.array}[${name(node.index)}]`;
    case 'writeArray':
      return `a${node.array}[${name(node.index)}] = ${name(node.value)}`;
    case 'texture': {
      const shadow = node.isShadow ? ' shadow' : '';
      const head = `texture ${node.operation} ${node.dimension}${shadow} t${node.textureSlot}`;
      return `${names(node.results)} = ${head}, ${names(node.operands)}`;
    }
    case 'textureSize':
      return `${names(node.results)} = textureSize t${node.textureSlot}, ${name(node.level)}`;
    case 'if':
      return `if ${name(node.condition)}`;
    case 'block':
    case 'loop':
      return `${node.kind} L${node.label}`;
    case 'exit':
    case 'continue':
      return `${node.kind} L${node.label}`;
    case 'discard':
      return 'discard';
  }
}
