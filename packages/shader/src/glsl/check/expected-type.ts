/** Checks that an expression has the type that its context requires. */
import { BOOL, ERROR_TYPE, typeName, VOID } from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import type { Token } from '../preprocess/lexer.ts';
import type { CheckContext } from './check-context.ts';
import { convertTo, isErrorNode } from './expression-nodes.ts';
import type { ExpressionNode } from './symbol-scope.ts';

/** Reports a condition of `if`, `while` or `for` that is not a bool. */
export function checkCondition(context: CheckContext, node: ExpressionNode): void {
  if (!isErrorNode(node) && node.type !== BOOL) {
    context.error(node.position, typeName(node.type), 'boolean expression expected');
  }
}

/** Converts `node` to the initial value of a variable of `type`; returns null after an error. */
export function convertInitializer(
  context: CheckContext,
  position: Token,
  node: ExpressionNode,
  type: GlslType,
): ExpressionNode | null {
  if (isErrorNode(node) || type === ERROR_TYPE) return null;
  const converted = convertTo(context, node, type);
  if (converted === null || type === VOID) {
    const types = `${typeName(node.type)} to ${typeName(type)}`;
    context.error(position, '=', `cannot convert from ${types}`);
    return null;
  }
  return converted;
}
