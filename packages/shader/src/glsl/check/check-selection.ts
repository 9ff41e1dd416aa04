/**
 * Checks of selections after a dot: fields of structures, components of vectors, the method of
 * arrays.
 */
import { INT, typeName } from '../../tree/type-rules.ts';
import type { Token } from '../preprocess/lexer.ts';
import type { CheckContext } from './check-context.ts';
import {
  depthAbove,
  errorNode,
  fieldNode,
  isErrorNode,
  literalNode,
  positionOf,
  swizzleNode,
} from './expression-nodes.ts';
import type { ExpressionNode } from './symbol-scope.ts';

const COMPONENT_SETS: readonly string[] = ['xyzw', 'rgba', 'stpq'];

/** Checks `object.name` and returns its node. */
export function checkSelection(
  context: CheckContext,
  dot: Token,
  object: ExpressionNode,
  name: Token,
): ExpressionNode {
  if (isErrorNode(object)) return errorNode(name);
  const { type } = object;
  if (type.kind === 'struct') {
    const fieldIndex = type.fields.findIndex((field) => field.name === name.text);
    if (fieldIndex < 0) {
      context.error(name, name.text, `no such field in structure ${typeName(type)}`);
      return errorNode(name);
    }
    return fieldNode(context, name, object, fieldIndex);
  }
  if (type.kind === 'vector') {
    const components = swizzleComponents(name.text, type.size);
    if (components !== null) return swizzleNode(context, name, object, components);
    context.error(name, name.text, `invalid selection of components of ${typeName(type)}`);
    return errorNode(name);
  }
  context.error(dot, name.text, `field selection requires a structure or vector on the left`);
  return errorNode(name);
}

/** Returns the component numbers of a selection such as `xzy`, or null if it is invalid. */
function swizzleComponents(text: string, size: number): number[] | null {
  if (text.length > 4) return null;
  const set = COMPONENT_SETS.find((names) => names.includes(text[0]!));
  if (set === undefined) return null;
  const components: number[] = [];
  for (const character of text) {
    const component = set.indexOf(character);
    if (component < 0 || component >= size) return null;
    components.push(component);
  }
  return components;
}

/**
 * Checks `array.length()`. The result is constant unless the expression of the array may have side
 * effects.
 */
export function checkLengthMethod(
  context: CheckContext,
  object: ExpressionNode,
  name: Token,
  args: readonly ExpressionNode[],
): ExpressionNode {
  if (isErrorNode(object)) return object;
  const { type } = object;
  if (name.text !== 'length' || args.length > 0 || !context.hasArrayValues) {
    context.error(name, name.text, 'invalid method');
    return errorNode(name);
  }
  if (type.kind !== 'array' || type.length === 0) {
    context.error(name, 'length', 'can only be called on an array with a size');
    return errorNode(name);
  }
  const length = literalNode(name, INT, [type.length]);
  if (isPlain(object)) return length;
  return {
    kind: 'comma',
    left: object,
    right: length,
    type: INT,
    position: positionOf(name),
    constant: null,
    isConstantExpression: false,
    depth: depthAbove(context, name, object, length),
  };
}

/** Whether `node` has no side effects: it is constant, or a variable or part of one. */
function isPlain(node: ExpressionNode): boolean {
  if (node.constant !== null) return true;
  switch (node.kind) {
    case 'variable':
      return true;
    case 'field':
    case 'swizzle':
      return isPlain(node.object as ExpressionNode);
    case 'index':
      return isPlain(node.object as ExpressionNode) && isPlain(node.index as ExpressionNode);
    default:
      return false;
  }
}
