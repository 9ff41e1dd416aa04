/**
 * Builds IR: numbers values, tracks open regions, folds and simplifies operators as they are
 * emitted. Constants are collected at the head of the finished body, one node each.
 */

import {
  BUILTIN_INPUTS,
  type BuiltinInput,
  IR_OPERATORS,
  type IrNode,
  type IrOperator,
  type IrProgram,
  type IrRegion,
  type IrType,
  type IrValue,
} from './ir.ts';
import { bitsOfFloat, floatOfBits } from './scalar-operators.ts';
import { simplifyOperator } from './simplify-operator.ts';

/** Builder of one IR program. */
export class IrBuilder {
  readonly variables: IrType[];
  readonly arrays: { readonly type: IrType; readonly length: number }[];
  /** Line of emitted nodes that have none; 0 for no line. See IrNode. */
  line = 0;
  readonly #constants: IrNode[] = [];
  readonly #constantsByBits: Readonly<Record<IrType, Map<number, IrValue>>> = {
    f32: new Map(),
    i32: new Map(),
    bool: new Map(),
  };
  /** Constant and operator nodes by the value they define. */
  readonly #definitions: (IrNode | undefined)[];
  /** Number of nodes emitted before the one that defines the value, by value. */
  readonly #order: (number | undefined)[];
  #emittedCount = 0;
  #region: IrNode[] = [];
  #valueCount: number;
  #labelCount: number;

  /**
   * @param base Program that is being rewritten. Its values, variables and arrays keep their
   *   numbers.
   */
  constructor(base?: IrProgram) {
    this.variables = [...(base?.variables ?? [])];
    this.arrays = [...(base?.arrays ?? [])];
    this.#valueCount = base?.valueCount ?? 0;
    // Allocated at full length: JavaScript engines turn an array written far past its end into a
    // slow map.
    this.#definitions = new Array<IrNode | undefined>(this.#valueCount);
    this.#order = new Array<number | undefined>(this.#valueCount);
    this.#labelCount = base === undefined ? 0 : highestLabel(base.body) + 1;
  }

  /** Returns a value with the next free number. */
  newValue(type: IrType): IrValue {
    return { id: this.#valueCount++, type };
  }

  /** Adds a variable; returns its number. */
  newVariable(type: IrType): number {
    return this.variables.push(type) - 1;
  }

  /** Adds an array of `length` elements; returns its number. */
  newArray(type: IrType, length: number): number {
    return this.arrays.push({ type, length }) - 1;
  }

  newLabel(): number {
    return this.#labelCount++;
  }

  /** Appends `node` to the open region. Code after a jump is unreachable, so it is dropped. */
  emit(node: IrNode): void {
    const region = this.#region;
    const lastKind = region.length === 0 ? undefined : region[region.length - 1]!.kind;
    if (lastKind === 'exit' || lastKind === 'continue') return;
    switch (node.kind) {
      case 'operator':
      case 'constant':
        this.#definitions[node.result.id] = node;
        this.#order[node.result.id] = this.#emittedCount;
        break;
      case 'uniform':
      case 'input':
      case 'builtinInput':
      case 'readVariable':
      case 'readArray':
        this.#order[node.result.id] = this.#emittedCount;
        break;
      case 'texture':
      case 'textureSize':
        for (const { id } of node.results) this.#order[id] = this.#emittedCount;
        break;
      default:
    }
    this.#emittedCount++;
    // A node without a line is new, so nothing else refers to it.
    if (this.line > 0 && node.line === undefined) (node as { line?: number }).line = this.line;
    region.push(node);
  }

  /** Number of nodes emitted so far, in all regions. */
  get emittedCount(): number {
    return this.#emittedCount;
  }

  /** Returns the {@link emittedCount} at which `value` was defined; −1 for constants. */
  orderOf(value: IrValue): number {
    return this.#order[value.id] ?? -1;
  }

  /** Returns the nodes that `build` emits as a separate region. */
  buildRegion(build: () => void): IrRegion {
    const outer = this.#region;
    const inner: IrNode[] = [];
    this.#region = inner;
    build();
    this.#region = outer;
    return inner;
  }

  /** Returns the constant or operator node that defines `value`, if any. */
  definitionOf(value: IrValue): IrNode | undefined {
    return this.#definitions[value.id];
  }

  /** Returns the 32 bits of `value` if it is a constant, else null. */
  constantBits(value: IrValue): number | null {
    const node = this.#definitions[value.id];
    return node?.kind === 'constant' ? node.bits : null;
  }

  /** Returns the constant with these 32 bits; equal constants are one value. */
  constant(type: IrType, bits: number): IrValue {
    const known = this.#constantsByBits[type].get(bits);
    if (known !== undefined) return known;
    const result = this.newValue(type);
    const node: IrNode = { kind: 'constant', result, bits };
    this.#constants.push(node);
    this.#definitions[result.id] = node;
    this.#constantsByBits[type].set(bits, result);
    return result;
  }

  /** Returns the float constant nearest to `value`. */
  float(value: number): IrValue {
    return this.constant('f32', bitsOfFloat(Math.fround(value)));
  }

  /** Returns the integer constant `value`, wrapped to 32 bits. */
  int(value: number): IrValue {
    return this.constant('i32', value | 0);
  }

  bool(value: boolean): IrValue {
    return this.constant('bool', value ? -1 : 0);
  }

  /** Returns the constant `value` as a number of its type; null if it is not constant. */
  constantNumber(value: IrValue): number | null {
    const bits = this.constantBits(value);
    return bits === null ? null : value.type === 'f32' ? floatOfBits(bits) : bits;
  }

  /** Returns `op` of `operands`: an existing value if one is equal bit for bit, else a new node. */
  operator(op: IrOperator, ...operands: IrValue[]): IrValue {
    return simplifyOperator(this, op, operands) ?? this.emitOperator(op, operands);
  }

  /** Emits a node for `op` of `operands` without simplification. */
  emitOperator(op: IrOperator, operands: readonly IrValue[]): IrValue {
    const result = this.newValue(IR_OPERATORS[op].result);
    this.emit({ kind: 'operator', op, result, operands });
    return result;
  }

  /** Returns `condition ? a : b` with the operator for their type. */
  select(condition: IrValue, a: IrValue, b: IrValue): IrValue {
    const op = a.type === 'f32' ? 'selectF' : a.type === 'i32' ? 'selectI' : 'selectB';
    return this.operator(op, condition, a, b);
  }

  builtinInput(name: BuiltinInput): IrValue {
    const result = this.newValue(BUILTIN_INPUTS[name]);
    this.emit({ kind: 'builtinInput', result, name });
    return result;
  }

  readVariable(variable: number): IrValue {
    const result = this.newValue(this.variables[variable]!);
    this.emit({ kind: 'readVariable', result, variable });
    return result;
  }

  writeVariable(variable: number, value: IrValue): void {
    this.emit({ kind: 'writeVariable', variable, value });
  }

  readArray(array: number, index: IrValue): IrValue {
    const result = this.newValue(this.arrays[array]!.type);
    this.emit({ kind: 'readArray', result, array, index });
    return result;
  }

  writeArray(array: number, index: IrValue, value: IrValue): void {
    this.emit({ kind: 'writeArray', array, index, value });
  }

  /** Emits an `if` with the nodes that the two functions emit as its branches. */
  if(condition: IrValue, emitThen: () => void, emitElse: () => void = () => {}): void {
    const thenRegion = this.buildRegion(emitThen);
    const elseRegion = this.buildRegion(emitElse);
    this.emit({ kind: 'if', condition, then: thenRegion, else: elseRegion });
  }

  /** Emits a block; `emitBody` receives its label. */
  block(emitBody: (label: number) => void): void {
    const label = this.newLabel();
    this.emit({ kind: 'block', label, body: this.buildRegion(() => emitBody(label)) });
  }

  /** Emits a loop; `emitBody` receives its label. */
  loop(emitBody: (label: number) => void): void {
    const label = this.newLabel();
    this.emit({ kind: 'loop', label, body: this.buildRegion(() => emitBody(label)) });
  }

  /** Returns the program of everything emitted. */
  finish(stage: IrProgram['stage']): IrProgram {
    return {
      stage,
      body: [...this.#constants, ...this.#region],
      variables: this.variables,
      arrays: this.arrays,
      valueCount: this.#valueCount,
    };
  }
}

function highestLabel(region: IrRegion): number {
  let highest = -1;
  for (const node of region) {
    if (node.kind === 'if') {
      highest = Math.max(highest, highestLabel(node.then), highestLabel(node.else));
    } else if (node.kind === 'block' || node.kind === 'loop') {
      highest = Math.max(highest, node.label, highestLabel(node.body));
    }
  }
  return highest;
}
