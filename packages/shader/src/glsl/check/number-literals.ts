/** Values of number tokens (GLSL ES 3.00 section 4.1). */

import { FLOAT, INT, UINT } from '../../tree/type-rules.ts';
import type { Token } from '../preprocess/lexer.ts';
import type { CheckContext } from './check-context.ts';
import { errorNode, literalNode } from './expression-nodes.ts';
import type { ExpressionNode } from './symbol-scope.ts';

const INTEGER = /^(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)([uU]?)$/;
const FLOATING =
  /^(?:[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)([fF]?)$/;

/** Returns the literal of a number token. */
export function parseNumber(context: CheckContext, token: Token): ExpressionNode {
  const { text } = token;
  const integer = INTEGER.exec(text);
  if (integer !== null) return integerLiteral(context, token, integer[1] !== '');
  const floating = FLOATING.exec(text);
  if (floating === null) {
    context.error(token, text, 'invalid number');
    return errorNode(token);
  }
  const hasSuffix = floating[1] !== '';
  if (hasSuffix && context.version === 100) {
    context.error(token, text, 'a floating-point suffix needs version 300');
  } else if (hasSuffix && context.version === 110) {
    context.log.warning(token, text, 'a floating-point suffix needs version 120');
  }
  const value = Number(hasSuffix ? text.slice(0, -1) : text);
  return literalNode(token, FLOAT, [Math.fround(value)]);
}

function integerLiteral(context: CheckContext, token: Token, isUnsigned: boolean): ExpressionNode {
  const digits = isUnsigned ? token.text.slice(0, -1) : token.text;
  if (isUnsigned && !context.hasIntegers) {
    context.error(token, token.text, 'unsigned integers need version 130 or 300 es');
  }
  const isOctal = /^0[0-7]+$/.test(digits);
  const value = isOctal ? Number.parseInt(digits, 8) : Number(digits);
  if (value > 0xffff_ffff) context.error(token, token.text, 'integer overflow');
  return isUnsigned
    ? literalNode(token, UINT, [value >>> 0])
    : literalNode(token, INT, [value | 0]);
}
