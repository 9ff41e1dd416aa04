/**
 * Propagates known values in one walk in order of dominance. The walk folds constants, simplifies
 * operators, reuses equal values (value numbering, scoped by region), forwards written variables to
 * the reads they reach, and drops unreachable branches and nodes.
 *
 * A variable has a known value from a write, or from its first read, until it joins control flow
 * that wrote it differently. Known values that are defined inside a branch or loop are dropped at
 * its end, because values are visible only in their region.
 */

import {
  IR_OPERATORS,
  type IrNode,
  type IrOperator,
  type IrProgram,
  type IrRegion,
  type IrValue,
} from '../ir.ts';
import { IrBuilder } from '../ir-builder.ts';
import { effectsOf, resultsOf, withOperands } from '../regions.ts';
import { simplifyOperator } from '../simplify-operator.ts';
import { ScopedList } from './scoped-list.ts';
import { ScopedMap } from './scoped-map.ts';

/** Returns `program` after the walk; values keep their meaning bit for bit. */
export function propagate(program: IrProgram): IrProgram {
  const builder = new IrBuilder(program);
  const walk = new PropagateWalk(builder, program.valueCount);
  walk.start();
  walk.region(program.body);
  return builder.finish(program.stage);
}

/** Values of variables at the jumps to the end of a block or loop. */
interface JumpTarget {
  readonly written: ReadonlySet<number>;
  readonly snapshots: (readonly (IrValue | undefined)[])[];
}

class PropagateWalk {
  readonly #builder: IrBuilder;
  /** Replacements by value of the program that is being rewritten. */
  readonly #replacement: (IrValue | undefined)[];
  /** Truth values that the current branch decides. */
  readonly #decided = new ScopedList<IrValue>();
  readonly #known = new ScopedList<IrValue>();
  readonly #equal = new ScopedMap<string | number, readonly IrValue[]>();
  /**
   * Version of each array, incremented by writes, so that two reads are equal only if the contents
   * are equal.
   */
  readonly #arrayVersion: number[] = [];
  #versionCount = 0;
  readonly #targets = new Map<number, JumpTarget>();

  constructor(builder: IrBuilder, valueCount: number) {
    this.#builder = builder;
    this.#replacement = new Array<IrValue | undefined>(valueCount);
  }

  /** Records that variables start as 0. */
  start(): void {
    this.#builder.variables.forEach((type, variable) => {
      this.#known.set(variable, this.#builder.constant(type, 0));
    });
  }

  /**
   * Walks `region` and emits its nodes to the builder's open region. Returns whether its end is
   * reachable.
   */
  region(region: IrRegion): boolean {
    for (const node of region) {
      if (!this.#node(node)) return false;
    }
    return true;
  }

  #resolve = (value: IrValue): IrValue => {
    const replaced = this.#replacement[value.id] ?? value;
    return this.#decided.get(replaced.id) ?? replaced;
  };

  #replace(from: IrValue, to: IrValue): void {
    if (from.id !== to.id) this.#replacement[from.id] = to;
  }

  /** Emits `node`, or uses the results of an equal node that is visible here. */
  #emitOnce(key: string | number, node: IrNode): void {
    const results = resultsOf(node);
    const equal = this.#equal.get(key);
    if (equal === undefined) {
      this.#builder.emit(node);
      this.#equal.set(key, results);
      return;
    }
    results.forEach((result, k) => {
      this.#replace(result, equal[k]!);
    });
  }

  #node(original: IrNode): boolean {
    const node = withOperands(original, this.#resolve);
    // What replaces the node serves the same line.
    this.#builder.line = node.line ?? 0;
    switch (node.kind) {
      case 'constant':
        this.#replace(node.result, this.#builder.constant(node.result.type, node.bits));
        return true;
      case 'operator':
        this.#operator(node);
        return true;
      case 'uniform':
        this.#uniform(node);
        return true;
      case 'input':
        this.#emitOnce(`input ${node.slot} ${node.result.type}`, node);
        return true;
      case 'builtinInput':
        this.#emitOnce(node.name, node);
        return true;
      case 'texture': {
        const { operation, textureSlot, dimension, isShadow, operands, results } = node;
        const head = `texture ${operation} ${textureSlot} ${dimension} ${isShadow} ${results[0].type}`;
        this.#emitOnce(`${head} ${keyOf(operands)}`, node);
        return true;
      }
      case 'textureSize':
        this.#emitOnce(`size ${node.textureSlot} ${node.level.id}`, node);
        return true;
      case 'readVariable': {
        const known = this.#known.get(node.variable);
        if (known !== undefined) {
          this.#replace(node.result, known);
          return true;
        }
        this.#builder.emit(node);
        this.#known.set(node.variable, node.result);
        return true;
      }
      case 'writeVariable':
        if (this.#known.get(node.variable)?.id === node.value.id) return true;
        this.#builder.emit(node);
        this.#known.set(node.variable, node.value);
        return true;
      case 'readArray': {
        const version = this.#arrayVersion[node.array] ?? 0;
        this.#emitOnce(`array ${node.array} ${version} ${node.index.id}`, node);
        return true;
      }
      case 'writeArray':
        this.#builder.emit(node);
        this.#arrayVersion[node.array] = ++this.#versionCount;
        return true;
      case 'if':
        return this.#if(node);
      case 'block':
      case 'loop':
        return this.#target(node);
      case 'exit':
        this.#snapshot(node.label);
        this.#builder.emit(node);
        return false;
      case 'continue':
        this.#builder.emit(node);
        return false;
      case 'output':
      case 'discard':
        this.#builder.emit(node);
        return true;
    }
  }

  #operator(node: IrNode & { kind: 'operator' }): void {
    const { op } = node;
    let { operands } = node;
    if (isCommutative(op) && operands[0]!.id > operands[1]!.id) {
      operands = [operands[1]!, operands[0]!];
    }
    const key = operatorKey(op, operands);
    const equal = this.#equal.get(key);
    if (equal !== undefined) {
      this.#replace(node.result, equal[0]!);
      return;
    }
    const simplified = simplifyOperator(this.#builder, op, operands);
    if (simplified !== null) {
      this.#replace(node.result, simplified);
      this.#equal.set(key, [simplified]);
      return;
    }
    this.#emitOnce(key, { ...node, operands });
  }

  #uniform(node: IrNode & { kind: 'uniform' }): void {
    let { index, word, wordCount } = node;
    const offset = index === null ? null : this.#builder.constantBits(index);
    if (offset !== null) {
      if (offset < 0 || offset >= wordCount) {
        this.#replace(node.result, this.#builder.constant(node.result.type, 0));
        return;
      }
      word += offset;
      index = null;
      wordCount = 1;
    }
    const { type } = node.result;
    const key = `uniform ${word} ${index?.id ?? ''} ${wordCount} ${type}`;
    this.#emitOnce(key, { ...node, word, index, wordCount });
  }

  #if(node: IrNode & { kind: 'if' }): boolean {
    const decided = this.#builder.constantBits(node.condition);
    if (decided !== null) return this.region(decided !== 0 ? node.then : node.else);

    const thenArm = this.#arm(node.then, node.condition, true);
    const elseArm = this.#arm(node.else, node.condition, false);
    const written = new Set([
      ...effectsOf(node.then).writtenVariables,
      ...effectsOf(node.else).writtenVariables,
    ]);
    this.#join([...written], (variable) =>
      [thenArm, elseArm].filter((arm) => arm.isEndReached).map((arm) => arm.endValueOf(variable)),
    );
    this.#forgetArrays([node.then, node.else]);
    if (thenArm.region.length > 0 || elseArm.region.length > 0) {
      this.#builder.emit({ ...node, then: thenArm.region, else: elseArm.region });
    }
    return thenArm.isEndReached || elseArm.isEndReached;
  }

  /**
   * Walks a branch. Undoes everything that it learned, except the final values of its variables.
   */
  #arm(region: IrRegion, condition: IrValue, truth: boolean) {
    const start = this.#builder.emittedCount;
    const marks = this.#mark();
    this.#decided.set(condition.id, this.#builder.bool(truth));
    let isEndReached = true;
    const emitted = this.#builder.buildRegion(() => {
      isEndReached = this.region(region);
    });
    const ends = new Map<number, IrValue | undefined>();
    for (const variable of effectsOf(region).writtenVariables) {
      ends.set(variable, this.#outside(this.#known.get(variable), start));
    }
    this.#rewind(marks);
    const endValueOf = (variable: number): IrValue | undefined =>
      ends.has(variable) ? ends.get(variable) : this.#known.get(variable);
    return { region: emitted, isEndReached, endValueOf };
  }

  #target(node: IrNode & { kind: 'block' | 'loop' }): boolean {
    const start = this.#builder.emittedCount;
    const { writtenVariables, writtenArrays } = effectsOf(node.body);
    const target: JumpTarget = { written: writtenVariables, snapshots: [] };
    this.#targets.set(node.label, target);
    const marks = this.#mark();
    if (node.kind === 'loop') {
      for (const variable of writtenVariables) this.#known.set(variable, undefined);
      for (const array of writtenArrays) this.#arrayVersion[array] = ++this.#versionCount;
    }
    let isEndReached = true;
    const body = this.#builder.buildRegion(() => {
      isEndReached = this.region(node.body);
      if (node.kind === 'block' && isEndReached) this.#snapshot(node.label);
    });
    this.#targets.delete(node.label);
    this.#rewind(marks);
    const variables = [...writtenVariables];
    this.#join(variables, (variable) => {
      const k = variables.indexOf(variable);
      return target.snapshots.map((values) => this.#outside(values[k], start));
    });
    this.#forgetArrays([node.body]);
    // An empty block has no effect; an empty loop never ends.
    if (body.length > 0 || node.kind === 'loop') this.#builder.emit({ ...node, body });
    return target.snapshots.length > 0;
  }

  /** Records the values of the variables that `label`'s body writes, at a jump to its end. */
  #snapshot(label: number): void {
    const target = this.#targets.get(label)!;
    target.snapshots.push([...target.written].map((variable) => this.#known.get(variable)));
  }

  /** Joins control flow: a variable is known if it has the same value on all paths. */
  #join(
    variables: readonly number[],
    valuesOf: (variable: number) => readonly (IrValue | undefined)[],
  ): void {
    for (const variable of variables) {
      const values = valuesOf(variable);
      const first = values[0];
      const isSame = first !== undefined && values.every((value) => value?.id === first.id);
      this.#known.set(variable, isSame ? first : undefined);
    }
  }

  #forgetArrays(regions: readonly IrRegion[]): void {
    for (const region of regions) {
      for (const array of effectsOf(region).writtenArrays) {
        this.#arrayVersion[array] = ++this.#versionCount;
      }
    }
  }

  /**
   * Returns `value` if it was defined before `start` nodes were emitted, because then it is visible
   * outside.
   */
  #outside(value: IrValue | undefined, start: number): IrValue | undefined {
    if (value === undefined) return undefined;
    return this.#builder.orderOf(value) < start ? value : undefined;
  }

  #mark(): readonly [number, number, number] {
    return [this.#decided.mark(), this.#known.mark(), this.#equal.mark()];
  }

  #rewind([decided, known, equal]: readonly [number, number, number]): void {
    this.#decided.rewind(decided);
    this.#known.rewind(known);
    this.#equal.rewind(equal);
  }
}

const COMMUTATIVE: ReadonlySet<string> = new Set([
  'fadd',
  'fmul',
  'feq',
  'fne',
  'iadd',
  'imul',
  'iand',
  'ior',
  'ixor',
  'ieq',
  'ine',
  'band',
  'bor',
  'bxor',
]);

/**
 * Whether the operands may be exchanged. For fmin and fmax they may not, because NaN and zeros
 * depend on position.
 */
function isCommutative(op: string): boolean {
  return COMMUTATIVE.has(op);
}

const OPERATOR_NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.keys(IR_OPERATORS).map((op, number) => [op, number]),
);
/**
 * Number of values that a numeric key can distinguish. Two value numbers and 7 bits for the
 * operator fit into 53 bits.
 */
const KEY_VALUES = 2 ** 23;

/** Returns a key that is equal for the same operator of the same values; a number if it fits. */
function operatorKey(op: IrOperator, operands: readonly IrValue[]): string | number {
  const a = operands[0]!.id;
  const b = operands.length > 1 ? operands[1]!.id : 0;
  if (operands.length > 2 || a >= KEY_VALUES || b >= KEY_VALUES) return `${op} ${keyOf(operands)}`;
  return (OPERATOR_NUMBERS.get(op)! * KEY_VALUES + a) * KEY_VALUES + b;
}

function keyOf(values: readonly IrValue[]): string {
  return values.map(({ id }) => id).join(' ');
}
