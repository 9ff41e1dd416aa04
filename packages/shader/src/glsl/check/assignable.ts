/** L-values (GLSL ES 3.00 section 5.8). */

import type { Expression, VariableSymbol } from '../../tree/checked-tree.ts';
import { containsSampler, ERROR_TYPE } from '../../tree/type-rules.ts';
import type { CheckContext } from './check-context.ts';

/**
 * Returns the variable that `expression` names or is a part of; null if it is not part of a
 * variable.
 */
export function rootVariable(expression: Expression): VariableSymbol | null {
  let node = expression;
  for (;;) {
    switch (node.kind) {
      case 'variable':
        return node.variable;
      case 'field':
      case 'swizzle':
      case 'index':
        node = node.object;
        break;
      default:
        return null;
    }
  }
}

/**
 * Reports an error unless `target` can be written to.
 *
 * @param action Operator to name in the message if `target` is not part of a variable.
 */
export function checkAssignable(context: CheckContext, target: Expression, action: string): void {
  if (target.type === ERROR_TYPE) return;
  const fault = findFault(context, target);
  if (fault !== null) {
    const name = rootVariable(target)?.name ?? action;
    context.error(target.position, name, `l-value required: ${fault}`);
  }
}

function findFault(context: CheckContext, target: Expression): string | null {
  if (containsSampler(target.type)) return 'samplers cannot be written';
  let node = target;
  for (;;) {
    switch (node.kind) {
      case 'variable':
        return variableFault(context, node.variable);
      case 'swizzle':
        if (new Set(node.components).size < node.components.length) {
          return 'a component occurs twice in the swizzle';
        }
        node = node.object;
        break;
      case 'field':
      case 'index':
        node = node.object;
        break;
      default:
        return 'the expression is not a variable';
    }
    if (node.type === ERROR_TYPE) return null;
  }
}

function variableFault(context: CheckContext, variable: VariableSymbol): string | null {
  switch (variable.storage) {
    case 'constant':
      return 'cannot modify a constant';
    case 'uniform':
      return 'cannot modify a uniform';
    case 'input':
      return context.stage === 'vertex' ? 'cannot modify an attribute' : 'cannot modify an input';
    default:
      return variable.isReadOnly ? 'cannot modify a read-only variable' : null;
  }
}
