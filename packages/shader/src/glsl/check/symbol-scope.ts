/** Names and what they stand for, from the innermost block outwards (GLSL ES 3.00 section 4.2). */
import type {
  Expression,
  FunctionSymbol,
  SourcePosition,
  VariableSymbol,
} from '../../tree/checked-tree.ts';
import type { GlslType, Precision } from '../../tree/types.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A variable while its shader is being checked. */
export interface Variable extends Mutable<VariableSymbol> {
  /** Whether it may stand in a constant expression, even where its value is not folded. */
  isConstantExpression: boolean;
  /** The largest constant index used on an array without length; -1 before the first. */
  largestIndex: number;
}

/** An expression while its shader is being checked. */
export type ExpressionNode = Expression & {
  readonly isConstantExpression: boolean;
  /** Nodes from here to the farthest leaf. */
  readonly depth: number;
};

/** A function while its shader is being checked. */
export interface FunctionEntry {
  readonly symbol: Mutable<FunctionSymbol>;
  /** Types of the parameters, for the choice among overloads. */
  readonly parameterTypes: readonly GlslType[];
  isDefined: boolean;
  hasPrototype: boolean;
  /** Whether a `return` stands anywhere in the body. */
  hasReturn: boolean;
  /** Functions its body calls, with the place of the first call. */
  readonly callees: Map<FunctionEntry, SourcePosition>;
}

export type ScopeEntry =
  | { readonly kind: 'variable'; readonly variable: Variable }
  | { readonly kind: 'functions'; readonly overloads: FunctionEntry[] }
  | { readonly kind: 'type'; readonly type: GlslType }
  /** Name of a uniform block: taken in its scope, but no expression has it (GLSL ES 3.00, section 4.3.7). */
  | { readonly kind: 'block' };

interface Level {
  readonly entries: Map<string, ScopeEntry>;
  readonly precisions: Map<string, Precision>;
}

/** A stack of blocks; level 0 is the global scope of the shader. */
export class SymbolScope {
  readonly #levels: Level[] = [{ entries: new Map(), precisions: new Map() }];

  get isGlobal(): boolean {
    return this.#levels.length === 1;
  }

  push(): void {
    this.#levels.push({ entries: new Map(), precisions: new Map() });
  }

  pop(): void {
    this.#levels.pop();
  }

  /** Blocks open now, the global scope included. */
  get depth(): number {
    return this.#levels.length;
  }

  /** Leaves blocks until only `depth` are open. */
  popTo(depth: number): void {
    this.#levels.length = Math.min(this.#levels.length, depth);
  }

  find(name: string): ScopeEntry | undefined {
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const entry = this.#levels[i]!.entries.get(name);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** The entry of the innermost block only. */
  findHere(name: string): ScopeEntry | undefined {
    return this.#levels.at(-1)!.entries.get(name);
  }

  findGlobal(name: string): ScopeEntry | undefined {
    return this.#levels[0]!.entries.get(name);
  }

  declare(name: string, entry: ScopeEntry): void {
    this.#levels.at(-1)!.entries.set(name, entry);
  }

  declareGlobal(name: string, entry: ScopeEntry): void {
    this.#levels[0]!.entries.set(name, entry);
  }

  /** The default precision of the type called `typeName`, from `precision …;` statements. */
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
