/** Checks of indices: the range of constant ones, and arrays that only constants may index. */
import { componentCount, containsSampler, INT, typeName, UINT } from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import { MAX_VARIABLE_COMPONENTS, type ShaderLimits } from '../language/limits.ts';
import type { Token } from '../preprocess/lexer.ts';
import type { CheckContext } from './check-context.ts';
import { elementType, errorNode, indexNode, isErrorNode } from './expression-nodes.ts';
import { checkRestrictedIndex } from './loop-restrictions.ts';
import type { ExpressionNode, Variable } from './symbol-scope.ts';

/** Checks `object[index]` and returns its node. */
export function checkIndex(
  context: CheckContext,
  bracket: Token,
  object: ExpressionNode,
  index: ExpressionNode,
): ExpressionNode {
  if (isErrorNode(object) || isErrorNode(index)) return errorNode(bracket);
  if (elementType(object.type) === null) {
    context.error(bracket, '[', `${typeName(object.type)} cannot be indexed`);
    return errorNode(bracket);
  }
  if (index.type !== INT && index.type !== UINT) {
    context.error(bracket, '[', 'integer expression required');
    return errorNode(bracket);
  }
  if (!checkIndexRange(context, bracket, object, index)) return errorNode(bracket);
  checkIndexConstancy(context, bracket, object, index);
  if (context.restrictLoops) checkRestrictedIndex(context, bracket, object, index);
  return indexNode(context, bracket, object, index);
}

function indexableLength(type: GlslType): number {
  if (type.kind === 'array') return type.length;
  if (type.kind === 'matrix') return type.columns;
  return componentCount(type);
}

function checkIndexRange(
  context: CheckContext,
  bracket: Token,
  object: ExpressionNode,
  index: ExpressionNode,
): boolean {
  const length = indexableLength(object.type);
  const isUnsized = object.type.kind === 'array' && length === 0;
  if (index.constant === null) {
    if (isUnsized) {
      context.error(bracket, '[', 'array must have a size before a variable indexes it');
      return false;
    }
    return true;
  }
  const value = index.constant[0]!;
  const limit = isUnsized ? unsizedLimit(context, object) : length;
  if (value < 0 || value >= limit) {
    context.error(bracket, '[', `index ${value} is out of range`);
    return false;
  }
  if (isUnsized && object.kind === 'variable') {
    const variable = object.variable as Variable;
    variable.largestIndex = Math.max(variable.largestIndex, value);
  }
  return true;
}

/** Returns the largest length of an array that the language declares without one, else null. */
export function sizeLimitOf(name: string, limits: ShaderLimits): number | null {
  switch (name) {
    case 'gl_TexCoord':
      return limits.maxTextureCoords;
    case 'gl_ClipDistance':
      return limits.maxClipDistances;
    case 'gl_CullDistance':
      return limits.maxCullDistances;
    default:
      return null;
  }
}

function unsizedLimit(context: CheckContext, object: ExpressionNode): number {
  const name = object.kind === 'variable' ? object.variable.name : '';
  return sizeLimitOf(name, context.limits) ?? MAX_VARIABLE_COMPONENTS / 16;
}

/** Reports an index that must be constant but is not. */
function checkIndexConstancy(
  context: CheckContext,
  bracket: Token,
  object: ExpressionNode,
  index: ExpressionNode,
): void {
  if (!context.isEs || index.isConstantExpression) return;
  if (object.kind === 'variable') {
    const { variable } = object;
    if (variable.block?.arrayLength != null && object.type.kind === 'array') {
      const isInstanceArray = variable.name === variable.block.instanceName;
      if (isInstanceArray) {
        context.error(bracket, '[', 'array of uniform blocks needs a constant index');
        return;
      }
    }
    // GL_EXT_draw_buffers adds further targets to GLSL ES 1.00, and loop counters may select among
    // them.
    const isOneTarget = context.version !== 100 || !context.isExtensionOn('GL_EXT_draw_buffers');
    const isOutputArray =
      context.stage === 'fragment' &&
      ((variable.name === 'gl_FragData' && isOneTarget) ||
        variable.name === 'gl_SecondaryFragDataEXT' ||
        (variable.storage === 'output' && object.type.kind === 'array'));
    if (isOutputArray) {
      context.error(bracket, '[', 'fragment outputs need a constant index');
      return;
    }
  }
  if (context.version === 300 && containsSampler(object.type)) {
    context.error(bracket, '[', 'arrays of samplers need a constant integral index');
  }
}
