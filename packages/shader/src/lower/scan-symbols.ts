/**
 * Properties of variables that lowering needs in advance, collected by one walk over the syntax
 * tree.
 */
import type { CheckedShader, Expression, Statement, VariableSymbol } from '../tree/checked-tree.ts';

/** Properties of the variables of a shader. */
export interface SymbolFacts {
  /** Variables with computed indices into them or into arrays inside them. */
  readonly computedIndex: ReadonlySet<VariableSymbol>;
  /** Variables that are written after their declaration. */
  readonly written: ReadonlySet<VariableSymbol>;
  /** Elements of gl_FragData that are written. */
  readonly writtenTargets: ReadonlySet<number>;
  /** Varyings that the shader interpolates at other places of the pixel. */
  readonly interpolants: ReadonlySet<VariableSymbol>;
  /** Whether the shader runs for each covered sample. */
  readonly isSampleShaded: boolean;
}

/** Collects the properties over all code that `shader` may run. */
export function scanSymbols(shader: CheckedShader): SymbolFacts {
  const computedIndex = new Set<VariableSymbol>();
  const written = new Set<VariableSymbol>();
  const writtenTargets = new Set<number>();
  const interpolants = new Set<VariableSymbol>();
  let isSampleShaded = false;

  const write = (target: Expression): void => {
    const root = rootOf(target);
    if (root === null) return;
    written.add(root);
    if (root.name === 'gl_FragData') {
      for (const element of elementsWritten(target)) writtenTargets.add(element);
    }
  };

  const visitExpression = (expression: Expression): void => {
    switch (expression.kind) {
      case 'variable':
        isSampleShaded ||= readsSample(expression.variable);
        break;
      case 'index':
        if (expression.index.constant === null && expression.object.type.kind === 'array') {
          const root = rootOf(expression.object);
          if (root !== null) computedIndex.add(root);
        }
        break;
      case 'assign':
      case 'increment':
        write(expression.target);
        break;
      case 'call':
        expression.function.parameters.forEach((parameter, k) => {
          if (parameter.direction !== 'in') write(expression.arguments[k]!);
        });
        break;
      case 'builtinCall':
        if (expression.name === 'modf') write(expression.arguments[1]!);
        if (expression.name.startsWith('interpolateAt')) {
          interpolants.add(rootOf(expression.arguments[0]!)!);
        }
        break;
    }
    for (const child of childrenOf(expression)) visitExpression(child);
  };
  const visit = (statement: Statement): void => {
    forEachPart(statement, visitExpression, visit);
  };

  for (const { initializer } of shader.globals) {
    if (initializer !== null) visitExpression(initializer);
  }
  for (const { body } of shader.functions) {
    if (body !== null) visit(body);
  }
  return { computedIndex, written, writtenTargets, interpolants, isSampleShaded };
}

/** Whether a variable has a value for each sample (OES_sample_variables, section 3.9.2). */
function readsSample({ name, isSample, isFlat, storage }: VariableSymbol): boolean {
  const isVarying = storage === 'input' && isSample && !isFlat;
  return isVarying || name === 'gl_SampleID' || name === 'gl_SamplePosition';
}

/** Returns the variable that `expression` is a part of, or null. */
export function rootOf(expression: Expression): VariableSymbol | null {
  switch (expression.kind) {
    case 'variable':
      return expression.variable;
    case 'field':
    case 'swizzle':
    case 'index':
      return rootOf(expression.object);
    default:
      return null;
  }
}

/** Returns the elements of an array variable that a write to `target`, a part of it, may change. */
function elementsWritten(target: Expression): readonly number[] {
  if (target.kind === 'field' || target.kind === 'swizzle' || target.kind === 'index') {
    const isElement = target.kind === 'index' && target.object.kind === 'variable';
    if (!isElement) return elementsWritten(target.object);
    if (target.index.constant !== null) return [target.index.constant[0]!];
    return elementsWritten(target.object);
  }
  const { type } = target;
  return type.kind === 'array' ? Array.from({ length: type.length }, (_, k) => k) : [];
}

/** Returns the direct subexpressions of `expression` in order of evaluation. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'variable':
      return [];
    case 'field':
    case 'swizzle':
      return [expression.object];
    case 'index':
      return [expression.object, expression.index];
    case 'unary':
      return [expression.operand];
    case 'increment':
      return [expression.target];
    case 'binary':
    case 'comma':
      return [expression.left, expression.right];
    case 'assign':
      return [expression.target, expression.value];
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'call':
    case 'builtinCall':
    case 'construct':
      return expression.arguments;
  }
}

/** Calls the functions for the expressions and statements directly inside `statement`. */
function forEachPart(
  statement: Statement,
  onExpression: (expression: Expression) => void,
  onStatement: (statement: Statement) => void,
): void {
  const optional = (expression: Expression | null): void => {
    if (expression !== null) onExpression(expression);
  };
  switch (statement.kind) {
    case 'block':
      statement.statements.forEach(onStatement);
      break;
    case 'declaration':
      optional(statement.initializer);
      break;
    case 'expression':
      onExpression(statement.expression);
      break;
    case 'if':
      onExpression(statement.condition);
      onStatement(statement.then);
      if (statement.else !== null) onStatement(statement.else);
      break;
    case 'for':
      if (statement.initializer !== null) onStatement(statement.initializer);
      optional(statement.condition);
      optional(statement.update);
      onStatement(statement.body);
      break;
    case 'while':
    case 'do':
      onExpression(statement.condition);
      onStatement(statement.body);
      break;
    case 'switch':
      onExpression(statement.selector);
      for (const { statements } of statement.cases) statements.forEach(onStatement);
      break;
    case 'return':
      optional(statement.value);
      break;
  }
}

/** Returns the number of `return` statements in `statement`. */
export function countReturns(statement: Statement): number {
  if (statement.kind === 'return') return 1;
  let count = 0;
  forEachPart(
    statement,
    () => {},
    (inner) => {
      count += countReturns(inner);
    },
  );
  return count;
}

/**
 * Whether evaluating `expression` may change a variable or take long, so that it must not run
 * speculatively.
 */
export function hasSideEffects(expression: Expression): boolean {
  if (expression.constant !== null) return false;
  const { kind } = expression;
  if (kind === 'assign' || kind === 'increment' || kind === 'call') return true;
  if (kind === 'builtinCall' && expression.name === 'modf') return true;
  return childrenOf(expression).some(hasSideEffects);
}
