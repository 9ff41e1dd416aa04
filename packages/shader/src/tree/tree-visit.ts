/** Traversal of the checked syntax tree, and the variables that a shader uses. */
import type { CheckedShader, Expression, Statement, VariableSymbol } from './checked-tree.ts';

/** Calls `visit` for each direct subexpression of `node`, in source order. */
export function visitParts(node: Expression, visit: (part: Expression) => void): void {
  switch (node.kind) {
    case 'literal':
    case 'variable':
      break;
    case 'field':
    case 'swizzle':
      visit(node.object);
      break;
    case 'index':
      visit(node.object);
      visit(node.index);
      break;
    case 'unary':
      visit(node.operand);
      break;
    case 'increment':
      visit(node.target);
      break;
    case 'binary':
    case 'comma':
      visit(node.left);
      visit(node.right);
      break;
    case 'assign':
      visit(node.target);
      visit(node.value);
      break;
    case 'conditional':
      visit(node.condition);
      visit(node.whenTrue);
      visit(node.whenFalse);
      break;
    case 'call':
    case 'builtinCall':
    case 'construct':
      for (const argument of node.arguments) visit(argument);
  }
}

/** Calls `visit` for each outermost expression in `statement` and the statements inside it. */
export function visitStatement(statement: Statement, visit: (node: Expression) => void): void {
  const visitIfAny = (node: Expression | null): void => {
    if (node !== null) visit(node);
  };
  switch (statement.kind) {
    case 'block':
      for (const inner of statement.statements) visitStatement(inner, visit);
      break;
    case 'declaration':
      visitIfAny(statement.initializer);
      break;
    case 'expression':
      visit(statement.expression);
      break;
    case 'if':
      visit(statement.condition);
      visitStatement(statement.then, visit);
      if (statement.else !== null) visitStatement(statement.else, visit);
      break;
    case 'for':
      if (statement.initializer !== null) visitStatement(statement.initializer, visit);
      visitIfAny(statement.condition);
      visitIfAny(statement.update);
      visitStatement(statement.body, visit);
      break;
    case 'while':
    case 'do':
      visit(statement.condition);
      visitStatement(statement.body, visit);
      break;
    case 'switch':
      visit(statement.selector);
      for (const each of statement.cases) {
        for (const inner of each.statements) visitStatement(inner, visit);
      }
      break;
    case 'return':
      visitIfAny(statement.value);
      break;
    case 'break':
    case 'continue':
    case 'discard':
      break;
  }
}

/** Returns the variables used in functions that `main` reaches or in initializers of globals. */
export function collectUsedVariables(shader: CheckedShader): ReadonlySet<VariableSymbol> {
  const used = new Set<VariableSymbol>();
  const visit = (node: Expression): void => {
    if (node.kind === 'variable') used.add(node.variable);
    else visitParts(node, visit);
  };
  for (const { body } of shader.functions) if (body !== null) visitStatement(body, visit);
  for (const { initializer } of shader.globals) if (initializer !== null) visit(initializer);
  return used;
}
