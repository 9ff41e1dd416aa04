/** State of lowering one shader: storage of its variables and targets of its jumps. */
import { RenderError } from '@tessera/frame';
import type { IrType, IrValue } from '../ir/ir.ts';
import { IrBuilder } from '../ir/ir-builder.ts';
import type { TypedValues } from '../operations/lower-operators.ts';
import { componentCount, irTypeOf, scalarBases } from '../operations/type-layout.ts';
import type { CheckedShader, Expression, Statement, VariableSymbol } from '../tree/checked-tree.ts';
import type { GlslType } from '../tree/types.ts';
import type { Interpolant } from './lower-interpolation.ts';
import { type Storage, type VariableStorage, wholePlace, writePlace } from './place.ts';
import type { SymbolFacts } from './scan-symbols.ts';

/** Range of texture slots of a sampler, or of an array or struct with samplers. */
export interface SamplerPlace {
  readonly firstSlot: number;
  readonly type: GlslType;
  /** Computed indices: each adds `index` × `stride` slots, with `index` < `count`. */
  readonly computed: readonly {
    readonly index: IrValue;
    readonly stride: number;
    readonly count: number;
  }[];
}

/** Target of `return` and destination of its value. */
export interface ReturnTarget {
  /** Null if the only `return` is the last statement. */
  readonly label: number | null;
  /** Variables for the scalars of the value; unused without a label. */
  readonly variables: readonly number[];
  /** Value of a `return` without a label. */
  values: readonly IrValue[];
}

/** Targets of `break` and `continue`. `continueLabel` is null in a switch outside of loops. */
export interface JumpTargets {
  readonly breakLabel: number;
  readonly continueLabel: number | null;
}

/**
 * Size limit in scalars for constant arrays that are indexed by selects. Larger ones are copied to
 * memory.
 */
const MAX_SELECTED_CONSTANTS = 16;

/**
 * Maximum number of nodes and calls of one shader with its functions inlined. It stops sources in
 * which each function calls the next one twice, whose size doubles per level. The largest material
 * of three.js takes a fortieth of this limit.
 */
const MAX_STEPS = 1 << 18;

/** Maximum nesting of statements and expressions, including those of inlined functions. */
const MAX_DEPTH = 1000;

/** Lowers one kind of node; calls {@link Lowering} for the nodes inside it. */
export interface LoweringRules {
  /** Returns the scalars of an expression that is not constant. */
  readonly expression: (lowering: Lowering, expression: Expression) => readonly IrValue[];
  readonly statement: (lowering: Lowering, statement: Statement) => void;
}

/** State of lowering one shader. Dispatches nested nodes to the rules. */
export class Lowering {
  readonly builder = new IrBuilder();
  readonly stage: CheckedShader['stage'];
  readonly facts: SymbolFacts;
  /**
   * Storage by variable. Each inlining of a function declares its variables again. Because there is
   * no recursion, the latest entry is the valid one.
   */
  readonly storage = new Map<VariableSymbol, VariableStorage>();
  readonly samplers = new Map<VariableSymbol, SamplerPlace>();
  readonly interpolants = new Map<VariableSymbol, Interpolant>();
  jumps: JumpTargets | null = null;
  returnTarget: ReturnTarget | null = null;
  /** Label of the outermost enclosing loop, functions inlined; null outside of loops. */
  outermostLoop: number | null = null;
  /** The `gl_` variables that the shader uses, by name. */
  readonly builtins: Map<string, VariableSymbol>;
  /** Number of render targets that `gl_FragColor` writes to. */
  readonly colorTargetCount: number;
  /** Output variables with the slot of each scalar; null for a scalar that is dropped. */
  readonly outputs: {
    readonly symbol: VariableSymbol;
    readonly slots: readonly (number | null)[];
  }[] = [];
  readonly #rules: LoweringRules;
  readonly #bind: (symbol: VariableSymbol) => void;
  #callCount = 0;
  #depth = 0;

  /**
   * @param rules Lowering of expressions and statements by kind.
   * @param bind Allocates a `gl_` variable that a built-in function needs although the source does
   *   not name it.
   */
  constructor(
    shader: CheckedShader,
    facts: SymbolFacts,
    rules: LoweringRules,
    bind: (symbol: VariableSymbol) => void,
  ) {
    this.stage = shader.stage;
    this.colorTargetCount = shader.colorTargetCount;
    this.facts = facts;
    this.builtins = new Map(shader.builtins.map((symbol) => [symbol.name, symbol]));
    this.#rules = rules;
    this.#bind = bind;
  }

  /**
   * Counts a call.
   *
   * @throws {RenderError} SHADER_COMPILE_FAILED if the shader has become too long.
   */
  countCall(): void {
    this.#callCount++;
    this.checkLength();
  }

  /**
   * Checks the number of steps so far.
   *
   * @throws {RenderError} SHADER_COMPILE_FAILED if the shader has become too long.
   */
  checkLength(): void {
    if (this.builder.emittedCount + this.#callCount > MAX_STEPS) {
      this.#refuse(`longer than ${MAX_STEPS} steps`);
    }
  }

  /**
   * Evaluates `expression`; returns its scalars.
   *
   * @throws {RenderError} SHADER_COMPILE_FAILED if it is nested too deeply.
   */
  lowerExpression(expression: Expression): readonly IrValue[] {
    if (expression.constant !== null) return this.constants(expression.type, expression.constant);
    this.#enter();
    const { line } = this.builder;
    this.builder.line = expression.position.row;
    const values = this.#rules.expression(this, expression);
    this.builder.line = line;
    this.#depth--;
    return values;
  }

  /** Evaluates `expression`; returns its scalars with its type. */
  lowerTyped(expression: Expression): TypedValues {
    return { type: expression.type, values: this.lowerExpression(expression) };
  }

  /** Evaluates a scalar. */
  lowerScalar(expression: Expression): IrValue {
    return this.lowerExpression(expression)[0]!;
  }

  /**
   * Lowers a statement.
   *
   * @throws {RenderError} SHADER_COMPILE_FAILED if the shader is too long or nested too deeply.
   */
  lowerStatement(statement: Statement): void {
    this.checkLength();
    this.#enter();
    const { line } = this.builder;
    this.builder.line = lineOf(statement) ?? line;
    this.#rules.statement(this, statement);
    this.builder.line = line;
    this.#depth--;
  }

  #enter(): void {
    if (++this.#depth > MAX_DEPTH) this.#refuse(`nested more than ${MAX_DEPTH} deep`);
  }

  #refuse(reason: string): never {
    const message = `${this.stage} shader: ${reason} with its functions inlined`;
    throw new RenderError('SHADER_COMPILE_FAILED', message);
  }

  /** Returns the storage of the `gl_` variable `name`, for functions that read it implicitly. */
  builtinStorage(name: string, type: GlslType): VariableStorage {
    let symbol = this.builtins.get(name);
    if (symbol === undefined) {
      symbol = builtinSymbol(name, type);
      this.builtins.set(name, symbol);
      this.#bind(symbol);
    }
    return this.storageOf(symbol);
  }

  /** Returns the constants `values`, the scalars of `type` in order. */
  constants(type: GlslType, values: readonly number[]): IrValue[] {
    return scalarBases(type).map((base, k) => {
      const value = values[k]!;
      if (base === 'float') return this.builder.float(value);
      return base === 'bool' ? this.builder.bool(value !== 0) : this.builder.int(value);
    });
  }

  /** Returns zeros for all scalars of `type`. */
  zeros(type: GlslType): IrValue[] {
    return this.constants(type, new Array<number>(componentCount(type)).fill(0));
  }

  /** Sets the storage of `symbol`. */
  setStorage(symbol: VariableSymbol, storage: Storage): VariableStorage {
    const entry = { storage, type: symbol.type, bases: scalarBases(symbol.type) };
    this.storage.set(symbol, entry);
    return entry;
  }

  /** Returns the storage of `symbol`. */
  storageOf(symbol: VariableSymbol): VariableStorage {
    const known = this.storage.get(symbol);
    if (known !== undefined) return known;
    if (symbol.constant === null) throw new Error(`variable ${symbol.name} has no storage`);
    return this.setStorage(symbol, {
      kind: 'values',
      values: this.constants(symbol.type, symbol.constant),
    });
  }

  /** Allocates writable storage. */
  allocate(symbol: VariableSymbol): VariableStorage {
    const bases = scalarBases(symbol.type);
    if (!this.facts.computedIndex.has(symbol)) {
      const variables = bases.map((base) => this.builder.newVariable(irTypeOf(base)));
      return this.setStorage(symbol, { kind: 'variables', variables });
    }
    const arrays: Partial<Record<IrType, number>> = {};
    for (const type of ['f32', 'i32', 'bool'] as const) {
      const length = bases.filter((base) => irTypeOf(base) === type).length;
      if (length > 0) arrays[type] = this.builder.newArray(type, length);
    }
    return this.setStorage(symbol, { kind: 'arrays', arrays });
  }

  /** Copies constant arrays with computed indices to memory, once for the whole program. */
  placeConstantArrays(): void {
    for (const symbol of this.facts.computedIndex) {
      if (symbol.constant === null || symbol.constant.length <= MAX_SELECTED_CONSTANTS) continue;
      this.declare(symbol, this.constants(symbol.type, symbol.constant));
    }
  }

  /** Allocates `symbol` and writes `values` to it. */
  declare(symbol: VariableSymbol, values: readonly IrValue[]): void {
    writePlace(this.builder, wholePlace(this.allocate(symbol)), values);
  }

  /** Declares a variable. If it is never written again, it is represented by its values. */
  bindOrDeclare(symbol: VariableSymbol, values: readonly IrValue[]): void {
    const isFixed = !this.facts.written.has(symbol) && !this.facts.computedIndex.has(symbol);
    if (isFixed) this.setStorage(symbol, { kind: 'values', values });
    else this.declare(symbol, values);
  }
}

/** Returns the line of a statement; undefined for a block, whose statements have lines. */
function lineOf(statement: Statement): number | undefined {
  switch (statement.kind) {
    case 'block':
      return undefined;
    case 'declaration':
      return statement.variable.position.row;
    case 'expression':
      return statement.expression.position.row;
    default:
      return statement.position.row;
  }
}

function builtinSymbol(name: string, type: GlslType): VariableSymbol {
  return {
    name,
    type,
    storage: 'builtin',
    position: { source: 0, line: 0, row: 0, column: 0 },
    precision: null,
    constant: null,
    isFlat: false,
    isNoPerspective: false,
    isCentroid: false,
    isSample: false,
    isInvariant: false,
    location: null,
    index: 0,
    direction: null,
    isReadOnly: true,
    block: null,
  };
}
