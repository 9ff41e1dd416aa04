/**
 * The checked syntax tree: the result of parsing and semantic checks. Names are resolved to
 * symbols, every expression has its type, implicit conversions (GLSL 1.20 int → float) are explicit
 * `construct` nodes, overloads are resolved, constant expressions carry their value.
 */
import type { GlslType, Precision, StructField } from './types.ts';

/** Programmable stage of the pipeline. */
export type ShaderStage = 'vertex' | 'fragment';

/**
 * Start of a construct: string number and line as set by `#line`, the line of the text whatever
 * `#line` says, and the column in it, both from 1. A construct of a macro is where the macro is
 * used.
 */
export interface SourcePosition {
  readonly source: number;
  readonly line: number;
  readonly row: number;
  readonly column: number;
}

/** One error or warning, printed as `ERROR: 0:12: 'foo' : undeclared identifier`. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly position: SourcePosition;
  /** Token or name that the message is about. */
  readonly token: string;
  readonly message: string;
}

/** Kind of storage of a variable. */
export type StorageClass =
  | 'local'
  | 'global'
  /** `const` variable with a value known at compile time; `constant` is set. */
  | 'constant'
  | 'parameter'
  | 'uniform'
  /** Vertex attribute, or varying read by a fragment shader. */
  | 'input'
  /** Varying written by a vertex shader, or fragment output. */
  | 'output'
  /** `gl_` variable of the language. */
  | 'builtin';

/**
 * Scalars in order: vectors by component, matrices by column, aggregates flattened. Booleans are 0
 * or 1.
 */
export type ConstantValue = readonly number[];

/** Declared variable, identified by object identity. */
export interface VariableSymbol {
  readonly name: string;
  readonly type: GlslType;
  readonly storage: StorageClass;
  readonly position: SourcePosition;
  readonly precision: Precision | null;
  readonly constant: ConstantValue | null;
  readonly isFlat: boolean;
  /** Whether a varying is interpolated linearly in window coordinates. */
  readonly isNoPerspective: boolean;
  readonly isCentroid: boolean;
  /** Whether a varying is interpolated at each sample, so that its shader runs for each. */
  readonly isSample: boolean;
  readonly isInvariant: boolean;
  /** Location from `layout(location = …)`, else null. */
  readonly location: number | null;
  /** Blend source that a fragment output is: 0, or 1 for the second color. */
  readonly index: number;
  /** Direction of a parameter, else null. */
  readonly direction: 'in' | 'out' | 'inout' | null;
  readonly isReadOnly: boolean;
  /** Uniform block that contains this member, else null. */
  readonly block: UniformBlock | null;
}

/** Uniform block of GLSL ES 3.00. Its members are `VariableSymbol`s that name it in `block`. */
export interface UniformBlock {
  readonly name: string;
  readonly instanceName: string | null;
  readonly arrayLength: number | null;
  readonly layout: 'shared' | 'packed' | 'std140';
  readonly members: readonly (StructField & { readonly isRowMajor: boolean })[];
}

/** Function of the shader. `body` is set when its definition has been parsed. */
export interface FunctionSymbol {
  readonly name: string;
  readonly returnType: GlslType;
  readonly parameters: readonly VariableSymbol[];
  readonly position: SourcePosition;
  body: BlockStatement | null;
}

/** Unary operator other than `++` and `--`. */
export type UnaryOperator = '+' | '-' | '!' | '~';
/** Binary operator other than assignments and the comma. */
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
  /** Value of a constant expression if it is known at compile time, else null. */
  readonly constant: ConstantValue | null;
}

/** Expression with its type. */
export type Expression = ExpressionBase &
  (
    | { readonly kind: 'literal' }
    | { readonly kind: 'variable'; readonly variable: VariableSymbol }
    /**
     * `object.field` of a struct, or a member of a uniform block instance (`object` of struct
     * type).
     */
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
    /**
     * Componentwise operation, or linear algebra for `*` with matrices. Scalars combine with each
     * component.
     */
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    /**
     * `=` if `operator` is null, else `operator=`. The value is that of the target after the
     * assignment.
     */
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
    /**
     * Call of a built-in function such as `texture2DLod` or `smoothstep`, with its arguments as
     * written.
     */
    | {
        readonly kind: 'builtinCall';
        readonly name: string;
        readonly arguments: readonly Expression[];
      }
    /**
     * `type(arguments…)`: constructors and conversions of scalars, vectors, matrices, structs and
     * arrays.
     */
    | { readonly kind: 'construct'; readonly arguments: readonly Expression[] }
  );

/** Statements in braces. */
export interface BlockStatement {
  readonly kind: 'block';
  readonly statements: readonly Statement[];
}

/** Statement of a function body. */
export type Statement =
  | BlockStatement
  | {
      readonly kind: 'declaration';
      readonly variable: VariableSymbol;
      readonly initializer: Expression | null;
    }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | ControlStatement;

/** Statement with a keyword, and the position of the keyword. */
export type ControlStatement = { readonly position: SourcePosition } & (
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: Statement;
      readonly else: Statement | null;
    }
  | {
      readonly kind: 'for';
      readonly initializer: Statement | null;
      /** Variable that the condition declares; `condition` is then its initializer. */
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
      /** Cases in order; `value` is null for `default`. Control falls through to the next case. */
      readonly cases: readonly {
        readonly value: number | null;
        readonly statements: readonly Statement[];
      }[];
    }
  | { readonly kind: 'return'; readonly value: Expression | null }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | { readonly kind: 'discard' }
);

/** One checked shader. Only shaders without errors are lowered. */
export interface CheckedShader {
  readonly stage: ShaderStage;
  /** Language version. */
  readonly version: 100 | 110 | 120 | 130 | 140 | 150 | 300 | 330;
  /** Number of render targets that `gl_FragColor` writes to, from the first. */
  readonly colorTargetCount: number;
  /** Clip distances that clip, one bit each. */
  readonly clipMask: number;
  /** Whether the shader enables `GL_EXT_draw_buffers` (GLSL ES 1.00). */
  readonly hasDrawBuffers: boolean;
  /** Number of views of `layout(num_views = …) in`; `null` without it (OVR_multiview2). */
  readonly viewCount: number | null;
  /** All variables declared at global scope, including unused ones, in order of declaration. */
  readonly globals: readonly {
    readonly variable: VariableSymbol;
    readonly initializer: Expression | null;
  }[];
  readonly blocks: readonly UniformBlock[];
  /** The `gl_` variables that the source uses, one symbol each. */
  readonly builtins: readonly VariableSymbol[];
  /** Functions with a body that `main` reaches, callees before callers; `main` is last. */
  readonly functions: readonly FunctionSymbol[];
  readonly diagnostics: readonly Diagnostic[];
}
