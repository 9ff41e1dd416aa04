/**
 * Generator of well-typed IR programs from a list of choices. Zeros produce the simplest program.
 */
import {
  BUILTIN_INPUTS,
  type BuiltinInput,
  IR_OPERATORS,
  type IrNode,
  type IrOperator,
  type IrProgram,
  type IrType,
  type IrValue,
} from '../ir/ir.ts';

/** Features that the programs may use, and sizes of their memory. */
export interface RandomIrLimits {
  readonly stage: 'vertex' | 'fragment';
  /** Number of input slots: float at even, integer (flat) at odd slots. */
  readonly inputCount: number;
  /** Number of words in the constant bank. */
  readonly constantWords: number;
  /** Whether to use instructions that read other lanes. */
  readonly usesDerivatives: boolean;
}

const TYPES = ['f32', 'i32', 'bool'] as const;
const ARRAYS = [
  { type: 'f32', length: 5 },
  { type: 'i32', length: 3 },
  { type: 'bool', length: 1 },
] as const;
const OPERATORS = Object.keys(IR_OPERATORS) as IrOperator[];
const CONSTANTS = [0, 1, 2, -1, 0x3f800000, 0x40200000, -0x41000000, 0x7f800000, 100, 0x4b000001];
/** Weight of each value in scope, relative to 1 for a new constant. */
const CONSTANT_ODDS = 3;
const MAX_DEPTH = 3;
const MAX_ROUNDS = 4;
const OUTPUT_COUNT = 4;

/**
 * Returns a random program.
 *
 * @param choices Numbers that are consumed one by one. When they run out, the program ends.
 */
export function makeRandomIr(choices: readonly number[], limits: RandomIrLimits): IrProgram {
  return new RandomIr(choices, limits).make();
}

class RandomIr {
  readonly #choices: readonly number[];
  readonly #limits: RandomIrLimits;
  /** Whether input 2 has a value for each sample. */
  readonly #hasSampleInput: boolean;
  #next = 0;
  #valueCount = 0;
  #labelCount = 0;
  readonly #variables: IrType[] = ['f32', 'i32', 'bool', 'f32', 'i32'];
  readonly #targets: { kind: 'block' | 'loop'; label: number }[] = [];

  constructor(choices: readonly number[], limits: RandomIrLimits) {
    this.#choices = choices;
    this.#limits = limits;
    this.#hasSampleInput = limits.stage === 'fragment' && choices.length % 2 === 1;
  }

  make(): IrProgram {
    const scope: IrValue[] = [];
    const body = this.#readInputs(scope);
    body.push(...this.#region(scope, 0, Number.POSITIVE_INFINITY));
    // Every remaining value of the program is output.
    let slot = OUTPUT_COUNT;
    for (const variable of this.#variables.keys()) {
      const value = this.#value(this.#variables[variable]!);
      body.push({ kind: 'readVariable', result: value, variable });
      body.push({ kind: 'output', slot: slot++, value });
    }
    for (const value of scope.slice(-10)) body.push({ kind: 'output', slot: slot++, value });
    return {
      stage: this.#limits.stage,
      body,
      variables: this.#variables,
      arrays: ARRAYS,
      valueCount: this.#valueCount,
    };
  }

  /** Returns the mark of an input that has a value for each sample. */
  #sampleOf(slot: number): { readonly isSample?: true } {
    return this.#hasSampleInput && slot === 2 ? { isSample: true } : {};
  }

  /** Returns inputs, which differ between lanes, and truth values derived from them. */
  #readInputs(scope: IrValue[]): IrNode[] {
    const body: IrNode[] = [];
    for (let slot = 0; slot < this.#limits.inputCount; slot++) {
      const isFlat = slot % 2 === 1;
      const result = this.#value(isFlat ? 'i32' : 'f32');
      body.push({ kind: 'input', result, slot, isFlat, ...this.#sampleOf(slot) });
      scope.push(result);
      if (isFlat) continue;
      const integer = this.#value('i32');
      body.push({ kind: 'operator', op: 'f2i', result: integer, operands: [result] });
      scope.push(integer);
    }
    for (const type of ['f32', 'i32'] as const) {
      const values = scope.filter((value) => value.type === type);
      for (const [position, value] of values.slice(1).entries()) {
        const result = this.#value('bool');
        const op = type === 'f32' ? 'flt' : 'ilt';
        body.push({ kind: 'operator', op, result, operands: [values[position]!, value] });
        scope.push(result);
      }
    }
    return body;
  }

  get #isDone(): boolean {
    return this.#next >= this.#choices.length;
  }

  /** Returns a number from 0 to `end` − 1. */
  #choose(end: number): number {
    return (this.#choices[this.#next++] ?? 0) % end;
  }

  #value(type: IrType): IrValue {
    return { id: this.#valueCount++, type };
  }

  /** Returns a value of the type in scope, or a new constant. */
  #pick(scope: IrValue[], type: IrType, body: IrNode[]): IrValue {
    const candidates = scope.filter((value) => value.type === type);
    const choice = this.#choose(1 + CONSTANT_ODDS * candidates.length);
    if (choice > 0) return candidates[candidates.length - 1 - ((choice - 1) % candidates.length)]!;
    const result = this.#value(type);
    const bits = CONSTANTS[this.#choose(CONSTANTS.length)]!;
    body.push({ kind: 'constant', result, bits: type === 'bool' ? -(bits & 1) : bits });
    scope.push(result);
    return result;
  }

  #region(scope: IrValue[], depth: number, length: number): IrNode[] {
    const body: IrNode[] = [];
    for (let count = 0; count < length && !this.#isDone; count++) {
      this.#node(body, scope, depth);
      const last = body.at(-1)?.kind;
      if (last === 'exit' || last === 'continue') break;
    }
    return body;
  }

  #node(body: IrNode[], scope: IrValue[], depth: number): void {
    const choice = this.#choose(20);
    if (choice < 6) this.#operator(body, scope);
    else if (choice < 9) this.#read(body, scope);
    else if (choice < 12) this.#write(body, scope);
    else if (choice < 13 && this.#limits.stage === 'fragment') body.push({ kind: 'discard' });
    else if (choice < 15 && this.#targets.length > 0) this.#leave(body, scope);
    else if (choice >= 15 && depth < MAX_DEPTH) this.#construct(body, scope, depth);
    else this.#operator(body, scope);
  }

  #operator(body: IrNode[], scope: IrValue[]): void {
    let op = OPERATORS[this.#choose(OPERATORS.length)]!;
    if (this.#limits.usesDerivatives) {
      const derivative = this.#choose(6);
      if (derivative > 3) op = derivative === 4 ? 'fddx' : 'fddy';
    } else if (op === 'fddx' || op === 'fddy') {
      return;
    }
    const info = IR_OPERATORS[op];
    const operands = info.operands.map((type) => this.#pick(scope, type, body));
    const result = this.#value(info.result);
    body.push({ kind: 'operator', op, result, operands });
    scope.push(result);
  }

  #read(body: IrNode[], scope: IrValue[]): void {
    const { stage, inputCount, constantWords } = this.#limits;
    switch (this.#choose(6)) {
      case 0: {
        const variable = this.#choose(5);
        const result = this.#value(this.#variables[variable]!);
        body.push({ kind: 'readVariable', result, variable });
        scope.push(result);
        return;
      }
      case 1: {
        const array = this.#choose(ARRAYS.length);
        const index = this.#pick(scope, 'i32', body);
        const result = this.#value(ARRAYS[array]!.type);
        body.push({ kind: 'readArray', result, array, index });
        scope.push(result);
        return;
      }
      case 2: {
        const slot = this.#choose(inputCount);
        const isFlat = slot % 2 === 1;
        const result = this.#value(isFlat ? 'i32' : 'f32');
        body.push({ kind: 'input', result, slot, isFlat, ...this.#sampleOf(slot) });
        scope.push(result);
        return;
      }
      case 3: {
        const names = (Object.keys(BUILTIN_INPUTS) as BuiltinInput[]).filter(
          (name) => (name === 'vertexId' || name === 'instanceId') === (stage === 'vertex'),
        );
        const name = names[this.#choose(names.length)]!;
        const result = this.#value(BUILTIN_INPUTS[name]);
        body.push({ kind: 'builtinInput', result, name });
        scope.push(result);
        return;
      }
      case 4: {
        const result = this.#value(TYPES[this.#choose(2)]!);
        const word = this.#choose(constantWords);
        body.push({ kind: 'uniform', result, word, index: null, wordCount: 1 });
        scope.push(result);
        return;
      }
      default: {
        const index = this.#pick(scope, 'i32', body);
        const result = this.#value(TYPES[this.#choose(3)]!);
        const word = this.#choose(constantWords);
        const wordCount = 1 + this.#choose(constantWords - word);
        body.push({ kind: 'uniform', result, word, index, wordCount });
        scope.push(result);
      }
    }
  }

  #write(body: IrNode[], scope: IrValue[]): void {
    switch (this.#choose(3)) {
      case 0: {
        const variable = this.#choose(5);
        const value = this.#pick(scope, this.#variables[variable]!, body);
        body.push({ kind: 'writeVariable', variable, value });
        return;
      }
      case 1: {
        const array = this.#choose(ARRAYS.length);
        const index = this.#pick(scope, 'i32', body);
        const value = this.#pick(scope, ARRAYS[array]!.type, body);
        body.push({ kind: 'writeArray', array, index, value });
        return;
      }
      default: {
        const slot = this.#choose(OUTPUT_COUNT);
        const value = this.#pick(scope, TYPES[this.#choose(3)]!, body);
        body.push({ kind: 'output', slot, value });
      }
    }
  }

  #leave(body: IrNode[], scope: IrValue[]): void {
    const target = this.#targets[this.#choose(this.#targets.length)]!;
    const isContinue = target.kind === 'loop' && this.#choose(2) === 1;
    const leave: IrNode = { kind: isContinue ? 'continue' : 'exit', label: target.label };
    if (this.#choose(4) === 1) {
      body.push(leave);
      return;
    }
    const condition = this.#pick(scope, 'bool', body);
    const isElse = this.#choose(2) === 1;
    body.push(conditional(condition, isElse ? [] : [leave], isElse ? [leave] : []));
  }

  #construct(body: IrNode[], scope: IrValue[], depth: number): void {
    const length = 1 + this.#choose(6);
    switch (this.#choose(3)) {
      case 0: {
        const condition = this.#pick(scope, 'bool', body);
        const then = this.#region([...scope], depth + 1, length);
        const hasElse = this.#choose(2) === 1;
        const otherwise = hasElse ? this.#region([...scope], depth + 1, length) : [];
        body.push({ kind: 'if', condition, then, else: otherwise });
        return;
      }
      case 1: {
        const label = this.#labelCount++;
        this.#targets.push({ kind: 'block', label });
        const inner = this.#region([...scope], depth + 1, length);
        this.#targets.pop();
        body.push({ kind: 'block', label, body: inner });
        return;
      }
      default:
        this.#loop(body, scope, depth, length);
    }
  }

  /**
   * Appends a loop with its own counter. It has at most `MAX_ROUNDS` rounds because the counter is
   * incremented first.
   */
  #loop(body: IrNode[], scope: IrValue[], depth: number, length: number): void {
    const counter = this.#variables.length;
    this.#variables.push('i32');
    const label = this.#labelCount++;
    const [zero, one, rounds] = [0, 1, 1 + this.#choose(MAX_ROUNDS)].map((bits) => {
      const result = this.#value('i32');
      body.push({ kind: 'constant', result, bits });
      return result;
    });
    const before = this.#value('i32');
    const after = this.#value('i32');
    const isOver = this.#value('bool');
    const innerScope = [...scope, after];
    const head: IrNode[] = [
      { kind: 'readVariable', result: before, variable: counter },
      { kind: 'operator', op: 'iadd', result: after, operands: [before, one!] },
      { kind: 'writeVariable', variable: counter, value: after },
      { kind: 'operator', op: 'ilt', result: isOver, operands: [rounds!, after] },
      conditional(isOver, [{ kind: 'exit', label }], []),
    ];
    this.#targets.push({ kind: 'loop', label });
    const inner = this.#region(innerScope, depth + 1, length);
    this.#targets.pop();
    body.push(
      { kind: 'writeVariable', variable: counter, value: zero! },
      { kind: 'loop', label, body: [...head, ...inner] },
    );
    // Values that every round defines before it can leave are available after the loop.
    scope.push(after);
  }
}

function conditional(condition: IrValue, then: IrNode[], otherwise: IrNode[]): IrNode {
  return { kind: 'if', condition, then, else: otherwise };
}
