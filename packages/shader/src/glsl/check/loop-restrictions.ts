/**
 * Appendix A of GLSL ES 1.00, mandatory in WebGL 1: the compiler knows the number of iterations of
 * a loop and, in fragment shaders, the value of all indices.
 */

import type { Expression, SourcePosition, Statement } from '../../tree/checked-tree.ts';
import { visitParts, visitStatement } from '../../tree/tree-visit.ts';
import { FLOAT, INT } from '../../tree/type-rules.ts';
import { rootVariable } from './assignable.ts';
import type { CheckContext } from './check-context.ts';
import type { ExpressionNode, Variable } from './symbol-scope.ts';

const RELATIONS: ReadonlySet<string> = new Set(['<', '>', '<=', '>=', '==', '!=']);

/** Checks `for (type i = constant; i < constant; i++)`. Returns the loop counter, or null. */
export function checkLoopHeader(
  context: CheckContext,
  position: SourcePosition,
  initial: readonly Statement[],
  condition: ExpressionNode | null,
  update: ExpressionNode | null,
): Variable | null {
  const refuse = (message: string): null => {
    context.error(position, 'for', message);
    return null;
  };
  const [declaration] = initial;
  if (initial.length !== 1 || declaration?.kind !== 'declaration') {
    return refuse('the loop must declare one counter');
  }
  const counter = declaration.variable as Variable;
  const start = declaration.initializer as ExpressionNode | null;
  if (counter.type !== INT && counter.type !== FLOAT) {
    return refuse('the loop counter must be an int or a float');
  }
  if (start === null || !start.isConstantExpression) {
    return refuse('the loop counter must start at a constant');
  }
  if (
    condition === null ||
    condition.kind !== 'binary' ||
    !RELATIONS.has(condition.operator) ||
    !isCounter(condition.left, counter) ||
    !(condition.right as ExpressionNode).isConstantExpression
  ) {
    return refuse('the loop condition must compare the counter with a constant');
  }
  return isCounterUpdate(update, counter)
    ? counter
    : refuse('the loop counter must change by a constant with ++, --, += or -=');
}

function isCounter(node: Expression, counter: Variable): boolean {
  return node.kind === 'variable' && node.variable === counter;
}

function isCounterUpdate(update: ExpressionNode | null, counter: Variable): boolean {
  if (update === null) return false;
  if (update.kind === 'increment') return isCounter(update.target, counter);
  return (
    update.kind === 'assign' &&
    (update.operator === '+' || update.operator === '-') &&
    isCounter(update.target, counter) &&
    (update.value as ExpressionNode).isConstantExpression
  );
}

/** Whether `node` consists of constants and of counters of the enclosing loops. */
export function isConstantIndexExpression(
  node: Expression,
  counters: readonly Variable[],
): boolean {
  if ((node as ExpressionNode).isConstantExpression) return true;
  const isFitting = (part: Expression): boolean => isConstantIndexExpression(part, counters);
  switch (node.kind) {
    case 'variable':
      return counters.some((counter) => counter === node.variable);
    case 'unary':
      return isFitting(node.operand);
    case 'binary':
      return isFitting(node.left) && isFitting(node.right);
    case 'conditional':
      return isFitting(node.condition) && isFitting(node.whenTrue) && isFitting(node.whenFalse);
    case 'construct':
    case 'builtinCall':
      return node.arguments.every(isFitting);
    case 'swizzle':
    case 'field':
      return isFitting(node.object);
    case 'index':
      return isFitting(node.object) && isFitting(node.index);
    default:
      return false;
  }
}

/** Reports an index that appendix A does not allow. */
export function checkRestrictedIndex(
  context: CheckContext,
  position: SourcePosition,
  object: ExpressionNode,
  index: ExpressionNode,
): void {
  const isUniform = rootVariable(object)?.storage === 'uniform';
  if (context.stage === 'vertex' && isUniform && object.type.kind !== 'sampler') return;
  if (!isConstantIndexExpression(index, context.loopCounters)) {
    context.error(position, '[]', 'index expression must be constant');
  }
}

/** Reports statements in the body of a loop that modify its counter. */
export function checkRestrictedBody(
  context: CheckContext,
  body: Statement,
  counter: Variable,
): void {
  const refuse = (node: Expression): void => {
    context.error(node.position, counter.name, 'a loop counter cannot be changed in its loop');
  };
  const visit = (node: Expression): void => {
    if (node.kind === 'increment' || node.kind === 'assign') {
      if (rootVariable(node.target) === counter) refuse(node);
    } else if (node.kind === 'call') {
      node.arguments.forEach((argument, index) => {
        const isWritten = node.function.parameters[index]!.direction !== 'in';
        if (isWritten && rootVariable(argument) === counter) refuse(argument);
      });
    }
    visitParts(node, visit);
  };
  visitStatement(body, visit);
}
