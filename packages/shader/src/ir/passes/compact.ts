/** Renumbers values, variables, arrays and labels without gaps, in order of appearance. */
import type { IrNode, IrProgram, IrRegion, IrType, IrValue } from '../ir.ts';
import { withOperands } from '../regions.ts';

/** Returns `program` with dense numbers, without unused variables and arrays. */
export function compact(program: IrProgram): IrProgram {
  const values: (IrValue | undefined)[] = new Array(program.valueCount);
  let valueCount = 0;
  const variables: IrType[] = [];
  const arrays: IrProgram['arrays'][number][] = [];
  const variableNumbers = new Map<number, number>();
  const arrayNumbers = new Map<number, number>();
  const labelNumbers = new Map<number, number>();

  const define = (value: IrValue): IrValue => {
    const renumbered = { id: valueCount++, type: value.type };
    values[value.id] = renumbered;
    return renumbered;
  };
  const variableOf = (variable: number): number => {
    const known = variableNumbers.get(variable);
    if (known !== undefined) return known;
    variableNumbers.set(variable, variables.length);
    return variables.push(program.variables[variable]!) - 1;
  };
  const arrayOf = (array: number): number => {
    const known = arrayNumbers.get(array);
    if (known !== undefined) return known;
    arrayNumbers.set(array, arrays.length);
    return arrays.push(program.arrays[array]!) - 1;
  };
  const labelOf = (label: number): number => {
    const known = labelNumbers.get(label) ?? labelNumbers.size;
    labelNumbers.set(label, known);
    return known;
  };

  const rewriteNode = (original: IrNode): IrNode => {
    const node = withOperands(original, ({ id }) => values[id]!);
    switch (node.kind) {
      case 'constant':
      case 'operator':
      case 'uniform':
      case 'input':
      case 'builtinInput':
        return { ...node, result: define(node.result) };
      case 'readVariable':
        return { ...node, result: define(node.result), variable: variableOf(node.variable) };
      case 'writeVariable':
        return { ...node, variable: variableOf(node.variable) };
      case 'readArray':
        return { ...node, result: define(node.result), array: arrayOf(node.array) };
      case 'writeArray':
        return { ...node, array: arrayOf(node.array) };
      case 'texture': {
        const [r, g, b, a] = node.results;
        return { ...node, results: [define(r), define(g), define(b), define(a)] };
      }
      case 'textureSize': {
        const [width, height, depth] = node.results;
        return { ...node, results: [define(width), define(height), define(depth)] };
      }
      case 'if':
        return { ...node, then: rewrite(node.then), else: rewrite(node.else) };
      case 'block':
      case 'loop':
        return { ...node, label: labelOf(node.label), body: rewrite(node.body) };
      case 'exit':
      case 'continue':
        return { ...node, label: labelOf(node.label) };
      default:
        return node;
    }
  };
  const rewrite = (region: IrRegion): IrRegion => region.map(rewriteNode);
  const body = rewrite(program.body);
  return { stage: program.stage, body, variables, arrays, valueCount };
}
