/**
 * The checked syntax tree: what the front end gives after parsing and semantic checks. Names are
 * resolved to symbols, every expression has its type, implicit conversions (GLSL 1.20 int → float) are
 * explicit `construct` nodes, overloads are chosen, constant expressions carry their value.
 */
import type { GlslType, Precision, StructField } from './types.ts';

export type ShaderStage = 'vertex' | 'fragment';

/** Where a construct starts: string number and line as `#line` left them, column in the source line, from 1. */
export interface SourcePosition {
  readonly source: number;
  readonly line: number;
  readonly column: number;
}

/** One complaint, printed as `ERROR: 0:12: 'foo' : undeclared identifier`. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly position: SourcePosition;
  /** The token or name it is about. */
  readonly token: string;
  readonly message: string;
}

export type StorageClass =
  | 'local'
  | 'global'
  /** `const` with a value known at compile time; `constant` is set. */
  | 'constant'
  | 'parameter'
  | 'uniform'
  /** Vertex attribute or fragment varying in. */
  | 'input'
  /** Vertex varying out or fragment output. */
  | 'output'
  /** A `gl_` variable of the language. */
  | 'builtin';

/** Components in order: vectors by component, matrices by column, aggregates flattened. Booleans are 0 or 1. */
export type ConstantValue = readonly number[];

/** A declared variable; identity is the object. */
export interface VariableSymbol {
  readonly name: string;
  readonly type: GlslType;
  readonly storage: StorageClass;
  readonly position: SourcePosition;
  readonly precision: Precision | null;
  readonly constant: ConstantValue | null;
  readonly isFlat: boolean;
  readonly isCentroid: boolean;
  readonly isInvariant: boolean;
  /** From `layout(location = …)`, else null. */
  readonly location: number | null;
  /** Direction of a parameter, else null. */
  readonly direction: 'in' | 'out' | 'inout' | null;
  readonly isReadOnly: boolean;
  /** The uniform block this member belongs to, else null. */
  readonly block: UniformBlock | null;
}

/** A uniform block of GLSL ES 3.00. Members are `VariableSymbol`s that name it in `block`. */
export interface UniformBlock {
  readonly name: string;
  readonly instanceName: string | null;
  readonly arrayLength: number | null;
  readonly layout: 'shared' | 'packed' | 'std140';
  readonly members: readonly (StructField & { readonly isRowMajor: boolean })[];
}

/** A function with a body. `body` is filled when the definition has been read. */
export interface FunctionSymbol {
  readonly name: string;
  readonly returnType: GlslType;
  readonly parameters: readonly VariableSymbol[];
  readonly position: SourcePosition;
  body: BlockStatement | null;
}

export type UnaryOperator = '+' | '-' | '!' | '~';
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '<<'
  | '>>'
  | '&'
  | '|'
  | '^'
  | '<'
  | '>'
  | '<='
  | '>='
  | '=='
  | '!='
  | '&&'
  | '||'
  | '^^';

interface ExpressionBase {
  readonly type: GlslType;
  readonly position: SourcePosition;
  /** Set where the expression is constant and its value is known. */
  readonly constant: ConstantValue | null;
}

export type Expression = ExpressionBase &
  (
    | { readonly kind: 'literal' }
    | { readonly kind: 'variable'; readonly variable: VariableSymbol }
    /** `object.field` of a struct, or a member of a uniform block instance (`object` of struct type). */
    | { readonly kind: 'field'; readonly object: Expression; readonly fieldIndex: number }
    | {
        readonly kind: 'swizzle';
        readonly object: Expression;
        readonly components: readonly number[];
      }
    /** Element of an array, column of a matrix, component of a vector. */
    | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression }
    | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Expression }
    | {
        readonly kind: 'increment';
        readonly operator: '++' | '--';
        readonly isPrefix: boolean;
        readonly target: Expression;
      }
    /** Componentwise, or linear algebra for `*` with matrices; scalars combine with each component. */
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    /** `=` when `operator` is null, else `operator=`. The value is that of the target afterwards. */
    | {
        readonly kind: 'assign';
        readonly operator: BinaryOperator | null;
        readonly target: Expression;
        readonly value: Expression;
      }
    | {
        readonly kind: 'conditional';
        readonly condition: Expression;
        readonly whenTrue: Expression;
        readonly whenFalse: Expression;
      }
    | { readonly kind: 'comma'; readonly left: Expression; readonly right: Expression }
    | {
        readonly kind: 'call';
        readonly function: FunctionSymbol;
        readonly arguments: readonly Expression[];
      }
    /** A built-in function by name, such as `texture2DLod` or `smoothstep`; arguments as written. */
    | {
        readonly kind: 'builtinCall';
        readonly name: string;
        readonly arguments: readonly Expression[];
      }
    /** `type(arguments…)`: scalar, vector, matrix, struct and array constructors and conversions. */
    | { readonly kind: 'construct'; readonly arguments: readonly Expression[] }
  );

export interface BlockStatement {
  readonly kind: 'block';
  readonly statements: readonly Statement[];
}

export type Statement =
  | BlockStatement
  | {
      readonly kind: 'declaration';
      readonly variable: VariableSymbol;
      readonly initializer: Expression | null;
    }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: Statement;
      readonly else: Statement | null;
    }
  | {
      readonly kind: 'for';
      readonly initializer: Statement | null;
      /** A condition may declare a variable; then `conditionVariable` is it and `condition` its initialiser. */
      readonly conditionVariable: VariableSymbol | null;
      readonly condition: Expression | null;
      readonly update: Expression | null;
      readonly body: Statement;
    }
  | {
      readonly kind: 'while';
      readonly conditionVariable: VariableSymbol | null;
      readonly condition: Expression;
      readonly body: Statement;
    }
  | { readonly kind: 'do'; readonly body: Statement; readonly condition: Expression }
  | {
      readonly kind: 'switch';
      readonly selector: Expression;
      /** In order; `value` is null for `default`. Control falls through to the next. */
      readonly cases: readonly {
        readonly value: number | null;
        readonly statements: readonly Statement[];
      }[];
    }
  | { readonly kind: 'return'; readonly value: Expression | null }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'discard' };

/** One shader, checked. Only a shader without errors is lowered. */
export interface CheckedShader {
  readonly stage: ShaderStage;
  /** 100, 110, 120 or 300. */
  readonly version: 100 | 110 | 120 | 300;
  /** Targets that `gl_FragColor` goes to, from the first on. */
  readonly colorTargetCount: number;
  /** In order of declaration, all that the source declares at global scope, also unused ones. */
  readonly globals: readonly {
    readonly variable: VariableSymbol;
    readonly initializer: Expression | null;
  }[];
  readonly blocks: readonly UniformBlock[];
  /** The `gl_` variables the source uses, one symbol each. */
  readonly builtins: readonly VariableSymbol[];
  /** All functions with a body that `main` reaches, callees before callers; `main` is the last. */
  readonly functions: readonly FunctionSymbol[];
  readonly diagnostics: readonly Diagnostic[];
}
