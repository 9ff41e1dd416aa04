/** Names and their declarations, from the innermost block outwards (GLSL ES 3.00 section 4.2). */
import type {
  Expression,
  FunctionSymbol,
  SourcePosition,
  VariableSymbol,
} from '../../tree/checked-tree.ts';
import type { GlslType, Precision } from '../../tree/types.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Variable while its shader is being checked. */
export interface Variable extends Mutable<VariableSymbol> {
  /** Whether it is a constant expression, even if its value is not folded. */
  isConstantExpression: boolean;
  /** Largest constant index used on an array without a length; -1 before the first. */
  largestIndex: number;
}

/** Expression while its shader is being checked. */
export type ExpressionNode = Expression & {
  readonly isConstantExpression: boolean;
  /** Number of nodes on the longest path to a leaf. */
  readonly depth: number;
};

/** Function while its shader is being checked. */
export interface FunctionEntry {
  readonly symbol: Mutable<FunctionSymbol>;
  /** Types of the parameters, for overload resolution. */
  readonly parameterTypes: readonly GlslType[];
  isDefined: boolean;
  hasPrototype: boolean;
  /** Number of the last shader of the stage that declares it; 0 if the source is one shader. */
  lastShader: number;
  /** Whether the body contains a `return`. */
  hasReturn: boolean;
  /** Functions that its body calls, with the position of the first call. */
  readonly callees: Map<FunctionEntry, SourcePosition>;
}

/** Declaration behind a name. */
export type ScopeEntry =
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'functions'; readonly overloads: FunctionEntry[] }
  | { readonly kind: 'type'; readonly type: GlslType }
  /**
   * Name of a uniform block. It occupies its scope, but no expression may use it (GLSL ES 3.00,
   * section 4.3.7).
   */
  | { readonly kind: 'block' };

interface Level {
  readonly entries: Map<string, ScopeEntry>;
  readonly precisions: Map<string, Precision>;
}

/** Stack of blocks; level 0 is the global scope of the shader. */
export class SymbolScope {
  readonly #levels: Level[] = [{ entries: new Map(), precisions: new Map() }];

  /** Whether no block is open. */
  get isGlobal(): boolean {
    return this.#levels.length === 1;
  }

  /** Opens a block. */
  push(): void {
    this.#levels.push({ entries: new Map(), precisions: new Map() });
  }

  pop(): void {
    this.#levels.pop();
  }

  /** Number of open blocks, including the global scope. */
  get depth(): number {
    return this.#levels.length;
  }

  /** Leaves blocks until only `depth` are open. */
  popTo(depth: number): void {
    this.#levels.length = Math.min(this.#levels.length, depth);
  }

  /** Returns the entry of the innermost block that declares `name`. */
  find(name: string): ScopeEntry | undefined {
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const entry = this.#levels[i]!.entries.get(name);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** Returns the entry of the innermost block only. */
  findHere(name: string): ScopeEntry | undefined {
    return this.#levels.at(-1)!.entries.get(name);
  }

  findGlobal(name: string): ScopeEntry | undefined {
    return this.#levels[0]!.entries.get(name);
  }

  /** Declares `name` in the innermost block. */
  declare(name: string, entry: ScopeEntry): void {
    this.#levels.at(-1)!.entries.set(name, entry);
  }

  declareGlobal(name: string, entry: ScopeEntry): void {
    this.#levels[0]!.entries.set(name, entry);
  }

  /** Returns the default precision of the type `typeName`, set by `precision …;` statements. */
  defaultPrecision(typeName: string): Precision | null {
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const precision = this.#levels[i]!.precisions.get(typeName);
      if (precision !== undefined) return precision;
    }
    return null;
  }

  setDefaultPrecision(typeName: string, precision: Precision): void {
    this.#levels.at(-1)!.precisions.set(typeName, precision);
  }
}
